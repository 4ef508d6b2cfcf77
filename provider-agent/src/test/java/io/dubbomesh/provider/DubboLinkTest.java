package io.dubbomesh.provider;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

import static io.dubbomesh.provider.Hex.text;
import static io.dubbomesh.provider.Hex.u32;
import static io.dubbomesh.provider.MeshPeer.body;
import static io.dubbomesh.provider.MeshPeer.hash;
import static org.assertj.core.api.Assertions.assertThat;

/** The life of the connection to the provider: heartbeats, events, garbage, loss and return. */
@Timeout(60)
class DubboLinkTest {
    private final AgentFixture mesh;

    DubboLinkTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void aHeartbeatIsAnsweredAsItWasWritten() throws Exception {
        StubProvider.Connection provider = mesh.startAndAccept();

        provider.send("dabbe200" + "00000000000000ff" + "00000001" + "4e");
        assertThat(provider.read()).isEqualTo(new StubProvider.Frame("dabb2214", 0xff, "4e"));
        provider.send("dabbe600" + "0000000000000001" + "00000005" + text("null\n"));
        assertThat(provider.read()).isEqualTo(new StubProvider.Frame("dabb2614", 1, text("null\n")));
        provider.send("dabbf700" + "0000000000000002" + "00000001" + "af");
        assertThat(provider.read()).isEqualTo(new StubProvider.Frame("dabb3714", 2, "af"));
    }

    @Test
    void anIdleConnectionIsKeptAliveByHeartbeats() throws Exception {
        mesh.with("dubbo.heartbeat", "150 ms");
        StubProvider.Connection provider = mesh.startAndAccept();

        for (long id = -1; id >= -6; id--) {
            assertThat(provider.read()).isEqualTo(new StubProvider.Frame("dabbe200", id, "4e"));
            provider.send(StubProvider.frame(0x22, 20, id, "4e"));
        }
        assertThat(mesh.counters(0).lateAnswers).isZero();
    }

    @Test
    void aProviderThatSaysNothingForThreeHeartbeatsIsLeftAndTriedAgain() throws Exception {
        mesh.with("dubbo.heartbeat", "150 ms");
        StubProvider.Connection provider = mesh.startAndAccept();

        provider.read();
        provider.read();
        assertThat(provider.isAtEnd()).isTrue();
        mesh.accept().read();
    }

    @Test
    void aProviderThatIsAboutToEndGetsNothingNewButFinishesWhatItHas() throws Exception {
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        StubProvider.Frame call = provider.read();

        provider.send("dabba200" + "0000000000000000" + "00000002" + "0152");
        AgentFixture.await(() -> mesh.agent.unreadiness() != null);
        assertThat(mesh.agent.unreadiness()).endsWith("takes no calls");
        peer.send(hash(2, "b"));
        assertThat(peer.read()).isEqualTo(new MeshPeer.Frame(4, 1, 0, 2, "0000" + body(5000, "b")));
        provider.answerInt(call.id(), 5);
        assertThat(peer.read().document()).isEqualTo("5");

        provider.send("dabba200" + "0000000000000000" + "00000002" + "0157");
        AgentFixture.await(() -> mesh.agent.unreadiness() == null);
        peer.send(hash(3, "c"));
        assertThat(provider.read().body()).contains("01" + text("c") + "48");
    }

    @Test
    void thoseInLineComeBackWhenTheProviderTakesNoMore() throws Exception {
        mesh.with("lb.limit", 1);
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b") + hash(3, "c"));
        StubProvider.Frame call = provider.read();

        provider.send("dabba600" + "0000000000000000" + "00000004" + text("\"R\"\n"));
        List<Long> returned = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            MeshPeer.Frame answer = peer.read();
            assertThat(answer.status()).isEqualTo(1);
            returned.add(answer.id());
        }
        assertThat(returned).containsExactlyInAnyOrder(2L, 3L);
        provider.answerInt(call.id(), 1);
        assertThat(peer.read().id()).isEqualTo(1);
    }

    @Test
    void aCallThatTheProviderForgetsDoesNotHoldItsPlaceForEver() throws Exception {
        mesh.with("dubbo.heartbeat", "150 ms");
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        peer.send(hash(1, "a"));

        int beats = 0;
        while (mesh.agent.limit().inService() > 0 || beats == 0) {
            StubProvider.Frame frame = provider.read();
            if (frame.header().equals("dabbe200")) {
                beats++;
                provider.send(StubProvider.frame(0x22, 20, frame.id(), "4e"));
            }
        }
        assertThat(beats).isBetween(10, 12);
        assertThat(peer.read().status()).isEqualTo(36);
    }

    @Test
    void callbacksAreRefused() throws Exception {
        StubProvider.Connection provider = mesh.startAndAccept();

        provider.send("dabb8200" + "0000000000000004" + "00000001" + "4e");
        provider.send("dabbc200" + "0000000000000005" + "00000001" + "4e");
        assertThat(provider.read())
                .isEqualTo(new StubProvider.Frame("dabb0228", 5, "15" + text("callbacks are refused")));
        provider.send("dabbc600" + "0000000000000006" + "00000001" + "4e");
        assertThat(provider.read())
                .isEqualTo(new StubProvider.Frame("dabb0628", 6, text("\"callbacks are refused\"\n")));
    }

    @Test
    void whatIsNoDubboFrameEndsTheConnectionAndItsCallsAndANewOneIsOpened() throws Exception {
        String id = "0000000000000001";
        String[] garbage = {
            "dabc0214" + id + "00000001" + "91",
            "48545450 2f312e31 20343030 20426164",
            "dabb0214" + id + "ffffffff",
            "dabb0214" + id + "7fffffff",
            "dabb0214" + id + u32(8 * 1024 * 1024 + 1),
            "dabb0314" + id + "00000001" + "91",
            "dabb1814" + id + "00000001" + "91",
            "dabba200" + id + "00000033" + "00".repeat(0x33),
            "dabbe200" + id + "ffffffff"
        };
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        int call = 0;
        for (String bytes : garbage) {
            peer.send(hash(++call, "a"));
            provider.read();
            provider.send(bytes);

            MeshPeer.Frame answer = peer.read();
            assertThat(answer.id()).isEqualTo(call);
            assertThat(answer.status()).as(bytes).isEqualTo(33);
            assertThat(answer.document()).contains("connection to the provider lost: not understood: ");
            assertThat(provider.isAtEnd()).as(bytes).isTrue();
            provider = mesh.accept();
            // It is a good one from the moment on that it says something.
            provider.send("dabbe200" + id + "00000001" + "4e");
            provider.read();
            AgentFixture.await(() -> mesh.agent.unreadiness() == null);
        }
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aProviderThatIsKilledFailsWhatItHadAndServesAgainWhenItIsBack() throws Exception {
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b"));
        provider.answerInt(provider.read().id(), 1);
        assertThat(peer.read().status()).isZero();
        provider.read();

        mesh.stub.stopListening();
        provider.reset();
        MeshPeer.Frame answer = peer.read();
        assertThat(answer.id()).isEqualTo(2);
        assertThat(answer.status()).isEqualTo(33);
        AgentFixture.await(() -> mesh.agent.unreadiness() != null);
        peer.send(hash(3, "c"));
        assertThat(peer.read()).isEqualTo(new MeshPeer.Frame(4, 1, 0, 3, "0000" + body(5000, "c")));
        assertThat(mesh.agent.limit().inService()).isZero();

        mesh.stub.listenAgain();
        StubProvider.Connection back = mesh.accept();
        AgentFixture.await(() -> mesh.agent.unreadiness() == null);
        peer.send(hash(4, "d"));
        back.answerInt(back.read().id(), 4);
        assertThat(peer.read().document()).isEqualTo("4");
    }

    @Test
    void aProviderThatClosesAndListensOnIsNotLeft() throws Exception {
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.answerInt(provider.read().id(), 1);
        assertThat(peer.read().status()).isZero();

        provider.close();
        StubProvider.Connection next = mesh.accept();
        peer.send(hash(2, "b"));

        next.answerInt(next.read().id(), 2);
        assertThat(peer.read().document()).isEqualTo("2");
    }

    @Test
    void aProviderThatComesLaterIsFound() throws Exception {
        mesh.stub.stopListening();
        mesh.start();
        MeshPeer peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        assertThat(peer.read().status()).isEqualTo(1);
        assertThat(mesh.agent.unreadiness()).isEqualTo("provider 127.0.0.1:" + mesh.stub.port() + " takes no calls");

        mesh.stub.listenAgain();
        StubProvider.Connection provider = mesh.accept();
        AgentFixture.await(() -> mesh.agent.unreadiness() == null);
        peer.send(hash(2, "b"));
        provider.answerInt(provider.read().id(), 2);
        assertThat(peer.read().document()).isEqualTo("2");
    }

    @Test
    void whatWasNotHandedToTheChannelComesBackWhenTheConnectionIsLost() throws Exception {
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.read();
        LoopState loop = mesh.agent.states().get(0);
        // In one turn of the loop: a request is written into the batch, and the connection is closed before the batch
        // is sent.
        loop.eventLoop()
                .submit(() -> {
                    MeshServerLink link = loop.links().iterator().next();
                    ByteBuf frames = Unpooled.wrappedBuffer(Hex.bytes(hash(2, "b")));
                    link.channel().pipeline().fireChannelRead(frames);
                    loop.provider().connection().close("test");
                })
                .sync();

        MeshPeer.Frame sent = peer.read();
        assertThat(sent.status()).isEqualTo(33);
        assertThat(sent.id()).isEqualTo(1);
        assertThat(peer.read()).isEqualTo(new MeshPeer.Frame(4, 1, 0, 2, "0000" + body(5000, "b")));
    }
}
