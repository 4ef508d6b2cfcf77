package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.RegistrationTimes;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;

import java.util.Collections;

import static org.assertj.core.api.Assertions.assertThat;

/** Agents that may not write some of their nodes. */
class RefusedNodesTest extends RegistrationFixture {
    /** And making nodes below it; nodes that are there keep their own rights. */
    private void forbidWriting(String path) throws Exception {
        ACL mayRead = new ACL(ZooDefs.Perms.READ | ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE);
        // ZooKeeper's client asks the list whether it has a null, which List.of refuses.
        operator.raw().setACL(path, Collections.singletonList(mayRead), -1);
    }

    @Test
    void anAgentRegistersWhereTheRootOfZooKeeperMayNotBeRead() throws Exception {
        ACL mayCreate = new ACL(ZooDefs.Perms.CREATE | ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE);
        operator.raw().setACL("/", Collections.singletonList(mayCreate), -1);
        try (RecordedLog log = new RecordedLog(Registry.class)) {
            Registration registration = registered(GREETER);
            long created = stat(NODE).getCzxid();

            // The session is confirmed meanwhile.
            Thread.sleep(3 * TIMES.confirmMs());
            registration.changeWeight(4);
            awaitText(NODE, value(4));
            assertThat(stat(NODE).getCzxid()).as("the same node").isEqualTo(created);
            assertThat(registration.deregister()).succeedsWithin(LIMIT);
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void anAgentThatMayNotWriteIsToldAndDoesNotBeginOneSessionAfterTheOther() throws Exception {
        operator.create("/dubbomesh", "", CreateMode.PERSISTENT);
        forbidWriting("/dubbomesh");
        RegistrationTimes slow = new RegistrationTimes(2_000, 200, 3_000, 500, 150, 100, 60_000, 2_000);
        try (RecordedLog log = new RecordedLog(Registry.class);
                ZooKeeperRegistry other = new ZooKeeperRegistry(
                        zooKeeper.ensemble(), "/dubbo", watchTimes(), slow, MetadataSource.NONE)) {
            Registration registration = other.registration(request("192.0.2.7", GREETER));
            registration.register();

            Await.until(LIMIT, "told", () -> !log.warnings().isEmpty());
            assertThat(log.warnings().get(0))
                    .isEqualTo(NODE + " cannot be written: ZooKeeper answered NOAUTH; this is tried again");
            assertThat(registration.registered()).isFalse();

            operator.raw().setACL("/dubbomesh", ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
            Await.until(LIMIT, "registered", registration::registered);
            assertThat(log.warnings()).hasSize(1);
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
        forbidWriting("/dubbomesh/com.example.Greeter");
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
        forbidWriting("/");

        registered(GREETER);

        assertThat(text(NODE)).isEqualTo(value(3));
    }
}
