package io.dubbomesh.client.discovery;

import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.DubboMetadata;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.runtime.protobuf.ProtobufBuffer;
import io.dubbomesh.testsupport.Hex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Asks a scripted peer of HTTP/2, which answers each request by the next of the frames that it was given. */
@Timeout(60)
class TripleMetadataTest {
    private static final String SETTINGS = "000000 04 00 00000000";
    /** {@code :status: 200}, of the static table, and the content type. */
    private static final String STATUS_200 = "88 0f10 10" + text("application/grpc");

    private static final String TOLD = "04" + text("told");

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<String> requests = new ArrayList<>();
    private ServerSocket listener;
    private Thread server;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        server = new Thread(this::serve, "scripted-http2");
        server.start();
    }

    @AfterEach
    void close() throws Exception {
        listener.close();
        server.join();
    }

    private void serve() {
        try (Socket socket = listener.accept()) {
            InputStream in = socket.getInputStream();
            String preface = Hex.of(in.readNBytes(24));
            assertThat(preface).isEqualTo(text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
            socket.getOutputStream().write(Hex.bytes(SETTINGS));
            String block = "";
            while (true) {
                byte[] header = in.readNBytes(9);
                if (header.length < 9) {
                    return;
                }
                String content =
                        Hex.of(in.readNBytes((header[0] & 255) << 16 | (header[1] & 255) << 8 | header[2] & 255));
                if (header[3] == 1) {
                    block = content;
                } else if (header[3] == 0) {
                    synchronized (requests) {
                        requests.add(block + '|' + content);
                    }
                    socket.getOutputStream().write(Hex.bytes(answers.take()));
                }
            }
        } catch (IOException | InterruptedException e) {
            // The connection has ended.
        }
    }

    @Test
    void theFirstVersionIsAskedInHessianWithinAMessage() throws Exception {
        answer(1, "0a 08" + text("hessian2") + "12 05" + TOLD);

        assertThat(query("1.0.0", 10_000).run("5aa8f2")).isEqualTo("told");
        assertThat(requests.get(0))
                .startsWith("20" + "83" + "86")
                .contains("04" + "3a" + text("/org.apache.dubbo.metadata.MetadataService/getMetadataInfo"))
                .contains("0f10" + "16" + text("application/grpc+proto"))
                .contains("13" + text("tri-service-version") + "05" + text("1.0.0"))
                .contains("11" + text("tri-service-group") + "07" + text("greeter"))
                .endsWith("|" + "00" + "00000025" + "0a08" + text("hessian2") + "1207" + "06" + text("5aa8f2") + "1a10"
                        + text("java.lang.String"));
    }

    @Test
    void theSecondVersionIsAskedFirstWhereItIsNamed() throws Exception {
        ProtobufBuffer service = new ProtobufBuffer(64);
        int value = service.end();
        int parameter = service.end();
        service.textField(2, "3.3.6");
        service.textField(1, "release");
        service.message(7, parameter);
        service.textField(6, "com.example.Greeter");
        service.varintField(5, 50051);
        service.textField(4, "tri");
        service.textField(3, "1.0");
        service.textField(2, "a");
        service.textField(1, "com.example.Greeter");
        service.message(2, value);
        service.textField(1, "a/com.example.Greeter:1.0:tri");
        service.message(3, 0);
        service.textField(2, "5aa8f2");
        service.textField(1, "greeter");
        answer(1, Hex.of(bytes(service)));

        DubboMetadata metadata = DubboMetadata.parse(query("2.0.0", 10_000).run("5aa8f2"));

        assertThat(metadata.application()).isEqualTo("greeter");
        assertThat(metadata.revision()).isEqualTo("5aa8f2");
        assertThat(metadata.services())
                .containsExactly(new DubboMetadata.Service(
                        "com.example.Greeter",
                        "1.0",
                        "a",
                        "tri",
                        50051,
                        "com.example.Greeter",
                        Map.of("release", "3.3.6")));
        assertThat(requests.get(0))
                .contains("3c" + text("/org.apache.dubbo.metadata.MetadataServiceV2/GetMetadataInfo"))
                .contains("13" + text("tri-service-version") + "05" + text("2.0.0"))
                .endsWith("|" + "00" + "00000008" + "0a06" + text("5aa8f2"));
    }

    @Test
    void anotherVersionIsAskedWhereOneIsRefused() throws Exception {
        refuse(1, "12");
        answer(3, "12 05" + TOLD);

        assertThat(query("2.0.0", 10_000).run("5aa8f2")).isEqualTo("told");
    }

    @Test
    void aRevisionThatTheInstanceDoesNotHaveIsNone() throws Exception {
        answer(1, "12 01 4e");

        assertThat(query("1.0.0", 10_000).run("5aa8f2")).isNull();
    }

    @Test
    void aFailureNamesTheAddressAndTheStatus() {
        refuse(1, "12");
        refuse(3, "5");

        assertThatThrownBy(() -> query("1.0.0", 10_000).run("5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessage("tri://127.0.0.1:" + listener.getLocalPort() + ": UNIMPLEMENTED: no");
    }

    @Test
    void whatIsNoHttp2IsAFailure() {
        assertThat(failure("ffffff 00 00 00000001")).contains("malformed frame: ");
    }

    @Test
    void anAnswerWithoutAStatusIsAFailure() {
        assertThat(failure(headers(1, 4, STATUS_200) + "000005 00 01 00000001 00 00000000"))
                .endsWith("the stream ended without a status");
    }

    @Test
    void aPeerThatSaysNothingIsNotWaitedForLongerThanTheTimeout() {
        answers.add("");
        assertThatThrownBy(() -> query("1.0.0", 200).run("5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tri://127.0.0.1:" + listener.getLocalPort() + ": ");
    }

    @Test
    void framesOfTheConnectionAreAnsweredAndPaddingIsLeftOut() throws Exception {
        String message = "12 05" + TOLD;
        answers.add("000008 06 00 00000000 0102030405060708"
                + "000004 08 00 00000000 00000001"
                + headers(1, 0, "")
                + String.format(
                        "%06x 09 04 00000001", STATUS_200.replace(" ", "").length() / 2) + STATUS_200
                + "00000f 00 08 00000001 02 00 00000007" + message + "0000"
                + trailers(1, "0", ""));

        assertThat(query("1.0.0", 10_000).run("5aa8f2")).isEqualTo("told");
    }

    private String failure(String answer) {
        answers.add(answer);
        try {
            return query("1.0.0", 10_000).run("5aa8f2");
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private void answer(int stream, String message) {
        String content = message.replace(" ", "");
        answers.add(headers(stream, 4, STATUS_200)
                + String.format("%06x 00 00 %08x 00 %08x", 5 + content.length() / 2, stream, content.length() / 2)
                + content
                + trailers(stream, "0", ""));
    }

    private void refuse(int stream, String status) {
        answers.add(headers(stream, 4, STATUS_200) + trailers(stream, status, "no"));
    }

    private static String trailers(int stream, String status, String message) {
        String block = "00 0b" + text("grpc-status") + String.format("%02x", status.length()) + text(status);
        if (!message.isEmpty()) {
            block += "00 0c" + text("grpc-message") + String.format("%02x", message.length()) + text(message);
        }
        return headers(stream, 5, block);
    }

    private static String headers(int stream, int flags, String block) {
        String bytes = block.replace(" ", "");
        return String.format("%06x 01 %02x %08x", bytes.length() / 2, flags, stream) + bytes;
    }

    private static byte[] bytes(ProtobufBuffer message) {
        byte[] bytes = new byte[message.length()];
        System.arraycopy(message.array(), message.offset(), bytes, 0, bytes.length);
        return bytes;
    }

    private MetadataQuery query(String version, long timeoutMs) {
        return new MetadataQuery(
                new MetadataServiceAddress(
                        List.of(EndpointProtocol.TRIPLE.at("127.0.0.1", listener.getLocalPort())), "greeter", version),
                Serialization.HESSIAN2,
                ProviderTls.NONE,
                timeoutMs);
    }
}
