package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.OtherServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class PortInspectionTest {
    private static String inspected(OtherServer server) throws IOException {
        try (server) {
            HostPort address = new HostPort("127.0.0.1", server.port());
            return new PortInspection(new ProviderContact(address, Serialization.HESSIAN2, null), 500).run();
        }
    }

    @Test
    void tripleIsNamedWithTheSettingForIt() throws Exception {
        assertThat(inspected(OtherServer.triple()))
                .startsWith("it speaks HTTP/2, as Triple does, and not Dubbo 2: set dubbo.protocol.name=tri");
    }

    @Test
    void zooKeeperIsNamed() throws Exception {
        assertThat(inspected(OtherServer.zooKeeper()))
                .startsWith("it is a ZooKeeper, not a provider: dubbo.protocol.port (");
    }

    @Test
    void aZooKeeperThatAllowsTheCommandIsNamedToo() throws Exception {
        assertThat(inspected(OtherServer.answering(request -> request.startsWith("ruok") ? "imok" : "")))
                .startsWith("it is a ZooKeeper");
    }

    @Test
    void anHttpServerIsNamed() throws Exception {
        assertThat(inspected(OtherServer.answering(request -> "HTTP/1.1 400 Bad Request\r\n\r\n")))
                .startsWith("it speaks HTTP/1.1 and not Dubbo 2: dubbo.protocol.port (");
    }

    /** A consumer agent refuses it so. */
    @Test
    void aServerThatRefusesHttp2ByAGoawaySpeaksHttp1() throws IOException {
        String settings = "\0\0\0\4\0\0\0\0\0";
        String goAway = "\0\0\10\7\0\0\0\0\0" + "\0\0\0\0" + "\0\0\0\15";
        assertThat(inspected(OtherServer.answering(request -> settings + goAway)))
                .startsWith("it speaks HTTP/1.1 and not Dubbo 2: dubbo.protocol.port (");
    }

    @Test
    void aServerOfHttp2AcknowledgesTheSettings() throws IOException {
        String settings = "\0\0\6\4\0\0\0\0\0" + "\0\3\0\0\0\7";
        String acknowledged = "\0\0\0\4\1\0\0\0\0";
        assertThat(inspected(OtherServer.answering(request -> settings + acknowledged)))
                .startsWith("it speaks HTTP/2, as Triple does");
    }

    /** An alert or a ServerHello is the answer to a ClientHello; other protocols end the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"15 0303 0002 0228", "16 0303 0031"})
    void tlsIsNamedWithTheSettingForIt(String hex) throws Exception {
        String answer = new String(Hex.bytes(hex), ISO_8859_1);
        assertThat(inspected(OtherServer.answering(request -> request.startsWith("\26\3\1\0\57") ? answer : "")))
                .isEqualTo("it speaks TLS: set dubbo.tls.mode=on");
    }

    @Test
    void aSilentServerIsNotWaitedForBeyondTheTimeout() throws Exception {
        assertThat(inspected(OtherServer.silent())).startsWith("it does not speak Dubbo 2: dubbo.protocol.port (");
    }

    /** A frame of HTTP/2 that is none of SETTINGS, and one of another stream. */
    @ParameterizedTest
    @ValueSource(strings = {"000000 07 00 00000000", "000000 04 00 00000001", "0000"})
    void otherBytesSayNothing(String hex) throws Exception {
        String answer = new String(Hex.bytes(hex), ISO_8859_1);
        assertThat(inspected(OtherServer.answering(request -> answer))).startsWith("it does not speak Dubbo 2");
    }
}
