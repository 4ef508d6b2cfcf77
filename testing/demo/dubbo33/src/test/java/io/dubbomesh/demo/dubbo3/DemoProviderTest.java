package io.dubbomesh.demo.dubbo3;

import io.dubbomesh.demo.api.ProviderSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class DemoProviderTest {
    private static final HexFormat HEX = HexFormat.of();

    /** 2.0.2, the interface, 0.0.0, hash, (String), "hello", no attachments: the bytes of the request. */
    private static final String HASH_OF_HELLO = "05" + text("2.0.2")
            + "3039" + text("com.alibaba.dubbo.performance.demo.provider.IHelloService")
            + "05" + text("0.0.0")
            + "04" + text("hash")
            + "12" + text("Ljava/lang/String;")
            + "05" + text("hello")
            + "485a";

    @Test
    void aHessianRequestInBytesIsAnswered(@TempDir Path directory) throws Exception {
        Path calls = directory.resolve("calls");
        int port = freePort();
        Map<String, String> properties =
                Map.of("port", Integer.toString(port), "delay.ms", "0", "calls.file", calls.toString());
        try (DemoProvider provider = DemoProvider.start(ProviderSettings.from(properties::get, "hessian2"));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(provider).isNotNull();
            client.getOutputStream()
                    .write(HEX.parseHex("dabbc200" + "0000000000000007" + "%08x".formatted(HASH_OF_HELLO.length() / 2)
                            + HASH_OF_HELLO));
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertThat(HEX.formatHex(in.readNBytes(12))).isEqualTo("dabb0214" + "0000000000000007");
            byte[] body = in.readNBytes(in.readInt());
            assertThat(HEX.formatHex(body))
                    .as("a value with attachments, the int 99162322")
                    .startsWith("9449" + "05e918d2" + "48");
            assertThat(Files.readAllLines(calls)).containsExactly("99162322");
        }
    }

    @Test
    void theProviderListensOnLoopbackOnly() throws Exception {
        int port = freePort();
        Map<String, String> properties = Map.of("port", Integer.toString(port));
        // A provider that listens on all addresses would prevent this second loopback address from being bound.
        try (DemoProvider provider = DemoProvider.start(ProviderSettings.from(properties::get, "hessian2"));
                ServerSocket beside = new ServerSocket()) {
            assertThat(provider).isNotNull();
            beside.bind(new InetSocketAddress("127.0.0.2", port));
            assertThat(beside.isBound()).isTrue();
        }
    }

    @Test
    void thePortIsFreeAfterTheClose() throws Exception {
        int port = freePort();
        Map<String, String> properties = Map.of("port", Integer.toString(port));
        DemoProvider.start(ProviderSettings.from(properties::get, "hessian2")).close();
        try (ServerSocket again = new ServerSocket()) {
            again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            assertThat(again.isBound()).isTrue();
        }
    }

    private static String text(String text) {
        return HEX.formatHex(text.getBytes(US_ASCII));
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
