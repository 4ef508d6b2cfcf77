package io.dubbomesh.client.grpc;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import io.dubbomesh.transport.tls.TlsConnector;
import io.dubbomesh.transport.tls.TlsSettings;
import io.netty.buffer.ByteBufUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Calls of a provider that sends what it has to say as soon as the call has begun. */
@Timeout(20)
class BlockingGrpcConnectionTest {
    @TempDir
    Path directory;

    private static final String SETTINGS = "00000004" + "00" + "00000000";
    /** HEADERS with the status 200 and the content type {@code application/grpc}. */
    private static final String HEAD = "00001401" + "04" + "00000001" + "88" + "0f10" + "10" + hex("application/grpc");
    /** An empty message. */
    private static final String MESSAGE = "00000500" + "00" + "00000001" + "0000000000";

    private static final String HTTP_404 = "00000101" + "05" + "00000001" + "8d";

    private static String hex(String text) {
        return ByteBufUtil.hexDump(text.getBytes(UTF_8));
    }

    private static String trailers(char status) {
        return "00000f01" + "05" + "00000001" + "000b" + hex("grpc-status") + "01" + hex(String.valueOf(status));
    }

    private static byte[] call(String bytes, int timeoutMs) throws IOException, InterruptedException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return call(listener, null, bytes, timeoutMs);
        }
    }

    private static byte[] call(ServerSocket listener, TlsConnector tls, String bytes, int timeoutMs)
            throws IOException, InterruptedException {
        Thread provider = new Thread(() -> answer(listener, ByteBufUtil.decodeHexDump(bytes)), "provider");
        provider.start();
        try (BlockingGrpcConnection connection = new BlockingGrpcConnection(
                new HostPort("127.0.0.1", listener.getLocalPort()),
                tls,
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs))) {
            return connection.call("/a.B/c", "application/grpc", Map.of(), new byte[0]);
        } finally {
            provider.join();
        }
    }

    /** Dubbo 3.0 to 3.2 know no ALPN. */
    @ParameterizedTest
    @ValueSource(strings = {"", "h2"})
    void aProviderIsAskedWithTls(String chosen) throws Exception {
        CertificateAuthority authority = new CertificateAuthority("ca");
        TlsFiles files = authority.write(directory, authority.root());
        TlsSettings settings =
                TlsSettings.ofProviders(null, null, files.authorities(), List.of("provider.test"), 10_000);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(authority.sign("provider.test").toKeyManagerFactory().getKeyManagers(), null, null);
        try (SSLServerSocket listener = (SSLServerSocket)
                        context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TlsConnector tls = new TlsConnector(settings)) {
            SSLParameters parameters = listener.getSSLParameters();
            parameters.setApplicationProtocols(chosen.isEmpty() ? new String[0] : new String[] {chosen});
            listener.setSSLParameters(parameters);

            assertThat(call(listener, tls, SETTINGS + HEAD + MESSAGE + trailers('0'), 10_000))
                    .isEmpty();
        }
    }

    private static void answer(ServerSocket listener, byte[] bytes) {
        try (Socket socket = listener.accept()) {
            // The preface and what follows it in the same segment; more comes for a call.
            socket.getInputStream().readNBytes(24);
            socket.getOutputStream().write(bytes);
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // The client has closed the connection.
        }
    }

    @Test
    void theMessageOfAnAnswerIsReturned() throws Exception {
        assertThat(call(SETTINGS + HEAD + MESSAGE + trailers('0'), 10_000)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "head, 5, NOT_FOUND: no message",
        "404, 0, HTTP status 404 (expected: 200)",
        "reset, 0, the stream was reset: REFUSED_STREAM"
    })
    void aFailureThatTheProviderAnswersIsAStatus(String kind, char status, String message) {
        String answer = switch (kind) {
            case "404" -> HTTP_404;
            case "reset" -> "000004" + "03" + "00" + "00000001" + "00000007";
            default -> HEAD + trailers(status);
        };
        assertThatThrownBy(() -> call(SETTINGS + answer, 10_000))
                .isInstanceOf(BlockingGrpcConnection.StatusException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"one too many, an answer of more than one message", "none, an answer without a message"})
    void anAnswerOfAnotherNumberOfMessagesIsNoStatus(String kind, String message) {
        String messages = kind.equals("none") ? "" : MESSAGE + MESSAGE;
        assertThatThrownBy(() -> call(SETTINGS + HEAD + messages + trailers('0'), 10_000))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage(message);
    }

    @Test
    void aProviderThatFloodsIsLeft() {
        String ping = "00000806" + "00" + "00000000" + "0102030405060708";
        assertThatThrownBy(() -> call(SETTINGS + ping.repeat(20_000), 10_000))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("a flood of frames that serve no call");
    }

    @Test
    void aProviderThatIsNoHttp2IsNamed() {
        assertThatThrownBy(() -> call(hex("HTTP/1.1 400 Bad Request"), 10_000))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageStartingWith("malformed frame: ");
    }

    @Test
    void noCallWaitsLongerThanToTheDeadline() {
        assertThatThrownBy(() -> call(SETTINGS, 200))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("no answer in time");
    }

    @Test
    void aPortThatRefusesIsNamed() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (BlockingGrpcConnection connection = new BlockingGrpcConnection(
                new HostPort("127.0.0.1", port), null, System.nanoTime() + TimeUnit.SECONDS.toNanos(10))) {
            assertThatThrownBy(() -> connection.call("/a.B/c", "application/grpc", Map.of(), new byte[0]))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("Connection refused");
        }
    }
}
