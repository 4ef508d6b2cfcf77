package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperSession;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests changes in ZooKeeper while a list is read: the session runs nothing but when the test says so. */
class ReadingTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final String LATER = "com.example.Later";

    @TempDir
    private Path folder;

    private final DubboProviders providers = new DubboProviders("");
    private TestZooKeeper zooKeeper;
    private ZooKeeperOperator provider;
    private ZooKeeperSession session;
    private Consumer<WatchedEvent> watcher = event -> {};

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper(folder);
        provider = zooKeeper.connect();
        session = new ZooKeeperSession(
                zooKeeper.ensemble(),
                new ZooKeeperTimes(4_000, 200, 1_000, 20, 20, 100),
                event -> watcher.accept(event));
        runUntil(session::isConnected);
    }

    @AfterEach
    void stop() throws Exception {
        session.close();
        provider.close();
        zooKeeper.close();
    }

    @Test
    void aServiceStaysThatWasCreatedAfterTheNamesOfAllWereRead() throws Exception {
        provider.register(SERVICE, "dubbo://192.0.2.1:20880/com.example.Greeter");
        InterfaceProviders byInterface = new InterfaceProviders("/dubbo", providers, true, () -> {}, () -> {});
        watcher = event -> byInterface.changed(session, event);
        byInterface.read(session);
        provider.register(LATER, "dubbo://192.0.2.2:20880/com.example.Later");

        runUntil(byInterface::isRead);
        assertThat(providers.directory().endpoints(LATER))
                .extracting(Endpoint::address)
                .containsExactly("192.0.2.2:20880");
    }

    @Test
    void anInstanceStaysThatWasCreatedAfterTheNamesOfAllWereRead() throws Exception {
        provider.create("/services/greeter/192.0.2.1:20880", instance("greeter", "192.0.2.1"), CreateMode.EPHEMERAL);
        provider.create("/dubbo/metadata/later/r1", metadata("later", LATER), CreateMode.PERSISTENT);
        provider.create("/dubbo/metadata/greeter/r1", metadata("greeter", SERVICE), CreateMode.PERSISTENT);
        ApplicationProviders byInstance =
                new ApplicationProviders("/services", "/dubbo/metadata", providers, MetadataSource.NONE, session::wake);
        watcher = byInstance::changed;
        byInstance.read(session, true);
        provider.create("/services/later/192.0.2.2:20880", instance("later", "192.0.2.2"), CreateMode.EPHEMERAL);

        runUntil(byInstance::isRead);
        runUntil(() -> {
            byInstance.ask(System.nanoTime());
            return providers.services().contains(LATER);
        });
        assertThat(providers.directory().endpoints(LATER))
                .extracting(Endpoint::address)
                .containsExactly("192.0.2.2:20880");
    }

    @Test
    void anInstanceWhoseDataBecomeAnotherProgramsIsListedNoMoreAndAMalformedOneStays() throws Exception {
        String path = "/services/greeter/192.0.2.1:20880";
        provider.create(path, instance("greeter", "192.0.2.1"), CreateMode.EPHEMERAL);
        provider.create("/dubbo/metadata/greeter/r1", metadata("greeter", SERVICE), CreateMode.PERSISTENT);
        ApplicationProviders byInstance =
                new ApplicationProviders("/services", "/dubbo/metadata", providers, MetadataSource.NONE, session::wake);
        int[] changes = new int[1];
        watcher = event -> {
            byInstance.changed(event);
            changes[0]++;
        };
        byInstance.read(session, true);
        runUntil(() -> {
            byInstance.ask(System.nanoTime());
            return providers.services().contains(SERVICE);
        });

        provider.set(path, "{\"name\":");
        runUntil(() -> changes[0] == 1);
        provider.set(path, instance("greeter", "192.0.2.1"));
        runUntil(() -> changes[0] == 2);
        assertThat(providers.directory().endpoints(SERVICE)).hasSize(1);

        provider.set(path, "{\"name\":\"greeter\"}");
        runUntil(() -> providers.directory().endpoints(SERVICE).stream().allMatch(each -> each.weight() == 0)
                || providers.directory().endpoints(SERVICE).isEmpty());
    }

    @Test
    void aChangeThatCannotBeTakenDoesNotEndTheSession() throws Exception {
        IllegalStateException fault = new IllegalStateException("cannot be taken");
        watcher = event -> {
            throw fault;
        };
        session.exists("/dubbo", true, (code, stat) -> {
            throw fault;
        });
        RuntimeException[] thrown = new RuntimeException[1];
        runUntil(() -> (thrown[0] = session.thrown()) != null);
        assertThat(thrown[0]).isSameAs(fault);
        assertThat(session.thrown()).isNull();

        provider.create("/dubbo", "", CreateMode.PERSISTENT);
        runUntil(() -> (thrown[0] = session.thrown()) != null);
        assertThat(session.isConnected()).isTrue();
    }

    private void runUntil(BooleanSupplier done) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            session.run(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static String instance(String application, String host) {
        return "{\"name\":\"" + application + "\",\"id\":\"x\",\"address\":\"" + host
                + "\",\"port\":20880,\"payload\":{\"metadata\":{\"dubbo.metadata.revision\":\"r1\"}}}";
    }

    private static String metadata(String application, String service) {
        return "{\"app\":\"" + application + "\",\"revision\":\"r1\",\"services\":{\"a\":{\"name\":\"" + service
                + "\",\"protocol\":\"dubbo\",\"path\":\"" + service + "\",\"params\":{}}}}";
    }
}
