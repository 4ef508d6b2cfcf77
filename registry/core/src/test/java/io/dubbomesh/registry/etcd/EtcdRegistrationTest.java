package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class EtcdRegistrationTest {
    private static final String KEY = "/dubbomesh/com.example.Greeter/192.0.2.7:30000";
    private static final String OTHER_KEY = "/dubbomesh/com.example.Clock/192.0.2.7:30000";
    private static final String GREETER = "com.example.Greeter";
    private static final String CLOCK = "com.example.Clock";
    private static final List<String> GONE = List.of();
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration AGAIN = Duration.ofSeconds(3);

    @TempDir
    private static Path folder;

    private static EtcdServer etcd;
    private Registry registry;

    @BeforeAll
    static void startEtcd() {
        etcd = EtcdServer.start(folder);
    }

    @AfterAll
    static void stopEtcd() {
        etcd.close();
    }

    @BeforeEach
    void open() {
        etcd.startIfEnded();
        etcd.deleteAll("/");
        registry = RegistryUri.open(etcd.uri());
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private static RegistrationRequest request(String host, String... services) {
        Map<String, List<Variant>> offered = new HashMap<>();
        for (String service : services) {
            offered.put(service, List.of(new Variant("1.0", "a")));
        }
        return new RegistrationRequest(host, 30000, 3, 180, offered);
    }

    private static String value(int weight) {
        return "{\"weight\":" + weight + ",\"limit\":180,\"variants\":[{\"version\":\"1.0\",\"group\":\"a\"}]}";
    }

    private Registration registered(String... services) throws Exception {
        return registeredOver(registry, services);
    }

    private static Registration registeredOver(Registry at, String... services) throws Exception {
        Registration registration = at.registration(request("192.0.2.7", services));
        registration.register();
        Await.until("registered", registration::registered);
        return registration;
    }

    private long lease() {
        return etcd.leases(KEY).getOrDefault(KEY, 0L);
    }

    @Test
    void aRegisteredAgentHasOneKeyForEachServiceUnderOneLease() throws Exception {
        registered(GREETER, CLOCK);

        assertThat(etcd.entries("/")).containsExactly(Map.entry(OTHER_KEY, value(3)), Map.entry(KEY, value(3)));
        assertThat(etcd.leases("/").values()).doesNotContain(0L).allMatch(lease -> lease == lease());
        assertThat(ttl(lease())).isBetween(20L, 30L);
    }

    @Test
    void onlyTheSelectedServicesAreRegistered() throws Exception {
        List<Variant> one = List.of(new Variant("1.0", "a"));
        Registration registration = registry.registration(request("192.0.2.7", GREETER, CLOCK));
        registration.select(Map.of(GREETER, one));
        registration.register();
        Await.untilAsserted(
                Duration.ofSeconds(10), () -> assertThat(etcd.entries("/")).containsExactly(Map.entry(KEY, value(3))));
        long put = etcd.get(KEY).modRevision();

        registration.select(Map.of(GREETER, one, CLOCK, one));
        Await.untilAsserted(
                SECOND,
                () -> assertThat(etcd.entries("/"))
                        .containsExactly(Map.entry(OTHER_KEY, value(3)), Map.entry(KEY, value(3))));

        registration.select(Map.of(GREETER, one));
        Await.untilAsserted(SECOND, () -> assertThat(etcd.entries("/")).containsExactly(Map.entry(KEY, value(3))));
        assertThat(etcd.get(KEY).modRevision()).as("untouched").isEqualTo(put);
        assertThat(registration.registered()).isTrue();
    }

    @Test
    void aServiceThatIsFoundLaterIsRegisteredToo() throws Exception {
        List<Variant> one = List.of(new Variant("1.0", "a"));
        Registration registration = registry.registration(request("192.0.2.7"));
        registration.select(Map.of(GREETER, one));
        registration.register();
        Await.untilAsserted(
                Duration.ofSeconds(10), () -> assertThat(etcd.entries("/")).containsExactly(Map.entry(KEY, value(3))));

        registration.select(Map.of(GREETER, one, CLOCK, one));
        Await.untilAsserted(
                SECOND,
                () -> assertThat(etcd.entries("/"))
                        .containsExactly(Map.entry(OTHER_KEY, value(3)), Map.entry(KEY, value(3))));

        etcd.delete(OTHER_KEY);
        Await.untilAsserted(
                Duration.ofSeconds(5),
                () -> assertThat(etcd.entries("/"))
                        .as("it is watched like the first")
                        .containsExactly(Map.entry(OTHER_KEY, value(3)), Map.entry(KEY, value(3))));
        assertThat(registration.deregister()).succeedsWithin(Duration.ofSeconds(5));
        assertThat(etcd.entries("/")).isEmpty();
    }

    private long ttl(long lease) {
        return etcd.secondsLeft(lease);
    }

    @Test
    void deregisteringDeletesTheKeysAtOnceAndRegisteringPutsThemAgain() throws Exception {
        Registration registration = registered(GREETER, CLOCK);

        assertThat(registration.deregister()).succeedsWithin(SECOND);
        assertThat(etcd.entries("/")).isEmpty();
        assertThat(registration.registered()).isFalse();

        registration.register();
        Await.untilAsserted(SECOND, () -> assertThat(etcd.entries("/")).hasSize(2));
    }

    @Test
    void deregisteringRightAfterRegisteringLeavesNoKey() throws Exception {
        Registration registration = registry.registration(request("192.0.2.7", GREETER));
        for (int i = 0; i < 50; i++) {
            registration.register();
            CompletableFuture<Void> deregistered = registration.deregister();
            assertThat(deregistered).succeedsWithin(Duration.ofSeconds(10));
            assertThat(etcd.entries("/")).isEmpty();
        }
    }

    @Test
    void closingRevokesTheLease() throws Exception {
        Registration registration = registered(GREETER);
        long lease = lease();

        registration.close();

        assertThat(etcd.entries("/")).isEmpty();
        assertThat(ttl(lease)).isEqualTo(-1);
        assertThat(registration.deregister()).succeedsWithin(SECOND);
        registration.register();
        assertThat(registration.registered()).isFalse();
    }

    @Test
    void manyChangesInARowEndWithTheLastOne() throws Exception {
        Registration registration = registered(GREETER);
        long lease = lease();

        for (int weight = 10; weight <= 30; weight++) {
            etcd.put(KEY, Integer.toString(weight));
        }

        Await.untilAsserted(AGAIN, () -> assertThat(lease()).isEqualTo(lease));
        assertThat(etcd.entries("/")).containsExactly(Map.entry(KEY, value(30)));
        assertThat(registration.weight()).isEqualTo(30);
    }

    @Test
    void anAgentWhoseLeaseWasRevokedRegistersAgain() throws Exception {
        registered(GREETER, CLOCK);
        long lease = lease();

        etcd.revoke(lease);

        Await.untilAsserted(
                AGAIN,
                () -> assertThat(etcd.leases("/").values())
                        .hasSize(2)
                        .doesNotContain(0L, lease)
                        .allMatch(now -> now == lease()));
    }

    @Test
    void theLeaseOutlivesItsTimeWhileTheAgentLives() throws Exception {
        try (Registry brief = RegistryUri.open(etcd.uri(), Duration.ofSeconds(2))) {
            Registration registration = registeredOver(brief, GREETER);
            long lease = lease();
            // Each time counts twice, and it is prolonged every half second.
            double prolonged = etcd.metric("etcd_debugging_lease_renewed_total");
            Await.untilAsserted(
                    Duration.ofSeconds(20),
                    () -> assertThat(etcd.metric("etcd_debugging_lease_renewed_total"))
                            .isGreaterThanOrEqualTo(prolonged + 16));
            assertThat(lease()).isEqualTo(lease);
        }
    }

    @Test
    void aWeightSetWhileDeregisteredLeavesNoKey() throws Exception {
        Registration registration = registered(GREETER);
        assertThat(registration.deregister()).succeedsWithin(SECOND);

        etcd.put(KEY, "8");

        Await.untilAsserted(SECOND, () -> assertThat(etcd.entries("/")).isEmpty());
        Await.untilAsserted(SECOND, () -> assertThat(registration.weight()).isEqualTo(8));
    }

    @Test
    void theAgentStaysRegisteredWhenEtcdIsRestartedGracefully() throws Exception {
        registered(GREETER);

        etcd.stop();
        etcd.start();
        etcd.delete(KEY);

        Await.untilAsserted(AGAIN, () -> assertThat(lease()).isNotZero());
    }

    @Test
    void anAgentCutOffForLongerThanItsLeaseRegistersAgainWithOneKey() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port(), Duration.ofSeconds(2))) {
            Registration registration = registeredOver(far, GREETER);

            proxy.stall();
            Await.untilAsserted(
                    Duration.ofSeconds(10), () -> assertThat(etcd.entries("/")).isEmpty());
            proxy.resume();

            Await.untilAsserted(AGAIN, () -> assertThat(lease()).isNotZero());
            assertThat(etcd.entries("/")).hasSize(1);
        }
    }

    @Test
    void anAgentThatDeregistersAfterItsLeaseHasLapsedSaysThatItLeaves() throws Exception {
        deregisterAfterLapse(Registration::deregister);
    }

    @Test
    void anAgentThatIsClosedAfterItsLeaseHasLapsedSaysThatItLeaves() throws Exception {
        deregisterAfterLapse(Registration::close);
    }

    private void deregisterAfterLapse(Consumer<Registration> deregister) throws Exception {
        Watcher watcher = new Watcher();
        registry.watch(watcher);
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port(), Duration.ofSeconds(2))) {
            Registration registration = registeredOver(far, GREETER);
            proxy.stall();
            watcher.await(Duration.ofSeconds(10), directory -> GONE.equals(Watcher.texts(directory, GREETER)));
            Thread deregistering = new Thread(() -> deregister.accept(registration));
            deregistering.start();
            Await.until("closing waits, or deregistering has begun", () -> !isRunning(deregistering));
            proxy.resume();

            watcher.await(AGAIN, directory -> directory.isDeregistered(GREETER, "192.0.2.7:30000"));
            Await.untilAsserted(SECOND, () -> assertThat(etcd.entries("/")).isEmpty());
            deregistering.join();
        }
    }

    private static boolean isRunning(Thread thread) {
        Thread.State state = thread.getState();
        return state != Thread.State.TIMED_WAITING && state != Thread.State.TERMINATED;
    }

    @Test
    void anAgentWhoseAddressWasTakenOverAfterItsLeaseHadLapsedDoesNotSayThatItLeaves() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port(), Duration.ofSeconds(2))) {
            Registration registration = registeredOver(far, GREETER);
            proxy.stall();
            Await.untilAsserted(
                    Duration.ofSeconds(10), () -> assertThat(etcd.entries("/")).isEmpty());
            registered(GREETER);
            long successor = lease();
            CompletableFuture<Void> deregistered = registration.deregister();
            proxy.resume();
            assertThat(deregistered).succeedsWithin(Duration.ofSeconds(10));

            Watcher watcher = new Watcher();
            registry.watch(watcher);
            watcher.awaitEndpoints(AGAIN, GREETER, "192.0.2.7:30000*3");
            etcd.delete(KEY);
            Await.untilAsserted(AGAIN, () -> assertThat(lease()).isEqualTo(successor));
            assertThat(watcher.all()).noneMatch(directory -> directory.isDeregistered(GREETER, "192.0.2.7:30000"));
        }
    }

    @Test
    void aWeightSetAfterAFirstPutWhoseAnswerWasLostHolds() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port())) {
            proxy.loseAnswersTo(value(3));
            Registration registration = far.registration(request("192.0.2.7", GREETER));
            registration.register();
            awaitEntry(value(3));

            etcd.put(KEY, value(7));

            awaitRegistered(registration, 7);
        }
    }

    @Test
    void theLastOfSeveralWeightsSetAfterAFirstPutWhoseAnswerWasLostHolds() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port())) {
            proxy.loseAnswersTo(value(3));
            Registration registration = far.registration(request("192.0.2.7", GREETER));
            registration.register();
            awaitEntry(value(3));

            registry.changeWeight(List.of(GREETER), new HostPort("192.0.2.7", 30000), 5);
            etcd.put(KEY, "6");
            registry.changeWeight(List.of(GREETER), new HostPort("192.0.2.7", 30000), 7);

            awaitRegistered(registration, 7);
        }
    }

    @Test
    void aWeightSetAfterAFirstPutWhoseAnswerWasLostHoldsWhenTheHistoryIsCompacted() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port())) {
            proxy.loseAnswersTo(value(3));
            Registration registration = far.registration(request("192.0.2.7", GREETER));
            registration.register();
            awaitEntry(value(3));

            etcd.put(KEY, value(7));
            etcd.compact();

            awaitRegistered(registration, 7);
        }
    }

    @Test
    void aWeightSetAfterThatOfTheAgentHoldsIfTheAnswerToThatWasLost() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port())) {
            Registration registration = registeredOver(far, GREETER);
            proxy.loseAnswersTo(value(5));
            registration.changeWeight(5);
            awaitEntry(value(5));

            etcd.put(KEY, value(7));

            awaitRegistered(registration, 7);
        }
    }

    @Test
    void aWeightOfTheAgentHoldsIfItsPutWasLostWithItsAnswer() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port())) {
            Registration registration = registeredOver(far, GREETER);
            int connections = proxy.connections();
            proxy.stall();
            etcd.put(KEY, value(7));
            registration.changeWeight(5);
            Await.until("the put was given up, and another session begins", () -> proxy.connections() > connections);
            proxy.cut();
            proxy.resume();

            awaitRegistered(registration, 5);
        }
    }

    @Test
    void anAgentWhoseLeavingWasExecutedWithoutAnAnswerLeavesOnce() throws Exception {
        Watcher watcher = new Watcher();
        registry.watch(watcher);
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port())) {
            Registration registration = registeredOver(far, GREETER);
            long puts = etcd.get(KEY).modRevision();
            proxy.loseAnswersTo("leaving");

            assertThat(registration.deregister()).succeedsWithin(Duration.ofSeconds(10));

            assertThat(etcd.entries("/")).isEmpty();
            etcd.put("/other", "");
            assertThat(etcd.get("/other").modRevision())
                    .as("leaving, deleted, this")
                    .isEqualTo(puts + 3);
        }
    }

    private void awaitEntry(String value) throws Exception {
        Await.untilAsserted(
                Duration.ofSeconds(10), () -> assertThat(etcd.entries("/")).containsExactly(Map.entry(KEY, value)));
    }

    /** Neither the agent nor etcd may have another weight, once the agent knows again what etcd holds. */
    private void awaitRegistered(Registration registration, int weight) throws Exception {
        Await.untilAsserted(Duration.ofSeconds(10), () -> {
            assertThat(registration.registered()).isTrue();
            assertThat(registration.weight()).isEqualTo(weight);
            assertThat(etcd.entries("/")).containsExactly(Map.entry(KEY, value(weight)));
            assertThat(lease()).isNotZero();
        });
    }

    @Test
    void aMemberThatDoesNotAnswerIsSkipped() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port())) {
            proxy.stall();
            String members = "etcd://127.0.0.1:" + proxy.port() + ",127.0.0.1:1,127.0.0.1:" + etcd.port();
            try (Registry several = RegistryUri.open(members)) {
                Registration registration = registeredOver(several, GREETER);
            }
        }
    }

    @Test
    void twoAgentsWithOneAddressDoNotFloodEtcd() throws Exception {
        registered(GREETER);
        try (Registry other = RegistryUri.open(etcd.uri())) {
            other.registration(request("192.0.2.7", GREETER)).register();
            long startNs = System.nanoTime();
            Await.untilAsserted(
                    Duration.ofSeconds(20), () -> assertThat(version()).isGreaterThanOrEqualTo(14));

            // One agent has written at least 6 of 14 values, with pauses that double from 10 ms on.
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThan(Duration.ofMillis(300));
        }
    }

    /** Returns the number of times that the key was written. */
    private long version() {
        return etcd.get(KEY).version();
    }

    @Test
    void manyCyclesLeaveNothingBehind() throws Exception {
        Registration registration = registered(GREETER);
        double goroutines = 0;
        int threads = 0;
        for (int i = 0; i < (Selection.isAll() ? 1_000 : 200); i++) {
            registration.register();
            Await.until("cycle " + i + " is registered", registration::registered);
            assertThat(registration.deregister()).succeedsWithin(Duration.ofSeconds(10));
            if (i == 100) {
                goroutines = etcd.metric("go_goroutines");
                threads = Thread.activeCount();
            }
        }
        assertThat(etcd.metric("go_goroutines")).isLessThanOrEqualTo(goroutines + 10);
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 5);
        assertThat(etcd.entries("/")).isEmpty();
    }
}
