package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Servers that are not etcd, or an etcd that ends a connection. */
@Timeout(60)
class GrpcConnectionTest {
    private static final String SETTINGS = "000000" + "04" + "00" + "00000000";
    /** GOAWAY of the last stream 0, ENHANCE_YOUR_CALM, too_many_pings. */
    private static final String GOAWAY =
            "000016" + "07" + "00" + "00000000" + "00000000" + "0000000b" + "746f6f5f6d616e795f70696e6773";
    /** RST_STREAM of the stream 3, REFUSED_STREAM: Netty's clients begin with 3. */
    private static final String RESET = "000004" + "03" + "00" + "00000003" + "00000007";
    /** HEADERS of the stream 3 that end it: {@code :status: 404}, of the static table. */
    private static final String NOT_FOUND = "000001" + "01" + "05" + "00000003" + "8d";

    private interface Script {
        void run(DataInputStream in, OutputStream out) throws IOException;
    }

    /** Returns why a call failed at a server with that script. */
    private static GrpcException failure(Script script) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket socket = listener.accept()) {
                    script.run(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
                } catch (IOException e) {
                    // The client has closed its end.
                    assertThat(e).isNotNull();
                }
            });
            server.start();
            EtcdPeer peer = new EtcdPeer(new HostPort("127.0.0.1", listener.getLocalPort()), "127.0.0.1", null, 2_000);
            try (EtcdClient client = new EtcdClient(peer, null)) {
                CompletableFuture<RangeResponse> answer = client.range(RangeRequest.of("a".getBytes(UTF_8), 0));
                Throwable thrown = catchThrowable(() -> answer.get(10, TimeUnit.SECONDS));
                assertThat(thrown).isInstanceOf(ExecutionException.class);
                return (GrpcException) thrown.getCause();
            } finally {
                server.join(10_000);
            }
        }
    }

    @Test
    void aServerThatClosesTheConnectionIsUnavailable() throws Exception {
        GrpcException closed = failure((in, out) -> in.readFully(new byte[24]));
        assertThat(closed.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        // The system may say that it was reset, as not all was read.
        assertThat(closed.getMessage()).containsAnyOf("etcd closed the connection", "Connection reset", "Broken pipe");
    }

    @Test
    void aServerOfHttp1IsNamed() throws Exception {
        GrpcException http1 = failure((in, out) -> {
            out.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
            in.readFully(new byte[24]);
            in.readAllBytes();
        });
        assertThat(http1.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(http1).hasMessageStartingWith("not HTTP/2: First received frame was not SETTINGS.");
    }

    @ParameterizedTest
    @CsvSource({
        GOAWAY + ", etcd ended the connection: ENHANCE_YOUR_CALM too_many_pings",
        RESET + ", etcd reset the stream: REFUSED_STREAM",
        NOT_FOUND + ", HTTP status 404 (expected: 200)"
    })
    void aServerThatRefusesTheCallIsQuoted(String frame, String reason) throws Exception {
        GrpcException refused = failure((in, out) -> {
            out.write(HexFormat.of().parseHex(SETTINGS));
            awaitHeaders(in);
            out.write(HexFormat.of().parseHex(frame));
            in.readAllBytes();
        });
        assertThat(refused.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(refused).hasMessage(reason);
    }

    private static void awaitHeaders(DataInputStream in) throws IOException {
        in.readFully(new byte["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length()]);
        int type = -1;
        while (type != 1) {
            int length = in.readUnsignedShort() << Byte.SIZE | in.readUnsignedByte();
            type = in.readUnsignedByte();
            in.readFully(new byte[5 + length]);
        }
    }
}
