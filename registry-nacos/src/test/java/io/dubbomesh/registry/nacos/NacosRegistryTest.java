package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.naming.pojo.Instance;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class NacosRegistryTest {
    private static final String GREETER = "com.example.Greeter";
    private static final String NAME = "providers:com.example.Greeter:1.0:";
    private static final NacosTimes QUICK = new NacosTimes(50, 300, 20, 50);

    private final FakeNaming nacos = new FakeNaming();
    private final NacosRegistry registry = new NacosRegistry(NacosUri.parse("nacos://192.0.2.1"), nacos::client, QUICK);
    private volatile Directory directory;
    private final List<Directory> delivered = new ArrayList<>();

    @AfterEach
    void close() {
        registry.close();
    }

    private void watch() {
        registry.watch(now -> {
            delivered.add(now);
            directory = now;
        });
    }

    private void awaitEndpoints(String... expected) throws Exception {
        Await.until(
                String.join(" ", expected),
                () -> directory != null && List.of(expected).equals(texts(directory.endpoints(GREETER))));
    }

    private static List<String> texts(List<Endpoint> endpoints) {
        return endpoints == null
                ? null
                : endpoints.stream().map(e -> e.address() + '*' + e.weight()).toList();
    }

    @Test
    void instancesAreProvidersWithTheParametersOfTheirMetadata() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7", "version", "1.0", "weight", "200", "token", "s3cret"));
        nacos.set("consumers:com.example.Greeter:1.0:", FakeNaming.instance("192.0.2.9", "category", "consumers"));
        nacos.set("greeter", FakeNaming.instance("192.0.2.9"));

        watch();

        awaitEndpoints("192.0.2.7:20880*200");
        Endpoint endpoint = directory.endpoints(GREETER).get(0);
        assertThat(endpoint.isDirect()).isTrue();
        assertThat(endpoint.variants()).containsExactly(new Variant("1.0", ""));
        assertThat(endpoint.exports().get(0).application()).isEqualTo("greeter");
        assertThat(endpoint.exports().get(0).token()).isEqualTo("s3cret");
        assertThat(nacos.subscribed()).containsExactly(NAME);
        assertThat(registry.ageNs()).isNotNegative();
    }

    @Test
    void theFirstDirectoryHasEveryService() throws Exception {
        for (int i = 0; i < 1200; i++) {
            nacos.set("providers:com.example.S" + i + "::", FakeNaming.instance("192.0.2.7"));
        }

        watch();

        Await.until("a directory", () -> directory != null);
        assertThat(delivered.get(0).services()).hasSize(1200);
    }

    @Test
    void whatNacosPushesChangesTheEndpoints() throws Exception {
        Instance staying = FakeNaming.instance("192.0.2.8", "version", "1.0");
        nacos.set(NAME, FakeNaming.instance("192.0.2.7", "version", "1.0"), staying);
        watch();
        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*100");

        nacos.set(NAME, staying);

        awaitEndpoints("192.0.2.8:20880*100");
        assertThat(directory.isDeregistered(GREETER, "192.0.2.7:20880")).isTrue();
    }

    @Test
    void anInstanceThatIsDisabledInNacosGetsNoCalls() throws Exception {
        Instance disabled = FakeNaming.instance("192.0.2.7", "version", "1.0");
        disabled.setEnabled(false);
        nacos.set(NAME, disabled, FakeNaming.instance("192.0.2.8", "version", "1.0"));

        watch();

        awaitEndpoints("192.0.2.7:20880*0", "192.0.2.8:20880*100");
    }

    @Test
    void aServiceThatIsRegisteredLaterIsFound() throws Exception {
        watch();
        Await.until("a directory", () -> directory != null);
        assertThat(directory.endpoints(GREETER)).isNull();

        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));

        awaitEndpoints("192.0.2.7:20880*100");
    }

    @Test
    void aServiceThatNacosForgetsEndsLater() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        watch();
        awaitEndpoints("192.0.2.7:20880*100");

        long forgottenNs = System.nanoTime();
        nacos.forget(NAME);

        awaitEndpoints();
        assertThat(System.nanoTime() - forgottenNs).isGreaterThan(200_000_000);
        assertThat(directory.isDeregistered(GREETER, "192.0.2.7:20880")).isFalse();
        Await.until("no subscription", () -> nacos.subscribed().isEmpty());
    }

    @Test
    void whileNacosIsAwayNothingChanges() throws Exception {
        nacos.away(true);
        watch();
        Await.until("an attempt", () -> registry.ageNs() == -1);
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        nacos.away(false);
        awaitEndpoints("192.0.2.7:20880*100");

        nacos.away(true);
        Directory before = directory;
        Await.until("a list that is missing", () -> registry.ageNs() > 200_000_000);
        assertThat(directory).isSameAs(before);
    }

    @Test
    void aServiceThatCannotBeSubscribedHidesNoOther() throws Exception {
        String refused = "providers:com.example.A::";
        nacos.refuse(refused, true);
        nacos.set(refused, FakeNaming.instance("192.0.2.9"));
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        watch();
        awaitEndpoints("192.0.2.7:20880*100");

        nacos.refuse(refused, false);

        Await.until("the other", () -> directory.endpoints("com.example.A") != null);
    }

    @Test
    void whileNothingCanBeSubscribedThereIsNoDirectory() throws Exception {
        nacos.refuse(NAME, true);
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        watch();
        Thread.sleep(200);
        assertThat(directory).isNull();

        nacos.refuse(NAME, false);

        awaitEndpoints("192.0.2.7:20880*100");
    }

    @Test
    void aPushThatIsNotUnderstoodEndsNothing() throws Exception {
        nacos.set(NAME, FakeNaming.instance("192.0.2.7"));
        watch();
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
        watch();
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
        watch();
        awaitEndpoints("192.0.2.7:20880*100", "192.0.2.8:20880*100");
        nacos.away(true);
        Await.until("an outage", () -> registry.ageNs() > 200_000_000);

        long backNs = System.nanoTime();
        nacos.set(NAME, first);
        nacos.away(false);

        awaitEndpoints("192.0.2.7:20880*100");
        assertThat(System.nanoTime() - backNs).isGreaterThan(250_000_000);
        assertThat(directory.isDeregistered(GREETER, "192.0.2.8:20880")).isFalse();
    }
}
