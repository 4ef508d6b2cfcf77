package io.dubbomesh.registry.zookeeper;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.MetadataSource;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ZooKeeperRegistrationTest {
    private static final String GREETER = "com.example.Greeter";
    private static final String CLOCK = "com.example.Clock";
    private static final String NODE = "/dubbomesh/com.example.Greeter/192.0.2.7:30000";
    private static final String OTHER_NODE = "/dubbomesh/com.example.Clock/192.0.2.7:30000";
    private static final String ADDRESS = "192.0.2.7:30000";
    private static final List<Variant> ONE = List.of(new Variant("1.0", "a"));
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final RegistrationTimes TIMES = new RegistrationTimes(2_000, 200, 3_000, 500, 150, 20, 100, 2_000);

    @TempDir
    private Path folder;

    private TestZooKeeper zooKeeper;
    private TestZooKeeper.Client operator;
    private ZooKeeperRegistry registry;
    private ZooKeeperWatch watch;
    private final List<Directory> directories = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper(folder);
        operator = zooKeeper.connect();
        registry = open(zooKeeper.address());
    }

    @AfterEach
    void stop() throws Exception {
        if (watch != null) {
            watch.close();
        }
        registry.close();
        operator.raw().close(100);
        zooKeeper.close();
    }

    private void startAgain() throws Exception {
        zooKeeper.start();
        // The session of before may have expired.
        operator.raw().close(100);
        operator = zooKeeper.connect();
    }

    private static ZooKeeperRegistry open(HostPort address) {
        return new ZooKeeperRegistry(
                TestZooKeeper.ensemble(address), "/dubbo", watchTimes(), TIMES, MetadataSource.NONE);
    }

    private static ZooKeeperTimes watchTimes() {
        return new ZooKeeperTimes(2_000, 200, 1_000, 20, 20, 100);
    }

    private static RegistrationRequest request(String host, String... services) {
        Map<String, List<Variant>> offered = new HashMap<>();
        for (String service : services) {
            offered.put(service, ONE);
        }
        return new RegistrationRequest(host, 30000, 3, 180, offered);
    }

    private static String value(int weight) {
        return "{\"weight\":" + weight + ",\"limit\":180,\"variants\":[{\"version\":\"1.0\",\"group\":\"a\"}]}";
    }

    private Registration registered(String... services) throws Exception {
        return registeredAt(registry, services);
    }

    private static Registration registeredAt(Registry at, String... services) throws Exception {
        Registration registration = at.registration(request("192.0.2.7", services));
        registration.register();
        Await.until(LIMIT, "registered", registration::registered);
        return registration;
    }

    /** Null if there is no such node. */
    private String text(String path) throws Exception {
        try {
            return new String(operator.raw().getData(path, false, null), UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    private Stat stat(String path) throws Exception {
        return operator.raw().exists(path, false);
    }

    private void awaitText(String path, String expected) throws Exception {
        Await.untilAsserted(LIMIT, () -> assertThat(text(path)).isEqualTo(expected));
    }

    private void watch(boolean reportsAll) {
        watch = new ZooKeeperWatch(
                zooKeeper.ensemble(), "/dubbo", watchTimes(), MetadataSource.NONE, "", reportsAll, directories::add);
    }

    private void awaitEndpoints(String... expected) throws Exception {
        Await.untilAsserted(LIMIT, () -> assertThat(endpoints()).containsExactly(expected));
    }

    private List<String> endpoints() {
        List<Endpoint> endpoints = directories.isEmpty() ? null : newest().endpoints(GREETER);
        return endpoints == null
                ? List.of("never registered")
                : endpoints.stream().map(e -> e.address() + '*' + e.weight()).toList();
    }

    private Directory newest() {
        return directories.get(directories.size() - 1);
    }

    @Test
    void nothingIsWrittenBeforeTheAgentIsRegistered() throws Exception {
        Registration registration = registry.registration(request("192.0.2.7", GREETER));

        assertThat(registration.deregister()).succeedsWithin(LIMIT);
        assertThat(registration.registered()).isFalse();
        assertThat(registration.leaseLeftNs()).isEqualTo(-1);
        assertThat(stat("/dubbomesh")).isNull();
    }

    @Test
    void aRegisteredAgentHasOneEphemeralNodeForEachService() throws Exception {
        Registration registration = registered(GREETER, CLOCK);

        assertThat(text(NODE)).isEqualTo(value(3));
        assertThat(text(OTHER_NODE)).isEqualTo(value(3));
        assertThat(stat(NODE).getEphemeralOwner())
                .isNotZero()
                .isEqualTo(stat(OTHER_NODE).getEphemeralOwner());
        assertThat(registration.address()).isEqualTo(new HostPort("192.0.2.7", 30000));
        assertThat(Duration.ofNanos(registration.leaseLeftNs()))
                .isBetween(Duration.ofMillis(500), Duration.ofMillis(2_000));
    }

    @Test
    void anAgentWithoutHostRegistersTheLocalAddressOfItsConnection() throws Exception {
        registry.registration(request(null, GREETER)).register();

        awaitText("/dubbomesh/com.example.Greeter/127.0.0.1:30000", value(3));
    }

    @Test
    void onlyTheSelectedServicesAreRegisteredAndOthersMayComeLater() throws Exception {
        Registration registration = registry.registration(request("192.0.2.7"));
        registration.select(Map.of(GREETER, ONE));
        registration.register();
        awaitText(NODE, value(3));
        long created = stat(NODE).getMzxid();

        registration.select(Map.of(GREETER, ONE, CLOCK, ONE));
        awaitText(OTHER_NODE, value(3));
        operator.delete(OTHER_NODE);
        awaitText(OTHER_NODE, value(3));

        registration.select(Map.of(GREETER, ONE));
        awaitText(OTHER_NODE, null);
        assertThat(stat(NODE).getMzxid()).as("untouched").isEqualTo(created);
        assertThat(registration.registered()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAgentIsListedBesideDubboProvidersUntilItDeregisters(boolean reportsAll) throws Exception {
        operator.register(GREETER, "dubbo://192.0.2.1:20880/com.example.Greeter?application=a");
        watch(reportsAll);
        awaitEndpoints("192.0.2.1:20880*100");

        Registration registration = registered(GREETER, CLOCK);
        awaitEndpoints("192.0.2.1:20880*100", ADDRESS + "*3");
        Await.untilAsserted(LIMIT, () -> assertThat(newest().endpoints(CLOCK)).hasSize(1));
        assertThat(newest().endpoints(GREETER).get(1).isDirect()).isFalse();

        operator.set(NODE, "5");
        awaitEndpoints("192.0.2.1:20880*100", ADDRESS + "*5");

        assertThat(registration.deregister()).succeedsWithin(LIMIT);
        awaitEndpoints("192.0.2.1:20880*100");
        assertThat(newest().isDeregistered(GREETER, ADDRESS)).isTrue();
        assertThat(text(NODE)).isNull();
        assertThat(registration.registered()).isFalse();

        registration.register();
        awaitEndpoints("192.0.2.1:20880*100", ADDRESS + "*5");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNodeThatGoesWithoutHavingSaidSoHasLapsed(boolean reportsAll) throws Exception {
        operator.create(NODE, value(3), CreateMode.EPHEMERAL);
        watch(reportsAll);
        awaitEndpoints(ADDRESS + "*3");

        operator.delete(NODE);

        awaitEndpoints();
        assertThat(directories).noneMatch(directory -> directory.isDeregistered(GREETER, ADDRESS));
    }

    @Test
    void anAgentNamesTheProviderThatHasRegisteredItself() throws Exception {
        operator.register(GREETER, "dubbo://192.0.2.7:20880/com.example.Greeter?application=a&version=1.0&group=a");
        watch(true);
        awaitEndpoints("192.0.2.7:20880*100");
        RegistrationRequest request = new RegistrationRequest(
                "192.0.2.7", 30000, 3, 180, Map.of(GREETER, ONE), new HostPort("127.0.0.1", 20880));
        Registration registration = registry.registration(request);
        registration.register();

        awaitEndpoints("192.0.2.7:20880*100", ADDRESS + "*3");
        assertThat(text(NODE)).endsWith(",\"provider\":\"192.0.2.7:20880\"}");
        assertThat(newest().endpoints(GREETER)).extracting(Endpoint::provider).containsExactly("", "192.0.2.7:20880");
    }

    @Test
    void aWeightSetByHandIsAdoptedForEveryService() throws Exception {
        Registration registration = registered(GREETER, CLOCK);
        long owner = stat(NODE).getEphemeralOwner();

        operator.set(NODE, "7");

        awaitText(OTHER_NODE, value(7));
        awaitText(NODE, value(7));
        assertThat(registration.weight()).isEqualTo(7);
        assertThat(stat(NODE).getEphemeralOwner()).isEqualTo(owner);
    }

    @Test
    void manyChangesInARowEndWithTheLastOne() throws Exception {
        Registration registration = registered(GREETER);

        for (int weight = 10; weight <= 30; weight++) {
            operator.set(NODE, Integer.toString(weight));
        }

        awaitText(NODE, value(30));
        assertThat(registration.weight()).isEqualTo(30);
    }

    @Test
    void aWeightThatAnotherAgentChangesIsAdopted() throws Exception {
        Registration registration = registered(GREETER, CLOCK);
        try (ZooKeeperRegistry other = open(zooKeeper.address())) {
            other.changeWeight(List.of(GREETER, CLOCK, "not.Registered"), new HostPort("192.0.2.7", 30000), 7);

            assertThat(text(NODE)).isEqualTo(value(7));
            assertThat(text(OTHER_NODE)).isEqualTo(value(7));
            Await.until(LIMIT, "adopted", () -> registration.weight() == 7);
            assertThatThrownBy(() -> other.changeWeight(List.of(GREETER), new HostPort("192.0.2.8", 30000), 7))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(" has no node of a provider agent at 192.0.2.8:30000");
        }
    }

    @Test
    void aNodeIsNotWrittenThatHasChangedSinceItWasRead() throws Exception {
        registered(GREETER);
        try (NodeSession session = new NodeSession(zooKeeper.ensemble(), TIMES, path -> {})) {
            session.awaitConnection(5_000);
            int read = session.read(NODE).stat().getVersion();
            operator.set(NODE, value(7));

            assertThat(session.set(NODE, value(9).getBytes(UTF_8), read)).isFalse();
            assertThat(session.replace(NODE, value(9).getBytes(UTF_8), read)).isFalse();
            assertThat(session.delete(NODE, read)).isFalse();
            assertThat(session.create(NODE, value(9).getBytes(UTF_8))).isFalse();
            assertThat(text(NODE)).isEqualTo(value(7));
        }
    }

    @Test
    void aMalformedValueIsReplacedAndANodeDeletedByHandIsPutAgain() throws Exception {
        Registration registration = registered(GREETER);

        operator.set(NODE, "{\"weight\":-1}");
        awaitText(NODE, value(3));

        operator.delete(NODE);
        awaitText(NODE, value(3));
        assertThat(registration.weight()).isEqualTo(3);
    }

    @Test
    void theNodeOfAFormerRunIsTakenOverWithoutAGapAndOutlivesTheFormerSession() throws Exception {
        TestZooKeeper.Client former = zooKeeper.connect();
        former.create(NODE, value(9), CreateMode.EPHEMERAL);
        watch(true);
        awaitEndpoints(ADDRESS + "*9");

        Registration registration = registered(GREETER);
        awaitEndpoints(ADDRESS + "*3");
        former.raw().close(1_000);

        operator.create("/dubbomesh/com.example.Greeter/192.0.2.8:30000", "4", CreateMode.EPHEMERAL);
        awaitEndpoints(ADDRESS + "*3", "192.0.2.8:30000*4");
        assertThat(directories)
                .allMatch(directory -> !directory.endpoints(GREETER).isEmpty());
        assertThat(registration.weight()).isEqualTo(3);
    }

    @Test
    void aWeightSetWhileDeregisteredIsAdoptedAndLeavesNoNode() throws Exception {
        Registration registration = registered(GREETER);
        assertThat(registration.deregister()).succeedsWithin(LIMIT);

        operator.create(NODE, "8", CreateMode.PERSISTENT);

        Await.until(LIMIT, "adopted", () -> registration.weight() == 8);
        awaitText(NODE, null);
    }

    @Test
    void theNodeOfASuccessorIsNotDeletedByADeregisteredAgent() throws Exception {
        Registration registration = registered(GREETER);
        assertThat(registration.deregister()).succeedsWithin(LIMIT);
        try (ZooKeeperRegistry other = open(zooKeeper.address())) {
            registeredAt(other, GREETER);

            registration.close();

            assertThat(text(NODE)).isEqualTo(value(3));
        }
    }

    @Test
    void theAgentStaysRegisteredWhenZooKeeperIsStoppedAndStartedAgain() throws Exception {
        Registration registration = registered(GREETER);
        long owner = stat(NODE).getEphemeralOwner();

        zooKeeper.stop();
        assertThat(registration.registered()).isTrue();
        startAgain();

        Await.untilAsserted(LIMIT, () -> {
            operator.set(NODE, "5");
            assertThat(registration.weight()).isEqualTo(5);
        });
        awaitText(NODE, value(5));
        assertThat(registration.registered()).isTrue();
        assertThat(owner).isNotZero();
    }

    @Test
    void theAgentRegistersAgainInAZooKeeperThatWasEmptied() throws Exception {
        Registration registration = registered(GREETER);
        operator.set(NODE, "5");
        awaitText(NODE, value(5));

        zooKeeper.stop();
        zooKeeper.forget();
        startAgain();

        awaitText(NODE, value(5));
        assertThat(registration.registered()).isTrue();
    }

    @Test
    void aWeightThatTheAgentItselfChangesWhileZooKeeperIsAwayIsPutWhenItIsBack() throws Exception {
        Registration registration = registered(GREETER);
        zooKeeper.stop();

        registration.changeWeight(7);

        assertThatThrownBy(() -> registry.changeWeight(List.of(GREETER), new HostPort("192.0.2.7", 30000), 5))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("registry zookeeper://127.0.0.1:");
        startAgain();
        Await.untilAsserted(LIMIT, () -> assertThat(text(NODE)).isEqualTo(value(7)));
        assertThat(registration.weight()).isEqualTo(7);
    }

    @Test
    void anAgentCutOffForLongerThanItsSessionHasLapsedAndRegistersAgain() throws Exception {
        watch(true);
        try (FaultyProxy proxy = new FaultyProxy(zooKeeper.address().port());
                ZooKeeperRegistry far = open(new HostPort("127.0.0.1", proxy.port()))) {
            Registration registration = registeredAt(far, GREETER);
            awaitEndpoints(ADDRESS + "*3");

            proxy.stall();
            awaitEndpoints();
            assertThat(registration.registered()).isTrue();
            proxy.resume();

            awaitEndpoints(ADDRESS + "*3");
            assertThat(directories).noneMatch(directory -> directory.isDeregistered(GREETER, ADDRESS));
        }
    }

    @Test
    void anAgentThatDeregistersAfterItsNodeHasLapsedSaysThatItLeaves() throws Exception {
        watch(true);
        try (FaultyProxy proxy = new FaultyProxy(zooKeeper.address().port());
                ZooKeeperRegistry far = open(new HostPort("127.0.0.1", proxy.port()))) {
            Registration registration = registeredAt(far, GREETER);
            awaitEndpoints(ADDRESS + "*3");
            proxy.stall();
            awaitEndpoints();

            CompletableFuture<Void> deregistered = registration.deregister();
            proxy.resume();

            assertThat(deregistered).succeedsWithin(LIMIT);
            Await.until(LIMIT, "deregistered", () -> newest().isDeregistered(GREETER, ADDRESS));
            assertThat(text(NODE)).isNull();
        }
    }

    @Test
    void registeringWaitsForZooKeeperAndCancelsADeregistration() throws Exception {
        zooKeeper.stop();
        Registration registration = registry.registration(request("192.0.2.7", GREETER));
        registration.register();
        CompletableFuture<Void> deregistered = registration.deregister();
        registration.register();
        startAgain();

        awaitText(NODE, value(3));
        assertThat(deregistered).isCancelled();
    }

    @Test
    void closingDeletesTheNodesAndTakesTwoSecondsAtMostWhileZooKeeperIsAway() throws Exception {
        Registration first = registered(GREETER);
        first.close();
        assertThat(text(NODE)).isNull();
        assertThat(first.registered()).isFalse();

        Registration second = registered(GREETER);
        zooKeeper.stop();
        long startNs = System.nanoTime();
        second.close();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofMillis(2_500));
    }

    @Test
    void anAgentThatMayNotWriteIsToldAndDoesNotBeginOneSessionAfterTheOther() throws Exception {
        operator.create("/dubbomesh", "", CreateMode.PERSISTENT);
        operator.raw()
                .setACL(
                        "/dubbomesh",
                        Collections.singletonList(
                                new ACL(ZooDefs.Perms.READ | ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)),
                        -1);
        RegistrationTimes slow = new RegistrationTimes(2_000, 200, 3_000, 500, 150, 100, 60_000, 2_000);
        List<String> warnings = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getLevel() == Level.WARN) {
                    warnings.add(event.getFormattedMessage());
                }
            }
        };
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Registry.class);
        logger.addAppender(log);
        try (ZooKeeperRegistry other =
                new ZooKeeperRegistry(zooKeeper.ensemble(), "/dubbo", watchTimes(), slow, MetadataSource.NONE)) {
            Registration registration = other.registration(request("192.0.2.7", GREETER));
            registration.register();

            Await.until(LIMIT, "told", () -> !warnings.isEmpty());
            assertThat(warnings.get(0))
                    .isEqualTo(NODE + " cannot be written: ZooKeeper answered NOAUTH; this is tried again");
            assertThat(registration.registered()).isFalse();

            operator.raw().setACL("/dubbomesh", ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
            Await.until(LIMIT, "registered", registration::registered);
            assertThat(warnings).hasSize(1);
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    void anAgentWhoseAddressIsNotKnownIsNotRegisteredAndTriesAgain() throws Exception {
        try (OneConnection way = new OneConnection(zooKeeper.address().port());
                ZooKeeperRegistry far = open(new HostPort("127.0.0.1", way.port()))) {
            Registration registration = far.registration(request(null, GREETER));
            registration.register();

            way.awaitRefusing();
            Await.until(LIMIT, "session given up", way::isClosedByClient);
            assertThat(registration.registered()).isFalse();
            assertThat(registration.address()).isNull();
        }
    }

    /** A way to ZooKeeper that takes one connection only. */
    private static final class OneConnection implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        private final int target;
        private final Thread thread = new Thread(this::run, "one-connection");
        private final CountDownLatch refusing = new CountDownLatch(1);
        private volatile boolean closedByClient;

        OneConnection(int target) throws IOException {
            this.target = target;
            thread.start();
        }

        int port() {
            return server.getLocalPort();
        }

        void awaitRefusing() throws InterruptedException {
            assertThat(refusing.await(10, TimeUnit.SECONDS)).isTrue();
        }

        boolean isClosedByClient() {
            return closedByClient;
        }

        private void run() {
            try (Socket client = server.accept();
                    Socket far = new Socket("127.0.0.1", target)) {
                server.close();
                refusing.countDown();
                Thread back = new Thread(() -> copy(far, client), "one-connection-back");
                back.start();
                copy(client, far);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                closedByClient = true;
            }
        }

        private static void copy(Socket from, Socket to) {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // One of them is closed.
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    @Test
    void aNodeWithChildrenInTheAgentsPlaceStopsNoOtherService() throws Exception {
        operator.create(NODE, "5", CreateMode.PERSISTENT);
        operator.create(NODE + "/child", "", CreateMode.PERSISTENT);
        Registration registration = registry.registration(request("192.0.2.7", GREETER, CLOCK));
        registration.register();

        awaitText(OTHER_NODE, value(3));
        registration.changeWeight(7);
        awaitText(OTHER_NODE, value(7));
        assertThat(registration.registered()).isFalse();
        assertThat(text(NODE)).isEqualTo("5");

        assertThat(registration.deregister()).succeedsWithin(LIMIT);
        assertThat(text(OTHER_NODE)).isNull();

        registration.register();
        operator.delete(NODE + "/child");
        awaitText(NODE, value(7));
        Await.until(LIMIT, "registered", registration::registered);
    }

    @Test
    void aServiceThatIsRefusedLeavesTheNodesOfTheOthersAsTheyAre() throws Exception {
        operator.create("/dubbomesh", "", CreateMode.PERSISTENT);
        operator.create("/dubbomesh/com.example.Greeter", "", CreateMode.PERSISTENT);
        operator.raw()
                .setACL(
                        "/dubbomesh/com.example.Greeter",
                        Collections.singletonList(
                                new ACL(ZooDefs.Perms.READ | ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)),
                        -1);
        Registration registration = registry.registration(request("192.0.2.7", GREETER, CLOCK));
        registration.register();
        awaitText(OTHER_NODE, value(3));
        long created = stat(OTHER_NODE).getCzxid();

        registration.changeWeight(4);
        awaitText(OTHER_NODE, value(4));
        operator.raw().setACL("/dubbomesh/com.example.Greeter", ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
        awaitText(NODE, value(4));
        assertThat(stat(OTHER_NODE).getCzxid()).as("the same node").isEqualTo(created);
    }

    @Test
    void anAgentRegistersBelowARootThatWasMadeForItWhereNothingElseMayBeMade() throws Exception {
        operator.create("/dubbomesh", "", CreateMode.PERSISTENT);
        operator.raw()
                .setACL(
                        "/",
                        Collections.singletonList(
                                new ACL(ZooDefs.Perms.READ | ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)),
                        -1);

        registered(GREETER);

        assertThat(text(NODE)).isEqualTo(value(3));
    }

    @Test
    void systemsThatShareAZooKeeperHaveRootsOfTheirOwn() throws Exception {
        try (ZooKeeperRegistry shop =
                new ZooKeeperRegistry(zooKeeper.ensemble(), "/shop", watchTimes(), TIMES, MetadataSource.NONE)) {
            registeredAt(shop, GREETER);

            assertThat(text("/dubbomesh-shop/com.example.Greeter/192.0.2.7:30000"))
                    .isEqualTo(value(3));
            watch(true);
            Await.until(LIMIT, "read", () -> !directories.isEmpty());
            assertThat(newest().services()).isEmpty();
        }
    }

    @Test
    void aNodeWithoutDataIsAnAgentOfWeightOne() throws Exception {
        operator.create("/dubbomesh/com.example.Greeter", "", CreateMode.PERSISTENT);
        operator.raw().create(NODE, null, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);

        watch(true);

        awaitEndpoints("192.0.2.7:30000*1");
    }

    @Test
    void aHundredCyclesLeaveNothingBehind() throws Exception {
        RegistrationTimes quick = new RegistrationTimes(2_000, 200, 3_000, 500, 1, 20, 100, 2_000);
        try (ZooKeeperRegistry other =
                new ZooKeeperRegistry(zooKeeper.ensemble(), "/dubbo", watchTimes(), quick, MetadataSource.NONE)) {
            Registration registration = registeredAt(other, GREETER);
            int threads = Thread.activeCount();
            for (int i = 0; i < 100; i++) {
                registration.register();
                Await.until("cycle " + i + " is registered", registration::registered);
                assertThat(registration.deregister()).succeedsWithin(LIMIT);
            }
            assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 2);
            assertThat(text(NODE)).isNull();
        }
    }
}
