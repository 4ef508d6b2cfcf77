package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class QosHintsTest {
    /** The list that Dubbo 3.3.6 writes. */
    private static final String LIST = """
            As Provider side:
            +--------------------------------------------------------------------------+---+
            |                           Provider Service Name                          |PUB|
            +--------------------------------------------------------------------------+---+
            |                  blue/io.dubbomesh.demo.shop.Shop:2.0.0                  |   |
            +--------------------------------------------------------------------------+---+
            |                        io.dubbomesh.demo.shop.Shop                       |A-Y|
            +--------------------------------------------------------------------------+---+
            | DubboInternal - unlisted/org.apache.dubbo.metadata.MetadataService:1.0.0 |   |
            +--------------------------------------------------------------------------+---+
            |          demo/org.apache.dubbo.metadata.MetadataService:1.0.0            | N |
            +--------------------------------------------------------------------------+---+
            As Consumer side:
            +---------------------+---+
            |Consumer Service Name|NUM|
            +---------------------+---+
            |     com.example.A   | 1 |
            +---------------------+---+

            dubbo>""";

    @Test
    void theServicesOfTheApplicationAreNamedAndNoConsumers() throws Exception {
        try (ServerSocket qos = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            QosHints hints = new QosHints(new HostPort("127.0.0.1", qos.getLocalPort()), 10_000);
            CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> answer(qos));

            assertThat(hints.services())
                    .containsExactly(
                            new ServiceKey("io.dubbomesh.demo.shop.Shop", "2.0.0", "blue"),
                            new ServiceKey("io.dubbomesh.demo.shop.Shop", "", ""));
            assertThat(asked.get(10, TimeUnit.SECONDS)).isEqualTo("ls\r\n");
            assertThat(hints.source()).isEqualTo("Dubbo's QoS at 127.0.0.1:" + qos.getLocalPort());
        }
    }

    private static String answer(ServerSocket qos) {
        try (Socket socket = qos.accept()) {
            socket.setSoTimeout(10_000);
            InputStream in = socket.getInputStream();
            byte[] command = in.readNBytes(4);
            socket.getOutputStream().write(LIST.getBytes(UTF_8));
            return new String(command, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nothingIsKnownWhereNobodyListensOrSomethingElseAnswers() throws Exception {
        int port;
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = other.getLocalPort();
        }
        assertThat(new QosHints(new HostPort("127.0.0.1", port), 1_000).services())
                .isEmpty();
        assertThat(QosHints.parse("Foreign Ip Not Permitted, Consider Config It In Whitelist.\r\n"))
                .isEmpty();
        assertThat(QosHints.parse("|a b|N|\n|a/b/c|N|\n||\n|com.example.A|\n")).isEmpty();
    }
}
