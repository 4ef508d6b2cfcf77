package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import static io.dubbomesh.provider.HashCalls.defineHash;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.MeshFrame.hello;
import static io.dubbomesh.testsupport.MeshFrame.ping;
import static org.assertj.core.api.Assertions.assertThat;

/** A peer that does not read stops only the peers that write to it. */
@Timeout(60)
class BackPressureTest {
    private static final String LARGE = "x".repeat(10_000);

    private static final int SMALL = 8 * 1024;

    private final AgentFixture mesh;

    BackPressureTest() throws Exception {
        mesh = new AgentFixture()
                .with("tcp.send-buffer", "16 KiB")
                .with("tcp.receive-buffer", "16 KiB")
                .with("tcp.high-water-mark", "64 KiB")
                .with("tcp.low-water-mark", "32 KiB");
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void linksAreNotReadWhileTheProviderDoesNotRead() throws Exception {
        mesh.with("lb.limit", 10_000);
        int calls = 150;
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.connection(SMALL);
        peer.send(hello(0, 0) + defineHash());
        peer.read();
        AtomicInteger sent = new AtomicInteger();
        Thread writer = new Thread(() -> {
            try {
                for (int i = 1; i <= calls; i++) {
                    peer.send(hash(i, LARGE));
                    sent.incrementAndGet();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        writer.start();

        // 1.5 MB are sent, and what the sockets' buffers do not hold stays with the peer.
        ProviderLoop loop = mesh.agent.loops().get(0);
        Await.until("reading is paused", () -> isPaused(loop));
        assertThat(sent.get()).isLessThan(calls);
        assertThat(mesh.agent.limit().inService()).isLessThan(calls);

        for (int i = 1; i <= calls; i++) {
            provider.answerInt(provider.read().id(), i);
        }
        for (int i = 1; i <= calls; i++) {
            assertThat(peer.read().status()).isZero();
        }
        writer.join();
        assertThat(isPaused(loop)).isFalse();
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    /**
     * Else its peer would give it up after two heartbeats, though it has a token: what comes before its HELLO is short.
     */
    @Test
    void aLinkIsReadUntilItsPeerHasProvenItsTokenThoughTheProviderDoesNotRead(@TempDir Path directory)
            throws Exception {
        String token = "correct-horse-battery-staple";
        mesh.with("lb.limit", 10_000).with("mesh.token-file", Files.writeString(directory.resolve("token"), token));
        mesh.startAndAccept();
        MeshConnection first = mesh.connection(SMALL);
        first.prove(token);
        first.send(defineHash());
        Thread writer = new Thread(() -> {
            try {
                for (int i = 1; ; i++) {
                    first.send(hash(i, LARGE));
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        writer.start();
        ProviderLoop loop = mesh.agent.loops().get(0);
        Await.until("reading is paused", () -> isPaused(loop));

        MeshConnection second = mesh.connection(SMALL);
        second.prove(token);
        Await.until("its requests are not read", () -> isPaused(loop));
        assertThat(mesh.agent.connections()).isEqualTo(2);
        first.close();
        writer.join();
    }

    private static boolean isPaused(ProviderLoop loop) {
        return loop.eventLoop()
                .submit(() -> loop.links().isPaused()
                        && loop.links().open().stream()
                                .noneMatch(link -> link.channel().config().isAutoRead()))
                .syncUninterruptibly()
                .getNow();
    }

    @Test
    void aPeerThatDoesNotReadItsAnswersIsNotReadAndOthersGoOn() throws Exception {
        mesh.with("lb.limit", 10_000);
        int calls = 100;
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection slow = mesh.connection(SMALL);
        slow.send(hello(0, 0) + defineHash());
        slow.read();
        MeshConnection quick = mesh.hashPeer();
        String answer = "91" + "53" + "2000" + "61".repeat(0x2000);
        for (int i = 1; i <= calls; i++) {
            slow.send(hash(i, "a"));
        }
        long last = 0;
        for (int i = 1; i <= calls; i++) {
            last = provider.read().id();
            provider.answer(last, 20, answer);
        }
        ProviderLoop loop = mesh.agent.loops().get(0);
        Await.until("no call is in service", () -> mesh.agent.limit().inService() == 0);
        assertThat(readers(loop)).isEqualTo(1);

        quick.send(hash(1, "b"));
        provider.answerInt(provider.read().id(), 5);
        assertThat(quick.read().document()).isEqualTo("5");

        for (int i = 1; i <= calls; i++) {
            assertThat(slow.read().document()).hasSize(0x2000);
        }
        Await.until("both links are read", () -> readers(loop) == 2);
        slow.settle();
    }

    @Test
    void aPeerThatFloodsPingsAndReadsNothingIsNotReadAndHoldsLittle() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection flood = mesh.connection(SMALL);
        flood.send(hello(0, 0));
        flood.read();
        MeshConnection quick = mesh.hashPeer();
        String pings = ping().repeat(4000);
        Thread sender = new Thread(() -> {
            try {
                while (true) {
                    flood.send(pings);
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        sender.start();
        ProviderLoop loop = mesh.agent.loops().get(0);
        Await.until("the flood is not read", () -> readers(loop) == 1);

        quick.send(hash(1, "b"));
        provider.answerInt(provider.read().id(), 5);
        assertThat(quick.read().document()).isEqualTo("5");
        long held = loop.eventLoop().submit(() -> loop.memory().used()).get();
        assertThat(held).isLessThan(1 << 20);
        flood.close();
        sender.join();
    }

    /** Nor is it pinged: it has enough to read. */
    @Test
    void aPeerThatDoesNotReadItsAnswersForLongIsNotTakenForDead() throws Exception {
        mesh.with("lb.limit", 10_000).with("mesh.heartbeat", "400 ms");
        int calls = 100;
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection slow = mesh.connection(SMALL);
        slow.send(hello(0, 0) + defineHash());
        slow.read();
        String answer = "91" + "53" + "2000" + "61".repeat(0x2000);
        for (int i = 1; i <= calls; i++) {
            slow.send(hash(i, "a"));
        }
        for (int i = 1; i <= calls; i++) {
            provider.answer(provider.read().id(), 20, answer);
        }
        ProviderLoop loop = mesh.agent.loops().get(0);
        Await.until("the link is not read", () -> readers(loop) == 0);
        Thread.sleep(5 * 400);

        for (int i = 1; i <= calls; ) {
            MeshFrame frame = slow.read();
            if (frame.type() == MeshFrame.RESPONSE) {
                assertThat(frame.document()).hasSize(0x2000);
                i++;
            }
        }
        slow.send(ping());
        assertThat(slow.isAtEnd()).isFalse();
    }

    @Test
    void aPeerThatReadsNothingIsClosedInTimeAndOneThatReadsSlowlyIsNot() throws Exception {
        mesh.with("lb.limit", 10_000).with("mesh.write-timeout", "500 ms");
        int calls = 100;
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection slow = mesh.connection(SMALL);
        slow.send(hello(0, 0) + defineHash());
        slow.read();
        MeshConnection never = mesh.connection(SMALL);
        never.send(hello(0, 0) + defineHash());
        String answer = "91" + "53" + "2000" + "61".repeat(0x2000);
        for (int i = 1; i <= calls; i++) {
            slow.send(hash(i, "a"));
            never.send(hash(i, "a"));
        }
        for (int i = 1; i <= 2 * calls; i++) {
            provider.answer(provider.read().id(), 20, answer);
        }

        for (int read = 0; read < calls; ) {
            read += slow.read().type() == MeshFrame.RESPONSE ? 1 : 0;
            // In all four times as long as who reads nothing has.
            Thread.sleep(20);
        }
        Await.until("the other one is closed", () -> mesh.agent.connections() == 1);
        slow.settle();
        never.close();
    }

    private static long readers(ProviderLoop loop) {
        return loop.eventLoop()
                .submit(() -> loop.links().open().stream()
                        .filter(link -> link.channel().config().isAutoRead())
                        .count())
                .syncUninterruptibly()
                .getNow();
    }
}
