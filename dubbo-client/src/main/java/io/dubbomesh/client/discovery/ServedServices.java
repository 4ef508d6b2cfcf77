package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.registry.Variant;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The services that this agent forwards to and registers; immutable. */
public final class ServedServices {
    private final Map<String, List<Variant>> variants;
    /** By interface; calls go to these before the others. */
    private final Map<String, List<Variant>> exported;

    private ServedServices(Map<String, List<Variant>> variants, Map<String, List<Variant>> exported) {
        this.variants = variants;
        this.exported = exported;
    }

    /**
     * Reads {@code interface[:version[:group]]} entries.
     *
     * @throws IllegalArgumentException naming the entry that is wrong
     */
    public static ServedServices parse(List<String> entries) {
        Map<String, List<Variant>> variants = new LinkedHashMap<>();
        for (String entry : entries) {
            ServiceKey key = ServiceKey.parse(entry);
            if (key.version().equals(Variant.ANY) || key.group().equals(Variant.ANY)) {
                throw new IllegalArgumentException(entry + " (expected: one version and group; * is for clients)");
            }
            Variant variant = new Variant(key.version(), key.group());
            List<Variant> known = variants.computeIfAbsent(key.service(), service -> new ArrayList<>());
            if (!known.contains(variant)) {
                known.add(variant);
            }
        }
        return new ServedServices(variants, Map.of());
    }

    /** What a provider exports. */
    public static ServedServices of(Map<String, List<Variant>> exported) {
        return new ServedServices(Map.copyOf(exported), Map.of());
    }

    /** By interface, in the order of their names. */
    static Map<String, List<Variant>> variants(Set<ServiceKey> keys) {
        Map<String, List<Variant>> variants = new TreeMap<>();
        keys.stream().sorted(Comparator.comparing(ServiceKey::toString)).forEach(key -> {
            List<Variant> known = variants.computeIfAbsent(key.service(), service -> new ArrayList<>());
            Variant variant = new Variant(key.version(), key.group());
            if (!known.contains(variant)) {
                known.add(variant);
            }
        });
        return variants;
    }

    /** These services, of which the provider exports those given, by interface. */
    public ServedServices exporting(Map<String, List<Variant>> nowExported) {
        return new ServedServices(variants, nowExported);
    }

    /** By interface. */
    public Map<String, List<Variant>> variants() {
        return variants;
    }

    /** By interface, without these services. */
    public Map<String, List<Variant>> variantsWithout(Set<ServiceKey> left) {
        Map<String, List<Variant>> rest = new LinkedHashMap<>();
        for (ServiceKey key : keys()) {
            if (!left.contains(key)) {
                rest.computeIfAbsent(key.service(), service -> new ArrayList<>())
                        .add(new Variant(key.version(), key.group()));
            }
        }
        return rest;
    }

    /** Each service in each of its variants. */
    Set<ServiceKey> keys() {
        Set<ServiceKey> keys = new LinkedHashSet<>();
        variants.forEach((service, each) ->
                each.forEach(variant -> keys.add(new ServiceKey(service, variant.version(), variant.group()))));
        return keys;
    }

    /**
     * The method in the version and group that its calls go to: those that it names, or the first that it may mean, see
     * {@link Variant#isAskedForBy}; one that the provider exports before the others.
     *
     * @throws CallException SERVICE_NOT_FOUND or METHOD_NOT_FOUND if none is served
     */
    public MethodName resolve(MethodName name) throws CallException {
        List<Variant> served = variants.get(name.service());
        if (served == null) {
            throw new CallException(
                    Outcome.SERVICE_NOT_FOUND, "service " + cut(name.service()) + " is not served by this agent");
        }
        for (List<Variant> variants : List.of(exported.getOrDefault(name.service(), List.of()), served)) {
            for (Variant variant : variants) {
                if (variant.isAskedForBy(name.version(), name.group())) {
                    return new MethodName(
                            name.service(), name.method(), name.descriptor(), variant.version(), variant.group());
                }
            }
        }
        throw new CallException(
                Outcome.METHOD_NOT_FOUND,
                "service " + name.service() + " is not served in version \"" + cut(name.version()) + "\" and group \""
                        + cut(name.group()) + "\" (served: " + Variant.list(served) + ')');
    }

    /** Peers choose these names, which may be 64 KiB long, too long for a problem document. */
    private static String cut(String text) {
        return text.length() <= 256 ? text : text.substring(0, 256) + "...";
    }
}
