package io.dubbomesh.provider;

import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

/** Large requests and answers hold no more bytes than the budget has; short calls are served beside them. */
@Timeout(60)
class MemoryTest {
    private static final int OK = 0;
    private static final int NOT_EXECUTED = 1;
    private static final int PROVIDER_ERROR = 33;
    private static final int OVERLOADED = 35;
    private static final int SMALL = 8 * 1024;
    private static final String LARGE = "x".repeat(600 << 10);
    /** A result: a text of 8 KiB chunks, 96 KiB in all. */
    private static final String LARGE_ANSWER =
            "91" + ("52" + "2000" + "61".repeat(0x2000)).repeat(11) + "53" + "2000" + "61".repeat(0x2000);

    private final AgentFixture mesh;

    MemoryTest() throws Exception {
        mesh = new AgentFixture().with("memory.budget", "1 MiB");
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    private long bytesHeld() throws Exception {
        ProviderLoop loop = mesh.agent.loops().get(0);
        return loop.eventLoop().submit(() -> loop.memory().used()).get();
    }

    private void assertNothingHeld() throws Exception {
        Await.until("nothing is held", () -> bytesHeld() == 0);
    }

    private static void assertServed(MeshConnection peer, DubboConnection provider, long id) throws IOException {
        peer.send(hash(id, "small"));
        provider.answerInt(provider.read().id(), 5);
        MeshFrame answer = peer.read();
        assertThat(answer.requestId()).isEqualTo(id);
        assertThat(answer.document()).isEqualTo("5");
    }

    @Test
    void aLargeRequestForWhichThereIsNoRoomIsGivenBack() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, LARGE));
        long first = provider.read().id();
        peer.send(hash(2, LARGE));
        MeshFrame refused = peer.read();
        assertThat(refused.requestId()).isEqualTo(2);
        assertThat(refused.status()).isEqualTo(NOT_EXECUTED);
        assertServed(peer, provider, 3);

        provider.answerInt(first, 1);
        assertThat(peer.read().status()).isEqualTo(OK);
        peer.send(hash(4, LARGE));
        provider.answerInt(provider.read().id(), 4);
        assertThat(peer.read().document()).isEqualTo("4");
        assertNothingHeld();
    }

    @Test
    void aLinkIsReadOnWhenThereIsRoomForItsLargeRequest() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection first = mesh.hashPeer();
        MeshConnection second = mesh.hashPeer();
        String request = hash(1, LARGE);
        int half = LARGE.length();
        first.send(request.substring(0, half));
        Await.until("the first has begun", () -> bytesHeld() >= LARGE.length());
        // Complete only when the first call has ended, beside which it would be given back.
        int end = request.length() - 2;
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(second, request.substring(0, end)));
        MeshConnection third = mesh.hashPeer();
        assertServed(third, provider, 1);
        assertThat(bytesHeld()).isLessThan(1 << 20);

        first.send(request.substring(half));
        provider.answerInt(provider.read().id(), 1);
        assertThat(first.read().document()).isEqualTo("1");
        sent.get();
        second.send(request.substring(end));
        provider.answerInt(provider.read().id(), 2);
        assertThat(second.read().document()).isEqualTo("2");
        assertNothingHeld();
    }

    private static void send(MeshConnection peer, String hex) {
        try {
            peer.send(hex);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aLinkThatDoesNotReadItsAnswersHoldsNoMoreThanTheBudget() throws Exception {
        mesh.with("tcp.send-buffer", "16 KiB")
                .with("tcp.high-water-mark", "64 MiB")
                .with("tcp.low-water-mark", "32 MiB");
        int calls = 30;
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection slow = mesh.connection(SMALL);
        slow.send(MeshFrame.hello(0, 0) + HashCalls.defineHash());
        slow.read();
        MeshConnection quick = mesh.hashPeer();
        for (int i = 1; i <= calls; i++) {
            slow.send(hash(i, "a"));
        }
        long[] ids = new long[calls];
        for (int i = 0; i < calls; i++) {
            ids[i] = provider.read().id();
        }
        CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answer(provider, ids));
        quick.send(hash(1, "b"));
        Await.until("answers wait", () -> bytesHeld() > 512 << 10);
        provider.answerInt(provider.read().id(), 7);
        assertThat(quick.read().document()).isEqualTo("7");
        assertThat(bytesHeld()).isLessThan((1 << 20) + (128 << 10));

        answered.get();
        int whole = 0;
        for (int i = 0; i < calls; i++) {
            MeshFrame answer = slow.read();
            if (answer.status() == OK) {
                assertThat(answer.document()).hasSize(12 * 0x2000);
                whole++;
            } else {
                assertThat(answer.status()).isEqualTo(PROVIDER_ERROR);
                assertThat(answer.document()).contains("no room for its answer");
            }
        }
        assertThat(whole).isBetween(5, calls - 1);
        assertNothingHeld();
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    private static void answer(DubboConnection provider, long[] ids) {
        try {
            for (long id : ids) {
                provider.answer(id, 20, LARGE_ANSWER);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void describe(int methods) {
        ProviderLoop loop = mesh.agent.loops().get(0);
        List<MethodDefinition> defined = new ArrayList<>();
        defined.add(new MethodDefinition("hash", List.of("java.lang.String"), "int"));
        for (int i = 1; i < methods; i++) {
            defined.add(new MethodDefinition("method" + i, List.of("java.lang.String"), "int"));
        }
        ServiceDefinitions services = new ServiceDefinitions(
                Map.of(new ServiceKey(HASHER, "", ""), new ServiceDefinition(defined, Map.of())));
        loop.eventLoop()
                .submit(() -> loop.define(services, ServedServices.parse(List.of(HASHER))))
                .syncUninterruptibly();
    }

    /** Opens a link and sends so many requests for the description of the service in one write. */
    private MeshConnection describing(int requests) throws Exception {
        MeshConnection peer = mesh.connection(SMALL);
        StringBuilder sent = new StringBuilder(MeshFrame.hello(0, 0))
                .append(MeshFrame.define(1, MeshFrame.names(HASHER, "$describe", "", "", "")));
        for (int i = 1; i <= requests; i++) {
            sent.append(MeshFrame.request(i, 1, 0x02, "00001388" + "0000" + text("[]")));
        }
        peer.send(sent.toString());
        assertThat(peer.read().type()).isEqualTo(MeshFrame.HELLO);
        return peer;
    }

    @Test
    void aPeerThatAsksForDescriptionsAndReadsNoneHoldsLittle() throws Exception {
        mesh.with("memory.budget", "64 MiB").with("tcp.send-buffer", "16 KiB");
        int requests = 2_000;
        DubboConnection provider = mesh.startAndAccept();
        describe(100);
        MeshConnection slow = describing(requests);
        MeshConnection quick = mesh.hashPeer();
        Await.until("answers wait", () -> bytesHeld() > 512 << 10);
        assertServed(quick, provider, 1);
        assertThat(bytesHeld()).isLessThan(1 << 20);

        for (int i = 1; i <= requests; i++) {
            MeshFrame answer = slow.read();
            assertThat(answer.requestId()).isEqualTo(i);
            assertThat(answer.status()).isEqualTo(OK);
        }
        assertNothingHeld();
    }

    @Test
    void descriptionsForWhichThereIsNoRoomAreRefused() throws Exception {
        mesh.with("tcp.send-buffer", "16 KiB")
                .with("tcp.high-water-mark", "64 MiB")
                .with("tcp.low-water-mark", "32 MiB");
        int requests = 200;
        DubboConnection provider = mesh.startAndAccept();
        describe(600);
        MeshConnection slow = describing(requests);
        MeshConnection quick = mesh.hashPeer();
        Await.until("answers wait", () -> bytesHeld() > 512 << 10);
        assertServed(quick, provider, 1);
        assertThat(bytesHeld()).isLessThan((1 << 20) + (128 << 10));

        int whole = 0;
        for (int i = 1; i <= requests; i++) {
            MeshFrame answer = slow.read();
            assertThat(answer.requestId()).isEqualTo(i);
            if (answer.status() == OK) {
                whole++;
            } else {
                assertThat(answer.status()).isEqualTo(OVERLOADED);
                assertThat(answer.document()).contains("no room for the description");
            }
        }
        assertThat(whole).isBetween(5, requests - 1);
        assertNothingHeld();
    }

    @Test
    void linksThatAreResetHoldNothing() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, LARGE));
        long id = provider.read().id();
        peer.send(hash(2, LARGE).substring(0, 50_000));
        Await.until("a frame has begun", () -> bytesHeld() > LARGE.length() + 10_000);
        peer.close();
        provider.answer(id, 20, LARGE_ANSWER);
        assertNothingHeld();
    }
}
