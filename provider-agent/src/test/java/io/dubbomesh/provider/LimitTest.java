package io.dubbomesh.provider;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.dubbomesh.provider.Hex.text;
import static io.dubbomesh.provider.MeshPeer.body;
import static io.dubbomesh.provider.MeshPeer.hash;
import static io.dubbomesh.provider.MeshPeer.request;
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
    void whatExceedsLimitAndLineComesBackWithItsBody() throws Exception {
        mesh.with("lb.limit", 2);
        mesh.with("dubbo.queue", 1);
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();

        peer.send(hash(1, "a") + hash(2, "b") + hash(3, "c") + hash(4, "d"));

        assertThat(peer.read()).isEqualTo(new MeshPeer.Frame(4, 1, 0, 4, "0000" + body(5000, "d")));
        StubProvider.Frame first = provider.read();
        StubProvider.Frame second = provider.read();
        assertThat(mesh.agent.limit().waiting()).isEqualTo(1);
        provider.answerInt(second.id(), 2);
        assertThat(peer.read().id()).isEqualTo(2);
        StubProvider.Frame third = provider.read();
        assertThat(third.body()).contains("01" + text("c") + "48");
        provider.answerInt(third.id(), 3);
        provider.answerInt(first.id(), 1);
        assertThat(peer.read().document()).isEqualTo("3");
        assertThat(peer.read().document()).isEqualTo("1");
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aPlaceThatBecomesFreeOnOneLoopServesAWaiterOfAnother() throws Exception {
        mesh.with("io.threads", 2);
        mesh.with("lb.limit", 1);
        StubProvider.Connection firstProvider = mesh.startAndAccept();
        List<MeshPeer> peers = new ArrayList<>(List.of(mesh.hashPeer(), mesh.hashPeer()));
        for (MeshPeer peer : peers) {
            peer.settle();
        }
        StubProvider.Connection secondProvider = mesh.accept();
        // Whichever loop has the probe's connection, each peer has one of its own.
        peers.get(0).send(hash(1, "a"));
        AgentFixture.await(() -> mesh.agent.limit().inService() == 1);
        boolean firstHasIt = mesh.counters(0).sent == 1 || loopHasSent(0);
        StubProvider.Connection busy = firstHasIt ? firstProvider : secondProvider;
        StubProvider.Connection idle = firstHasIt ? secondProvider : firstProvider;
        StubProvider.Frame call = busy.read();
        peers.get(1).send(hash(2, "b"));
        AgentFixture.await(() -> mesh.agent.limit().waiting() == 1);

        busy.answerInt(call.id(), 1);

        StubProvider.Frame waited = idle.read();
        idle.answerInt(waited.id(), 2);
        assertThat(peers.get(0).read().document()).isEqualTo("1");
        assertThat(peers.get(1).read().document()).isEqualTo("2");
        AgentFixture.await(() -> mesh.agent.limit().inService() == 0);
    }

    private boolean loopHasSent(int loop) throws Exception {
        LoopState state = mesh.agent.states().get(loop);
        return state.eventLoop().submit(() -> state.counters().sent == 1).get();
    }

    @Test
    void whoseTimeIsOverInTheLineNeverReachesTheProviderAndMakesRoom() throws Exception {
        mesh.with("lb.limit", 1);
        mesh.with("dubbo.queue", 1);
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();

        peer.send(hash(1, "a") + request(2, 1, 0x01, body(30, "b")));
        AgentFixture.await(() -> mesh.agent.limit().waiting() == 0 && mesh.counters(0).expired == 1);
        peer.send(hash(3, "c"));
        StubProvider.Frame first = provider.read();
        provider.answerInt(first.id(), 1);

        StubProvider.Frame next = provider.read();
        assertThat(next.body()).contains("01" + text("c") + "48");
        provider.answerInt(next.id(), 3);
        assertThat(peer.read().id()).isEqualTo(1);
        assertThat(peer.read().id()).isEqualTo(3);
    }

    @Test
    void whosePeerHasGoneInTheLineNeverReachesTheProvider() throws Exception {
        mesh.with("lb.limit", 1);
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        StubProvider.Frame first = provider.read();
        MeshPeer leaving = mesh.hashPeer();
        leaving.send(hash(1, "b"));
        AgentFixture.await(() -> mesh.agent.limit().waiting() == 1);
        leaving.close();
        AgentFixture.await(() -> mesh.agent.connections() == 1);
        peer.send(hash(2, "c"));
        peer.settle();

        provider.answerInt(first.id(), 1);

        assertThat(provider.read().body()).contains("01" + text("c") + "48");
    }

    @Test
    void aRefusedArgumentHandsItsPlaceOn() throws Exception {
        mesh.with("lb.limit", 1);
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.peer();
        peer.send(MeshPeer.define(1, MeshPeer.names(MeshPeer.HASHER, "half", "I", "", "")));
        peer.send(hash(1, "1") + hash(2, "x") + hash(3, "y") + hash(4, "4"));

        provider.answerInt(provider.read().id(), 1);
        assertThat(peer.read().status()).isZero();
        assertThat(peer.read().status()).isEqualTo(11);
        assertThat(peer.read().status()).isEqualTo(11);
        provider.answerInt(provider.read().id(), 4);
        assertThat(peer.read().id()).isEqualTo(4);
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aThousandCallsPassThroughANarrowGateWithTheirOwnAnswers() throws Exception {
        mesh.with("io.threads", 2);
        mesh.with("lb.limit", 5);
        mesh.with("dubbo.queue", 1000);
        StubProvider.Connection provider = mesh.startAndAccept();
        MeshPeer peer = mesh.hashPeer();
        MeshPeer other = mesh.hashPeer();
        StubProvider.Connection otherProvider = mesh.accept();
        for (StubProvider.Connection each : List.of(provider, otherProvider)) {
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

        for (MeshPeer each : List.of(peer, other)) {
            for (int i = 0; i < 500; i++) {
                MeshPeer.Frame answer = each.read();
                assertThat(answer.document()).isEqualTo(String.valueOf(answer.id()));
            }
        }
        assertThat(mesh.agent.limit().inService()).isZero();
        assertThat(mesh.agent.limit().waiting()).isZero();
    }

    /** Answers each call with the number in its argument. */
    private static void echoNumbers(StubProvider.Connection provider) {
        try {
            while (true) {
                StubProvider.Frame call = provider.read();
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
