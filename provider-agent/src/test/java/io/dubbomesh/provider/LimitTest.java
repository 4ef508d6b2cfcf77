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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.Hex.u32;
import static io.dubbomesh.testsupport.Hex.u64;
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
    void callsThatWaitGoToTheConnectionThatFollowsALostOneAtOnce() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        loseConnectionWithTwoThatWait(provider, peer);
        DubboConnection next = mesh.accept();

        assertThat(peer.read().requestId()).as("the one in service has failed").isEqualTo(2);
        for (String argument : List.of("c", "d")) {
            DubboFrame call = next.read();
            assertThat(call.body()).contains("01" + text(argument) + "48");
            next.answerInt(call.id(), 7);
            assertThat(peer.read().document()).isEqualTo("7");
        }
        Await.until("no call is in service", () -> mesh.agent.limit().inService() == 0);
    }

    @Test
    void callsThatWaitAreGivenBackWhenNoConnectionFollowsALostOne() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        mesh.stub.stopListening();
        loseConnectionWithTwoThatWait(provider, peer);

        assertThat(peer.read().requestId()).as("the one in service has failed").isEqualTo(2);
        assertThat(List.of(peer.read(), peer.read()))
                .extracting(MeshFrame::status)
                .containsOnly(MeshFrame.NOT_EXECUTED);
        Await.until(
                "no call waits or is in service",
                () -> mesh.agent.limit().waiting() == 0 && mesh.agent.limit().inService() == 0);
    }

    @Test
    void aCallOnAnotherLoopGetsThePermitWhileOneLoopWaitsForItsNextConnection() throws Exception {
        mesh.with("io.threads", 2).with("lb.limit", 1).with("dubbo.connect-timeout", "20 s");
        List<DubboConnection> providers = new ArrayList<>(List.of(mesh.startAndAccept()));
        List<MeshConnection> peers = List.of(mesh.hashPeer(), mesh.hashPeer());
        for (MeshConnection peer : peers) {
            peer.settle();
        }
        providers.add(mesh.accept());
        peers.get(0).send(hash(1, "a"));
        Await.until("a call is in service", () -> mesh.agent.limit().inService() == 1);
        DubboConnection lost = providers.remove(loopHasSent(0) ? 0 : 1);
        lost.answerInt(lost.read().id(), 1);
        assertThat(peers.get(0).read().document()).isEqualTo("1");
        peers.get(0).send(hash(2, "b") + hash(3, "c"));
        Await.until("a call waits", () -> mesh.agent.limit().waiting() == 1);
        peers.get(1).send(hash(4, "d"));
        Await.until("two calls wait", () -> mesh.agent.limit().waiting() == 2);

        List<Socket> waiting = new ArrayList<>();
        try {
            fillAcceptQueue(waiting);
            lost.close();
            DubboConnection other = providers.get(0);
            DubboFrame call = other.read();
            assertThat(call.body()).contains("01" + text("d") + "48");
            other.answerInt(call.id(), 7);
            assertThat(peers.get(1).read().document()).isEqualTo("7");
        } finally {
            for (Socket each : waiting) {
                each.close();
            }
        }
    }

    /** Until the kernel answers no connection any more. */
    private void fillAcceptQueue(List<Socket> waiting) throws IOException {
        try {
            while (true) {
                Socket socket = new Socket();
                waiting.add(socket);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), mesh.stub.port()), 300);
            }
        } catch (SocketTimeoutException full) {
            assertThat(waiting).hasSizeGreaterThan(1);
        }
    }

    /** After it has worked; the calls that wait are 3 and 4. */
    private void loseConnectionWithTwoThatWait(DubboConnection provider, MeshConnection peer) throws Exception {
        peer.send(hash(1, "a"));
        provider.answerInt(provider.read().id(), 1);
        assertThat(peer.read().document()).isEqualTo("1");
        peer.send(hash(2, "b") + hash(3, "c") + hash(4, "d"));
        assertThat(provider.read().body()).contains("01" + text("b") + "48");
        Await.until("two calls wait", () -> mesh.agent.limit().waiting() == 2);
        provider.close();
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
        mesh.with("dubbo.queue.burst", "24 h");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        DubboFrame first = provider.read();
        MeshConnection leaving = mesh.hashPeer();
        leaving.send(request(1, 1, 0x01, formBody(Integer.MAX_VALUE, "b")).repeat(8_000));
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
    void theCallsOfAModestPeerAreServedInTurnWithThoseOfAGreedyOne() throws Exception {
        mesh.with("lb.limit", 1);
        mesh.with("dubbo.queue", 3);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection greedy = mesh.hashPeer();
        MeshConnection modest = mesh.hashPeer();
        greedy.send(hash(1, "a"));
        DubboFrame inService = provider.read();
        greedy.send(hash(2, "b") + hash(3, "c") + hash(4, "d"));
        Await.until("the queue is full", () -> mesh.agent.limit().waiting() == 3);

        modest.send(hash(1, "e"));

        assertThat(greedy.read()).as("the last one makes room").isEqualTo(notExecuted(4, "d"));
        for (String argument : List.of("b", "e", "c")) {
            provider.answerInt(inService.id(), 1);
            inService = provider.read();
            assertThat(inService.body()).contains("01" + text(argument) + "48");
        }
    }

    @Test
    void theLinksOfOnePeerHaveOneTurn() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection link = helloWithId(7);
        MeshConnection otherLink = helloWithId(7);
        MeshConnection modest = helloWithId(8);
        link.send(hash(1, "a"));
        DubboFrame inService = provider.read();
        for (Map.Entry<MeshConnection, String> call :
                List.of(Map.entry(link, "b"), Map.entry(otherLink, "c"), Map.entry(modest, "d"))) {
            int before = mesh.agent.limit().waiting();
            call.getKey().send(hash(2, call.getValue()));
            Await.until("the call waits", () -> mesh.agent.limit().waiting() == before + 1);
        }

        for (String argument : List.of("b", "d", "c")) {
            provider.answerInt(inService.id(), 1);
            inService = provider.read();
            assertThat(inService.body()).contains("01" + text(argument) + "48");
        }
    }

    private MeshConnection helloWithId(long agentId) throws Exception {
        MeshConnection peer = mesh.connection();
        peer.send(MeshFrame.frame(
                MeshFrame.HELLO, 0, 0, 0, 0, "0101" + u32(0) + u32(0) + "0000" + u64(agentId) + u32(0)));
        assertThat(peer.read().type()).isEqualTo(MeshFrame.HELLO);
        peer.send(HashCalls.defineHash());
        return peer;
    }

    @Test
    void aQueueThatStandsGivesNewCallsBackAtOnce() throws Exception {
        mesh.with("lb.limit", 1);
        mesh.with("dubbo.queue.burst", "20 ms");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.read();
        peer.send(hash(2, "b"));
        Await.until("a call waits", () -> mesh.agent.limit().waiting() == 1);

        // No call ends, so that the estimated wait grows until no call is let in any more.
        long id = 3;
        peer.send(hash(id, "c"));
        peer.settle();
        Await.until("a call is given back", () -> mesh.counters(0).notExecuted > 0 || waitsBehindMore(peer));
        assertThat(peer.read().status()).isEqualTo(MeshFrame.NOT_EXECUTED);
        assertThat(mesh.agent.limit().waiting()).isLessThan(20);
    }

    /** Sends one more. */
    private boolean waitsBehindMore(MeshConnection peer) throws IOException {
        peer.send(hash(100 + mesh.agent.limit().waiting(), "c"));
        return false;
    }

    @Test
    void aLearntLimitIsToldToPeersThatTakeItAndFollowsTheRefusalsOfTheProvider() throws Exception {
        mesh.with("lb.limit", "auto");
        mesh.with("lb.limit.max", 50);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.connection();
        peer.send(MeshFrame.frame(MeshFrame.HELLO, 0, 0, 0, 0, "0101" + u32(0) + u32(0) + "0000" + u64(7) + u32(1)));
        assertThat(peer.read())
                .as("the most it can be")
                .isEqualTo(new MeshFrame(
                        MeshFrame.HELLO, 0, 0, 0, "0101" + u32(50) + u32(4096) + "0000" + u64(0) + u32(0x32)));
        assertThat(peer.read()).isEqualTo(new MeshFrame(MeshFrame.LIMIT, 0, 0, 0, u32(20)));
        peer.send(HashCalls.defineHash());
        for (int i = 1; i <= 10; i++) {
            peer.send(hash(i, "a"));
        }
        for (int i = 1; i <= 10; i++) {
            long id = provider.read().id();
            if (i > 6) {
                provider.answer(id, 100, "04" + text("full"));
                assertThat(peer.read().status()).isEqualTo(MeshFrame.NOT_EXECUTED);
            }
        }

        assertThat(peer.read()).as("the limit").isEqualTo(new MeshFrame(MeshFrame.LIMIT, 0, 0, 0, u32(6)));
        peer.send(hash(11, "a"));
        peer.settle();
        assertThat(mesh.agent.limit().inService()).isEqualTo(6);
        assertThat(mesh.agent.limit().waiting()).isEqualTo(1);
    }

    @Test
    void aPeerThatDoesNotTakeALearntLimitIsToldTheMostInTheHello() throws Exception {
        mesh.with("lb.limit", "auto");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a"));
        provider.answer(provider.read().id(), 100, "04" + text("full"));

        assertThat(peer.read()).isEqualTo(notExecuted(1, "a"));
        Await.until("the limit has fallen", () -> mesh.agent.limit().advertised() == 1);
        peer.settle();
    }

    private static MeshFrame notExecuted(long id, String argument) {
        return new MeshFrame(MeshFrame.RESPONSE, MeshFrame.NOT_EXECUTED, 0, id, "0000" + formBody(5000, argument));
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
        mesh.with("dubbo.queue.burst", "24 h");
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
            calls.append(request(i, 1, MeshFrame.FORM, formBody(Integer.MAX_VALUE, "<" + i + ">" + "q".repeat(i))));
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
