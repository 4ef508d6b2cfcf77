package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.OtherServer;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.hash;
import static org.assertj.core.api.Assertions.assertThat;

/** Checks which answers the agent demands at the provider's port before it registers. */
@Timeout(60)
class ProviderCheckTest {
    private static final int SERVICE_ERROR = 70;

    private final AgentFixture mesh;

    ProviderCheckTest() throws Exception {
        mesh = new AgentFixture().with("dubbo.check", "true");
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    /** Answers like a provider that exports these interfaces. */
    private static ScriptedProvider.Script exporting(Set<String> interfaces) {
        return (connection, call) -> {
            if (interfaces.contains(call.path())) {
                connection.answerInt(call.id(), 7);
            } else {
                connection.answer(
                        call.id(),
                        SERVICE_ERROR,
                        DubboFrame.text("Not found exported service: x in [" + String.join(":20880, ", interfaces)
                                + ":20880], may be version or group mismatch"));
            }
        };
    }

    @Test
    void theAgentRegistersWhenTheProviderHasAnsweredAHeartbeatAndExportsTheService() throws Exception {
        mesh.start();
        DubboConnection provider = mesh.accept();
        DubboFrame heartbeat = provider.read();
        assertThat(heartbeat).isEqualTo(new DubboFrame("dabbe200", -1, "4e"));
        assertThat(mesh.agent.unreadiness()).endsWith("takes no calls");

        provider.send(DubboFrame.frame(0x22, 20, heartbeat.id(), "4e"));
        DubboConnection asked = mesh.accept();
        DubboFrame echo = asked.read();
        assertThat(echo.method()).isEqualTo("$echo");
        assertThat(mesh.agent.unreadiness()).endsWith("is being asked what it exports");

        asked.answerInt(echo.id(), 1);
        Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.answerInt(provider.read().id(), 5);
        assertThat(peer.read().document()).isEqualTo("5");
    }

    /** Sends calls with the HELLO, which are held as the provider has not answered its heartbeat. */
    private MeshConnection peerWithHeldCalls(String calls) throws Exception {
        MeshConnection peer = mesh.connection();
        peer.send(MeshFrame.hello(0, 0) + HashCalls.defineHash() + calls);
        assertThat(peer.read().type()).isEqualTo(MeshFrame.HELLO);
        ProviderLoop loop = mesh.agent.loops().get(0);
        Await.until(
                "the HELLO is read, and no more",
                () -> loop.eventLoop()
                        .submit(() -> loop.links().open().stream()
                                .noneMatch(link -> link.channel().config().isAutoRead()))
                        .get());
        return peer;
    }

    @Test
    void aCallThatComesWithTheHelloWaitsUntilItIsKnownWhetherTheProviderTakesCalls() throws Exception {
        mesh.start();
        DubboConnection provider = mesh.accept();
        DubboFrame heartbeat = provider.read();
        MeshConnection peer = peerWithHeldCalls(hash(1, "a"));

        provider.send(DubboFrame.frame(0x22, 20, heartbeat.id(), "4e"));
        provider.answerInt(provider.read().id(), 5);
        assertThat(peer.read().document()).isEqualTo("5");
    }

    @Test
    void aCallWhoseDeadlinePassesWhileItWaitsForThatIsDropped() throws Exception {
        mesh.start();
        DubboConnection provider = mesh.accept();
        DubboFrame heartbeat = provider.read();
        int timeLeftMs = 20;
        MeshConnection peer = peerWithHeldCalls(hash(1, "late", timeLeftMs) + hash(2, "a"));
        long readNs = System.nanoTime();
        Await.until(
                "the deadline passes", () -> System.nanoTime() - readNs > TimeUnit.MILLISECONDS.toNanos(timeLeftMs));

        provider.send(DubboFrame.frame(0x22, 20, heartbeat.id(), "4e"));
        provider.answerInt(provider.read().id(), 5);
        assertThat(peer.read().requestId()).isEqualTo(2);
        assertThat(mesh.counters(0).expired).isEqualTo(1);
    }

    @Test
    void aCallThatWaitsForThatIsGivenBackWhenTheAgentStops() throws Exception {
        mesh.start();
        mesh.accept();
        MeshConnection peer = peerWithHeldCalls(hash(1, "a"));

        // Not on the common pool, which may have one thread that the agent needs itself.
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(
                () -> mesh.stop(TimeUnit.SECONDS.toNanos(20)), task -> new Thread(task).start());
        assertThat(peer.readGoAway()).isEqualTo("shutting down");
        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(MeshFrame.NOT_EXECUTED);
        assertThat(stopped).isNotDone();
        peer.close();
        stopped.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aPortThatStaysSilentIsNeverRegistered() throws Exception {
        mesh.with("dubbo.silence", "300 ms").with("dubbo.inquiry.timeout", "300 ms");
        mesh.start();
        mesh.accept();
        Await.until("the reason is known", () -> mesh.agent.unreadiness().contains("does not speak Dubbo 2"));

        assertThat(mesh.agent.unreadiness())
                .contains("takes no calls: it does not answer a Dubbo heartbeat"
                        + " (in hessian2 within 300 ms); it does not speak Dubbo 2");
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        assertThat(peer.read().status()).isEqualTo(MeshFrame.NOT_EXECUTED);
    }

    @Test
    void aProviderThatWasFrozenAtTheStartIsRegisteredWhenItGoesOn() throws Exception {
        mesh.with("dubbo.silence", "300 ms").with("dubbo.inquiry.timeout", "300 ms");
        mesh.start();
        DubboConnection provider = mesh.accept();
        Await.until("the reason is known", () -> mesh.agent.unreadiness().contains("does not speak Dubbo 2"));

        provider.send(DubboFrame.frame(0x22, 20, provider.read().id(), "4e"));

        mesh.stub.serve(exporting(Set.of(HASHER)));
        Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);
    }

    @Test
    void aPortOfAnotherProtocolIsNeverRegisteredAndNamed() throws Exception {
        mesh.with("dubbo.reconnect", "5 ms").with("dubbo.reconnect.max", "5 ms");
        try (OtherServer triple = OtherServer.triple()) {
            mesh.with("dubbo.protocol.port", triple.port());
            mesh.start();
            Await.until("it was tried often", () -> {
                assertThat(mesh.agent.unreadiness()).contains("takes no calls");
                return triple.accepted() > 50;
            });

            assertThat(mesh.agent.unreadiness()).contains("it speaks HTTP/2, as Triple does");
        }
    }

    @Test
    void whatTheProviderDoesNotExportIsNotRegisteredUntilItDoes() throws Exception {
        Path folder = Files.createTempDirectory("registry");
        Set<String> exported = new CopyOnWriteArraySet<>(Set.of("a.Greeter"));
        mesh.with("registry", "file:" + folder).with("dubbo.services", "a.Greeter,a.Late:1.0");
        mesh.stub.serve(exporting(exported));
        mesh.start();
        Await.until("the agent is ready", () -> mesh.agent.unreadiness() == null);

        assertThat(folder.resolve("a.Greeter")).isNotEmptyDirectory();
        assertThat(folder.resolve("a.Late")).doesNotExist();
        assertThat(mesh.agent.readiness().text())
                .isEqualTo("ready; provider 127.0.0.1:" + mesh.stub.port()
                        + " does not export a.Late:1.0 of dubbo.services; it exports a.Greeter");

        exported.add("a.Late");
        Await.until("it is registered", () -> Files.exists(folder.resolve("a.Late")));
        Await.until("nothing is missing", () -> mesh.agent.readiness().text().equals("ready"));
    }

    @Test
    void whatTheProviderCeasesToExportWhileItIsConnectedIsDeregisteredWhenItIsCalled() throws Exception {
        Path folder = Files.createTempDirectory("registry");
        Set<String> exported = new CopyOnWriteArraySet<>(Set.of("a.Greeter", HASHER));
        mesh.with("registry", "file:" + folder).with("dubbo.services", "a.Greeter," + HASHER);
        mesh.stub.serve(exporting(exported));
        mesh.start();
        Await.until("it is registered", () -> Files.exists(folder.resolve(HASHER)));
        MeshConnection peer = mesh.hashPeer();

        exported.remove(HASHER);
        long[] id = {0};
        Await.until(Duration.ofSeconds(20), "it is deregistered", () -> {
            peer.send(hash(++id[0], "a"));
            assertThat(peer.read().document()).contains("\"code\":\"SERVICE_NOT_FOUND\"");
            return hasNoEntry(folder.resolve(HASHER));
        });
        assertThat(folder.resolve("a.Greeter")).isNotEmptyDirectory();
    }

    private static boolean hasNoEntry(Path service) throws IOException {
        try (Stream<Path> entries = Files.list(service)) {
            return entries.findAny().isEmpty();
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    @Test
    void anAgentOfWhoseServicesNoneIsExportedIsNotReady() throws Exception {
        mesh.with("dubbo.services", "a.Typo");
        mesh.stub.serve(exporting(Set.of("a.Greeter")));
        mesh.start();

        Await.until("the reason is known", () -> mesh.agent.unreadiness().contains("does not export a.Typo"));
        assertThat(mesh.agent.unreadiness()).endsWith("of dubbo.services; it exports a.Greeter");
    }
}
