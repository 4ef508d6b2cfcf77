package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class EtcdDubboRegistryTest {
    private static final String GREETER = "com.example.Greeter";
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private static String key(String root, String host, String parameters) {
        String url = "dubbo://" + host + ":20880/" + GREETER + "?application=greeter&interface=" + GREETER + parameters;
        return root + GREETER + "/providers/" + URLEncoder.encode(url, UTF_8);
    }

    @Test
    void providersAreThoseThatDubboRegistered() throws Exception {
        Watcher watcher = new Watcher();
        try (EtcdServer etcd = EtcdServer.start(folder);
                Registry registry = RegistryUri.open(etcd.uri().replace("etcd:", "etcd+dubbo:"))) {
            etcd.put(key("/dubbo/", "192.0.2.7", "&version=1.0&weight=200&token=s3cret"), "7587862938");
            etcd.put("/dubbo/" + GREETER + "/consumers/consumer%3A%2F%2F192.0.2.9%2F" + GREETER, "1");
            etcd.put("/dubbo/" + GREETER + "/providers", "1");
            etcd.put("/dubbomesh/" + GREETER + "/192.0.2.1:30000", "");

            registry.watch(watcher);
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:20880*200");
            Endpoint endpoint = watcher.all().get(0).endpoints(GREETER).get(0);
            assertThat(endpoint.isDirect()).isTrue();
            assertThat(endpoint.serves("1.0", "")).isTrue();
            assertThat(endpoint.exports().get(0).token()).isEqualTo("s3cret");
            assertThat(watcher.all().get(0).services()).containsExactly(GREETER);

            etcd.put(key("/dubbo/", "192.0.2.8", ""), "7587862939");
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:20880*200", "192.0.2.8:20880*100");

            etcd.delete(key("/dubbo/", "192.0.2.7", "&version=1.0&weight=200&token=s3cret"));
            Directory directory = watcher.await(LIMIT, d -> d.endpoints(GREETER).size() == 1);
            assertThat(directory.isDeregistered(GREETER, "192.0.2.7:20880")).isTrue();
            assertThat(registry.registers()).isFalse();
        }
    }

    @Test
    void rulesAndOverridesOfTheConfigurationCentreAreFollowed() throws Exception {
        String conditions = "/dubbo/config/dubbo/" + GREETER + "::.condition-router";
        String overrides = "/dubbo/config/dubbo/greeter.configurators";
        Watcher watcher = new Watcher();
        try (EtcdServer etcd = EtcdServer.start(folder);
                Registry registry = RegistryUri.open(etcd.uri().replace("etcd:", "etcd+dubbo:"))) {
            etcd.put(key("/dubbo/", "192.0.2.7", ""), "1");
            etcd.put(conditions, "conditions: ['=> host=192.0.2.7']");
            etcd.put(overrides, "configs: [{side: provider, parameters: {weight: 20}}]");

            registry.watch(watcher);
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:20880*20");
            assertThat(watcher.all().get(0).rules(GREETER)).isNotNull();

            etcd.put(overrides, "configs: [{side: provider, parameters: {disabled: true}}]");
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:20880*0");
            etcd.put(conditions, "conditions: 7");
            watcher.await(LIMIT, d -> d.ruleReports().stream().anyMatch(report -> report.problem() != null));
            etcd.delete(overrides);
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:20880*100");
            etcd.delete(conditions);
            watcher.await(
                    LIMIT, d -> d.rules(GREETER) == null && d.ruleReports().isEmpty());
        }
    }

    @Test
    void aRuleThatHadNoRoomIsInForceOnceAnotherIsGone() throws Exception {
        String large = "a: " + "x".repeat(60_000);
        String conditions = "/dubbo/config/dubbo/" + GREETER + "::.condition-router";
        Watcher watcher = new Watcher();
        try (EtcdServer etcd = EtcdServer.start(folder);
                Registry registry = RegistryUri.open(etcd.uri().replace("etcd:", "etcd+dubbo:"))) {
            etcd.put(key("/dubbo/", "192.0.2.7", ""), "1");
            for (int i = 0; i < 139; i++) {
                etcd.put("/dubbo/config/dubbo/app" + i + ".tag-router", large);
            }
            registry.watch(watcher);
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:20880*100");
            etcd.put(conditions, "force: true\nconditions: ['=> host=192.0.2.8']\n#" + large);
            watcher.await(LIMIT, d -> d.ruleReports().stream().anyMatch(report -> report.problem() != null));

            etcd.delete("/dubbo/config/dubbo/app0.tag-router");
            Directory directory = watcher.await(LIMIT, d -> d.rules(GREETER) != null);
            assertThat(directory.ruleReports())
                    .hasSize(139)
                    .allSatisfy(report -> assertThat(report.problem()).isNull());
        }
    }

    @Test
    void instancesOfApplicationsAreFollowed() throws Exception {
        String metadata = "{\"app\":\"shop\",\"revision\":\"r1\",\"services\":{\"x\":{\"name\":\"" + GREETER
                + "\",\"protocol\":\"dubbo\",\"path\":\"" + GREETER + "\",\"params\":{}}}}";
        String instance =
                "{\"serviceName\":\"shop\",\"host\":\"192.0.2.9\",\"port\":20880,\"enabled\":true,\"healthy\":true,"
                        + "\"metadata\":{\"dubbo.metadata.revision\":\"r1\",\"dubbo.metadata.storage-type\":\"local\"}}";
        List<CompletableFuture<String>> asked = new CopyOnWriteArrayList<>();
        Watcher watcher = new Watcher();
        try (EtcdServer etcd = EtcdServer.start(folder);
                Registry registry = RegistryUri.open(
                        etcd.uri().replace("etcd:", "etcd+dubbo:"), (application, revision, service) -> {
                            CompletableFuture<String> answer = new CompletableFuture<>();
                            if (asked.isEmpty()) {
                                answer.complete(metadata);
                            }
                            asked.add(answer);
                            return answer;
                        })) {
            etcd.put("/services/shop/192.0.2.9:20880", instance);
            registry.watch(watcher);
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.9:20880*100");
            assertThat(watcher.all().get(0).services()).containsExactly(GREETER);

            etcd.put("/services/shop/192.0.2.8:20880", instance.replace("192.0.2.9", "192.0.2.8"));
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.8:20880*100", "192.0.2.9:20880*100");
            etcd.delete("/services/shop/192.0.2.9:20880");
            Directory directory = watcher.await(LIMIT, d -> d.endpoints(GREETER).size() == 1);
            assertThat(directory.isDeregistered(GREETER, "192.0.2.9:20880")).isTrue();

            // Found after the first directory, without any change in etcd.
            etcd.put(
                    "/services/shop/192.0.2.7:20880",
                    instance.replace("192.0.2.9", "192.0.2.7").replace("r1", "r2"));
            Await.until("another question", () -> asked.size() == 2);
            asked.get(1).complete(metadata.replace("r1", "r2"));
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:20880*100", "192.0.2.8:20880*100");
        }
    }

    @Test
    void theDefinitionOfAServiceIsReadThatItsApplicationReported() throws Exception {
        try (EtcdServer etcd = EtcdServer.start(folder);
                Registry registry = RegistryUri.open(etcd.uri().replace("etcd:", "etcd+dubbo:"))) {
            etcd.put("/dubbo/metadata/com.example.Greeter/1.0/a/provider/greeter", "{}");
            etcd.put("/dubbo/metadata/com.example.Greeter/provider/one", "{}");
            etcd.put("/dubbo/metadata/com.example.Greeter/provider/two", "{}");
            MetadataReport report = registry.metadataReports().get(0);
            Variant variant = new Variant("1.0", "a");

            assertThat(report.definition(new ReportedService(GREETER, variant, "greeter"), 5_000))
                    .isEqualTo("{}");
            assertThat(report.definition(new ReportedService(GREETER, variant, ""), 5_000))
                    .isEqualTo("{}");
            assertThat(report.definition(new ReportedService(GREETER, variant, "other"), 5_000))
                    .isNull();
            assertThat(report.definition(new ReportedService(GREETER, Variant.NONE, ""), 5_000))
                    .isNull();
        }
    }

    @Test
    void aQuestionIsAskedOnceMoreIfTheConnectionOfTheLastOneHasEnded() throws Exception {
        try (EtcdServer etcd = EtcdServer.start(folder);
                FaultyProxy far = new FaultyProxy(etcd.port());
                Registry registry = RegistryUri.open("etcd+dubbo://127.0.0.1:" + far.port())) {
            etcd.put("/dubbo/metadata/com.example.Greeter/provider/one", "{}");
            etcd.put("/dubbo/metadata/com.example.Greeter/provider/two", "{\"a\":2}");
            MetadataReport report = registry.metadataReports().get(0);
            ReportedService one = new ReportedService(GREETER, Variant.NONE, "one");
            ReportedService two = new ReportedService(GREETER, Variant.NONE, "two");

            assertThat(report.definition(one, 5_000)).isEqualTo("{}");
            far.cut();
            assertThat(report.definition(one, 5_000)).isEqualTo("{}");
            far.loseAnswersTo("/provider/two");
            assertThat(report.definition(two, 5_000)).isEqualTo("{\"a\":2}");

            etcd.kill();
            assertThatThrownBy(() -> report.definition(one, 5_000)).isInstanceOf(IOException.class);
            etcd.start();
            assertThat(report.definition(one, 5_000)).isEqualTo("{}");
        }
    }

    @Test
    void aReportThatCannotBeReadIsAFailure() {
        try (Registry registry = RegistryUri.open("etcd+dubbo://127.0.0.1:1")) {
            MetadataReport report = registry.metadataReports().get(0);
            assertThatThrownBy(() -> report.definition(new ReportedService(GREETER, Variant.NONE, "greeter"), 5_000))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("etcd://127.0.0.1:1: ");
        }
    }

    @Test
    void keysBeginWithTheRootOfTheUri() throws Exception {
        Watcher watcher = new Watcher();
        try (EtcdServer etcd = EtcdServer.start(folder);
                Registry registry = RegistryUri.open(etcd.uri().replace("etcd:", "etcd+dubbo:") + "/shop")) {
            etcd.put(key("/shop/", "192.0.2.7", ""), "1");
            etcd.put(key("/dubbo/", "192.0.2.8", ""), "1");

            registry.watch(watcher);

            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:20880*100");
        }
    }
}
