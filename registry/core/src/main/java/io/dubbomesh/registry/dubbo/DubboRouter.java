package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.dubbo.rule.ConditionRule;
import io.dubbomesh.registry.dubbo.rule.ServiceRules;

import java.net.URLDecoder;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A condition as Dubbo 2.6 registers it below {@code routers}:
 * {@code
 * condition://0.0.0.0/com.example.Greeter?category=routers&force=true&rule=method%3Dfind*%20%3D%3E%20host%3D192.0.2.7}.
 */
record DubboRouter(long priority, ServiceRules.ForVariant rule) {
    /** The order in which Dubbo applies them. */
    static final Comparator<DubboRouter> ORDER = Comparator.comparingLong(DubboRouter::priority)
            .thenComparing(router -> router.rule().rule().key())
            .thenComparing(router -> router.rule().toString());

    private static final String CONDITION = "condition";
    private static final Set<String> SCHEMES = Set.of(CONDITION, "route");

    /**
     * Reads an entry below {@code routers}.
     *
     * @return null if it is not enabled
     * @throws IllegalArgumentException naming what is wrong with it, or not supported
     */
    static DubboRouter of(String service, DubboUrl url) {
        if (!url.flag("enabled", true) || url.protocol().equals("empty")) {
            return null;
        }
        String kind = url.parameter("router").isEmpty() ? CONDITION : url.parameter("router");
        if (!SCHEMES.contains(url.protocol()) || !kind.equals(CONDITION)) {
            throw new IllegalArgumentException(
                    (SCHEMES.contains(url.protocol()) ? kind : url.protocol()) + " rules are not supported");
        }
        String text = URLDecoder.decode(url.parameter("rule"), UTF_8);
        ConditionRule rule = ConditionRule.of("routers of " + service, url.flag("force", false), true, List.of(text));
        Variant variant = new Variant(url.parameter("version"), url.parameter("group"));
        return new DubboRouter(url.number("priority", 0), new ServiceRules.ForVariant(variant, rule));
    }
}
