package io.dubbomesh.benchmark.stub;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Checks changes of the running stub provider by its admin server. */
@Timeout(30)
class StubBehaviourTest {
    private static final int HEADER = 16;
    private static final int OK = 20;
    private static final int POOL_EXHAUSTED = 100;

    /** The HELLO of StubProviderTest. */
    private static final byte[] HELLO = HexFormat.of()
            .parseHex("0000002e" + "05322e302e32" + "0173" + "05302e302e30" + "0468617368"
                    + "124c6a6176612f6c616e672f537472696e673b" + "0568656c6c6f" + "485a");

    @TempDir
    private Path directory;

    private StubProvider stub;
    private Socket socket;
    private DataInputStream in;

    @AfterEach
    void close() throws IOException {
        socket.close();
        stub.close();
    }

    @Test
    void callsBeyondTheThreadsWaitForOne() throws Exception {
        start(Map.of("delay.ms", "60", "threads", "2"));
        long sentNs = System.nanoTime();
        for (int id = 0; id < 5; id++) {
            call(id);
        }
        for (int id = 0; id < 5; id++) {
            assertThat(receive()).isEqualTo(new Frame(id, OK));
            assertThat(System.nanoTime() - sentNs)
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(60 * (id / 2 + 1)));
        }
    }

    @Test
    void anotherDelayIsForTheCallsThatComeAfterwards() throws Exception {
        start(Map.of());
        call(1);
        assertThat(receive()).isEqualTo(new Frame(1, OK));
        change("delay.ms=80");
        long sentNs = System.nanoTime();
        call(2);
        assertThat(receive()).isEqualTo(new Frame(2, OK));
        assertThat(System.nanoTime() - sentNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(80));
    }

    @Test
    void everyCallIsRefusedAndNoneExecuted() throws Exception {
        start(Map.of());
        change("refuse=true");
        call(1);
        assertThat(receive()).isEqualTo(new Frame(1, POOL_EXHAUSTED));
        change("refuse=false");
        call(2);
        assertThat(receive()).isEqualTo(new Frame(2, OK));
        assertThat(calls()).hasContent("99162322\n");
    }

    @Test
    void aSwallowedCallIsExecutedAndNeverAnswered() throws Exception {
        start(Map.of("swallow", "1"));
        call(1);
        call(2);
        assertThat(receive()).isEqualTo(new Frame(2, OK));
        assertThat(calls()).hasContent("99162322\n99162322\n");
    }

    @Test
    void aFrozenProviderAnswersWhenItIsNotFrozenAnyMore() throws Exception {
        start(Map.of("delay.ms", "1"));
        change("frozen=true");
        call(1);
        socket.setSoTimeout(200);
        assertThatThrownBy(this::receive).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(10_000);
        change("frozen=false");
        assertThat(receive()).isEqualTo(new Frame(1, OK));
    }

    @Test
    void aLongAnswerIsTheHashAndThenFiller() throws Exception {
        start(Map.of("answer.length", "70000"));
        call(1);
        byte[] head = in.readNBytes(HEADER);
        ByteBuf frame = Unpooled.buffer().writeBytes(head);
        frame.writeBytes(in.readNBytes(frame.getInt(HEADER - Integer.BYTES)));
        ByteBuf out = Unpooled.buffer();
        assertThat(new DubboResponseReader().read(frame, 0, ResultFormat.of(true, false, false), out))
                .isEqualTo(Outcome.OK);
        assertThat(out.skipBytes(Short.BYTES).toString(UTF_8)).isEqualTo("99162322" + "x".repeat(70_000 - 8));
    }

    @Test
    void severalPropertiesAreChangedAtOnceAndWrongOnesNotAtAll() throws Exception {
        start(Map.of());
        assertThat(admin("delay.ms=0.5&limit=3").body())
                .startsWith("StubBehaviour[delayNs=500000, threads=2147483647, limit=3, ")
                .contains("answered 0 calls");
        HttpResponse<String> wrong = admin("delay.ms=1&threads=0");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).isEqualTo("threads: 0 (expected: 1-2147483647)\n");
        assertThat(admin("speed=1").body()).startsWith("speed (expected: delay.ms, ");
        assertThat(admin("refuse=yes").body()).isEqualTo("refuse: yes (expected: true or false)\n");
        assertThat(stub.behaviour().delayNs()).isEqualTo(500_000);
    }

    private record Frame(long id, int status) {}

    private void start(Map<String, String> properties) throws IOException {
        Map<String, String> all = new HashMap<>(properties);
        all.putAll(Map.of("port", "0", "admin.port", "0", "calls.file", calls().toString()));
        stub = StubProvider.start(StubSettings.from(all::get));
        socket = new Socket(InetAddress.getLoopbackAddress(), stub.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = new DataInputStream(socket.getInputStream());
    }

    private Path calls() {
        return directory.resolve("calls");
    }

    private void change(String query) throws Exception {
        assertThat(admin(query).statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> admin(String query) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + stub.adminPort() + "/?" + query);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void call(long id) throws IOException {
        ByteBuf request = Unpooled.buffer().writeInt(0xdabbc200).writeLong(id).writeBytes(HELLO);
        request.readBytes(socket.getOutputStream(), request.readableBytes());
    }

    /** Short answers only. */
    private Frame receive() throws IOException {
        int first = in.readInt();
        long id = in.readLong();
        in.readNBytes(in.readInt());
        return new Frame(id, first & 0xff);
    }
}
