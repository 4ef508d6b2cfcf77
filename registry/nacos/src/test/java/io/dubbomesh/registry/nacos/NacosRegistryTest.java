package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.naming.pojo.Instance;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.merged.MergedRegistry;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NacosRegistryTest {
    private static final String GREETER = "com.example.Greeter";
    private static final Duration LIMIT = Duration.ofSeconds(10);
    static final String NAME = "providers:com.example.Greeter:1.0:";
    /** The spelling of Dubbo 2.6. */
    private static final String LEGACY_NAME = "providers:com.example.Greeter:1.0";

    private static final String METADATA =
            "{\"app\":\"greeter\",\"revision\":\"r1\",\"services\":{\"a\":{\"name\":\"com.example.Greeter\",\"protocol\":\"dubbo\","
                    + "\"path\":\"com.example.Greeter\",\"params\":{\"weight\":\"200\"}}}}";
    static final NacosTimes QUICK = new NacosTimes(50, 300, 20, 50);

    private final FakeNaming nacos = new FakeNaming();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<String> told = new CompletableFuture<>();
    private final NacosRegistry registry = new NacosRegistry(
            NacosUri.parse("nacos://192.0.2.1"),
            nacos::client,
            nacos::configuration,
            (application, revision, service) -> {
                asked.add(application
                        + '/'
                        + revision
                        + '@'
                        + (service == null ? null : service.addresses().get(0)));
                return told;
            },
            QUICK);
    private final Watcher watcher = new Watcher();

    @AfterEach
    void close() {
        registry.close();
    }

    private void awaitEndpoints(String... expected) throws Exception {
        watcher.awaitEndpoints(LIMIT, GREETER, expected);
    }

    @Test
    void instancesAreProvidersWithTheParametersOfTheirMetadata() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7", "version", "1.0", "weight", "200", "token", "s3cret"));
        nacos.set("consumers:com.example.Greeter:1.0:", FakeNaming.instance("192.0.2.9", "category", "consumers"));
        nacos.set("greeter", FakeNaming.instance("192.0.2.9"));

        registry.watch(watcher);

        awaitEndpoints("192.0.2.7:20880*200");
        Endpoint endpoint = watcher.newest().endpoints(GREETER).get(0);
        assertThat(endpoint.isDirect()).isTrue();
        assertThat(endpoint.variants()).containsExactly(new Variant("1.0", ""));
        assertThat(endpoint.exports().get(0).application()).isEqualTo("greeter");
        assertThat(endpoint.exports().get(0).token()).isEqualTo("s3cret");
        assertThat(nacos.subscribed()).containsExactlyInAnyOrder(NAME, "greeter");
        assertThat(registry.ageNs()).isNotNegative();
    }

    /** Checks dubbo#11184: requests name the interface, and have the path as an attachment. */
    @Test
    void aProviderThatExportsTheServiceUnderAPathIsListedWithIt() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7", "version", "1.0", "path", "shop/hello"));
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100");
        assertThat(watcher.newest().endpoints(GREETER).get(0).exports().get(0).parameters())
                .containsEntry("path", "shop/hello");
    }

    /**
     * Checks dubbo#12887: {@code nacos.register-compatible=true} registers a provider under both spellings of a name.
     */
    @Test
    void aProviderUnderBothSpellingsOfAServiceIsOneEndpointUntilBothAreGone() throws Exception {
        Instance instance = FakeNaming.instance("192.0.2.7", "version", "1.0", "timestamp", "1");
        Instance other = FakeNaming.instance("192.0.2.8", "version", "1.0", "timestamp", "1");
        nacos.set(NAME, instance, other);
        nacos.set(LEGACY_NAME, instance);
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*100");

        nacos.set(NAME, other);
        nacos.set("providers:com.example.Clock", FakeNaming.instance("192.0.2.9"));
        watcher.await(LIMIT, directory -> directory.endpoints("com.example.Clock") != null);
        assertThat(Watcher.texts(watcher.newest(), GREETER))
                .containsExactly("192.0.2.7:20880*100", "192.0.2.8:20880*100");
        assertThat(watcher.newest().isDeregistered(GREETER, "192.0.2.7:20880")).isFalse();

        nacos.set(LEGACY_NAME);
        awaitEndpoints("192.0.2.8:20880*100");
        assertThat(watcher.newest().isDeregistered(GREETER, "192.0.2.7:20880")).isTrue();
    }

    /** The second part of a name without colons for what is empty may be either. */
    @Test
    void versionAndGroupAreThoseOfTheInstanceAndNotOfTheName() throws Exception {
        nacos.set("providers:com.example.Greeter:blue", FakeNaming.instance("192.0.2.7", "group", "blue"));
        nacos.set("providers:com.example.Greeter::", FakeNaming.instance("192.0.2.8"));
        nacos.set("providers:com.example.Greeter", FakeNaming.instance("192.0.2.9"));
        registry.watch(watcher);

        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*100", "192.0.2.9:20880*100");
        assertThat(watcher.newest().endpoints(GREETER).get(0).variants()).containsExactly(new Variant("", "blue"));
        assertThat(watcher.newest().endpoints(GREETER).get(1).variants()).containsExactly(Variant.NONE);
    }

    @Test
    void aProviderThatIsDisabledUnderOneSpellingGetsNoCalls() throws Exception {
        Instance disabled = FakeNaming.instance("192.0.2.7", "version", "1.0", "timestamp", "1");
        disabled.setEnabled(false);
        nacos.set(NAME, FakeNaming.instance("192.0.2.7", "version", "1.0", "timestamp", "1"));
        nacos.set(LEGACY_NAME, disabled);
        registry.watch(watcher);

        awaitEndpoints("192.0.2.7:20880*0");
    }

    /** Checks dubbo#8933: 3.0 registers applications in the usual group, and ignores the group of the interfaces. */
    @Test
    void twoGroupsOfOneNacosAreTwoRegistries() throws Exception {
        told.complete(METADATA);
        nacos.set("dubbo@@" + NAME, FakeNaming.instance("192.0.2.7", "version", "1.0"));
        nacos.set("greeter", FakeNaming.application("192.0.2.8", "r1", "local"));
        nacos.set("other@@" + NAME, FakeNaming.instance("192.0.2.9", "version", "1.0"));
        NacosRegistry interfaces = new NacosRegistry(
                NacosUri.parse("nacos://192.0.2.1?group=dubbo"),
                nacos::client,
                nacos::configuration,
                MetadataSource.NONE,
                QUICK);
        try (MergedRegistry both = new MergedRegistry(List.of(
                new MergedRegistry.Named("interfaces", interfaces), new MergedRegistry.Named("instances", registry)))) {
            both.watch(watcher);
            awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*200");
        }
    }

    /** Nacos has had no heartbeat of it; its provider may serve as before. */
    @Test
    void anUnhealthyInstanceGetsCallsOnlyWhileNoneIsHealthy() throws Exception {
        Instance unhealthy = FakeNaming.instance("192.0.2.7", "version", "1.0");
        unhealthy.setHealthy(false);
        nacos.set(NAME, unhealthy, FakeNaming.instance("192.0.2.8", "version", "2.0"));
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*100");

        nacos.set(LEGACY_NAME, FakeNaming.instance("192.0.2.9", "version", "1.0"));
        awaitEndpoints("192.0.2.7:20880*0", "192.0.2.8:20880*100", "192.0.2.9:20880*100");

        Instance disabled = FakeNaming.instance("192.0.2.9", "version", "1.0");
        disabled.setEnabled(false);
        nacos.set(LEGACY_NAME, disabled);
        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*100", "192.0.2.9:20880*0");

        nacos.set(NAME, FakeNaming.instance("192.0.2.7", "version", "1.0"));
        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.9:20880*0");
    }

    /** Checks dubbo#7708: Dubbo 3.0 registered its applications as unhealthy. */
    @Test
    void theSameHoldsForInstancesOfApplications() throws Exception {
        told.complete(METADATA);
        Instance unhealthy = FakeNaming.application("192.0.2.7", "r1", "local");
        unhealthy.setHealthy(false);
        nacos.set("greeter", unhealthy);
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*200");

        nacos.set("greeter", unhealthy, FakeNaming.application("192.0.2.8", "r1", "local"));
        awaitEndpoints("192.0.2.7:20880*0", "192.0.2.8:20880*200");

        nacos.set(
                "greeter",
                FakeNaming.application("192.0.2.7", "r1", "local"),
                FakeNaming.application("192.0.2.8", "r1", "local"));
        awaitEndpoints("192.0.2.7:20880*200", "192.0.2.8:20880*200");
    }

    @Test
    void instancesOfAnApplicationTellWhatTheyExport() throws Exception {
        told.complete(METADATA);
        nacos.set(
                "greeter",
                FakeNaming.application("192.0.2.7", "r1", "local"),
                FakeNaming.application("192.0.2.8", "r1", "local"));
        nacos.set("spring", FakeNaming.instance("192.0.2.9"));

        registry.watch(watcher);

        awaitEndpoints("192.0.2.7:20880*200", "192.0.2.8:20880*200");
        assertThat(watcher.all().get(0).services()).containsExactly(GREETER);
        assertThat(asked).hasSize(1).first().asString().startsWith("greeter/r1@192.0.2.");
        assertThat(watcher.newest().endpoints(GREETER).get(0).exports().get(0).application())
                .isEqualTo("greeter");

        nacos.set("greeter", FakeNaming.application("192.0.2.7", "r1", "local"));
        awaitEndpoints("192.0.2.7:20880*200");
        assertThat(watcher.newest().isDeregistered(GREETER, "192.0.2.8:20880")).isTrue();
    }

    @Test
    void aListOfNamesThatDoesNotEndIsReadOnce() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        nacos.listEndlessly();

        registry.watch(watcher);

        awaitEndpoints("192.0.2.7:20880*100");
    }

    @Test
    void theConfigurationMayHaveWhatApplicationsExport() throws Exception {
        nacos.configure("greeter", "r1", METADATA);
        nacos.set("greeter", FakeNaming.application("192.0.2.7", "r1", "remote"));

        registry.watch(watcher);

        awaitEndpoints("192.0.2.7:20880*200");
        assertThat(asked).isEmpty();
    }

    @Test
    void anInstanceThatIsSilentDelaysTheFirstDirectoryForAMomentOnly() throws Exception {
        nacos.set("greeter", FakeNaming.application("192.0.2.7", "r1", "local"));
        nacos.set(NAME, FakeNaming.instance("192.0.2.8", "version", "1.0"));
        registry.watch(watcher);
        awaitEndpoints("192.0.2.8:20880*100");
        assertThat(asked).containsExactly("greeter/r1@192.0.2.7:20880");

        told.complete(METADATA);
        awaitEndpoints("192.0.2.7:20880*200", "192.0.2.8:20880*100");
    }

    @Test
    void whatApplicationsReportedIsRead() throws Exception {
        nacos.configure("com.example.Greeter:1.0:a:provider:greeter", "dubbo", "{}");
        nacos.configure("greeter", "r1", METADATA);
        MetadataReport report = registry.metadataReports().get(0);
        Variant variant = new Variant("1.0", "a");

        assertThat(report.definition(new ReportedService(GREETER, variant, "greeter"), 1_000))
                .isEqualTo("{}");
        assertThat(report.definition(new ReportedService(GREETER, variant, "other"), 1_000))
                .isNull();
        assertThat(report.definition(new ReportedService(GREETER, variant, ""), 1_000))
                .isNull();
        assertThat(report.applicationMetadata("greeter", "r1", 1_000)).isEqualTo(METADATA);
        nacos.away(true);
        assertThatThrownBy(() -> report.applicationMetadata("greeter", "r1", 1_000))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("Client not connected");
    }

    @Test
    void theFirstDirectoryHasEveryService() throws Exception {
        for (int i = 0; i < 1200; i++) {
            nacos.set("providers:com.example.S" + i + "::", FakeNaming.instance("192.0.2.7"));
        }

        registry.watch(watcher);

        watcher.await(LIMIT, directory -> true);
        assertThat(watcher.all().get(0).services()).hasSize(1200);
    }

    @Test
    void whatNacosPushesChangesTheEndpoints() throws Exception {
        Instance staying = FakeNaming.instance("192.0.2.8", "version", "1.0");
        nacos.set(NAME, FakeNaming.instance("192.0.2.7", "version", "1.0"), staying);
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*100");

        nacos.set(NAME, staying);

        awaitEndpoints("192.0.2.8:20880*100");
        assertThat(watcher.newest().isDeregistered(GREETER, "192.0.2.7:20880")).isTrue();
    }

    @Test
    void anInstanceThatIsDisabledInNacosGetsNoCalls() throws Exception {
        Instance disabled = FakeNaming.instance("192.0.2.7", "version", "1.0");
        disabled.setEnabled(false);
        nacos.set(NAME, disabled, FakeNaming.instance("192.0.2.8", "version", "1.0"));

        registry.watch(watcher);

        awaitEndpoints("192.0.2.7:20880*0", "192.0.2.8:20880*100");
    }

    @Test
    void aServiceThatNacosForgetsEndsLater() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100");

        long forgottenNs = System.nanoTime();
        nacos.forget(NAME);

        awaitEndpoints();
        assertThat(System.nanoTime() - forgottenNs).isGreaterThan(200_000_000);
        assertThat(watcher.newest().isDeregistered(GREETER, "192.0.2.7:20880")).isFalse();
        Await.until("no subscription", () -> nacos.subscribed().isEmpty());
    }

    @Test
    void aServiceThatCannotBeSubscribedHidesNoOther() throws Exception {
        String refused = "providers:com.example.A::";
        nacos.refuse(refused, true);
        nacos.set(refused, FakeNaming.instance("192.0.2.9"));
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100");

        nacos.refuse(refused, false);

        watcher.await(LIMIT, directory -> directory.endpoints("com.example.A") != null);
    }

    @Test
    void whileNothingCanBeSubscribedThereIsNoDirectory() throws Exception {
        nacos.refuse(NAME, true);
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        registry.watch(watcher);
        Thread.sleep(200);
        assertThat(watcher.all()).isEmpty();

        nacos.refuse(NAME, false);

        awaitEndpoints("192.0.2.7:20880*100");
    }

    @Test
    void aPushThatIsNotUnderstoodEndsNothing() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100");

        Instance malformed = FakeNaming.instance("192.0.2.8");
        malformed.setMetadata(null);
        nacos.set(NAME, malformed);
        nacos.set(NAME, FakeNaming.instance("192.0.2.9"));

        awaitEndpoints("192.0.2.9:20880*100");
    }

    @Test
    void aRestartWithoutNamesAfterALongOutageGivesUpNoneAtOnce() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100");
        nacos.away(true);
        Await.until("a long outage", () -> registry.ageNs() > 500_000_000);

        nacos.forget(NAME);
        long backNs = System.nanoTime();
        nacos.away(false);

        awaitEndpoints();
        assertThat(System.nanoTime() - backNs).isGreaterThan(250_000_000);
    }

    @Test
    void instancesThatAreNotBackAfterARestartHaveNotDeregistered() throws Exception {
        Instance first = FakeNaming.instance("192.0.2.7");
        nacos.set(NAME, first, FakeNaming.instance("192.0.2.8"));
        registry.watch(watcher);
        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*100");
        nacos.away(true);
        Await.until("an outage", () -> registry.ageNs() > 200_000_000);

        long backNs = System.nanoTime();
        nacos.set(NAME, first);
        nacos.away(false);

        awaitEndpoints("192.0.2.7:20880*100");
        assertThat(System.nanoTime() - backNs).isGreaterThan(250_000_000);
        assertThat(watcher.newest().isDeregistered(GREETER, "192.0.2.8:20880")).isFalse();
    }
}
