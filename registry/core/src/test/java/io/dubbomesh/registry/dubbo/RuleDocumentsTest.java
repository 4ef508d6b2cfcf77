package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.RoutingRules;
import io.dubbomesh.registry.RuleReport;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.dubbo.rule.ServiceRules;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URLEncoder;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class RuleDocumentsTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final String RULE = SERVICE + ":1.0:.condition-router";
    private static final String OVERRIDES = SERVICE + ":1.0:.configurators";

    private final DubboProviders providers = new DubboProviders("shop");

    @BeforeEach
    void register() {
        for (int i = 1; i <= 2; i++) {
            put(encoded(
                    "dubbo://192.0.2." + i + ":20880/com.example.Greeter?application=greeter&version=1.0&weight=50"));
        }
    }

    private void put(String url) {
        providers.put(SERVICE, url, 0);
    }

    private static String encoded(String url) {
        return URLEncoder.encode(url, UTF_8);
    }

    private List<String> listed() {
        return Watcher.texts(providers.directory(), SERVICE);
    }

    private List<String> routed() {
        Directory directory = providers.directory();
        RoutingRules rules = directory.rules(SERVICE);
        List<Endpoint> endpoints = directory.endpoints(SERVICE);
        RoutedCall call = new RoutedCall(
                SERVICE, "1.0", "", "greet", Map.of(), new RoutedConsumer("shop", "192.0.2.100", "", false));
        return (rules == null ? endpoints : rules.route(endpoints, call).endpoints())
                .stream().map(Endpoint::host).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{side: provider, parameters: {weight: 7}}; 7 7",
                "{side: provider, addresses: ['192.0.2.1:20880'], parameters: {weight: 7}}; 7 50",
                "{side: provider, addresses: ['0.0.0.0'], parameters: {disabled: true}}; 0 0",
                "{side: consumer, providerAddresses: ['192.0.2.2:20880'], parameters: {weight: 7}}; 50 7",
                "{side: consumer, providerAddresses: ['192.0.2.2'], parameters: {disabled: true}}; 50 0",
                "{side: provider, applications: [greeter], parameters: {weight: 7}}; 7 7",
                "{side: provider, applications: [other], parameters: {weight: 7}}; 50 50",
                "{side: provider, type: weight, enabled: true, parameters: {weight: 7}}; 7 7",
                "{side: provider, type: weight, enabled: false, parameters: {weight: 7}}; 50 50",
                "{side: provider, parameters: {timeout: 6666}}; 50 50",
                "{side: provider, parameters: {weight: 7}, match: {param: [{key: version, value: {exact: '1.0'}}]}}; 7 7",
                "{side: provider, parameters: {weight: 7}, match: {param: [{key: version, value: {exact: '2.0'}}]}}; 50 50",
                "{side: provider, parameters: {weight: 7}, match: {address: {wildcard: '192.0.2.2:20880'}}}; 50 7",
                "{side: provider, parameters: {weight: 7}, match: {service: {oneof: [{exact: 'com.example.Greeter:1.0'}]}}}; 7 7",
                "{side: provider, parameters: {weight: 7}, match: {app: {oneof: [{exact: other}]}}}; 50 50"
            })
    void overridesChangeWeights(String item, String weights) {
        providers.putDocument(OVERRIDES, "configVersion: v3.0\nconfigs:\n- " + item, 0);
        String[] each = weights.split(" ");
        assertThat(listed()).containsExactly("192.0.2.1:20880*" + each[0], "192.0.2.2:20880*" + each[1]);
        assertThat(providers.directory().ruleReports()).containsExactly(new RuleReport(OVERRIDES, true, null));

        providers.removeDocument(OVERRIDES);
        assertThat(listed()).containsExactly("192.0.2.1:20880*50", "192.0.2.2:20880*50");
        assertThat(providers.directory().ruleReports()).isEmpty();
    }

    @Test
    void overridesChangeTheTimeoutsOfCalls() {
        providers.putDocument(
                OVERRIDES,
                "configs: [{side: provider, parameters: {timeout: 7000, slow.timeout: 9000, retries: 3}}]",
                0);
        assertThat(providers.directory().endpoints(SERVICE))
                .allSatisfy(endpoint -> assertThat(endpoint.exports().get(0).timeouts())
                        .isEqualTo(Map.of("timeout", "7000", "slow.timeout", "9000")));

        providers.removeDocument(OVERRIDES);
        assertThat(providers.directory().endpoints(SERVICE))
                .allSatisfy(endpoint ->
                        assertThat(endpoint.exports().get(0).timeouts()).isEmpty());
    }

    @Test
    void overridesOfAnApplicationMayNameServices() {
        String config = "scope: application\nkey: greeter\nconfigs:\n- side: provider\n  services: ['%s']\n"
                + "  parameters: {weight: 7}\n";
        providers.putDocument("greeter.configurators", config.formatted("com.example.Other:1.0"), 0);
        assertThat(listed()).containsExactly("192.0.2.1:20880*50", "192.0.2.2:20880*50");
        providers.putDocument("greeter.configurators", config.formatted("com.example.Greeter:1.0"), 0);
        assertThat(listed()).containsExactly("192.0.2.1:20880*7", "192.0.2.2:20880*7");
    }

    @Test
    void overridesOfAnotherVersionOrApplicationChangeNothing() {
        String config = "configs: [{side: provider, parameters: {weight: 7}}]";
        providers.putDocument(SERVICE + "::.configurators", config, 0);
        providers.putDocument("other.configurators", config, 0);
        assertThat(listed()).containsExactly("192.0.2.1:20880*50", "192.0.2.2:20880*50");
    }

    @Test
    void whatIsNotObeyedOfOverridesIsReported() {
        providers.putDocument(
                OVERRIDES,
                "configs: [{parameters: {weight: 7}}, {side: consumer, addresses: [192.0.2.100], parameters: {weight: 7}},"
                        + " {side: provider, addresses: [192.0.2.1], parameters: {weight: 7}}]",
                0);
        assertThat(listed()).containsExactly("192.0.2.1:20880*7", "192.0.2.2:20880*50");
        assertThat(providers.directory().ruleReports())
                .singleElement()
                .satisfies(report -> assertThat(report.problem())
                        .contains("without a side")
                        .contains("for the consumers at some addresses"));
    }

    @Test
    void theLastGoodRuleStaysWhereANewOneIsNotUnderstood() {
        providers.putDocument(RULE, "conditions: ['=> host=192.0.2.2']", 0);
        assertThat(routed()).containsExactly("192.0.2.2");

        providers.putDocument(RULE, "conditions: ['arguments[0]=a => host=192.0.2.1']", 0);
        assertThat(routed()).containsExactly("192.0.2.2");
        assertThat(providers.directory().ruleReports()).singleElement().satisfies(report -> {
            assertThat(report.inForce()).isTrue();
            assertThat(report.problem()).contains("arguments[0] is not supported there");
        });

        providers.putDocument(RULE, "conditions: ['=> host=192.0.2.1']", 0);
        assertThat(routed()).containsExactly("192.0.2.1");
        providers.removeDocument(RULE);
        assertThat(routed()).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(providers.directory().rules(SERVICE)).isNull();
    }

    @Test
    void rulesStayTheSameObjectAsLongAsTheyDecideAlike() {
        providers.putDocument(RULE, "conditions: ['=> host=192.0.2.2']", 0);
        RoutingRules rules = providers.directory().rules(SERVICE);
        put(encoded("dubbo://192.0.2.3:20880/com.example.Greeter?application=greeter&version=1.0"));
        providers.putDocument("other.tag-router", "tags: []", 0);
        assertThat(providers.directory().rules(SERVICE)).isSameAs(rules);
    }

    @Test
    void rulesOfOtherConsumersAreNotHeldForEachService() {
        for (int i = 0; i < 1_000; i++) {
            providers.put("com.example.Service" + i, encoded("dubbo://192.0.2.1:20880/S?application=greeter"), 0);
        }
        for (int i = 0; i < RuleDocuments.MAX_DOCUMENTS - 2; i++) {
            providers.putDocument("consumer" + i + ".condition-router", "conditions: [' => ']", 0);
        }
        assertThat(providers.directory().rules("com.example.Service7")).isNull();
        assertThat(providers.directory().ruleReports()).hasSize(RuleDocuments.MAX_DOCUMENTS - 2);

        providers.putDocument("shop.condition-router", "conditions: [' => host = 192.0.2.1']", 0);
        ServiceRules rules = (ServiceRules) providers.directory().rules("com.example.Service7");
        assertThat(rules.ofConsumers()).containsOnlyKeys("shop");
        assertThat(routed()).containsExactly("192.0.2.1");
    }

    @Test
    void aRuleOfAnotherConsumerHasNoServiceListedAgain() {
        providers.directory();
        providers.putDocument("other.condition-router", "conditions: [' => ']", 0);
        Directory directory = providers.directory();
        providers.putDocument("greeter.condition-router", "conditions: [' => host = 192.0.2.2']", 0);

        assertThat(directory.rules(SERVICE)).isNull();
        assertThat(routed()).containsExactly("192.0.2.2");
    }

    @Test
    void aRuleWhoseKeyHoldsItselfIsRefused() {
        providers.putDocument(RULE, "? [&a [*a]]\n: x", 0);
        assertThat(providers.directory().ruleReports())
                .containsExactly(new RuleReport(RULE, false, "no YAML: a key without an end"));
    }

    @Test
    void rulesOfManyCharactersInAllAreRefusedUntilOthersAreGone() {
        String text = "a: " + "x".repeat(60_000);
        for (int i = 0; i < 140; i++) {
            providers.putDocument("app%03d.tag-router".formatted(i), text, 0);
        }
        assertThat(providers.directory().ruleReports())
                .filteredOn(report -> report.problem() != null)
                .singleElement()
                .satisfies(report -> assertThat(report.problem()).contains("of all rules at most 8388608"));
        assertThat(providers.pollRoom()).isFalse();
        providers.removeDocument("app000.tag-router");
        assertThat(providers.pollRoom()).isTrue();
        providers.putDocument("app139.tag-router", text, 0);
        assertThat(providers.directory().ruleReports())
                .allSatisfy(report -> assertThat(report.problem()).isNull());
    }

    @Test
    void aShorterTextMakesRoomToo() {
        String text = "a: " + "x".repeat(60_000);
        for (int i = 0; i < 140; i++) {
            providers.putDocument("app%03d.tag-router".formatted(i), text, 0);
        }
        providers.putDocument("app000.tag-router", "tags: []", 0);
        assertThat(providers.pollRoom()).isTrue();
    }

    @Test
    void aRuleBeyondTheMaximumIsWantedAgainOnceThereIsRoom() {
        for (int i = 0; i < RuleDocuments.MAX_DOCUMENTS; i++) {
            providers.putDocument("app" + i + ".tag-router", "tags: []", 0);
        }
        providers.putDocument(RULE, "force: true\nconditions: ['=> host=192.0.2.1']", 0);
        assertThat(routed()).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(providers.pollRoom()).isFalse();

        providers.removeDocument("app0.tag-router");
        assertThat(providers.pollRoom()).isTrue();
        assertThat(providers.pollRoom()).isFalse();
    }

    @Test
    void scriptsAndMeshRulesAreRefusedByName() {
        providers.putDocument("greeter.script-router", "type: javascript\nscript: x", 0);
        providers.putDocument("greeter.MESHAPPRULE", "apiVersion: x", 0);
        providers.putDocument("greeter.migration", "step: x", 0);
        assertThat(providers.directory().ruleReports())
                .containsExactly(
                        new RuleReport("greeter.MESHAPPRULE", false, "rules of this kind are not supported"),
                        new RuleReport("greeter.script-router", false, "scripts are not run"));
        assertThat(providers.directory().rules(SERVICE)).isNull();
    }

    @Test
    void aRuleOfAServiceWhoseKeyLacksVersionAndGroupIsRefused() {
        providers.putDocument(SERVICE + ".condition-router", "scope: service\nconditions: ['=> host=a']", 0);
        assertThat(providers.directory().ruleReports())
                .singleElement()
                .satisfies(report -> assertThat(report.problem()).contains("com.example.Greeter::.condition-router"));
    }

    @Test
    void aServiceWhoseTaggedProvidersAreGoneStillKnowsTags() {
        String url =
                encoded("dubbo://192.0.2.9:20880/com.example.Greeter?application=greeter&version=1.0&dubbo.tag=canary");
        assertThat(providers.directory().rules(SERVICE)).isNull();
        put(url);
        assertThat(routed()).containsExactly("192.0.2.1", "192.0.2.2");
        providers.remove(SERVICE, url, 0);
        assertThat(providers.directory().rules(SERVICE)).isNotNull();
    }

    @Test
    void conditionsOfDubbo26AreObeyed() {
        String rule = URLEncoder.encode("host = 192.0.2.100 => host = 192.0.2.2", UTF_8);
        providers.putRouters(
                SERVICE,
                List.of(
                        encoded("condition://0.0.0.0/com.example.Greeter?category=routers&version=1.0&force=true&rule="
                                + rule),
                        encoded("route://0.0.0.0/com.example.Greeter?category=routers&router=script&type=js&rule=x")),
                0);
        assertThat(routed()).containsExactly("192.0.2.2");
        providers.putRouters(SERVICE, List.of(), 0);
        assertThat(routed()).containsExactly("192.0.2.1", "192.0.2.2");
    }
}
