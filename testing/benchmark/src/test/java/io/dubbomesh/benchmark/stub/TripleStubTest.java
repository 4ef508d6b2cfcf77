package io.dubbomesh.benchmark.stub;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class TripleStubTest {
    private static final HexFormat HEX = HexFormat.of();

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int PING = 6;
    private static final int END_HEADERS = 4;
    private static final int END_STREAM_AND_HEADERS = 5;
    private static final int END_STREAM = 1;
    private static final int ACK = 1;

    private static final String PREFACE = "505249202a20485454502f322e300d0a0d0a534d0d0a0d0a" + "000000040000000000";

    /** {@code :method: POST}, {@code :scheme: http}, and {@code :path} with its length, as literals. */
    private static final String HASH = "8386" + "0407" + "2f732f68617368";

    private static final String OTHER = "8386" + "0407" + "2f732f68617379";

    /** The prefix, "hessian2", "hello" in Hessian, "java.lang.String". */
    private static final String HELLO = "0000000024" + "0a08" + "6865737369616e32" + "1206" + "0568656c6c6f" + "1a10"
            + "6a6176612e6c616e672e537472696e67";

    /** The prefix, "hessian2", the hash of "hello" in Hessian, "int". */
    private static final String HASH_OF_HELLO =
            "0000000016" + "0a08" + "6865737369616e32" + "1205" + "4905e918d2" + "1a03" + "696e74";

    private StubProvider stub;
    private Socket socket;
    private DataInputStream in;

    /** A frame of the stub's. */
    private record Frame(int type, int flags, int streamId, String payload) {}

    @AfterEach
    void close() throws IOException {
        socket.close();
        stub.close();
    }

    private void start(Map<String, String> properties) throws IOException {
        Map<String, String> all = new HashMap<>(properties);
        all.put("port", "0");
        all.put("protocol", "tri");
        stub = StubProvider.start(StubSettings.from(all::get));
        socket = new Socket(InetAddress.getLoopbackAddress(), stub.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = new DataInputStream(socket.getInputStream());
        send(PREFACE);
    }

    private void send(String hex) throws IOException {
        socket.getOutputStream().write(HEX.parseHex(hex));
    }

    private static String frame(int type, int flags, int streamId, String payload) {
        return "%06x%02x%02x%08x%s".formatted(payload.length() / 2, type, flags, streamId, payload);
    }

    private static String call(int streamId, String head, String message) {
        return frame(HEADERS, END_HEADERS, streamId, head) + frame(DATA, END_STREAM, streamId, message);
    }

    /** Returns the next frame of a stream or a PING; the others are those by which a connection begins and windows. */
    private Frame receive() throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            Frame frame = new Frame(type, in.readUnsignedByte(), in.readInt(), HEX.formatHex(in.readNBytes(length)));
            if (type == DATA || type == HEADERS || type == RESET || type == PING) {
                return frame;
            }
        }
    }

    private static String hex(String text) {
        return HEX.formatHex(text.getBytes(US_ASCII));
    }

    @Test
    void aCallIsAnsweredWithHeaderFieldsItsResultAndTrailers() throws IOException {
        start(Map.of());
        send(call(1, HASH, HELLO));
        Frame head = receive();
        assertThat(head.type()).isEqualTo(HEADERS);
        assertThat(head.flags()).isEqualTo(END_HEADERS);
        // The index of ":status: 200" in the table that every peer has.
        assertThat(head.payload()).startsWith("88");
        assertThat(receive()).isEqualTo(new Frame(DATA, 0, 1, HASH_OF_HELLO));
        Frame trailers = receive();
        assertThat(trailers.flags()).isEqualTo(END_STREAM_AND_HEADERS);
        assertThat(trailers.streamId()).isEqualTo(1);
    }

    @Test
    void aCallMayArriveInAnyPieces() throws IOException {
        start(Map.of());
        for (byte one : HEX.parseHex(call(1, HASH, HELLO))) {
            socket.getOutputStream().write(one);
        }
        assertThat(receive().type()).isEqualTo(HEADERS);
        assertThat(receive().payload()).isEqualTo(HASH_OF_HELLO);
        assertThat(receive().flags()).isEqualTo(END_STREAM_AND_HEADERS);
    }

    @Test
    void aPingIsAnswered() throws IOException {
        start(Map.of());
        send(frame(PING, 0, 0, "0102030405060708"));
        assertThat(receive()).isEqualTo(new Frame(PING, ACK, 0, "0102030405060708"));
    }

    @Test
    void anotherMethodAndAnotherMessageAreNotImplemented() throws IOException {
        start(Map.of());
        send(call(1, OTHER, HELLO) + call(3, HASH, "0000000000"));
        for (int id = 1; id <= 3; id += 2) {
            Frame only = receive();
            assertThat(only.type()).isEqualTo(HEADERS);
            assertThat(only.flags()).isEqualTo(END_STREAM_AND_HEADERS);
            assertThat(only.streamId()).isEqualTo(id);
        }
        assertThat(stub.report()).isEqualTo("answered 0 calls, refused 0");
    }

    @Test
    void aCallAboveTheLimitIsResetAsByAFullPool() throws IOException {
        start(Map.of("delay.ms", "100", "limit", "1"));
        send(call(1, HASH, HELLO) + call(3, HASH, HELLO));
        assertThat(receive()).isEqualTo(new Frame(RESET, 0, 3, "000001f4"));
        assertThat(receive().streamId()).isEqualTo(1);
        assertThat(receive().payload()).isEqualTo(HASH_OF_HELLO);
    }

    @Test
    void aCallThatItsCallerResetsIsNotAnswered() throws IOException {
        start(Map.of("delay.ms", "50"));
        send(call(1, HASH, HELLO) + frame(RESET, 0, 1, "00000008") + call(3, HASH, HELLO));
        assertThat(receive().streamId()).isEqualTo(3);
        assertThat(receive()).isEqualTo(new Frame(DATA, 0, 3, HASH_OF_HELLO));
        assertThat(stub.report()).startsWith("answered 2 calls");
    }

    @Test
    void aTextHasTheLengthThatIsWanted() throws IOException {
        start(Map.of("answer.length", "12"));
        send(call(1, HASH, HELLO));
        receive();
        assertThat(receive().payload())
                .isEqualTo("000000002b" + "0a08" + hex("hessian2") + "120d" + "0c" + hex("99162322xxxx") + "1a10"
                        + hex("java.lang.String"));
    }
}
