package io.dubbomesh.provider;

import io.dubbomesh.provider.mesh.MeshServerLink;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.Hex.u32;
import static io.dubbomesh.testsupport.MeshFrame.formBody;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

/** The life of the connection to the provider: heartbeats, events, garbage, loss and return. */
@Timeout(60)
class DubboLinkTest {
    /** Several times what the system keeps for a socket, 4 MB, of which it takes a third at once. */
    private static final int LONG_REQUEST = 16_000_000;

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
        DubboConnection provider = mesh.startAndAccept();

        provider.send("dabbe200" + "00000000000000ff" + "00000001" + "4e");
        assertThat(provider.read()).isEqualTo(new DubboFrame("dabb2214", 0xff, "4e"));
        provider.send("dabbe600" + "0000000000000001" + "00000005" + text("null\n"));
        assertThat(provider.read()).isEqualTo(new DubboFrame("dabb2614", 1, text("null\n")));
        provider.send("dabbf700" + "0000000000000002" + "00000001" + "af");
        assertThat(provider.read()).isEqualTo(new DubboFrame("dabb3714", 2, "af"));
    }

    @Test
    void anIdleConnectionIsKeptAliveByHeartbeats() throws Exception {
        mesh.with("dubbo.heartbeat", "150 ms");
        DubboConnection provider = mesh.startAndAccept();

        for (long id = -1; id >= -6; id--) {
            assertThat(provider.read()).isEqualTo(new DubboFrame("dabbe200", id, "4e"));
            provider.send(DubboFrame.frame(0x22, 20, id, "4e"));
        }
        assertThat(mesh.counters(0).lateResponses).isZero();
    }

    @Test
    void aProviderThatIsSilentForThreeHeartbeatsIsReconnected() throws Exception {
        mesh.with("dubbo.heartbeat", "150 ms");
        DubboConnection provider = mesh.startAndAccept();

        provider.read();
        provider.read();
        assertThat(provider.isAtEnd()).isTrue();
        mesh.accept().read();
    }

    @Test
    void aReadOnlyProviderGetsNoNewCallsAndFinishesItsCalls() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        DubboFrame call = provider.read();

        provider.send("dabba200" + "0000000000000000" + "00000002" + "0152");
        Await.until("the agent is not ready", () -> mesh.agent.unreadiness() != null);
        assertThat(mesh.agent.unreadiness()).endsWith("takes no calls");
        peer.send(hash(2, "b"));
        assertThat(peer.read()).isEqualTo(notExecuted(2, "b", "the provider takes no new calls"));

        provider.send("dabba200" + "0000000000000000" + "00000002" + "0157");
        Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);
        provider.answerInt(call.id(), 5);
        assertThat(peer.read().document()).isEqualTo("5");
        peer.send(hash(3, "c"));
        assertThat(provider.read().body()).contains("01" + text("c") + "48");
    }

    @Test
    void aReadOnlyProviderIsDisconnectedWhenItHasAnsweredItsLastCall() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b"));
        DubboFrame first = provider.read();
        DubboFrame second = provider.read();

        provider.send("dabba200" + "0000000000000000" + "00000002" + "0152");
        provider.answerInt(first.id(), 5);
        assertThat(peer.read().document()).isEqualTo("5");
        provider.send("dabbe200" + "00000000000000ff" + "00000001" + "4e");
        assertThat(provider.read()).isEqualTo(new DubboFrame("dabb2214", 0xff, "4e"));

        provider.answerInt(second.id(), 6);
        assertThat(peer.read().document()).isEqualTo("6");
        assertThat(provider.isAtEnd()).isTrue();
        assertThat(mesh.accept().isAtEnd())
                .as("tried, to see when its port is closed")
                .isTrue();
        assertThat(mesh.agent.unreadiness()).endsWith("takes no calls");
    }

    @Test
    void callsInTheQueueAreGivenBackWhenTheProviderTakesNoMore() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b") + hash(3, "c"));
        DubboFrame call = provider.read();

        provider.send("dabba600" + "0000000000000000" + "00000004" + text("\"R\"\n"));
        List<Long> returned = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            MeshFrame answer = peer.read();
            assertThat(answer.status()).isEqualTo(1);
            returned.add(answer.requestId());
        }
        assertThat(returned).containsExactlyInAnyOrder(2L, 3L);
        provider.answerInt(call.id(), 1);
        assertThat(peer.read().requestId()).isEqualTo(1);
    }

    @Test
    void callsThatTheProviderLosesGiveTheirPermitsBackSoonAfterTheirDeadlines() throws Exception {
        mesh.with("lb.limit", 20);
        mesh.with("dubbo.queue", 0);
        mesh.with("dubbo.silence", "300 ms");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        int lost = 20;
        for (int i = 1; i <= lost; i++) {
            peer.send(request(i, 1, MeshFrame.FORM, formBody(100, "a")));
        }
        for (int i = 1; i <= lost; i++) {
            assertThat(provider.read().isEvent()).isFalse();
        }
        assertThat(mesh.agent.limit().inService()).isEqualTo(lost);
        long startNs = System.nanoTime();

        while (mesh.agent.limit().inService() == lost) {
            answerHeartbeat(provider);
        }

        assertThat(System.nanoTime() - startNs)
                .as("their own time and a second")
                .isBetween(TimeUnit.MILLISECONDS.toNanos(1000), TimeUnit.MILLISECONDS.toNanos(4000));
        assertThat(mesh.agent.limit().inService())
                .as("a tenth in the first second")
                .isEqualTo(lost - 2);
        assertThat(peer.read().status()).isEqualTo(36);
        peer.send(hash(100, "b"));
        assertThat(nextCall(provider).body()).contains("01" + text("b") + "48");
    }

    @Test
    void ofTheCallsThatTheProviderLosesTheOldestGivesItsPermitBackFirst() throws Exception {
        mesh.with("lb.limit", 3);
        mesh.with("dubbo.queue", 0);
        mesh.with("dubbo.silence", "300 ms");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        for (int i = 1; i <= 3; i++) {
            peer.send(request(i, 1, MeshFrame.FORM, formBody(1, "a")));
            nextCall(provider);
        }
        answerHeartbeatsUntilInService(2, provider);
        assertThat(peer.read().requestId()).isEqualTo(1);
        peer.send(request(4, 1, MeshFrame.FORM, formBody(1, "b")));
        nextCall(provider);

        List<Long> forgotten = new ArrayList<>();
        for (int left = 2; left >= 1; left--) {
            answerHeartbeatsUntilInService(left, provider);
            forgotten.add(peer.read().requestId());
        }
        assertThat(forgotten).containsExactly(2L, 3L);
    }

    private void answerHeartbeatsUntilInService(int calls, DubboConnection provider) throws IOException {
        while (mesh.agent.limit().inService() != calls) {
            answerHeartbeat(provider);
        }
    }

    private static void answerHeartbeat(DubboConnection provider) throws IOException {
        DubboFrame heartbeat = provider.read();
        assertThat(heartbeat.header()).isEqualTo("dabbe200");
        provider.send(DubboFrame.frame(0x22, 20, heartbeat.id(), "4e"));
    }

    @Test
    void aProviderThatIsSilentGetsNoNewCallsUntilItIsHeard() throws Exception {
        mesh.with("lb.limit", 2);
        mesh.with("dubbo.silence", "300 ms");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b") + hash(3, "c"));
        DubboFrame first = provider.read();
        DubboFrame second = provider.read();

        assertThat(peer.read()).as("the one that waits").isEqualTo(notExecuted(3, "c", "the provider is silent"));
        peer.send(hash(4, "d"));
        assertThat(peer.read()).isEqualTo(notExecuted(4, "d", "the provider is silent"));
        assertThat(mesh.agent.unreadiness()).as("it stays registered").isNull();
        assertThat(mesh.agent.limit().inService()).isEqualTo(2);

        // What a frozen provider has got it executes when it goes on, and answers late.
        provider.answerInt(first.id(), 1);
        assertThat(peer.read().document()).isEqualTo("1");
        provider.answerInt(second.id(), 2);
        assertThat(peer.read().document()).isEqualTo("2");
        peer.send(hash(5, "e"));
        assertThat(nextCall(provider).body()).contains("01" + text("e") + "48");
    }

    @Test
    void aProviderThatAnswersHeartbeatsMayTakeItsTime() throws Exception {
        mesh.with("dubbo.silence", "150 ms");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        DubboFrame call = provider.read();

        for (int i = 0; i < 6; i++) {
            answerHeartbeat(provider);
        }
        peer.send(hash(2, "b"));

        assertThat(nextCall(provider).body()).contains("01" + text("b") + "48");
        provider.answerInt(call.id(), 1);
        assertThat(peer.read().requestId()).isEqualTo(1);
    }

    @Test
    void aProviderThatIsStillReadingALongRequestIsNotSilent() throws Exception {
        mesh.with("dubbo.silence", "1 s");
        mesh.with("mesh.max-frame", "32 MiB").with("dubbo.max-payload", "32 MiB");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a".repeat(LONG_REQUEST)));
        ByteBuffer header = ByteBuffer.wrap(provider.readBytes(16));
        int left = header.getInt(12);
        assertThat(left).isGreaterThan(LONG_REQUEST);

        // Evenly in twice the time that a silence takes, but for what socket buffers may hold: the agent gets rid of a
        // third of a buffer four times in a silence.
        long startNs = System.nanoTime();
        long ns = TimeUnit.SECONDS.toNanos(2);
        int read = 0;
        for (long at = 0; at < ns; at = System.nanoTime() - startNs) {
            int due = (int) (LONG_REQUEST * 3L / 4 * at / ns);
            provider.readBytes(due - read);
            read = due;
            TimeUnit.MILLISECONDS.sleep(10);
        }
        left -= read;

        assertThat(isSilent()).isFalse();
        provider.readBytes(left);
        provider.answerInt(header.getLong(4), 1);
        assertThat(peer.read().document()).isEqualTo("1");
    }

    @Test
    void anIdleProviderIsNotAskedForSigns() throws Exception {
        mesh.with("dubbo.silence", "30 ms");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.settle();
        ProviderLoop loop = mesh.agent.loops().get(0);
        Await.until(
                "checks have passed",
                () -> loop.eventLoop()
                        .schedule(() -> true, 200, TimeUnit.MILLISECONDS)
                        .get());

        peer.send(hash(1, "a"));
        assertThat(provider.read().isEvent()).isFalse();
    }

    @Test
    void aProviderThatWasLostInSilenceMustBeHeardBeforeItGetsCallsAgain() throws Exception {
        mesh.with("dubbo.silence", "300 ms");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b"));
        provider.read();
        provider.read();
        Await.until("the provider is silent", () -> isSilent());

        provider.reset();
        assertThat(peer.read().status()).isEqualTo(33);
        assertThat(peer.read().status()).isEqualTo(33);
        DubboConnection next = mesh.accept();
        DubboFrame heartbeat = next.read();
        assertThat(heartbeat.header()).isEqualTo("dabbe200");
        peer.send(hash(3, "c"));
        assertThat(peer.read()).isEqualTo(notExecuted(3, "c", "the provider is silent"));
        assertThat(mesh.agent.unreadiness()).endsWith("takes no calls");

        next.send(DubboFrame.frame(0x22, 20, heartbeat.id(), "4e"));
        Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);
        peer.send(hash(4, "d"));
        assertThat(nextCall(next).body()).contains("01" + text("d") + "48");
    }

    private boolean isSilent() throws Exception {
        ProviderLoop loop = mesh.agent.loops().get(0);
        return loop.eventLoop().submit(() -> loop.upstream().isSilent()).get();
    }

    private static DubboFrame nextCall(DubboConnection provider) throws IOException {
        DubboFrame next = provider.read();
        while (next.isEvent()) {
            next = provider.read();
        }
        return next;
    }

    private static MeshFrame notExecuted(long id, String argument, String unavailability) {
        String attachment = MeshFrame.attachments(":unavailable", unavailability);
        return new MeshFrame(MeshFrame.RESPONSE, MeshFrame.NOT_EXECUTED, 0, id, attachment + formBody(5000, argument));
    }

    @Test
    void callbacksAreRefused() throws Exception {
        DubboConnection provider = mesh.startAndAccept();

        provider.send("dabb8200" + "0000000000000004" + "00000001" + "4e");
        provider.send("dabbc200" + "0000000000000005" + "00000001" + "4e");
        assertThat(provider.read()).isEqualTo(new DubboFrame("dabb0228", 5, "15" + text("callbacks are refused")));
        provider.send("dabbc600" + "0000000000000006" + "00000001" + "4e");
        assertThat(provider.read()).isEqualTo(new DubboFrame("dabb0628", 6, text("\"callbacks are refused\"\n")));
    }

    @Test
    void aMalformedFrameEndsTheConnectionAndItsCallsAndANewOneIsOpened() throws Exception {
        String id = "0000000000000001";
        String[] garbage = {
            "dabc0214" + id + "00000001" + "91",
            "48545450 2f312e31 20343030 20426164",
            "dabb0214" + id + "ffffffff",
            "dabb0214" + id + "7fffffff",
            "dabb0214" + id + u32(8 * 1024 * 1024 + 1),
            "dabb0114" + id + "00000001" + "91",
            "dabb1814" + id + "00000001" + "91",
            "dabba200" + id + "00000101" + "00".repeat(0x101),
            "dabbe200" + id + "ffffffff"
        };
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        int call = 0;
        for (String bytes : garbage) {
            peer.send(hash(++call, "a"));
            provider.read();
            provider.send(bytes);

            MeshFrame answer = peer.read();
            assertThat(answer.requestId()).isEqualTo(call);
            assertThat(answer.status()).as(bytes).isEqualTo(33);
            assertThat(answer.document()).contains("connection to the provider lost: malformed frame: ");
            assertThat(provider.isAtEnd()).as(bytes).isTrue();
            provider = mesh.accept();
            // It is a good one from the moment on that it says something.
            provider.send("dabbe200" + id + "00000001" + "4e");
            provider.read();
            Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);
        }
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void callsOfAProviderThatIsKilledFailAndItServesAgainWhenItIsBack() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b"));
        provider.answerInt(provider.read().id(), 1);
        assertThat(peer.read().status()).isZero();
        provider.read();

        mesh.stub.stopListening();
        provider.reset();
        MeshFrame answer = peer.read();
        assertThat(answer.requestId()).isEqualTo(2);
        assertThat(answer.status()).isEqualTo(33);
        Await.until("the agent is not ready", () -> mesh.agent.unreadiness() != null);
        peer.send(hash(3, "c"));
        assertThat(peer.read()).isEqualTo(notExecuted(3, "c", "the provider is not connected"));
        assertThat(mesh.agent.limit().inService()).isZero();

        mesh.stub.listenAgain();
        DubboConnection back = mesh.accept();
        Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);
        peer.send(hash(4, "d"));
        back.answerInt(back.read().id(), 4);
        assertThat(peer.read().document()).isEqualTo("4");
    }

    @Test
    void aProviderThatClosesItsConnectionAndListensOnStaysRegistered() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.answerInt(provider.read().id(), 1);
        assertThat(peer.read().status()).isZero();

        provider.close();
        DubboConnection next = mesh.accept();
        peer.send(hash(2, "b"));

        next.answerInt(next.read().id(), 2);
        assertThat(peer.read().document()).isEqualTo("2");
    }

    @Test
    void aProviderThatStartsLaterIsFound() throws Exception {
        mesh.stub.stopListening();
        mesh.start();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        assertThat(peer.read().status()).isEqualTo(1);
        assertThat(mesh.agent.unreadiness())
                .startsWith("provider 127.0.0.1:" + mesh.stub.port() + " takes no calls: not connected: ");

        mesh.stub.listenAgain();
        DubboConnection provider = mesh.accept();
        Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);
        peer.send(hash(2, "b"));
        provider.answerInt(provider.read().id(), 2);
        assertThat(peer.read().document()).isEqualTo("2");
    }

    @Test
    void aCallThatWasNotHandedToTheChannelIsGivenBackWhenTheConnectionIsLost() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.read();
        ProviderLoop loop = mesh.agent.loops().get(0);
        // In one turn of the loop: a request is written into the batch, and the connection is closed before the batch
        // is sent.
        loop.eventLoop()
                .submit(() -> {
                    MeshServerLink link = loop.links().open().iterator().next();
                    ByteBuf frames = Unpooled.wrappedBuffer(Hex.bytes(hash(2, "b")));
                    link.channel().pipeline().fireChannelRead(frames);
                    loop.upstream().connection().close("test");
                })
                .sync();

        MeshFrame sent = peer.read();
        assertThat(sent.status()).isEqualTo(33);
        assertThat(sent.requestId()).isEqualTo(1);
        assertThat(peer.read()).isEqualTo(notExecuted(2, "b", "connection to the provider lost: test"));
    }
}
