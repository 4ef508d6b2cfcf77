package io.dubbomesh.demo.dubbo26;

import io.dubbomesh.demo.api.ProviderSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class DemoProviderTest {
    private static final String SERVICE = "com.alibaba.dubbo.performance.demo.provider.IHelloService";
    private static final int FASTJSON_REQUEST = 0xdabbc600;
    private static final int HESSIAN_REQUEST = 0xdabbc200;
    private static final int FASTJSON_RESPONSE_OK = 0xdabb0614;

    private static int port;
    private static DemoProvider provider;

    @BeforeAll
    static void start() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Map<String, String> properties = Map.of("port", Integer.toString(port), "delay.ms", "0");
        provider = DemoProvider.start(ProviderSettings.from(properties::get, "fastjson"));
    }

    @AfterAll
    static void stop() throws Exception {
        provider.close();
    }

    @Test
    void aFastjsonRequestIsAnswered() throws Exception {
        String body = "\"2.0.1\"\n\"" + SERVICE + "\"\nnull\n\"hash\"\n\"Ljava/lang/String;\"\n\"hello\"\n{\"path\":\""
                + SERVICE + "\"}\n";
        assertThat(answerTo(FASTJSON_REQUEST, body)).isEqualTo("1\n99162322\n");
    }

    @Test
    void aHessianRequestIsAnsweredInFastjson() throws Exception {
        String body = "\u00052.0.2" + "09" + SERVICE + "\u00050.0.0" + "\u0004hash" + "\u0012Ljava/lang/String;"
                + "\u0005hello" + "HZ";
        assertThat(answerTo(HESSIAN_REQUEST, body)).isEqualTo("1\n99162322\n");
    }

    @Test
    void theProviderListensOnLoopbackOnly() throws Exception {
        // A provider that listens on all addresses would prevent this second loopback address from being bound.
        try (ServerSocket beside = new ServerSocket()) {
            beside.bind(new InetSocketAddress("127.0.0.2", port));
            assertThat(beside.isBound()).isTrue();
        }
    }

    private static String answerTo(int firstBytes, String body) throws Exception {
        byte[] bytes = body.getBytes(UTF_8);
        byte[] frame = ByteBuffer.allocate(16 + bytes.length)
                .putInt(firstBytes)
                .putLong(7)
                .putInt(bytes.length)
                .put(bytes)
                .array();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.getOutputStream().write(frame);
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertThat(in.readInt()).isEqualTo(FASTJSON_RESPONSE_OK);
            assertThat(in.readLong()).isEqualTo(7);
            return new String(in.readNBytes(in.readInt()), UTF_8);
        }
    }
}
