package io.dubbomesh.provider;

import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

/** Dubbo 2.6.1 with fastjson, as the 2018 Dubbo Mesh benchmark's provider speaks. */
@Timeout(60)
class FastjsonTest {
    private final AgentFixture mesh;

    FastjsonTest() throws Exception {
        mesh = new AgentFixture().with("dubbo.serialization", "fastjson");
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void aRequestIsLinesOfJsonAndSoIsItsAnswer() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "say \"hello\""));

        DubboFrame call = provider.read();
        assertThat(call.header()).isEqualTo("dabbc600");
        assertThat(call.body())
                .isEqualTo(text("\"2.0.2\"\n\"" + HASHER + "\"\n\"0.0.0\"\n\"hash\"\n\"Ljava/lang/String;\"\n"
                        + "\"say \\\"hello\\\"\"\n{\"path\":\"" + HASHER + "\",\"interface\":\"" + HASHER
                        + "\",\"timeout\":\"5000\",\"_TO\":\"5000\"}\n"));
        provider.send(DubboFrame.frame(0x06, 20, call.id(), text("1\n99162322\n")));
        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 0, 0x01, 1, "0000" + text("99162322")));
    }

    @Test
    void errorsAndAnExhaustedPoolAreUnderstood() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a") + hash(2, "b"));
        provider.send(DubboFrame.frame(0x06, 80, provider.read().id(), text("\"why\"\n")));
        provider.send(DubboFrame.frame(0x06, 100, provider.read().id(), text("\"full\"\n")));

        MeshFrame error = peer.read();
        assertThat(error.status()).isEqualTo(33);
        assertThat(error.document()).contains("why");
        assertThat(peer.read().status()).isEqualTo(1);
    }

    @Test
    void heartbeatsAreJson() throws Exception {
        mesh.with("dubbo.heartbeat", "500 ms");
        DubboConnection provider = mesh.startAndAccept();

        assertThat(provider.read()).isEqualTo(new DubboFrame("dabbe600", -1, text("null\n")));
    }
}
