package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.registry.follow.DirectoryFollower;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.Ensemble;
import io.dubbomesh.registry.zookeeper.session.RegistrationTimes;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A real ZooKeeper with nodes that are for a user alone. */
@Timeout(120)
class EnsembleAccessTest {
    private static final String GREETER = "com.example.Greeter";
    private static final String CLOCK = "com.example.Clock";
    private static final String NODE = "/dubbomesh/com.example.Greeter/192.0.2.7:30000";
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final RegistrationTimes TIMES = new RegistrationTimes(2_000, 200, 3_000, 500, 150, 20, 100, 2_000);

    @TempDir
    private Path folder;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog("io.dubbomesh");

    private final Watcher watcher = new Watcher();
    private TestZooKeeper zooKeeper;
    private ZooKeeper owner;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper(folder);
        owner = zooKeeper.connect().raw();
        owner.addAuthInfo("digest", "mesh:secret-of-mesh".getBytes(UTF_8));
        String url = URLEncoder.encode("dubbo://192.0.2.9:20880/com.example.Clock", UTF_8);
        for (String node : List.of("", "/com.example.Clock", "/com.example.Clock/providers")) {
            create("/dubbo" + node);
        }
        create("/dubbo/com.example.Clock/providers/" + url);
    }

    private void create(String path) throws Exception {
        owner.create(path, new byte[0], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
    }

    @AfterEach
    void stop() throws Exception {
        owner.close(100);
        zooKeeper.close();
    }

    private Path user(String name, String password) throws Exception {
        Path file = Files.writeString(folder.resolve("user"), name + '\n' + password + '\n');
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Registration register(Registry registry) {
        Registration registration = registry.registration(
                new RegistrationRequest("192.0.2.7", 30000, 3, 180, Map.of(GREETER, List.of(Variant.NONE))));
        registration.register();
        return registration;
    }

    @Test
    void anAgentReadsAsItsUserAndNobodyElseMayChangeWhatItRegisters() throws Exception {
        String uri = "zookeeper://" + zooKeeper.address() + "?username-file=" + user("mesh", "secret-of-mesh");
        ZooKeeper stranger = zooKeeper.connect().raw();
        try (Registry registry = RegistryUri.open(uri)) {
            registry.watch(watcher);
            Registration registration = register(registry);
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:30000*3");
            watcher.awaitEndpoints(LIMIT, CLOCK, "192.0.2.9:20880*100");
            assertThat(registration.registered()).isTrue();

            assertThat(stranger.getData(NODE, false, null)).isNotEmpty();
            assertRefused(() -> stranger.setData(NODE, new byte[0], -1));
            assertRefused(() -> stranger.delete(NODE, -1));
            for (String parent : List.of("/dubbomesh", "/dubbomesh/com.example.Greeter")) {
                assertRefused(() -> stranger.create(
                        parent + "/forged", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            }
            registry.changeWeight(List.of(GREETER), registration.address(), 5);
            Await.until(LIMIT, "the weight is adopted", () -> registration.weight() == 5);

            registration.deregister();
            Await.until(LIMIT, "deregistered", () -> !registration.registered());
        } finally {
            stranger.close(100);
        }
        assertThat(log.warnings()).isEmpty();
        assertThat(log.lines()).noneMatch(line -> line.contains("secret-of-mesh"));
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable write) {
        assertThatThrownBy(write).isInstanceOf(KeeperException.NoAuthException.class);
    }

    @Test
    void anAgentWithAWrongPasswordSaysSoAndTriesAgainWithWhatTheFileHoldsThen() throws Exception {
        create("/dubbomesh");
        create("/dubbomesh/com.example.Greeter");
        try (Registry registry = open(user("mesh", "n0t-it"), TIMES)) {
            registry.watch(watcher);
            Registration registration = register(registry);
            awaitLine(NODE + " cannot be written: ZooKeeper answered NOAUTH; this is tried again");
            awaitLine("registry: /dubbo cannot be read: NOAUTH; it is left out");
            assertThat(registration.registered()).isFalse();

            user("mesh", "secret-of-mesh");
            watcher.awaitEndpoints(LIMIT, CLOCK, "192.0.2.9:20880*100");
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:30000*3");
            Await.until(LIMIT, "registered", registration::registered);
        }
        assertThat(log.lines()).noneMatch(line -> line.contains("n0t-it") || line.contains("secret-of-mesh"));
    }

    @Test
    void aUserWhoIsReplacedLosesNothingAndTheNextOneIsTakenFromTheFile() throws Exception {
        Path file = user("mesh", "secret-of-mesh");
        Ensemble ensemble =
                new Ensemble(List.of(zooKeeper.address()), AccessFiles.parse("zookeeper", "username-file=" + file));
        DirectoryFollower watch = new ZooKeeperWatch(
                        ensemble,
                        "/dubbo",
                        new ZooKeeperTimes(2_000, 50, 1_000, 20, 20, 100),
                        MetadataSource.NONE,
                        "",
                        watcher)
                .start();
        try {
            watcher.awaitEndpoints(LIMIT, CLOCK, "192.0.2.9:20880*100");

            owner.addAuthInfo("digest", "mesh:next-secret".getBytes(UTF_8));
            List<ACL> next = Arrays.asList(new ACL(
                    ZooDefs.Perms.ALL,
                    new Id("digest", DigestAuthenticationProvider.generateDigest("mesh:next-secret"))));
            String providers = "/dubbo/com.example.Clock/providers";
            String old = providers + '/' + encoded("dubbo://192.0.2.9:20880/com.example.Clock");
            for (String path : List.of(old, providers, "/dubbo/com.example.Clock", "/dubbo")) {
                owner.setACL(path, next, -1);
            }
            awaitLine("registry: /dubbo cannot be read: NOAUTH; it is left out");
            watcher.awaitEndpoints(LIMIT, CLOCK, "192.0.2.9:20880*100");

            Files.writeString(file, "");
            awaitLine(
                    "registry zookeeper://" + zooKeeper.address() + ": zookeeper: username-file " + file
                            + ": not two lines (expected: the name and, in the second line, the password); what was read before holds");
            user("mesh", "next-secret");
            owner.create(
                    providers + '/' + encoded("dubbo://192.0.2.10:20880/com.example.Clock"),
                    new byte[0],
                    next,
                    CreateMode.PERSISTENT);
            owner.delete(old, -1);
            watcher.awaitEndpoints(LIMIT, CLOCK, "192.0.2.10:20880*100");
        } finally {
            watch.close();
        }
        assertThat(log.lines()).noneMatch(line -> line.contains("secret"));
    }

    @Test
    void anAgentDeregistersWithTheNextPasswordOnceTheFirstOwnsNothingAnyMore() throws Exception {
        Path file = user("mesh", "secret-of-mesh");
        // Only a refusal makes it read the file.
        RegistrationTimes times = new RegistrationTimes(2_000, 60_000, 3_000, 500, 150, 20, 100, 2_000);
        try (Registry registry = open(file, times)) {
            Registration registration = register(registry);
            Await.until(LIMIT, "registered", registration::registered);
            rotate();

            assertThat(registration.deregister()).succeedsWithin(LIMIT);

            assertThat(owner.exists(NODE, false)).isNull();
            assertThat(log.lines().get(log.lines().size() - 1)).contains("deregistered at ");
        }
    }

    @Test
    void whatAnAgentCreatesAfterANewPasswordIsNotOfTheFirstOne() throws Exception {
        Path file = user("mesh", "secret-of-mesh");
        ZooKeeper first = zooKeeper.connect().raw();
        first.addAuthInfo("digest", "mesh:secret-of-mesh".getBytes(UTF_8));
        try (Registry registry = open(file, TIMES)) {
            Registration registration = register(registry);
            Await.until(LIMIT, "registered", registration::registered);
            rotate();

            registration.select(Map.of(GREETER, List.of(Variant.NONE), CLOCK, List.of(Variant.NONE)));

            String clock = "/dubbomesh/com.example.Clock";
            String node = clock + "/192.0.2.7:30000";
            Await.until(LIMIT, "registered", () -> owner.exists(node, false) != null);
            assertRefused(() -> first.setData(node, new byte[0], -1));
            assertRefused(() -> first.create(clock + "/forged", new byte[0], acl("mesh:x"), CreateMode.PERSISTENT));
            assertThat(owner.getACL(node, null)).containsExactlyInAnyOrderElementsOf(acl("mesh:next-secret"));
        } finally {
            first.close(100);
        }
    }

    /**
     * Changes the password as docs/operate/registry.md describes: both passwords own the nodes, the file is replaced,
     * and the first owns nothing any more.
     */
    private void rotate() throws Exception {
        owner.addAuthInfo("digest", "mesh:next-secret".getBytes(UTF_8));
        own("mesh:secret-of-mesh", "mesh:next-secret");
        user("mesh", "next-secret");
        own("mesh:next-secret");
    }

    private void own(String... users) throws Exception {
        for (String path : List.of("/dubbomesh", "/dubbomesh/com.example.Greeter", NODE)) {
            owner.setACL(path, acl(users), -1);
        }
    }

    private static List<ACL> acl(String... users) throws Exception {
        List<ACL> acl = new ArrayList<>(ZooDefs.Ids.READ_ACL_UNSAFE);
        for (String user : users) {
            acl.add(new ACL(ZooDefs.Perms.ALL, new Id("digest", DigestAuthenticationProvider.generateDigest(user))));
        }
        return acl;
    }

    private Registry open(Path user, RegistrationTimes times) {
        Ensemble ensemble =
                new Ensemble(List.of(zooKeeper.address()), AccessFiles.parse("zookeeper", "username-file=" + user));
        return new ZooKeeperRegistry(
                ensemble, "/dubbo", new ZooKeeperTimes(2_000, 200, 1_000, 20, 20, 100), times, MetadataSource.NONE);
    }

    private void awaitLine(String expected) throws Exception {
        Await.until(LIMIT, expected, () -> log.warnings().contains(expected));
    }

    @Test
    void overridesThatCannotBeReadAreToldAndConditionsBesideThemAreObeyed() throws Exception {
        String service = "/open/com.example.Clock";
        for (String node : List.of("/open", service, service + "/providers", service + "/routers")) {
            createOpen(node);
        }
        createOpen(service + "/providers/" + encoded("dubbo://192.0.2.8:20880/com.example.Clock"));
        createOpen(service + "/providers/" + encoded("dubbo://192.0.2.9:20880/com.example.Clock"));
        createOpen(service + "/routers/"
                + encoded("condition://0.0.0.0/com.example.Clock?category=routers&rule="
                        + encoded("=> host = 192.0.2.9")));
        create(service + "/configurators");
        DirectoryFollower watch = new ZooKeeperWatch(
                        zooKeeper.ensemble(),
                        "/open",
                        new ZooKeeperTimes(2_000, 200, 1_000, 20, 20, 100),
                        MetadataSource.NONE,
                        "",
                        watcher)
                .start();
        try {
            awaitLine("registry: " + service + "/configurators cannot be read: NOAUTH; it is left out");
            watcher.await(LIMIT, directory -> directory.rules(CLOCK) != null);
        } finally {
            watch.close();
        }
    }

    private void createOpen(String path) throws Exception {
        owner.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    @Test
    void aFileThatCannotBeUsedIsNamedWithItsOption() throws Exception {
        Path one = Files.writeString(folder.resolve("one"), "mesh\n");
        assertThatThrownBy(() -> RegistryUri.open("zookeeper://a:1/shop?username-file=" + one))
                .hasMessageContaining("zookeeper: username-file " + one + ": not two lines");
        Path blank = Files.writeString(folder.resolve("blank"), "mesh\n\n");
        assertThatThrownBy(() -> RegistryUri.open("zookeeper://a:1?username-file=" + blank))
                .hasMessageContaining("zookeeper: username-file " + blank + ": not two lines");
        Path colon = Files.writeString(folder.resolve("colon"), "mesh:x\nsecret\n");
        assertThatThrownBy(() -> RegistryUri.open("zookeeper://a:1?username-file=" + colon))
                .hasMessageContaining("zookeeper: username-file " + colon + ": a colon in the name");
        assertThatThrownBy(() -> RegistryUri.open("zookeeper://a:1?username-file=" + folder))
                .hasMessageContaining("zookeeper: username-file " + folder + ": not two lines");
        assertThatThrownBy(() -> RegistryUri.open("zookeeper://a:1?username-file=/nowhere"))
                .hasMessageContaining("zookeeper: username-file /nowhere: cannot be read");
        assertThatThrownBy(() -> RegistryUri.open("zookeeper://a:1?password=x"))
                .hasMessageContaining("zookeeper: option password (expected: username-file=FILE");
    }
}
