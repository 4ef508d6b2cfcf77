package io.dubbomesh.demo.dubbo3;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.dubbo.rule.ConditionRule;
import io.dubbomesh.registry.dubbo.rule.ServiceRules;
import io.dubbomesh.registry.dubbo.rule.TagRule;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.utils.Holder;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.router.condition.ConditionStateRouter;
import org.apache.dubbo.rpc.cluster.router.state.BitList;
import org.apache.dubbo.rpc.cluster.router.state.StateRouter;
import org.apache.dubbo.rpc.cluster.router.state.TailStateRouter;
import org.apache.dubbo.rpc.cluster.router.tag.TagStateRouter;
import org.apache.dubbo.rpc.cluster.router.tag.model.TagRouterRule;
import org.apache.dubbo.rpc.cluster.router.tag.model.TagRuleParser;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules that the agents obey choose the same providers as Dubbo's own routers, for random rules, providers and
 * calls.
 */
class DubboRoutersTest {
    private static final int CASES = 2000;
    private static final String SERVICE = "com.example.Greeter";
    private static final URL CONSUMER = URL.valueOf(
            "consumer://192.0.2.100/" + SERVICE + "?application=shop&interface=" + SERVICE + "&side=consumer");
    private static final RoutedConsumer ROUTED_CONSUMER = new RoutedConsumer("shop", "192.0.2.100", "", false);

    private final Random random = new Random(42);

    /** Dubbo logs each rule that leaves no provider. */
    @BeforeAll
    static void logNothingOfDubbo() {
        ((Logger) LoggerFactory.getLogger("org.apache.dubbo")).setLevel(Level.OFF);
    }

    @AfterAll
    static void logAgain() {
        ((Logger) LoggerFactory.getLogger("org.apache.dubbo")).setLevel(null);
    }

    /** A provider that is never called. */
    private record Provider(URL url) implements Invoker<Object> {
        @Override
        public Class<Object> getInterface() {
            return Object.class;
        }

        @Override
        public Result invoke(Invocation invocation) {
            throw new AssertionError("a call");
        }

        @Override
        public URL getUrl() {
            return url;
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public void destroy() {}
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    /** Returns the parameters of each provider, by its address. */
    private Map<String, Map<String, String>> providers(boolean tagged) {
        Map<String, Map<String, String>> providers = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            Map<String, String> parameters = new HashMap<>();
            if (!oneIn(3)) {
                parameters.put("region", one("north", "south"));
            }
            if (oneIn(3)) {
                parameters.put("env", one("gray", "2", "7"));
            }
            if (tagged && oneIn(3)) {
                parameters.put("dubbo.tag", one("blue", "gray", "beta", "beta|x"));
            }
            providers.put("192.0.2." + one("1", "2", "3") + ':' + one("20880", "20881"), parameters);
        }
        return providers;
    }

    private static BitList<Invoker<Object>> invokers(Map<String, Map<String, String>> providers) {
        List<Invoker<Object>> invokers = new ArrayList<>();
        providers.forEach((address, parameters) -> {
            URL url = URL.valueOf("dubbo://" + address + '/' + SERVICE + "?application=greeter&interface=" + SERVICE
                    + "&side=provider");
            invokers.add(new Provider(url.addParameters(parameters)));
        });
        return new BitList<>(invokers);
    }

    private static Set<String> addresses(BitList<Invoker<Object>> invokers) {
        Set<String> addresses = new TreeSet<>();
        invokers.forEach(invoker -> addresses.add(invoker.getUrl().getAddress()));
        return addresses;
    }

    private static BitList<Invoker<Object>> route(
            StateRouter<Object> router, BitList<Invoker<Object>> invokers, Invocation call) {
        router.setNextRouter(TailStateRouter.getInstance());
        return router.route(invokers.clone(), CONSUMER, call, false, new Holder<>());
    }

    private static RpcInvocation invocation(RoutedCall call) {
        RpcInvocation invocation =
                new RpcInvocation((ServiceModel) null, call.method(), SERVICE, SERVICE, new Class<?>[0], new Object[0]);
        call.attachments().forEach(invocation::setAttachment);
        return invocation;
    }

    private static RoutedCall call(String method, Map<String, String> attachments) {
        return new RoutedCall(SERVICE, "", "", method, attachments, ROUTED_CONSUMER);
    }

    private static Set<String> addresses(
            ServiceRules rules, Map<String, Map<String, String>> providers, RoutedCall call) {
        List<Endpoint> endpoints = new ArrayList<>();
        providers.forEach((address, parameters) -> {
            int colon = address.indexOf(':');
            DubboExport export = new DubboExport(Variant.NONE, "greeter", "", "", "", parameters);
            endpoints.add(new Endpoint(
                    address.substring(0, colon),
                    Integer.parseInt(address.substring(colon + 1)),
                    100,
                    180,
                    List.of(Variant.NONE),
                    List.of(export)));
        });
        Set<String> addresses = new TreeSet<>();
        rules.route(endpoints, call).endpoints().forEach(endpoint -> addresses.add(endpoint.address()));
        return addresses;
    }

    private String tagRule() {
        boolean matches = random.nextBoolean();
        StringBuilder rule = new StringBuilder(matches ? "configVersion: v3.0\n" : "");
        rule.append("force: ").append(random.nextBoolean());
        rule.append("\nenabled: ").append(!oneIn(8)).append("\nkey: greeter\ntags:\n");
        Set<String> names = new LinkedHashSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            names.add(one("blue", "gray", "beta", "beta|x", "other"));
        }
        for (String name : names) {
            rule.append("- name: '").append(name).append("'\n");
            if (matches && random.nextBoolean()) {
                rule.append("  match: [{key: ")
                        .append(one("region", "env", "application"))
                        .append(", value: {");
                rule.append(one("exact: north", "prefix: s", "wildcard: '*'", "noempty: x", "empty: x"));
                rule.append("}}]\n");
            } else {
                rule.append("  addresses: ['")
                        .append(one(
                                "192.0.2.1:20880",
                                "192.0.2.2",
                                "192.0.2.*:20881",
                                "192.0.2.1-2",
                                "192.0.2.0/31",
                                "0.0.0.0:20881",
                                "192.0.9.9:1"))
                        .append("']\n");
            }
        }
        return rule.toString();
    }

    @Test
    void tagsChooseAsInDubbo() {
        for (int i = 0; i < CASES; i++) {
            Map<String, Map<String, String>> providers = providers(true);
            Map<String, String> attachments = new HashMap<>();
            if (!oneIn(3)) {
                attachments.put("dubbo.tag", one("blue", "gray", "beta", "beta|x", "beta|x|y", "none", ""));
            }
            if (oneIn(4)) {
                attachments.put("dubbo.force.tag", one("true", "false"));
            }
            RoutedCall call = call("greet", attachments);
            String text = tagRule();

            BitList<Invoker<Object>> invokers = invokers(providers);
            TagStateRouter<Object> router = new TagStateRouter<>(CONSUMER);
            router.notify(invokers);
            TagRouterRule rule = TagRuleParser.parse(text);
            rule.init(router);
            router.setTagRouterRule(rule);

            TagRule own = TagRule.parse("greeter.tag-router", text);
            ServiceRules rules = ServiceRules.of(own, Set.of(), Map.of(), null, Map.of(), List.of());
            assertThat(addresses(rules, providers, call))
                    .as("%s to %s by %s", call, providers, text)
                    .isEqualTo(addresses(route(router, invokers, invocation(call))));
        }
    }

    private String values(String... choices) {
        return one("=", "!=", " = ", " != ") + (oneIn(2) ? one(choices) : one(choices) + ',' + one(choices));
    }

    private String calls() {
        List<String> terms = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            terms.add(
                    switch (random.nextInt(6)) {
                        case 0, 1 -> "method" + values("find*", "*One", "save", "f*e", "findOne", "*");
                        case 2 -> "host" + values("192.0.2.100", "192.0.2.*", "192.0.3.1");
                        case 3 -> "consumer.application" + values("shop", "sh*", "other");
                        case 4 -> "attachments[user]" + values("ann", "b*", "1~5", "~3", "4~");
                        default -> "unknown" + values("x", "*");
                    });
        }
        return terms.isEmpty() ? one("", "true") : String.join(one("&", " & "), terms);
    }

    private String chosen() {
        List<String> terms = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            terms.add(
                    switch (random.nextInt(6)) {
                        case 0 -> "host" + values("192.0.2.1", "192.0.2.2", "192.0.2.*", "$host");
                        case 1 -> "address" + values("192.0.2.1:20880", "*:20881", "192.*:20880");
                        case 2 -> "port" + values("20880", "20881", "20880~20880", "20881~");
                        case 3 -> "provider.region" + values("north", "s*", "*", "$region", "west");
                        case 4 -> "env" + values("gray", "1~3", "5~9");
                        default -> "application" + values("greeter", "$application");
                    });
        }
        return String.join(one("&", " & "), terms);
    }

    @Test
    void conditionsChooseAsInDubbo() {
        for (int i = 0; i < CASES; i++) {
            Map<String, Map<String, String>> providers = providers(false);
            Map<String, String> attachments = oneIn(2) ? Map.of() : Map.of("user", one("ann", "bob", "2", "9"));
            RoutedCall call = call(one("findOne", "save", "findAll", "foe"), attachments);
            boolean force = random.nextBoolean();
            List<String> conditions = new ArrayList<>();
            for (int condition = random.nextInt(2); condition >= 0; condition--) {
                conditions.add(calls() + one(" => ", "=>") + chosen());
            }

            BitList<Invoker<Object>> left = invokers(providers);
            for (String condition : conditions) {
                left = route(new ConditionStateRouter<>(CONSUMER, condition, force, true), left, invocation(call));
            }

            ConditionRule rule = ConditionRule.of("shop.condition-router", force, true, conditions);
            ServiceRules rules = ServiceRules.of(null, Set.of(), Map.of(Variant.NONE, rule), null, Map.of(), List.of());
            assertThat(addresses(rules, providers, call))
                    .as("%s to %s by %s, force %s", call, providers, conditions, force)
                    .isEqualTo(addresses(left));
        }
    }
}
