package io.dubbomesh.benchmark.stub;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class StubProviderTest {
    private static final HexFormat HEX = HexFormat.of();

    /** "2.0.2", "s", "0.0.0", "hash", "Ljava/lang/String;", "hello", no attachments. */
    private static final String HELLO = "05322e302e32" + "0173" + "05302e302e30" + "0468617368"
            + "124c6a6176612f6c616e672f537472696e673b" + "0568656c6c6f" + "485a";

    private static final int ANSWER_LENGTH = 16 + 6;

    @Test
    void answersACallWithItsHash() throws Exception {
        try (StubProvider stub = start(Map.of());
                Client client = new Client(stub)) {
            client.send("dabbc200" + "0000000000000007" + "0000002e" + HELLO);
            assertThat(client.receive(ANSWER_LENGTH))
                    .isEqualTo("dabb0214" + "0000000000000007" + "00000006" + "9149" + "05e918d2");
        }
    }

    @Test
    void answersAHeartbeat() throws Exception {
        try (StubProvider stub = start(Map.of());
                Client client = new Client(stub)) {
            client.send("dabbe200" + "0000000000000009" + "00000001" + "4e");
            assertThat(client.receive(17)).isEqualTo("dabb2214" + "0000000000000009" + "00000001" + "4e");
        }
    }

    @Test
    void answersNothingToACallThatWantsNoAnswer() throws Exception {
        try (StubProvider stub = start(Map.of());
                Client client = new Client(stub)) {
            client.send("dabb8200" + "0000000000000007" + "0000002e" + HELLO + "dabba200" + "0000000000000008"
                    + "00000001" + "4e" + "dabbe200" + "0000000000000009" + "00000001" + "4e");
            assertThat(client.receive(17)).startsWith("dabb2214" + "0000000000000009");
        }
    }

    @Test
    void answersABadRequestToWhatIsNoCallOfHash() throws Exception {
        try (StubProvider stub = start(Map.of());
                Client client = new Client(stub)) {
            client.send("dabbc200" + "0000000000000007" + "00000001" + "4e");
            assertThat(client.receive(16 + 27))
                    .isEqualTo("dabb0228" + "0000000000000007" + "0000001b" + "1a"
                            + HEX.formatHex("not a call of hash(String)".getBytes()));
        }
    }

    @Test
    void answersCallsInTheirOrderHoweverTheBytesArrive() throws Exception {
        try (StubProvider stub = start(Map.of());
                Client client = new Client(stub)) {
            byte[] two = HEX.parseHex("dabbc200" + "0000000000000001" + "0000002e" + HELLO + "dabbc200"
                    + "0000000000000002" + "0000002e" + HELLO);
            for (byte one : two) {
                client.socket.getOutputStream().write(one);
            }
            assertThat(client.receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000001");
            assertThat(client.receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000002");
        }
    }

    @Test
    void closesAConnectionThatDoesNotSpeakDubbo() throws Exception {
        try (StubProvider stub = start(Map.of());
                Client client = new Client(stub)) {
            client.send(HEX.formatHex("GET / HTTP/1.1\r\n\r\n".getBytes()));
            assertThat(client.in.read()).isEqualTo(-1);
        }
    }

    @Test
    void closesAConnectionThatAnnouncesMoreThanDubboAllows() throws Exception {
        try (StubProvider stub = start(Map.of());
                Client client = new Client(stub)) {
            client.send("dabbc200" + "0000000000000007" + "00800001");
            assertThat(client.in.read()).isEqualTo(-1);
        }
    }

    @Test
    void answersAllCallsAfterTheDelayAndNoneBefore() throws Exception {
        int calls = 3000;
        try (StubProvider stub = start(Map.of("delay.ms", "50"));
                Client client = new Client(stub)) {
            StringBuilder frames = new StringBuilder();
            for (int id = 0; id < calls; id++) {
                frames.append("dabbc200%016x0000002e".formatted(id)).append(HELLO);
            }
            long sentNs = System.nanoTime();
            client.send(frames.toString());
            for (int id = 0; id < calls; id++) {
                assertThat(client.receive(ANSWER_LENGTH)).startsWith("dabb0214%016x".formatted(id));
                assertThat(System.nanoTime() - sentNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
            }
            assertThat(stub.report()).startsWith("answered 3000 calls, refused 0, late by ");
        }
    }

    @Test
    void refusesWhatExceedsTheLimitAsAFullPoolDoes() throws Exception {
        try (StubProvider stub = start(Map.of("delay.ms", "200", "limit", "1"));
                Client client = new Client(stub)) {
            client.send("dabbc200" + "0000000000000001" + "0000002e" + HELLO + "dabbc200" + "0000000000000002"
                    + "0000002e" + HELLO);
            assertThat(client.receive(16 + 24))
                    .isEqualTo("dabb0264" + "0000000000000002" + "00000018" + "17"
                            + HEX.formatHex("threadpool is exhausted".getBytes()));
            assertThat(client.receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000001");
            client.send("dabbc200" + "0000000000000003" + "0000002e" + HELLO);
            assertThat(client.receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000003");
        }
    }

    @Test
    void goesOnWhenACallerLeavesBeforeItsAnswer() throws Exception {
        try (StubProvider stub = start(Map.of("delay.ms", "20"));
                Client stays = new Client(stub)) {
            try (Client leaves = new Client(stub)) {
                leaves.send("dabbc200" + "0000000000000001" + "0000002e" + HELLO);
            }
            stays.send("dabbc200" + "0000000000000002" + "0000002e" + HELLO);
            assertThat(stays.receive(ANSWER_LENGTH)).startsWith("dabb0214" + "0000000000000002");
        }
    }

    @Test
    void refusesAWrongSettingAndSaysWhatItWants() {
        assertThatThrownBy(() -> StubSettings.from(Map.of("limit", "0")::get))
                .hasMessage("limit: 0 (expected: 1-2147483647)");
        assertThatThrownBy(() -> StubSettings.from(Map.of("delay.ms", "x")::get))
                .hasMessage("delay.ms: x (expected: 0-3600000)");
    }

    private static StubProvider start(Map<String, String> properties) throws IOException {
        return StubProvider.start(StubSettings.from(key -> key.equals("port") ? "0" : properties.get(key)));
    }

    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;

        Client(StubProvider stub) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), stub.port());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(10_000);
            in = new DataInputStream(socket.getInputStream());
        }

        void send(String hex) throws IOException {
            socket.getOutputStream().write(HEX.parseHex(hex));
        }

        String receive(int length) throws IOException {
            return HEX.formatHex(in.readNBytes(length));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
