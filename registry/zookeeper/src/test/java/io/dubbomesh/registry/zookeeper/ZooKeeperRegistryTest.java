package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.follow.DirectoryFollower;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.RegistrationTimes;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ZooKeeperRegistryTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final String FIRST = "dubbo://192.0.2.1:20880/com.example.Greeter?application=a&timestamp=1";
    private static final String SECOND =
            "dubbo://192.0.2.2:20880/com.example.Greeter?application=a&timestamp=1&weight=50";
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    private Path folder;

    private TestZooKeeper zooKeeper;
    private ZooKeeperOperator provider;
    private DirectoryFollower watch;
    private final BlockingQueue<Directory> directories = new LinkedBlockingQueue<>();
    private Directory newest;
    private MetadataSource metadata = MetadataSource.NONE;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(Registry.class);

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new TestZooKeeper(folder);
        provider = zooKeeper.connect();
    }

    @AfterEach
    void stop() throws Exception {
        if (watch != null) {
            watch.close();
        }
        zooKeeper.close();
        provider.close();
    }

    /** In both ways to watch: of ZooKeeper 3.6 and newer, and of older ones. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void providersAreListedAsTheyRegisterAndUnregister(boolean reportsAll) throws Exception {
        provider.register(SERVICE, FIRST);
        watch(reportsAll);
        await("192.0.2.1:20880*100");

        provider.register(SERVICE, SECOND);
        await("192.0.2.1:20880*100", "192.0.2.2:20880*50");

        provider.unregister(SERVICE, FIRST);
        await("192.0.2.2:20880*50");
        assertThat(newest.isDeregistered(SERVICE, "192.0.2.1:20880")).isTrue();

        provider.unregister(SERVICE, SECOND);
        await();
        assertThat(newest.isDeregistered(SERVICE, "192.0.2.2:20880")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void servicesAreListedThatAppearLater(boolean reportsAll) throws Exception {
        watch(reportsAll);
        await(directory -> directory.services().isEmpty());

        provider.create("/dubbo/com.example.Greeter/consumers/consumer", "", CreateMode.EPHEMERAL);
        provider.create("/dubbo/com.example.Other/configurators", "", CreateMode.PERSISTENT);
        provider.create("/dubbo/mapping/com.example.Greeter", "app", CreateMode.PERSISTENT);
        provider.register(SERVICE, FIRST);

        await("192.0.2.1:20880*100");
        assertThat(newest.services()).containsExactly(SERVICE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatStandsBelowTheRootOfAgentsIsNoProvider(boolean reportsAll) throws Exception {
        watch(reportsAll);
        await(directory -> directory.services().isEmpty());

        provider.create(
                "/dubbomesh/com.example.Greeter/providers/" + URLEncoder.encode(FIRST, UTF_8),
                "",
                CreateMode.EPHEMERAL);
        provider.register("com.example.Later", SECOND);

        await(directory -> directory.endpoints("com.example.Later") != null);
        assertThat(newest.endpoints(SERVICE)).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void overridesAreObeyedAsTheyComeAndGo(boolean reportsAll) throws Exception {
        String before = "/dubbo/com.example.Greeter/configurators/"
                + URLEncoder.encode("override://0.0.0.0/com.example.Greeter?weight=30", UTF_8);
        provider.create(before, "", CreateMode.PERSISTENT);
        provider.register(SERVICE, FIRST);
        watch(reportsAll);
        await("192.0.2.1:20880*30");

        provider.create(
                "/dubbo/com.example.Greeter/configurators/"
                        + URLEncoder.encode("override://192.0.2.1/com.example.Greeter?disabled=true", UTF_8),
                "",
                CreateMode.PERSISTENT);
        await("192.0.2.1:20880*0");
        provider.delete("/dubbo/com.example.Greeter/configurators/"
                + URLEncoder.encode("override://192.0.2.1/com.example.Greeter?disabled=true", UTF_8));
        await("192.0.2.1:20880*30");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void overridesAreObeyedThatAreOlderThanTheFirstProvider(boolean reportsAll) throws Exception {
        watch(reportsAll);
        await(directory -> directory.services().isEmpty());
        String override = "/dubbo/com.example.Greeter/configurators/"
                + URLEncoder.encode("override://0.0.0.0/com.example.Greeter?weight=30", UTF_8);
        provider.create(override, "", CreateMode.PERSISTENT);
        provider.register(SERVICE, FIRST);
        await("192.0.2.1:20880*30");

        provider.delete(override);
        await("192.0.2.1:20880*100");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void providersAreListedThatRegisterByInstance(boolean reportsAll) throws Exception {
        provider.create("/dubbo/metadata/greeter/r1", metadata("r1", "1.0"), CreateMode.PERSISTENT);
        provider.create("/services/greeter/192.0.2.1:20880", instance("192.0.2.1", "r1"), CreateMode.EPHEMERAL);
        watch(reportsAll);
        await("192.0.2.1:20880*100");
        assertThat(newest.endpoints(SERVICE).get(0).exports().get(0).revision()).isEqualTo("r1");

        // Registered both ways.
        provider.register(SERVICE, "dubbo://192.0.2.1:20880/com.example.Greeter?version=1.0&application=greeter");
        provider.create("/services/greeter/192.0.2.2:20880", instance("192.0.2.2", "r1"), CreateMode.EPHEMERAL);
        await("192.0.2.1:20880*100", "192.0.2.2:20880*100");

        provider.create("/dubbo/metadata/greeter/r2", metadata("r2", "2.0"), CreateMode.PERSISTENT);
        provider.set("/services/greeter/192.0.2.2:20880", instance("192.0.2.2", "r2"));
        await(directory -> directory.endpoints(SERVICE).size() == 2
                && directory
                        .endpoints(SERVICE)
                        .get(1)
                        .variants()
                        .get(0)
                        .version()
                        .equals("2.0"));

        provider.delete("/services/greeter/192.0.2.2:20880");
        await("192.0.2.1:20880*100");
        assertThat(newest.isDeregistered(SERVICE, "192.0.2.2:20880")).isTrue();
    }

    @Test
    void theFirstDirectoryHasProvidersThatTellTheirMetadataThemselvesUnlessTheyAreSilent() throws Exception {
        CompletableFuture<String> late = new CompletableFuture<>();
        metadata = (application, revision, service) -> {
            if (application.equals("silent")) {
                return late;
            }
            String answer =
                    application + '/' + revision + '@' + service.addresses().get(0);
            return CompletableFuture.supplyAsync(
                    () -> metadata(answer.equals("greeter/r1@192.0.2.1:20881") ? "r1" : answer, "1.0"));
        };
        String local = instance("192.0.2.1", "r1").replace("remote", "local").replace("20880", "20881");
        provider.create("/services/greeter/192.0.2.1:20881", local, CreateMode.EPHEMERAL);
        String silent = instance("192.0.2.2", "r1").replace("remote", "local").replace("greeter", "silent");
        provider.create("/services/silent/192.0.2.2:20880", silent, CreateMode.EPHEMERAL);
        watch(true);

        newest = directories.poll(LIMIT_NS, TimeUnit.NANOSECONDS);
        assertThat(texts(newest)).containsExactly("192.0.2.1:20881*100");
        late.complete(metadata("r1", "1.0"));
        await("192.0.2.1:20881*100", "192.0.2.2:20880*100");
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void anApplicationIsToldOfWhoseServicesAreNotKnownAndOnlyThen() throws Exception {
        provider.register(SERVICE, "dubbo://192.0.2.1:20880/com.example.Greeter?application=greeter");
        provider.create("/services/greeter/192.0.2.1:20880", instance("192.0.2.1", "r1"), CreateMode.EPHEMERAL);
        String other = instance("192.0.2.2", "r2").replace("greeter", "other");
        provider.create("/services/other/192.0.2.2:20880", other, CreateMode.EPHEMERAL);
        watch(true);
        await("192.0.2.1:20880*100");
        Await.until(Duration.ofSeconds(10), "a warning", () -> !log.warnings().isEmpty());

        assertThat(log.warnings())
                .containsExactly("instance other/r2 ignored: its metadata is not in the metadata centre;"
                        + " its services are not listed by instance until its metadata is found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a//b", "a/b", "..", "a\\u0001"})
    void anInstanceIsLeftOutWhoseApplicationOrRevisionCannotNameANode(String name) throws Exception {
        provider.register(SERVICE, FIRST);
        String byName = instance("192.0.2.2", "r1").replace("greeter", name);
        provider.create("/services/greeter/192.0.2.2:20880", byName, CreateMode.EPHEMERAL);
        String byRevision = instance("192.0.2.3", "r1/" + name);
        provider.create("/services/greeter/192.0.2.3:20880", byRevision, CreateMode.EPHEMERAL);
        watch(true);

        await("192.0.2.1:20880*100");
        provider.register(SERVICE, SECOND);
        await("192.0.2.1:20880*100", "192.0.2.2:20880*50");
        assertThat(log.warnings())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("instance /services/greeter/192.0.2.")
                        .endsWith("the instance is not listed, or stays as it was"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theMetadataOfARevisionIsForgottenWithItsLastInstance(boolean reportsAll) throws Exception {
        provider.create("/dubbo/metadata/greeter/r1", metadata("r1", "1.0"), CreateMode.PERSISTENT);
        provider.create("/services/greeter/192.0.2.1:20880", instance("192.0.2.1", "r1"), CreateMode.EPHEMERAL);
        watch(reportsAll);
        await("192.0.2.1:20880*100");
        provider.delete("/services/greeter/192.0.2.1:20880");
        await();

        provider.set("/dubbo/metadata/greeter/r1", metadata("r1", "2.0"));
        provider.create("/services/greeter/192.0.2.1:20880", instance("192.0.2.1", "r1"), CreateMode.EPHEMERAL);

        await("192.0.2.1:20880*100");
        assertThat(newest.endpoints(SERVICE).get(0).variants()).containsExactly(new Variant("2.0", ""));
    }

    @Test
    void theRevisionIsThatOfTheInstanceIfTheMetadataNamesNone() throws Exception {
        provider.create(
                "/dubbo/metadata/greeter/r1",
                metadata("r1", "1.0").replace("\"revision\":\"r1\",", ""),
                CreateMode.PERSISTENT);
        provider.create("/services/greeter/192.0.2.1:20880", instance("192.0.2.1", "r1"), CreateMode.EPHEMERAL);
        watch(true);

        await("192.0.2.1:20880*100");
        assertThat(newest.endpoints(SERVICE).get(0).exports().get(0).revision()).isEqualTo("r1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void interfacesAreNoApplicationsWhereBothHaveOneRoot(boolean reportsAll) throws Exception {
        String path = "/mesh/com.example.Greeter/providers/" + URLEncoder.encode(FIRST, UTF_8);
        provider.create(path, "", CreateMode.EPHEMERAL);
        provider.create("/mesh/com.example.Greeter/consumers/consumer", "", CreateMode.EPHEMERAL);
        provider.create("/mesh/metadata/greeter/r1", metadata("r1", "1.0"), CreateMode.PERSISTENT);
        provider.create("/mesh/greeter/192.0.2.2:20880", instance("192.0.2.2", "r1"), CreateMode.EPHEMERAL);
        watch = new ZooKeeperWatch(zooKeeper.ensemble(), "/mesh", times(), metadata, "", reportsAll, directories::add)
                .start();
        await("192.0.2.1:20880*100", "192.0.2.2:20880*100");

        provider.create("/mesh/com.example.Greeter/routers", "", CreateMode.PERSISTENT);
        provider.delete(path);
        await("192.0.2.2:20880*100");
        assertThat(log.warnings()).isEmpty();
    }

    private static String instance(String host, String revision) {
        return "{\"name\":\"greeter\",\"id\":\"x\",\"address\":\"" + host
                + "\",\"port\":20880,\"payload\":{\"metadata\":{\"dubbo.metadata.revision\":\"" + revision
                + "\",\"dubbo.metadata.storage-type\":\"remote\"}}}";
    }

    private static String metadata(String revision, String version) {
        return "{\"app\":\"greeter\",\"revision\":\"" + revision
                + "\",\"services\":{\"a\":{\"name\":\"com.example.Greeter\",\"version\":\"" + version
                + "\",\"protocol\":\"dubbo\",\"path\":\"com.example.Greeter\",\"params\":{}}}}";
    }

    @Test
    void theDefinitionOfAServiceIsReadThatItsApplicationReported() throws Exception {
        provider.create("/dubbo/metadata/com.example.Greeter/1.0/a/provider/greeter", "{}", CreateMode.PERSISTENT);
        try (ZooKeeperRegistry registry = new ZooKeeperRegistry(
                zooKeeper.ensemble(), "/dubbo", times(), RegistrationTimes.of(Duration.ofSeconds(2)), metadata)) {
            MetadataReport report = registry.metadataReports().get(0);
            Variant variant = new Variant("1.0", "a");

            assertThat(report.definition(new ReportedService(SERVICE, variant, "greeter"), 5_000))
                    .isEqualTo("{}");
            assertThat(report.definition(new ReportedService(SERVICE, variant, ""), 5_000))
                    .isEqualTo("{}");
            assertThat(report.definition(new ReportedService(SERVICE, variant, "other"), 5_000))
                    .isNull();
            assertThat(report.definition(new ReportedService(SERVICE, Variant.NONE, ""), 5_000))
                    .isNull();

            provider.create("/dubbo/metadata/greeter/r1", metadata("r1", "1.0"), CreateMode.PERSISTENT);
            assertThat(report.applicationMetadata("greeter", "r1", 5_000)).isEqualTo(metadata("r1", "1.0"));
            assertThat(report.applicationMetadata("greeter", "r2", 5_000)).isNull();

            zooKeeper.stop();
            assertThatThrownBy(() -> report.definition(new ReportedService(SERVICE, variant, "greeter"), 300))
                    .isInstanceOf(IOException.class);
            zooKeeper.start();
            assertThat(report.definition(new ReportedService(SERVICE, variant, "greeter"), 5_000))
                    .isEqualTo("{}");
        }
    }

    @Test
    void theDirectoryStaysWhileZooKeeperIsAwayAndFollowsAfterwards() throws Exception {
        provider.register(SERVICE, FIRST);
        provider.register(SERVICE, SECOND);
        watch(true);
        await("192.0.2.1:20880*100", "192.0.2.2:20880*50");

        zooKeeper.stop();
        assertThat(directories.poll(1, TimeUnit.SECONDS)).isNull();
        assertThat(watch.ageNs()).isNotNegative();
        zooKeeper.start();
        provider.close();
        provider = zooKeeper.connect();
        provider.register(SERVICE, "dubbo://192.0.2.3:20880/com.example.Greeter");

        await("192.0.2.3:20880*100");
    }

    @Test
    void endpointsStayForTheGraceWhenZooKeeperHasLostItsData() throws Exception {
        provider.register(SERVICE, FIRST);
        provider.register("com.example.Other", "dubbo://192.0.2.9:1/com.example.Other");
        watch(true);
        await("192.0.2.1:20880*100");

        zooKeeper.stop();
        zooKeeper.forget();
        provider.close();
        zooKeeper.start();
        provider = zooKeeper.connect();
        provider.register(SERVICE, SECOND);

        await("192.0.2.1:20880*100", "192.0.2.2:20880*50");
        long startNs = System.nanoTime();
        await("192.0.2.2:20880*50");
        assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(newest.isDeregistered(SERVICE, "192.0.2.1:20880")).isFalse();
        assertThat(newest.endpoints("com.example.Other")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void manyServicesOfTenProvidersAreReadInAMoment(boolean reportsAll) throws Exception {
        int services = Selection.isAll() ? 1_000 : 200;
        provider.create("/dubbo", "", CreateMode.PERSISTENT);
        Semaphore written = new Semaphore(0);
        AsyncCallback.StringCallback count = (code, path, context, name) -> written.release();
        for (int i = 0; i < services; i++) {
            String path = "/dubbo/com.example.Service" + i;
            create(path, count);
            create(path + "/providers", count);
            for (int p = 0; p < 10; p++) {
                create(path + "/providers/" + URLEncoder.encode(longUrl(i, p), UTF_8), count);
            }
        }
        assertThat(written.tryAcquire(12 * services, 60, TimeUnit.SECONDS)).isTrue();

        long startNs = System.nanoTime();
        watch(reportsAll);
        await(directory -> directory.services().size() == services);
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        System.out.println("read within " + tookMs + " ms");

        assertThat(newest.services())
                .allSatisfy(service -> assertThat(newest.endpoints(service)).hasSize(10));
        assertThat(tookMs).isLessThan(5_000 + 10L * services);
    }

    private void create(String path, AsyncCallback.StringCallback done) {
        provider.raw().create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, done, null);
    }

    /** Returns a URL as long as those of Dubbo 3. */
    private static String longUrl(int service, int provider) {
        return "dubbo://192.0.2." + provider + ":20880/com.example.Service" + service
                + "?anyhost=true&application=app-" + provider
                + "&background=false&deprecated=false&dubbo=2.0.2&dynamic=true&executor-management-mode=isolation&file-cache=true&generic=false"
                + "&interface=com.example.Service" + service
                + "&methods=first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth&pid=4711&prefer.serialization=fastjson2,hessian2"
                + "&release=3.3.6&service-name-mapping=true&side=provider&timestamp=17953698" + service + provider;
    }

    private void watch(boolean reportsAll) {
        watch = new ZooKeeperWatch(zooKeeper.ensemble(), "/dubbo", times(), metadata, "", reportsAll, directories::add)
                .start();
    }

    private static ZooKeeperTimes times() {
        return new ZooKeeperTimes(4_000, 200, 1_000, 20, 20, 100);
    }

    private void await(String... endpoints) throws InterruptedException {
        await(directory -> List.of(endpoints).equals(texts(directory)));
    }

    private void await(Predicate<Directory> expected) throws InterruptedException {
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        do {
            Directory next = directories.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertThat(next)
                    .as("within " + Duration.ofNanos(LIMIT_NS) + " only " + newest)
                    .isNotNull();
            newest = next;
        } while (!expected.test(newest));
    }

    private static List<String> texts(Directory directory) {
        List<Endpoint> endpoints = directory.endpoints(SERVICE);
        return endpoints == null
                ? null
                : endpoints.stream()
                        .map(endpoint -> endpoint.address() + '*' + endpoint.weight())
                        .toList();
    }
}
