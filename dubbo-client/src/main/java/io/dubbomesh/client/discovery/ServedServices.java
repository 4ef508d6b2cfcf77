package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Variant;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The services that this agent forwards to and registers; immutable. */
public final class ServedServices {
    private static final Pattern MILLISECONDS = Pattern.compile("[1-9][0-9]{0,8}");
    private static final Pattern PATH = Pattern.compile("[^\\s:=,?#]{1,512}");

    private final Map<String, List<Variant>> variants;
    /** The exported variants by interface; calls go to these before the others. */
    private final Map<String, List<Variant>> exported;
    /** The paths of services that the provider exports under another name than that of their interface. */
    private final Map<ServiceKey, String> paths;
    /** The timeouts by interface and variant, of those that have any. */
    private final Map<String, Map<Variant, Map<String, String>>> timeouts;

    private ServedServices(
            Map<String, List<Variant>> variants,
            Map<String, List<Variant>> exported,
            Map<ServiceKey, String> paths,
            Map<String, Map<Variant, Map<String, String>>> timeouts) {
        this.variants = variants;
        this.exported = exported;
        this.paths = paths;
        this.timeouts = timeouts;
    }

    /**
     * Reads {@code interface[:version[:group]][=path][?timeout=ms&method.timeout=ms]} entries.
     *
     * @throws IllegalArgumentException naming the entry that is wrong
     */
    public static ServedServices parse(List<String> entries) {
        Map<String, List<Variant>> variants = new LinkedHashMap<>();
        Map<ServiceKey, String> paths = new HashMap<>();
        Map<String, Map<Variant, Map<String, String>>> timeouts = new HashMap<>();
        for (String entry : entries) {
            String[] parts = entry.split("\\?", 2);
            int equals = parts[0].indexOf('=');
            ServiceKey key = ServiceKey.parse(
                    equals < 0 ? parts[0] : parts[0].substring(0, equals).strip());
            if (equals >= 0) {
                paths.put(key, path(entry, parts[0].substring(equals + 1).strip()));
            }
            if (key.version().equals(Variant.ANY) || key.group().equals(Variant.ANY)) {
                throw new IllegalArgumentException(entry + " (expected: one version and group; * is for clients)");
            }
            Variant variant = new Variant(key.version(), key.group());
            List<Variant> known = variants.computeIfAbsent(key.service(), service -> new ArrayList<>());
            if (!known.contains(variant)) {
                known.add(variant);
            }
            if (parts.length > 1) {
                timeouts.computeIfAbsent(key.service(), service -> new HashMap<>())
                        .put(variant, timeouts(entry, parts[1]));
            }
        }
        return new ServedServices(variants, Map.of(), Map.copyOf(paths), Map.copyOf(timeouts));
    }

    private static Map<String, String> timeouts(String entry, String written) {
        Map<String, String> timeouts = new HashMap<>();
        for (String parameter : written.split("&")) {
            String[] parts = parameter.strip().split("=", 2);
            if (parts.length < 2
                    || !DubboExport.isTimeout(parts[0])
                    || !MILLISECONDS.matcher(parts[1]).matches()) {
                throw new IllegalArgumentException(
                        entry
                                + " (expected: time-outs in milliseconds behind the question mark, as timeout=15000&slow.timeout=20000)");
            }
            timeouts.put(parts[0], parts[1]);
        }
        return timeouts;
    }

    private static String path(String entry, String written) {
        String path = written.startsWith("/") ? written.substring(1) : written;
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException(
                    entry
                            + " (expected: a path behind the equals sign, as shop/greeter: contextpath and path of the provider)");
        }
        return path;
    }

    /** Makes what a provider exports. */
    public static ServedServices of(Map<String, List<Variant>> exported) {
        return new ServedServices(Map.copyOf(exported), Map.of(), Map.of(), Map.of());
    }

    /** Returns variants by interface, in the order of their names. */
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

    /** Returns these services with those that the provider exports, by interface. */
    public ServedServices exporting(Map<String, List<Variant>> nowExported) {
        return new ServedServices(variants, nowExported, paths, timeouts);
    }

    /** Returns the variants by interface. */
    public Map<String, List<Variant>> variants() {
        return variants;
    }

    /**
     * Returns the timeouts of calls, by interface and variant, where an entry has them; named as Dubbo's parameters
     * are.
     */
    public Map<String, Map<Variant, Map<String, String>>> timeouts() {
        return timeouts;
    }

    /** Returns the name under which the provider exports a service; null if that is its interface. */
    public String path(String service, String version, String group) {
        return paths.isEmpty() ? null : paths.get(new ServiceKey(service, version, group));
    }

    /** Returns the variants by interface, without these services. */
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

    /** Returns each service in each of its variants. */
    Set<ServiceKey> keys() {
        Set<ServiceKey> keys = new LinkedHashSet<>();
        variants.forEach((service, each) ->
                each.forEach(variant -> keys.add(new ServiceKey(service, variant.version(), variant.group()))));
        return keys;
    }

    /**
     * Returns the method in the version and group that its calls go to: those that it names, or the first that it may
     * mean, see {@link Variant#isAskedForBy}; one that the provider exports before the others.
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

    /** Cuts a name: peers choose these names, which may be 64 KiB long, too long for a problem document. */
    private static String cut(String text) {
        return text.length() <= 256 ? text : text.substring(0, 256) + "...";
    }
}
