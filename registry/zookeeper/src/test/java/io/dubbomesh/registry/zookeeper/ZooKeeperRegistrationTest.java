package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.NodeSession;
import io.dubbomesh.registry.zookeeper.session.RegistrationTimes;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ZooKeeperRegistrationTest extends RegistrationFixture {
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
        Await.untilAsserted(
                LIMIT, () -> assertThat(watcher.newest().endpoints(CLOCK)).hasSize(1));
        assertThat(watcher.newest().endpoints(GREETER).get(1).isDirect()).isFalse();

        operator.set(NODE, "5");
        awaitEndpoints("192.0.2.1:20880*100", ADDRESS + "*5");

        assertThat(registration.deregister()).succeedsWithin(LIMIT);
        awaitEndpoints("192.0.2.1:20880*100");
        assertThat(watcher.newest().isDeregistered(GREETER, ADDRESS)).isTrue();
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
        assertThat(watcher.all()).noneMatch(directory -> directory.isDeregistered(GREETER, ADDRESS));
    }

    @Test
    void anAgentNamesTheProviderThatHasRegisteredItself() throws Exception {
        operator.register(GREETER, "dubbo://192.0.2.7:20880/com.example.Greeter?application=a&version=1.0&group=a");
        watch(true);
        awaitEndpoints("192.0.2.7:20880*100");
        RegistrationRequest request = new RegistrationRequest(
                "192.0.2.7", 30000, 3, 180, Map.of(GREETER, ONE), Map.of(), new HostPort("127.0.0.1", 20880), "north");
        Registration registration = registry.registration(request);
        registration.register();

        awaitEndpoints("192.0.2.7:20880*100", ADDRESS + "*3");
        assertThat(text(NODE)).endsWith(",\"provider\":\"192.0.2.7:20880\",\"zone\":\"north\"}");
        assertThat(watcher.newest().endpoints(GREETER))
                .extracting(Endpoint::provider)
                .containsExactly("", "192.0.2.7:20880");
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
    void theNodeOfAFormerRunIsTakenOverWithoutAGapAndOutlivesTheFormerSession() throws Exception {
        ZooKeeperOperator former = zooKeeper.connect();
        former.create(NODE, value(9), CreateMode.EPHEMERAL);
        watch(true);
        awaitEndpoints(ADDRESS + "*9");

        Registration registration = registered(GREETER);
        awaitEndpoints(ADDRESS + "*3");
        former.close();

        operator.create("/dubbomesh/com.example.Greeter/192.0.2.8:30000", "4", CreateMode.EPHEMERAL);
        awaitEndpoints(ADDRESS + "*3", "192.0.2.8:30000*4");
        assertThat(watcher.all())
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
    void systemsThatShareAZooKeeperHaveRootsOfTheirOwn() throws Exception {
        try (ZooKeeperRegistry shop =
                new ZooKeeperRegistry(zooKeeper.ensemble(), "/shop", watchTimes(), TIMES, MetadataSource.NONE)) {
            registeredAt(shop, GREETER);

            assertThat(text("/dubbomesh-shop/com.example.Greeter/192.0.2.7:30000"))
                    .isEqualTo(value(3));
            watch(true);
            watcher.await(LIMIT, directory -> true);
            assertThat(watcher.newest().services()).isEmpty();
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
