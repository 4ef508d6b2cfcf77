package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.RoutingRules.Routed;
import io.dubbomesh.registry.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** The rules are those of Dubbo's documentation and tests, with other addresses. */
class ServiceRulesTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final RoutedConsumer CONSUMER = new RoutedConsumer("shop", "192.0.2.100", "", false);

    /** 1 and 2 without a tag, 3 tagged by itself, 4 in another region. */
    private static final List<Endpoint> PROVIDERS = List.of(
            provider(1, Map.of()),
            provider(2, Map.of("region", "north")),
            provider(3, Map.of("dubbo.tag", "canary")),
            provider(4, Map.of("region", "south", "env", "gray")));

    private static Endpoint provider(int number, Map<String, String> parameters) {
        DubboExport export = new DubboExport(Variant.NONE, "greeter", "", "", "", parameters);
        return new Endpoint("192.0.2." + number, 20880, 100, 180, List.of(Variant.NONE), List.of(export));
    }

    private static ServiceRules rules(TagRule tag, ConditionRule... ofService) {
        Map<Variant, ConditionRule> conditions = new HashMap<>();
        for (ConditionRule rule : ofService) {
            conditions.put(Variant.NONE, rule);
        }
        return ServiceRules.of(tag, Set.of("canary"), conditions, null, Map.of(), List.of());
    }

    private static RoutedCall call(String method, String... attachments) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < attachments.length; i += 2) {
            map.put(attachments[i], attachments[i + 1]);
        }
        return new RoutedCall(SERVICE, "", "", method, map, CONSUMER);
    }

    private static RoutedCall tagged(String tag) {
        return call("greet", "dubbo.tag", tag);
    }

    private static String routed(ServiceRules rules, RoutedCall call) {
        List<String> hosts = new ArrayList<>();
        rules.route(PROVIDERS, call)
                .endpoints()
                .forEach(each -> hosts.add(each.host().substring(8)));
        return String.join(" ", hosts);
    }

    private static ConditionRule conditions(boolean force, String... texts) {
        return ConditionRule.of(SERVICE + "::.condition-router", force, true, List.of(texts));
    }

    private static TagRule tagRule(String... lines) {
        return TagRule.parse("greeter.tag-router", String.join("\n", lines));
    }

    @Test
    void withoutARuleATagIsThatOfTheProvider() {
        ServiceRules rules = rules(null);
        assertThat(routed(rules, tagged("canary"))).isEqualTo("3");
        assertThat(routed(rules, call("greet"))).isEqualTo("1 2 4");
        assertThat(routed(rules, tagged("unknown"))).isEqualTo("1 2 4");
        assertThat(routed(rules, call("greet", "dubbo.tag", "unknown", "dubbo.force.tag", "true")))
                .isEmpty();
    }

    @Test
    void callsWithoutATagHaveThatOfTheAgent() {
        RoutedCall own = new RoutedCall(
                SERVICE, "", "", "greet", Map.of(), new RoutedConsumer("shop", "192.0.2.100", "canary", true));
        assertThat(routed(rules(null), own)).isEqualTo("3");
        assertThat(routed(rules(null), own.withAttachments(Map.of("dubbo.tag", "blue"))))
                .isEmpty();
        assertThat(routed(rules(null), own.withAttachments(Map.of("dubbo.tag", "blue", "dubbo.force.tag", "false"))))
                .isEqualTo("1 2 4");
    }

    @Test
    void aTagRuleNamesAddresses() {
        ServiceRules rules = rules(tagRule(
                "---",
                "force: false",
                "runtime: true",
                "enabled: true",
                "priority: 1",
                "key: greeter",
                "tags:",
                "- name: tag1",
                "  addresses: [192.0.2.1:20880]",
                "- name: tag2",
                "  addresses: [192.0.2.9:20880]",
                "- name: tag3",
                "  addresses: ~",
                "..."));
        assertThat(routed(rules, tagged("tag1"))).isEqualTo("1");
        assertThat(routed(rules, tagged("tag2"))).isEqualTo("2 4");
        assertThat(routed(rules, tagged("tag3"))).isEqualTo("2 4");
        assertThat(routed(rules, tagged("canary"))).isEqualTo("3");
        assertThat(routed(rules, call("greet"))).isEqualTo("2 4");
    }

    @Test
    void aForcedTagRuleLeavesNobodyWhereNoneOfItsAddressesIsThere() {
        ServiceRules rules = rules(tagRule("force: true", "tags:", "- {name: tag2, addresses: ['192.0.2.9:20880']}"));
        Routed routed = rules.route(PROVIDERS, tagged("tag2"));
        assertThat(routed.endpoints()).isEmpty();
        assertThat(routed.emptiedBy()).isEqualTo("no provider has the tag \"tag2\" by greeter.tag-router");
        assertThat(routed(rules, tagged("other"))).isEqualTo("1 2 4");
    }

    @Test
    void aTagRuleOfVersion3NamesParameters() {
        ServiceRules rules = rules(tagRule(
                "configVersion: v3.0",
                "key: greeter",
                "tags:",
                "  - name: gray",
                "    match:",
                "    - key: env",
                "      value:",
                "       exact: gray",
                "  - name: none",
                "    match:",
                "    - key: env",
                "      value: {prefix: blue}"));
        assertThat(routed(rules, tagged("gray"))).isEqualTo("4");
        assertThat(routed(rules, tagged("none"))).isEqualTo("1 2");
        assertThat(routed(rules, call("greet"))).isEqualTo("1 2");
    }

    @Test
    void aTagWithLevelsIsLookedForFromTheLongest() {
        ServiceRules rules = rules(tagRule(
                "tags:", "- {name: beta, addresses: ['192.0.2.1']}", "- {name: beta|team1, addresses: ['192.0.2.2']}"));
        assertThat(routed(rules, tagged("beta|team1|partner1"))).isEqualTo("2");
        assertThat(routed(rules, tagged("beta|team2"))).isEqualTo("1");
        assertThat(routed(rules, tagged("beta2"))).isEqualTo("4");
        assertThat(routed(rules, call("greet", "dubbo.tag", "beta|team2", "dubbo.force.tag", "true")))
                .isEmpty();
    }

    @Test
    void aTagRuleThatIsNotEnabledLeavesTheTagsOfProviders() {
        ServiceRules rules = rules(tagRule("enabled: false", "tags:", "- {name: tag1, addresses: ['192.0.2.1']}"));
        assertThat(routed(rules, tagged("tag1"))).isEqualTo("1 2 4");
        assertThat(routed(rules, tagged("canary"))).isEqualTo("3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "method=greet => region=north; 2",
                "method=gre* => region=north; 2",
                "method=list,greet => region=north; 2",
                "method!=list => region=north; 2",
                "method!=greet => region=north; 1 2 4",
                "=> host=192.0.2.1; 1",
                "host=192.0.2.1; 1",
                "true => host=192.0.2.1,192.0.2.4; 1 4",
                "=> host!=192.0.2.1; 2 4",
                "=> address=192.0.2.*:20880 & port=20880 & region=*; 2 4",
                "=> address=*:20880; 1 2 4",
                "=> region!=north; 4",
                "=> application=greeter & protocol=dubbo & side=provider; 1 2 4",
                "consumer.host = 192.0.2.100 => provider.region = south; 4",
                "host=192.0.2.1* => region=south; 4",
                "host!=192.0.2.100 => region=south; 1 2 4",
                "application=shop & interface=com.example.Greeter => region=south; 4",
                "version=1.0 => region=south; 1 2 4",
                "unknown!=x => region=south; 1 2 4",
                "=> interface=$interface & region=south; 4",
                "attachments[level]=1~5 => region=south; 4",
                "attachments[level]=~3 => region=south; 1 2 4",
                "attachments[user]=ann,bob => region=north; 2"
            })
    void aConditionChoosesAmongProviders(String condition, String expected) {
        RoutedCall call = call("greet", "level", "4", "user", "bob");
        assertThat(routed(rules(null, conditions(false, condition)), call)).isEqualTo(expected);
    }

    @Test
    void aConditionThatLeavesNobodyIsPassedOverUnlessItIsForced() {
        assertThat(routed(rules(null, conditions(false, "=> region=west", "=> region=north")), call("greet")))
                .isEqualTo("2");
        Routed routed = rules(null, conditions(true, "=> region=west")).route(PROVIDERS, call("greet"));
        assertThat(routed.endpoints()).isEmpty();
        assertThat(routed.emptiedBy())
                .isEqualTo("the condition \"=> region=west\" of com.example.Greeter::.condition-router");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host=192.0.2.100 =>", "host = 192.0.2.100 => false"})
    void aBlackListForbidsTheCallWithoutForce(String condition) {
        assertThat(routed(rules(null, conditions(false, condition)), call("greet")))
                .isEmpty();
    }

    @Test
    void conditionsApplyToTheVersionAndGroupOfTheirKeyAndToTheApplicationOfTheConsumer() {
        ServiceRules rules = ServiceRules.of(
                null,
                Set.of(),
                Map.of(new Variant("1.0", "blue"), conditions(false, "=> host=192.0.2.1")),
                null,
                Map.of("shop", conditions(false, "=> host!=192.0.2.2"), "other", conditions(false, "=>")),
                List.of());
        assertThat(routed(rules, call("greet"))).isEqualTo("1 4");
        assertThat(routed(rules, new RoutedCall(SERVICE, "1.0", "blue", "greet", Map.of(), CONSUMER)))
                .isEqualTo("1");
    }

    /** Names that clients invent are not told apart. */
    @Test
    void callsAreToldApartAsFarAsARuleDoes() {
        ServiceRules rules = rules(
                tagRule("tags:", "- {name: beta, addresses: ['192.0.2.1']}"),
                conditions(false, "method=find* => region=north", "attachments[user]=ann => region=south"));
        assertThat(rules.attachments()).containsExactlyInAnyOrder("dubbo.tag", "dubbo.force.tag", "user");
        assertThat(rules.selection(call("greet"))).isEqualTo(rules.selection(call("list", "user", "bob")));
        assertThat(rules.selection(call("greet"))).isNotEqualTo(rules.selection(call("find")));
        assertThat(rules.selection(call("greet"))).isNotEqualTo(rules.selection(call("greet", "user", "ann")));
        assertThat(rules.selection(tagged("x"))).isEqualTo(rules.selection(tagged("y|z")));
        assertThat(rules.selection(tagged("beta|x"))).isEqualTo(rules.selection(tagged("beta|y")));
        assertThat(rules.selection(tagged("beta|x"))).isNotEqualTo(rules.selection(tagged("x")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "conditions: ['arguments[0]=a => host=a']; arguments[0] is not supported there",
                "conditions: ['=> attachments[a]=b']; attachments[a] is not supported there",
                "conditions: ['=host => a']; = is not expected before host",
                "conditions: ['a == b => c']; == is not expected before b",
                "conditions: [{from: {match: a}, to: []}]; conditions is no text",
                "{configVersion: v3.1, conditions: []}; configVersion v3.1 is not supported",
                "conditions: x; conditions is no list",
                "conditions: [; no YAML",
                "just text; the rule is no map",
                "? [&a [*a]]\\n: x; no YAML",
                "conditions: ['=> region=$method']; $method is not supported there",
                "conditions: ['=> token=a']; token is not supported there",
                "a: !!java.lang.String b c; no YAML",
                "a: &a [*a]\\nconditions: [*a]; conditions is no text",
            })
    void aRuleThatIsNotUnderstoodIsRefusedByName(String text, String reason) {
        String yaml = text.replace("\\n", "\n").replace("a: !!java.lang.String b c", "a: !!java.net.URL [b]");
        assertThatThrownBy(() -> ConditionRule.parse("k", yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aTagRuleThatGoesByWhatIsNotKeptIsRefused() {
        String rule = "configVersion: v3.0\ntags: [{name: a, match: [{key: pid, value: {exact: '1'}}]}]";
        assertThatThrownBy(() -> tagRule(rule))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the parameter pid is not supported");
    }

    @Test
    void tagRulesThatSayTheSameAreEqual() {
        String rule = "configVersion: v3.0\ntags: [{name: a, match: [{key: env, value: {exact: gray}}]}]";
        assertThat(tagRule(rule)).isEqualTo(tagRule(rule + "\n"));
    }

    @Test
    void aTagRuleMayNameManyAddressesButFewWildcards() {
        StringBuilder exact = new StringBuilder("192.0.2.1:20880");
        StringBuilder wild = new StringBuilder("192.0.2.*:1");
        for (int i = 0; i < 300; i++) {
            exact.append(",198.51.100.7:").append(i);
            wild.append(",192.0.2.*:").append(i);
        }
        assertThat(routed(rules(tagRule("tags: [{name: a, addresses: [" + yaml(exact) + "]}]")), tagged("a")))
                .isEqualTo("1");
        assertThatThrownBy(() -> tagRule("tags: [{name: a, addresses: [" + yaml(wild) + "]}]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 256 addresses with wildcards");
    }

    private static String yaml(StringBuilder addresses) {
        return "'" + addresses.toString().replace(",", "','") + "'";
    }

    @Test
    void aTagOfManyLevelsTakesNoTime() {
        ServiceRules rules = rules(tagRule("tags:", "- {name: beta, addresses: ['192.0.2.1']}"));
        RoutedCall call = tagged("beta" + "|".repeat(1_000_000));
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            assertThat(rules.selection(call)).isEqualTo(rules.selection(tagged("beta|x")));
            assertThat(routed(rules, call)).isEqualTo("1");
        });
    }

    @Test
    void aRuleMayNameSoManyValuesInAll() {
        String values = IntStream.range(0, ConditionRule.MAX_VALUES / 2)
                .mapToObj(i -> "v" + i)
                .collect(Collectors.joining(","));
        String condition = "=> region=" + values;
        assertThat(conditions(true, condition, condition).values()).isEqualTo(ConditionRule.MAX_VALUES);
        assertThatThrownBy(() -> conditions(true, condition, condition, "=> region=north"))
                .hasMessage("1025 values in all conditions (expected: at most 1024)");
    }

    @Test
    void valuesAndPatternsOfOneTermAreAlternatives() {
        assertThat(routed(rules(null, conditions(true, "=> region=east,sou*,north")), call("greet")))
                .isEqualTo("2 4");
        assertThat(routed(rules(null, conditions(true, "=> region!=east,sou*")), call("greet")))
                .isEqualTo("2");
    }

    @Test
    void whatIsTooLargeOrTooDeepIsRefused() {
        assertThatThrownBy(() -> RouteCondition.parse("&".repeat(5000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a condition of 5000 characters");
        assertThatThrownBy(() -> ConditionRule.parse("k", "a: " + "x".repeat(70_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("characters");
        assertThatThrownBy(() -> ConditionRule.parse("k", "a: " + "[".repeat(5000) + "]".repeat(5000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no YAML");
        String laughs = "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c]\n";
        assertThatThrownBy(() -> ConditionRule.parse("k", laughs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no YAML");
    }

    @Test
    void ofAProviderAgentTheAddressIsKnown() {
        Endpoint agent = new Endpoint("192.0.2.1", 30000, 1, 180, List.of());
        ServiceRules rules = rules(null, conditions(true, "=> host=192.0.2.1"));
        assertThat(rules.route(List.of(agent), call("greet")).endpoints()).containsExactly(agent);
    }
}
