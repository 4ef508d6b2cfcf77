package io.dubbomesh.benchmark.stub;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class StubProviderTest {
    private static final HexFormat HEX = HexFormat.of();

    /** The length, "2.0.2", "s", "0.0.0", "hash", "Ljava/lang/String;", "hello", no attachments. */
    private static final String HELLO = "0000002e" + "05322e302e32" + "0173" + "05302e302e30" + "0468617368"
            + "124c6a6176612f6c616e672f537472696e673b" + "0568656c6c6f" + "485a";

    private static final int ANSWER_LENGTH = 16 + 6;

    private StubProvider stub;
    private Socket socket;
    private DataInputStream in;

    @AfterEach
    void close() throws IOException {
        socket.close();
        stub.close();
    }

    @Test
    void aCallIsAnsweredWithItsHashAndAHeartbeatWithNull() throws IOException {
        start(Map.of());
        send("dabb8200" + "0000000000000006" + HELLO); // wants no answer
        send("dabbc200" + "0000000000000007" + HELLO + "dabbe200" + "0000000000000009" + "00000001" + "4e");
        assertThat(receive(ANSWER_LENGTH))
                .isEqualTo("dabb0214" + "0000000000000007" + "00000006" + "9149" + "05e918d2");
        assertThat(receive(17)).isEqualTo("dabb2214" + "0000000000000009" + "00000001" + "4e");
    }

    @Test
    void anythingElseIsABadRequest() throws IOException {
        start(Map.of());
        send("dabbc200" + "0000000000000007" + "00000001" + "4e");
        String text = HEX.formatHex("not a call of hash(String)".getBytes(US_ASCII));
        assertThat(receive(16 + 27)).isEqualTo("dabb0228" + "0000000000000007" + "0000001b" + "1a" + text);
    }

    @Test
    void callsAreAnsweredInTheirOrderHoweverTheBytesArrive() throws IOException {
        start(Map.of());
        for (byte one :
                HEX.parseHex("dabbc200" + "0000000000000001" + HELLO + "dabbc200" + "0000000000000002" + HELLO)) {
            socket.getOutputStream().write(one);
        }
        assertThat(receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000001");
        assertThat(receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000002");
    }

    @Test
    void aConnectionWithAFrameThatIsTooLongIsClosed() throws IOException {
        start(Map.of());
        send("dabbc200" + "0000000000000007" + "00800001");
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void allCallsAreAnsweredAfterTheDelayAndNoneBefore() throws IOException {
        int calls = 3000;
        start(Map.of("delay.ms", "50"));
        StringBuilder frames = new StringBuilder();
        for (int id = 0; id < calls; id++) {
            frames.append("dabbc200%016x".formatted(id)).append(HELLO);
        }
        long sentNs = System.nanoTime();
        send(frames.toString());
        for (int id = 0; id < calls; id++) {
            assertThat(receive(ANSWER_LENGTH)).startsWith("dabb0214%016x".formatted(id));
            assertThat(System.nanoTime() - sentNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
        }
        assertThat(stub.report()).startsWith("answered 3000 calls, refused 0, late by at most ");
    }

    @Test
    void callsAboveTheLimitAreRefusedAsByAFullPool() throws IOException {
        start(Map.of("delay.ms", "200", "limit", "1"));
        send("dabbc200" + "0000000000000001" + HELLO + "dabbc200" + "0000000000000002" + HELLO);
        String text = HEX.formatHex("threadpool is exhausted".getBytes(US_ASCII));
        assertThat(receive(16 + 24)).isEqualTo("dabb0264" + "0000000000000002" + "00000018" + "17" + text);
        assertThat(receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000001");
        send("dabbc200" + "0000000000000003" + HELLO);
        assertThat(receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000003");
    }

    @Test
    void aCallerMayLeaveBeforeItsAnswer() throws IOException {
        start(Map.of("delay.ms", "20"));
        try (Socket leaving = new Socket(InetAddress.getLoopbackAddress(), stub.port())) {
            leaving.getOutputStream().write(HEX.parseHex("dabbc200" + "0000000000000001" + HELLO));
        }
        send("dabbc200" + "0000000000000002" + HELLO);
        assertThat(receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000002");
    }

    @Test
    void aPortInUseIsReported() throws IOException {
        start(Map.of());
        String port = Integer.toString(stub.port());
        assertThatThrownBy(() -> StubProvider.start(StubSettings.from(Map.of("port", port)::get)))
                .hasMessageContaining(port);
    }

    private void start(Map<String, String> properties) throws IOException {
        stub = StubProvider.start(StubSettings.from(key -> key.equals("port") ? "0" : properties.get(key)));
        socket = new Socket(InetAddress.getLoopbackAddress(), stub.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = new DataInputStream(socket.getInputStream());
    }

    private void send(String hex) throws IOException {
        socket.getOutputStream().write(HEX.parseHex(hex));
    }

    private String receive(int length) throws IOException {
        return HEX.formatHex(in.readNBytes(length));
    }
}
