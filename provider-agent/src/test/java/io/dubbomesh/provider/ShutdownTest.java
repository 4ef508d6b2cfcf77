package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.MeshFrame.formBody;
import static org.assertj.core.api.Assertions.assertThat;

/** The agent's presence in the registry from its start to its end, and that its end loses nothing. */
@Timeout(60)
class ShutdownTest {
    /** Not the common pool, which has one thread on a machine with two processors. */
    private static final Executor THREADS = task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    };

    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(8);

    @TempDir
    private Path directory;

    private final AgentFixture mesh;

    ShutdownTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    private DubboConnection startRegistered() throws Exception {
        mesh.with("registry", "file:" + directory);
        return mesh.startAndAccept();
    }

    private List<String> registered() {
        Path service = directory.resolve(HASHER);
        if (!Files.exists(service)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(service)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private CompletableFuture<Void> stop(long graceNs) {
        return CompletableFuture.runAsync(() -> mesh.stop(graceNs), THREADS);
    }

    @Test
    void theAgentIsRegisteredWhileItsProviderTakesCalls() throws Exception {
        DubboConnection provider = startRegistered();
        assertThat(registered()).containsExactly("127.0.0.1_" + mesh.agent.port());

        // With a call in flight the connection stays.
        mesh.hashPeer().send(hash(1, "a"));
        provider.read();
        provider.send("dabba200" + "0000000000000000" + "00000002" + "0152");
        Await.until("the service is deregistered", () -> registered().isEmpty());
        provider.send("dabba200" + "0000000000000000" + "00000002" + "0157");
        Await.until("the service is registered", () -> !registered().isEmpty());

        mesh.stub.stopListening();
        provider.close();
        Await.until("the service is deregistered", () -> registered().isEmpty());
        mesh.stub.listenAgain();
        mesh.accept();
        Await.until("the service is registered", () -> !registered().isEmpty());
    }

    @Test
    void callsInServiceAndInTheQueueAreAnsweredAndNewOnesAreGivenBack() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = startRegistered();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b"));
        DubboFrame first = provider.read();
        Await.until("a call waits", () -> mesh.agent.limit().waiting() == 1);

        CompletableFuture<Void> stopped = stop(GRACE_NS);
        assertThat(peer.readGoAway()).isEqualTo("shutting down");
        assertThat(registered()).as("gone before its peers were told").isEmpty();
        assertThat(mesh.agent.unreadiness()).isEqualTo("shutting down");
        peer.send(hash(3, "c"));
        String attachment = "0030" + "000c" + text(":unavailable") + "0020" + text("the provider agent is going away");
        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 1, 0, 3, attachment + formBody(5000, "c")));
        provider.answerInt(first.id(), 1);
        assertThat(peer.read().requestId()).isEqualTo(1);
        provider.answerInt(provider.read().id(), 2);
        assertThat(peer.read().requestId()).isEqualTo(2);
        assertThat(stopped).isNotDone();

        peer.close();
        stopped.get(5, TimeUnit.SECONDS);
        assertThat(provider.isAtEnd()).isTrue();
    }

    @Test
    void anIdleLinkThatThePeerKeepsIsClosedAfterTwoHeartbeats() throws Exception {
        mesh.with("mesh.heartbeat", "100 ms");
        startRegistered();
        MeshConnection peer = mesh.hashPeer();

        CompletableFuture<Void> stopped = stop(GRACE_NS);
        MeshFrame frame = peer.read();
        while (frame.type() != 7) {
            peer.send(MeshFrame.ping());
            frame = peer.read();
        }
        stopped.get(5, TimeUnit.SECONDS);
    }

    @Test
    void stoppingTakesNoLongerThanTheGrace() throws Exception {
        DubboConnection provider = startRegistered();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.read();
        long startNs = System.nanoTime();

        stop(TimeUnit.MILLISECONDS.toNanos(300)).get(10, TimeUnit.SECONDS);

        assertThat(System.nanoTime() - startNs)
                .isBetween(TimeUnit.MILLISECONDS.toNanos(300), TimeUnit.SECONDS.toNanos(3));
        assertThat(peer.readGoAway()).isEqualTo("shutting down");
        assertThat(peer.isAtEnd()).isTrue();
    }

    @Test
    void callsThatArriveWhileTheAgentStopsAreAllAnswered() throws Exception {
        DubboConnection provider = startRegistered();
        Thread echo = new Thread(() -> {
            try {
                while (true) {
                    provider.answerInt(provider.read().id(), 7);
                }
            } catch (IOException e) {
                // The agent has ended.
            }
        });
        echo.setDaemon(true);
        echo.start();
        List<CompletableFuture<Integer>> peers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            MeshConnection peer = mesh.hashPeer();
            peers.add(CompletableFuture.supplyAsync(() -> callUntilFarewell(peer), THREADS));
        }
        Await.until("calls are answered", () -> mesh.counters(0).answered > 100);
        stop(GRACE_NS).get(10, TimeUnit.SECONDS);

        for (CompletableFuture<Integer> peer : peers) {
            assertThat(peer.get(1, TimeUnit.SECONDS)).isPositive();
        }
    }

    /** Keeps ten calls under way until told to stop; returns the number of those answered, which must be all. */
    private static int callUntilFarewell(MeshConnection peer) {
        try {
            int sent = 0;
            int answered = 0;
            boolean told = false;
            while (!told || answered < sent) {
                while (!told && sent - answered < 10) {
                    peer.send(hash(++sent, "a"));
                }
                MeshFrame frame = peer.read();
                told |= frame.type() == 7;
                if (frame.type() == 4) {
                    assertThat(frame.status()).isIn(0, 1);
                    answered++;
                }
            }
            peer.close();
            return answered;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
