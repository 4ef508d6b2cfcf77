package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class EtcdDirectoryWatchTest {
    private static final String GREETER = "com.example.Greeter";
    private static final String ROOT = "/dubbomesh/com.example.Greeter/";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration START = Duration.ofSeconds(10);
    private static final Duration HEALED = Duration.ofSeconds(3);

    @TempDir
    Path folder;

    @RegisterExtension
    final RecordedLog log = new RecordedLog(Registry.class);

    private final Watcher watcher = new Watcher();
    private EtcdServer etcd;
    private Registry registry;

    @BeforeEach
    void start() {
        etcd = EtcdServer.start(folder);
        registry = RegistryUri.open(etcd.uri());
    }

    @AfterEach
    void close() {
        registry.close();
        etcd.close();
    }

    private void watch() throws InterruptedException {
        registry.watch(watcher);
        watcher.await(START, directory -> true);
    }

    private void awaitAway() throws Exception {
        Await.until(
                START,
                "the log says that etcd is away",
                () -> log.warnings().stream().anyMatch(line -> line.contains(" is away: ")));
    }

    @Test
    void endpointsAppearChangeAndDisappearWithinASecond() throws Exception {
        etcd.put(ROOT + "192.0.2.7:30000", "");
        watch();
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*1");

        etcd.put(ROOT + "192.0.2.8:30000", "{\"weight\":3,\"limit\":90,\"variants\":[{\"version\":\"1.0\"}]}");
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*1", "192.0.2.8:30000*3");

        etcd.put(ROOT + "192.0.2.7:30000", "5");
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*5", "192.0.2.8:30000*3");

        etcd.delete(ROOT + "192.0.2.7:30000");
        Directory directory =
                watcher.await(SECOND, now -> now.endpoints(GREETER).size() == 1);
        assertThat(directory.endpoints(GREETER))
                .containsExactly(new Endpoint("192.0.2.8", 30000, 3, 90, List.of(new Variant("1.0", ""))));

        etcd.deleteAll(ROOT);
        watcher.awaitEndpoints(SECOND, GREETER);
    }

    @Test
    void registeredAgentsAppearAndReturnAfterTheLossOfTheirLease() throws Exception {
        watch();
        try (Registry other = RegistryUri.open(etcd.uri())) {
            Registration registration = other.registration(new RegistrationRequest(
                    "2001:db8::7", 30000, 2, 180, Map.of(GREETER, List.of(), "com.example.Clock", List.of())));
            registration.register();
            watcher.awaitEndpoints(START, GREETER, "[2001:db8::7]:30000*2");
            watcher.awaitEndpoints(SECOND, "com.example.Clock", "[2001:db8::7]:30000*2");

            long lease = etcd.leases(ROOT).values().iterator().next();
            etcd.revoke(lease);

            Await.until(
                    HEALED,
                    "the agent is registered under another lease",
                    () -> !etcd.leases(ROOT).isEmpty() && !etcd.leases(ROOT).containsValue(lease));
            watcher.awaitEndpoints(HEALED, GREETER, "[2001:db8::7]:30000*2");
        }
    }

    @Test
    void aDeregistrationIsToldFromAKeyThatLapsed() throws Exception {
        watch();
        try (Registry other = RegistryUri.open(etcd.uri())) {
            Registration registration =
                    other.registration(new RegistrationRequest("192.0.2.7", 30000, 2, 180, Map.of(GREETER, List.of())));
            registration.register();
            watcher.awaitEndpoints(START, GREETER, "192.0.2.7:30000*2");

            etcd.put(ROOT + "192.0.2.8:30000", "");
            watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*2", "192.0.2.8:30000*1");
            etcd.delete(ROOT + "192.0.2.8:30000");
            watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*2");
            assertThat(watcher.newest().isDeregistered(GREETER, "192.0.2.8:30000"))
                    .isFalse();

            registration.deregister();
            watcher.awaitEndpoints(SECOND, GREETER);
            assertThat(watcher.newest().isDeregistered(GREETER, "192.0.2.7:30000"))
                    .isTrue();
        }
    }

    @Test
    void keysOutsideOfTheRootAreIgnored() throws Exception {
        watch();
        for (String key : List.of("/dubbomeshy/com.example.Greeter/192.0.2.7:30000", "/dubbomesh", "/other", "zzz")) {
            etcd.put(key, "1");
        }
        etcd.put(ROOT + "192.0.2.8:30000", "");

        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.8:30000*1");
        assertThat(watcher.all()).hasSize(2);
    }

    @Test
    void malformedKeysAndValuesDoNotAffectOthers() throws Exception {
        etcd.put(ROOT + "192.0.2.7:30000", "2");
        for (String key :
                List.of("", "x", GREETER, GREETER + "/", "a/b/192.0.2.9:1", "/192.0.2.9:1", "a b/192.0.2.9:1")) {
            etcd.put("/dubbomesh/" + key, "1");
        }
        for (String address :
                List.of("0.0.0.0:1", "169.254.1.1:1", "[fe80::1]:1", "192.0.2.9:0", "192.0.2.9:65536", "a")) {
            etcd.put(ROOT + address, "1");
        }
        etcd.put(ROOT + "192.0.2.9:1", "NaN");
        byte[] large = new byte[1_000_000];
        Arrays.fill(large, (byte) '1');
        for (int i = 0; i < 10; i++) {
            etcd.put(ROOT + "192.0.2.10" + i + ":1", large);
        }
        watch();
        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*2");

        etcd.put(ROOT + "192.0.2.7:30000", large);
        etcd.put(ROOT + "192.0.2.7:30000", "1000000000");
        etcd.put(ROOT + "192.0.2.8:30000", "3");

        watcher.awaitEndpoints(SECOND, GREETER, "192.0.2.7:30000*2", "192.0.2.8:30000*3");
    }

    private static List<String> endpoints(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ROOT + "192.0.2.7:" + (10_000 + i))
                .toList();
    }

    @Test
    void atMost4096EndpointsOfAServiceAreListed() throws Exception {
        etcd.putAll(endpoints(4_200), "");
        etcd.put("/dubbomesh/com.example.Clock/192.0.2.7:30000", "");

        watch();

        Directory directory = watcher.await(START, now -> now.services().size() == 2);
        assertThat(directory.endpoints(GREETER)).hasSize(4096);
        assertThat(directory.endpoints("com.example.Clock")).hasSize(1);
    }

    @Test
    void aBurstOfChangesMakesFewDirectories() throws Exception {
        watch();
        long startNs = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            etcd.put(ROOT + "192.0.2.7:" + (10_000 + i), "");
        }
        watcher.await(
                START,
                directory -> directory.endpoints(GREETER) != null
                        && directory.endpoints(GREETER).size() == 1_000);

        long intervals = Duration.ofNanos(System.nanoTime() - startNs).toMillis() / 50;
        assertThat(watcher.all()).hasSizeLessThanOrEqualTo((int) intervals + 3);
        assertThat(log.lines()).hasSize(1).first().asString().contains("found at");
    }

    @Test
    void aKeyDeletedRightAfterAGracefulRestartDisappears() throws Exception {
        etcd.put(ROOT + "192.0.2.7:30000", "");
        etcd.put(ROOT + "192.0.2.8:30000", "");
        watch();

        etcd.stop();
        etcd.start();
        etcd.delete(ROOT + "192.0.2.7:30000");

        watcher.awaitEndpoints(HEALED, GREETER, "192.0.2.8:30000*1");
        assertThat(watcher.all())
                .allMatch(directory -> !directory.endpoints(GREETER).isEmpty());
    }

    @Test
    void endpointsStayForOneLeaseAfterEtcdLostItsData() throws Exception {
        registry.close();
        registry = RegistryUri.open(etcd.uri(), Duration.ofSeconds(4));
        etcd.put(ROOT + "192.0.2.7:30000", "");
        etcd.put(ROOT + "192.0.2.8:30000", "");
        watch();

        etcd.kill();
        etcd.wipe();
        etcd.start();
        etcd.put(ROOT + "192.0.2.9:30000", "");

        watcher.awaitEndpoints(HEALED, GREETER, "192.0.2.7:30000*1", "192.0.2.8:30000*1", "192.0.2.9:30000*1");
        etcd.put(ROOT + "192.0.2.8:30000", "");
        watcher.awaitEndpoints(Duration.ofSeconds(6), GREETER, "192.0.2.8:30000*1", "192.0.2.9:30000*1");
        assertThat(watcher.all())
                .allMatch(directory -> directory.endpoints(GREETER).size() >= 2);
    }

    @Test
    void changesMissedWhileCutOffAreLoadedEvenIfTheyWereCompacted() throws Exception {
        etcd.put(ROOT + "192.0.2.7:30000", "");
        etcd.put(ROOT + "192.0.2.8:30000", "");
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                Registry far = RegistryUri.open("etcd://127.0.0.1:" + proxy.port())) {
            far.watch(watcher);
            watcher.awaitEndpoints(START, GREETER, "192.0.2.7:30000*1", "192.0.2.8:30000*1");

            proxy.stall();
            etcd.delete(ROOT + "192.0.2.7:30000");
            etcd.put(ROOT + "192.0.2.9:30000", "4");
            etcd.compact();
            // The watch is given up, though nothing was heard of a broken connection.
            awaitAway();
            assertThat(Watcher.texts(watcher.newest(), GREETER))
                    .containsExactly("192.0.2.7:30000*1", "192.0.2.8:30000*1");
            proxy.resume();

            watcher.awaitEndpoints(Duration.ofSeconds(2), GREETER, "192.0.2.8:30000*1", "192.0.2.9:30000*4");
        }
    }

    @Test
    void aListSlowerThanTheTimeoutOfOneAttemptIsLoaded() throws Exception {
        etcd.put(ROOT + "192.0.2.7:30000", "");
        EtcdTimes hasty = new EtcdTimes(30, 300, 300, 20, 100, 500);
        try (FaultyProxy slow = new FaultyProxy(etcd.port());
                Registry far =
                        new EtcdRegistry(List.of(new HostPort("127.0.0.1", slow.port())), EtcdAccess.OPEN, hasty)) {
            slow.delayAnswers(Duration.ofMillis(400));
            far.watch(watcher);

            watcher.awaitEndpoints(START, GREETER, "192.0.2.7:30000*1");
            etcd.put(ROOT + "192.0.2.8:30000", "");
            watcher.awaitEndpoints(START, GREETER, "192.0.2.7:30000*1", "192.0.2.8:30000*1");
        }
    }

    @Test
    void aFrozenEtcdIsFollowedAgainWhenItContinues() throws Exception {
        etcd.put(ROOT + "192.0.2.7:30000", "");
        watch();

        etcd.freeze();
        awaitAway();
        etcd.thaw();
        etcd.put(ROOT + "192.0.2.8:30000", "");

        watcher.awaitEndpoints(HEALED, GREETER, "192.0.2.7:30000*1", "192.0.2.8:30000*1");
    }

    @Test
    void registrationsOpenedAndClosedLeakNothing() throws Exception {
        watch();
        RegistrationRequest request = new RegistrationRequest("192.0.2.7", 30000, 1, 180, Map.of(GREETER, List.of()));
        double watchers = 0;
        int threads = 0;
        for (int i = 0; i < (Selection.isAll() ? 100 : 40); i++) {
            try (Registry other = RegistryUri.open(etcd.uri())) {
                Registration registration = other.registration(request);
                registration.register();
                watcher.await(
                        START,
                        now -> now.endpoints(GREETER) != null
                                && now.endpoints(GREETER).size() == 1);
            }
            watcher.awaitEndpoints(SECOND, GREETER);
            if (i == 20) {
                watchers = etcd.metric("etcd_debugging_mvcc_watcher_total");
                threads = Thread.activeCount();
            }
        }
        double watchersThen = watchers;
        Await.untilAsserted(
                START,
                () -> assertThat(etcd.metric("etcd_debugging_mvcc_watcher_total"))
                        .isLessThanOrEqualTo(watchersThen + 1));
        assertThat(Thread.activeCount()).isLessThan(threads + 10);
        assertThat(etcd.entries("/")).isEmpty();
    }
}
