package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
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

/** Dubbo 3 with fastjson2, whose values are a length and JSONB. */
@Timeout(60)
class Fastjson2Test {
    private final AgentFixture mesh;

    Fastjson2Test() throws Exception {
        mesh = new AgentFixture().with("dubbo.serialization", "fastjson2");
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void aRequestIsLengthsAndValuesAndSoIsItsAnswer() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "hello"));

        DubboFrame call = provider.read();
        assertThat(call.header()).isEqualTo("dabbd700");
        assertThat(call.body())
                .startsWith("000000064e" + text("2.0.2"))
                .contains(text(HASHER) + "000000064e" + text("0.0.0") + "000000054d" + text("hash") + "000000135b")
                .contains(text("Ljava/lang/String;") + "000000064e" + text("hello"));
        provider.send(DubboFrame.frame(0x17, 20, call.id(), "00000002bd01" + "00000005" + "4805e918d2"));
        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 0, 0x01, 1, "0000" + text("99162322")));
    }

    @Test
    void answersAreReadByTheirSerializationId() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a") + hash(2, "b") + hash(3, "c"));
        provider.send(DubboFrame.frame(0x02, 20, provider.read().id(), "9191"));
        provider.send(DubboFrame.frame(0x06, 20, provider.read().id(), text("1\n2\n")));
        provider.send(DubboFrame.frame(0x17, 80, provider.read().id(), "000000044c" + text("why")));

        assertThat(peer.read().document()).isEqualTo("1");
        assertThat(peer.read().document()).isEqualTo("2");
        MeshFrame error = peer.read();
        assertThat(error.status()).isEqualTo(33);
        assertThat(error.document()).contains("why");
    }

    @Test
    void heartbeatsAndRefusedCallbacksAreJsonb() throws Exception {
        mesh.with("dubbo.heartbeat", "500 ms");
        DubboConnection provider = mesh.startAndAccept();

        assertThat(provider.read()).isEqualTo(new DubboFrame("dabbf700", -1, "00000001af"));
        provider.send("dabbf700" + "0000000000000002" + "00000005" + "00000001af");
        provider.send("dabbd700" + "0000000000000003" + "00000005" + "00000001af");
        assertThat(provider.read()).isEqualTo(new DubboFrame("dabb3714", 2, "00000001af"));
        assertThat(provider.read())
                .isEqualTo(new DubboFrame("dabb1728", 3, "000000165e" + text("callbacks are refused")));
    }

    @Test
    void aReadOnlyProviderGetsNoNewCalls() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        // With a call in flight the connection stays.
        mesh.hashPeer().send(hash(1, "a"));
        provider.read();

        provider.send("dabbb700" + "0000000000000000" + "00000006" + "000000024a" + text("R"));
        Await.until("the agent is not ready", () -> mesh.agent.unreadiness() != null);
        provider.send("dabbb700" + "0000000000000000" + "00000006" + "000000024a" + text("W"));
        Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);
    }
}
