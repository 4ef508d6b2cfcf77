package io.dubbomesh.benchmark.ladder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** What the provider agent understands and answers, byte by byte. */
@Timeout(30)
class WireTest {
    private static final HexFormat HEX = HexFormat.of();

    /** "s", "hash", "Ljava/lang/String;", no version, no group. */
    private static final String NAMES =
            "000173" + "000468617368" + "00124c6a6176612f6c616e672f537472696e673b" + "0000" + "0000";

    private static final String HELLO = "0000000568656c6c6f";
    private static final String HASH_OF_HELLO = HEX.formatHex("99162322".getBytes());

    private static final String MESH_REQUEST = "d3e50103" + "00010000" + "0000000000000007" + "00000000" + "00000030"
            + "00001388" + "0000" + NAMES + HELLO;
    private static final String MESH_RESPONSE =
            "d3e50104" + "00010000" + "0000000000000007" + "00000000" + "0000000a" + "0000" + HASH_OF_HELLO;

    private static final String PROTOBUF_REQUEST =
            "2a" + "0807" + "120173" + "1a0468617368" + "22124c6a6176612f6c616e672f537472696e673b" + "3a09" + HELLO;
    private static final String PROTOBUF_REPLY = "0c" + "0807" + "1a08" + HASH_OF_HELLO;

    private static Stub stub;

    @BeforeAll
    static void startTheProvider() throws IOException {
        stub = Stub.start(0, 0);
    }

    @AfterAll
    static void endTheProvider() {
        stub.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"frame", "batch"})
    void answersMeshRequestsHoweverTheirBytesArrive(String decode) throws Exception {
        try (LadderAgent agent = provider(Map.of("ladder.decode", decode));
                Socket socket = connect(agent)) {
            byte[] request = HEX.parseHex(MESH_REQUEST);
            for (byte one : request) {
                socket.getOutputStream().write(one);
            }
            assertThat(receive(socket, MESH_RESPONSE.length() / 2)).isEqualTo(MESH_RESPONSE);
            socket.getOutputStream().write(HEX.parseHex(MESH_REQUEST + MESH_REQUEST));
            assertThat(receive(socket, MESH_RESPONSE.length())).isEqualTo(MESH_RESPONSE + MESH_RESPONSE);
        }
    }

    @Test
    void answersProtobufRequests() throws Exception {
        try (LadderAgent agent = provider(Map.of("ladder.link", "protobuf"));
                Socket socket = connect(agent)) {
            socket.getOutputStream().write(HEX.parseHex(PROTOBUF_REQUEST + PROTOBUF_REQUEST));
            assertThat(receive(socket, PROTOBUF_REPLY.length())).isEqualTo(PROTOBUF_REPLY + PROTOBUF_REPLY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"frame", "batch"})
    void closesALinkThatIsNoMeshLink(String decode) throws Exception {
        try (LadderAgent agent = provider(Map.of("ladder.decode", decode))) {
            for (String bytes : new String[] {
                "dabb" + MESH_REQUEST.substring(4),
                MESH_REQUEST.substring(0, 40) + "ffffffff",
                "d3e50109" + MESH_REQUEST.substring(8)
            }) {
                try (Socket socket = connect(agent)) {
                    socket.getOutputStream().write(HEX.parseHex(bytes));
                    assertThat(socket.getInputStream().read()).isEqualTo(-1);
                }
            }
        }
    }

    private static LadderAgent provider(Map<String, String> switches) throws IOException {
        Map<String, String> values = new HashMap<>(switches);
        values.put("server.port", "0");
        values.put("dubbo.port", String.valueOf(stub.port()));
        return LadderProvider.start(new Settings(values));
    }

    private static Socket connect(LadderAgent agent) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), agent.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static String receive(Socket socket, int length) throws IOException {
        return HEX.formatHex(socket.getInputStream().readNBytes(length));
    }
}
