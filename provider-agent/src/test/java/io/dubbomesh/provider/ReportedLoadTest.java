package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests what a provider agent reports of its provider's load in the header of a RESPONSE. */
@Timeout(60)
class ReportedLoadTest {
    private static final int TAKES_LOAD = 0x08;

    private final AgentFixture mesh = new AgentFixture();

    ReportedLoadTest() throws Exception {}

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    private MeshConnection peerThatTakesLoad() throws IOException {
        MeshConnection peer = mesh.connection();
        peer.send(MeshFrame.hello(0, 0, TAKES_LOAD) + HashCalls.defineHash());
        assertThat(peer.read().type()).isEqualTo(MeshFrame.HELLO);
        return peer;
    }

    /** Returns the microseconds of the header's number. */
    private static long us(MeshFrame answer) {
        return (long) (answer.time() & 0x7ff) << (answer.time() >>> 11);
    }

    @Test
    void anAnswerReportsTheCallsOfAllPeersAndWhatACallTakes() throws Exception {
        mesh.with("lb.limit", 2);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = peerThatTakesLoad();
        MeshConnection other = mesh.hashPeer();
        peer.send(hash(1, "a"));
        DubboFrame first = provider.read();
        other.send(hash(1, "b") + hash(2, "c") + hash(3, "d"));
        Await.until("two wait", () -> mesh.agent.limit().waiting() == 2);
        long sinceNs = System.nanoTime();
        while (System.nanoTime() - sinceNs < TimeUnit.MILLISECONDS.toNanos(20)) {
            Thread.onSpinWait();
        }
        provider.answerInt(first.id(), 1);

        MeshFrame answer = peer.read();
        assertThat(answer.document()).isEqualTo("1");
        assertThat(answer.methodId()).isEqualTo(2 << 16 | 2);
        assertThat(answer.time()).as("no call had ended when it was written").isZero();
        // The second call lasts less, and counts a sixteenth.
        peer.send(hash(2, "e"));
        for (int i = 0; i < 4; i++) {
            provider.answerInt(provider.read().id(), 1);
        }
        assertThat(us(peer.read())).isGreaterThanOrEqualTo(10_000);
    }

    @Test
    void aCallThatIsGivenBackReportsTheLoadToo() throws Exception {
        mesh.with("lb.limit", 1).with("dubbo.queue", 0);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = peerThatTakesLoad();
        peer.send(hash(1, "a") + hash(2, "b"));
        provider.read();

        MeshFrame back = peer.read();
        assertThat(back.status()).isEqualTo(MeshFrame.NOT_EXECUTED);
        assertThat(back.methodId()).isEqualTo(1 << 16);
        assertThat(back.time()).as("nothing was answered yet").isZero();
    }

    @Test
    void anErrorOfTheProviderIsNoTimeOfACall() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = peerThatTakesLoad();
        peer.send(hash(1, "a"));
        provider.answer(provider.read().id(), 70, text("no"));

        MeshFrame answer = peer.read();
        assertThat(answer.methodId()).isEqualTo(1 << 16);
        assertThat(answer.time()).isZero();
    }

    @Test
    void aPeerThatDoesNotTakeItGetsZeros() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.answerInt(provider.read().id(), 1);

        MeshFrame answer = peer.read();
        assertThat(answer.methodId()).isZero();
        assertThat(answer.time()).isZero();
    }
}
