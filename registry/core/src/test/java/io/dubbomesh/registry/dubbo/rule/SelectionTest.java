package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.RoutingRules.Routed;
import io.dubbomesh.registry.Variant;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls with equal selections share what was routed for the first of them, so they must be routed alike by all rules.
 */
class SelectionTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final int RULES = 3_000;
    private static final int CALLS = 40;

    private static final List<String> TAGS =
            List.of("canary", "beta", "beta|team1", "beta|team1|x", "x", "=beta", "!x", "|");
    private static final List<String> INVENTED =
            List.of("", "y", "beta|other", "beta|team1|other", "canary|", "=canary", "||");
    private static final List<String> LEFT = List.of(
            "",
            "method=find*",
            "method!=find*,list*",
            "attachments[user]=ann",
            "attachments[user]!=ann,b*",
            "application=shop",
            "host=192.0.2.100",
            "method=greet & attachments[user]=bob");
    private static final List<String> RIGHT = List.of(
            "",
            "host=192.0.2.1",
            "host!=192.0.2.2",
            "region=north",
            "region!=north",
            "env=gray",
            "address=192.0.2.3:20880",
            "host=$host",
            "region=nowhere");

    private final Random random = new Random(16);
    private final List<Endpoint> providers = new ArrayList<>();

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private ConditionRule conditions() {
        List<String> texts = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            texts.add(any(LEFT) + " => " + any(RIGHT));
        }
        return ConditionRule.of("a.condition-router", random.nextBoolean(), random.nextInt(8) > 0, texts);
    }

    private TagRule tagRule() {
        StringBuilder text = new StringBuilder("force: " + random.nextBoolean() + "\ntags:\n");
        Set<String> named = new HashSet<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            String tag = any(TAGS);
            if (named.add(tag)) {
                text.append("- name: '")
                        .append(tag)
                        .append("'\n  addresses: ['192.0.2.")
                        .append(1 + random.nextInt(6));
                text.append(random.nextBoolean() ? ":20880" : "").append("']\n");
            }
        }
        return TagRule.parse("greeter.tag-router", text.toString());
    }

    private ServiceRules rules() {
        Set<String> tags = new HashSet<>();
        providers.clear();
        for (int i = 1; i <= 5; i++) {
            Map<String, String> parameters = new HashMap<>();
            if (random.nextInt(3) == 0) {
                parameters.put("dubbo.tag", any(TAGS));
                tags.add(parameters.get("dubbo.tag"));
            }
            parameters.put("region", any(List.of("north", "south")));
            parameters.put("env", any(List.of("gray", "blue")));
            DubboExport export = new DubboExport(Variant.NONE, "greeter", "", "", "", parameters);
            providers.add(new Endpoint("192.0.2." + i, 20880, 100, 180, List.of(Variant.NONE), List.of(export)));
        }
        return ServiceRules.of(
                random.nextBoolean() ? tagRule() : null,
                tags,
                random.nextBoolean() ? Map.of(Variant.NONE, conditions()) : Map.of(),
                random.nextBoolean() ? conditions() : null,
                random.nextBoolean() ? Map.of("shop", conditions(), "other", conditions()) : Map.of(),
                random.nextBoolean() ? List.of(new ServiceRules.ForVariant(Variant.NONE, conditions())) : List.of());
    }

    private RoutedCall call(RoutedConsumer consumer) {
        Map<String, String> attachments = new HashMap<>();
        if (random.nextBoolean()) {
            attachments.put("user", any(List.of("ann", "bob", "", "1", "0")));
        }
        if (random.nextBoolean()) {
            attachments.put("dubbo.tag", any(random.nextBoolean() ? TAGS : INVENTED));
        }
        if (random.nextInt(3) == 0) {
            attachments.put("dubbo.force.tag", any(List.of("true", "false", "")));
        }
        return new RoutedCall(SERVICE, "", "", any(List.of("greet", "findOne", "listAll", "1")), attachments, consumer);
    }

    @Test
    void callsWithEqualSelectionsAreRoutedAlike() {
        int shared = 0;
        for (int i = 0; i < RULES; i++) {
            ServiceRules rules = rules();
            RoutedConsumer consumer = new RoutedConsumer(
                    "shop", "192.0.2.100", any(List.of("", "", "canary", "y")), random.nextBoolean());
            Map<String, RoutedCall> first = new HashMap<>();
            for (int j = 0; j < CALLS; j++) {
                RoutedCall call = call(consumer);
                RoutedCall known = first.putIfAbsent(rules.selection(call), call);
                if (known != null) {
                    shared++;
                    Routed expected = rules.route(providers, known);
                    assertThat(rules.route(providers, call))
                            .as("%s%n%s%n%s%n%s", rules, providers, known, call)
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(shared).as("calls that shared a selection").isGreaterThan(RULES * CALLS / 4);
    }
}
