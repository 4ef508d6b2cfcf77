package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.MeshFrame.formBody;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

/** Calls beyond the limit: they wait, in order and for a while, or come back. */
@Timeout(60)
class LimitTest {
    private static final Pattern NUMBER = Pattern.compile("<([0-9]+)>");

    private final AgentFixture mesh;

    LimitTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void aCallBeyondLimitAndQueueIsGivenBackWithItsBody() throws Exception {
        mesh.with("lb.limit", 2);
        mesh.with("dubbo.queue", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a") + hash(2, "b") + hash(3, "c") + hash(4, "d"));

        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 1, 0, 4, "0000" + formBody(5000, "d")));
        DubboFrame first = provider.read();
        DubboFrame second = provider.read();
        assertThat(mesh.agent.limit().waiting()).isEqualTo(1);
        provider.answerInt(second.id(), 2);
        assertThat(peer.read().requestId()).isEqualTo(2);
        DubboFrame third = provider.read();
        assertThat(third.body()).contains("01" + text("c") + "48");
        provider.answerInt(third.id(), 3);
        provider.answerInt(first.id(), 1);
        assertThat(peer.read().document()).isEqualTo("3");
        assertThat(peer.read().document()).isEqualTo("1");
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aPermitThatIsReleasedOnOneLoopServesACallThatWaitsOnAnother() throws Exception {
        mesh.with("io.threads", 2);
        mesh.with("lb.limit", 1);
        DubboConnection firstProvider = mesh.startAndAccept();
        List<MeshConnection> peers = new ArrayList<>(List.of(mesh.hashPeer(), mesh.hashPeer()));
        for (MeshConnection peer : peers) {
            peer.settle();
        }
        DubboConnection secondProvider = mesh.accept();
        // Whichever loop has the probe's connection, each peer has one of its own.
        peers.get(0).send(hash(1, "a"));
        Await.until("a call is in service", () -> mesh.agent.limit().inService() == 1);
        boolean firstHasIt = mesh.counters(0).sent == 1 || loopHasSent(0);
        DubboConnection busy = firstHasIt ? firstProvider : secondProvider;
        DubboConnection idle = firstHasIt ? secondProvider : firstProvider;
        DubboFrame call = busy.read();
        peers.get(1).send(hash(2, "b"));
        Await.until("a call waits", () -> mesh.agent.limit().waiting() == 1);

        busy.answerInt(call.id(), 1);

        DubboFrame waited = idle.read();
        idle.answerInt(waited.id(), 2);
        assertThat(peers.get(0).read().document()).isEqualTo("1");
        assertThat(peers.get(1).read().document()).isEqualTo("2");
        Await.until("no call is in service", () -> mesh.agent.limit().inService() == 0);
    }

    private boolean loopHasSent(int loop) throws Exception {
        ProviderLoop state = mesh.agent.loops().get(loop);
        return state.eventLoop()
                .submit(() -> state.calls().counters().sent == 1)
                .get();
    }

    @Test
    void aCallWhoseDeadlinePassesInTheQueueNeverReachesTheProviderAndMakesRoom() throws Exception {
        mesh.with("lb.limit", 1);
        mesh.with("dubbo.queue", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a") + request(2, 1, 0x01, formBody(30, "b")));
        Await.until(
                "the call has expired in the queue",
                () -> mesh.agent.limit().waiting() == 0 && mesh.counters(0).expired == 1);
        peer.send(hash(3, "c"));
        DubboFrame first = provider.read();
        provider.answerInt(first.id(), 1);

        DubboFrame next = provider.read();
        assertThat(next.body()).contains("01" + text("c") + "48");
        provider.answerInt(next.id(), 3);
        assertThat(peer.read().requestId()).isEqualTo(1);
        assertThat(peer.read().requestId()).isEqualTo(3);
    }

    @Test
    void aCallWhosePeerLeavesWhileItWaitsNeverReachesTheProvider() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        DubboFrame first = provider.read();
        MeshConnection leaving = mesh.hashPeer();
        leaving.send(hash(1, "b"));
        Await.until("a call waits", () -> mesh.agent.limit().waiting() == 1);
        leaving.close();
        Await.until("one link is left", () -> mesh.agent.connections() == 1);
        peer.send(hash(2, "c"));
        peer.settle();

        provider.answerInt(first.id(), 1);

        assertThat(provider.read().body()).contains("01" + text("c") + "48");
    }

    @Test
    void aLongQueueOfAPeerThatHasGoneEndsAtOnce() throws Exception {
        mesh.with("lb.limit", 1);
        mesh.with("dubbo.queue", 10_000);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        DubboFrame first = provider.read();
        MeshConnection leaving = mesh.hashPeer();
        leaving.send(request(1, 1, 0x01, formBody(60_000, "b")).repeat(8_000));
        Await.until("8,000 calls wait", () -> mesh.agent.limit().waiting() == 8_000);
        leaving.close();
        Await.until("the link is closed", () -> mesh.agent.connections() == 1);

        provider.answerInt(first.id(), 1);

        assertThat(peer.read().document()).isEqualTo("1");
        Await.until(
                "no call waits or is in service",
                () -> mesh.agent.limit().waiting() == 0 && mesh.agent.limit().inService() == 0);
        peer.settle();
        assertThat(mesh.counters(0).expired).isEqualTo(8_000);
    }

    @Test
    void aRefusedArgumentReleasesItsPermit() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        peer.send(MeshFrame.define(1, MeshFrame.names(HashCalls.HASHER, "half", "I", "", "")));
        peer.send(hash(1, "1") + hash(2, "x") + hash(3, "y") + hash(4, "4"));

        provider.answerInt(provider.read().id(), 1);
        assertThat(peer.read().status()).isZero();
        assertThat(peer.read().status()).isEqualTo(11);
        assertThat(peer.read().status()).isEqualTo(11);
        provider.answerInt(provider.read().id(), 4);
        assertThat(peer.read().requestId()).isEqualTo(4);
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aThousandCallsPassALimitOfFiveWithTheirOwnAnswers() throws Exception {
        mesh.with("io.threads", 2);
        mesh.with("lb.limit", 5);
        mesh.with("dubbo.queue", 1000);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        MeshConnection other = mesh.hashPeer();
        DubboConnection otherProvider = mesh.accept();
        for (DubboConnection each : List.of(provider, otherProvider)) {
            Thread echo = new Thread(() -> echoNumbers(each));
            echo.setDaemon(true);
            echo.start();
        }
        StringBuilder calls = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            calls.append(hash(i, "<" + i + ">" + "q".repeat(i)));
        }
        peer.send(calls.toString());
        other.send(calls.toString());

        for (MeshConnection each : List.of(peer, other)) {
            for (int i = 0; i < 500; i++) {
                MeshFrame answer = each.read();
                assertThat(answer.document()).isEqualTo(String.valueOf(answer.requestId()));
            }
        }
        assertThat(mesh.agent.limit().inService()).isZero();
        assertThat(mesh.agent.limit().waiting()).isZero();
    }

    /** Answers each call with the number in its argument. */
    private static void echoNumbers(DubboConnection provider) {
        try {
            while (true) {
                DubboFrame call = provider.read();
                String body = new String(Hex.bytes(call.body()), StandardCharsets.ISO_8859_1);
                Matcher number = NUMBER.matcher(body);
                number.find();
                provider.answerInt(call.id(), Integer.parseInt(number.group(1)));
            }
        } catch (IOException e) {
            // The agent has ended.
        }
    }
}
