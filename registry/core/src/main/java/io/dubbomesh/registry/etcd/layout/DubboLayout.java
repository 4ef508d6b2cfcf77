package io.dubbomesh.registry.etcd.layout;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.dubbo.DubboUrl;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.registry.thread.Surplus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The layout of Dubbo's own registry in etcd (2.7, and the extensions of 3), as written by
 * <pre>
 *   /dubbo/{interface}/providers/{URL}           providers by interface, the URL percent-encoded
 *   /dubbo/{interface}/configurators/{URL}       overrides
 *   /dubbo/config/dubbo/{key}                    rules and overrides of the configuration centre, in the value
 *   /services/{application}/{host}:{port}        providers by instance, in the value
 * </pre>
 * Other values are ids of leases or times, which are not read.
 */
public final class DubboLayout implements EtcdLayout {
    private static final String PROVIDERS = "providers";
    private static final String OVERRIDES = "configurators";
    public static final int MAX_OVERRIDES = 65_536;
    /** The most characters of all URLs of overrides, which are kept as they are. */
    public static final int MAX_OVERRIDE_CHARACTERS = 8 << 20;
    /** Enough for the longest URL that is read, and what stands before it. */
    private static final int MAX_KEY_LENGTH = DubboUrl.MAX_LENGTH + 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final String root;
    private final String rules;
    private final long graceNs;
    private final DubboProviders providers;
    /** Null where the root of the registry is that of the instances too, so that one cannot be told from the other. */
    private final InstanceKeys instances;
    /**
     * Their URLs by service, also of services without providers; in order, since no more than so many of a service
     * count.
     */
    private final Map<String, Set<String>> overrides = new HashMap<>();

    private final Surplus surplus = new Surplus();
    private int overrideCount;
    private int overrideCharacters;
    private final LogLimit logLimit = new LogLimit(1);
    /** The keys of an etcd that lost its data, until the others are given up; null if it did not. */
    private Set<String> remaining;

    private long giveUpNs;

    /**
     * @param root     of the registry, a slash at both ends
     * @param metadata where the metadata of instances is looked for
     * @param consumer whose calls rules of consumers concern; empty for none of that name
     * @param wake     is run by any thread when {@link #ask} is to be called soon
     */
    public DubboLayout(String root, long graceNs, MetadataSource metadata, String consumer, Runnable wake) {
        this.providers = new DubboProviders(consumer);
        this.root = root;
        this.rules = root + "config/dubbo/";
        this.graceNs = graceNs;
        this.instances = root.startsWith(InstanceKeys.ROOT) ? null : new InstanceKeys(providers, metadata, wake);
    }

    /** Sets what {@link Registry#prefer} says; to be called before anything is read. */
    public DubboLayout prefer(EndpointProtocol protocol) {
        providers.prefer(protocol);
        return this;
    }

    private record Key(String service, String category, String url) {}

    /** Returns null for a key that is neither one of a provider nor of an override. */
    private Key parse(String key) {
        int service = root.length();
        int category = key.indexOf('/', service);
        int url = category < 0 ? -1 : key.indexOf('/', category + 1);
        if (!key.startsWith(root) || url < 0) {
            return null;
        }
        String name = key.substring(category + 1, url);
        if (!name.equals(PROVIDERS) && !name.equals(OVERRIDES)) {
            return null;
        }
        try {
            return new Key(URLDecoder.decode(key.substring(service, category), UTF_8), name, key.substring(url + 1));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private boolean isInstance(String text) {
        return instances != null && text.startsWith(InstanceKeys.ROOT);
    }

    /** Returns the key of a rule in the configuration centre; null if it is none. */
    private String rule(String text) {
        String key = text.startsWith(rules) ? text.substring(rules.length()) : "";
        return DubboProviders.isDocument(key) && key.indexOf('/') < 0 ? key : null;
    }

    @Override
    public List<String> roots() {
        return instances == null ? List.of(root) : List.of(root, InstanceKeys.ROOT);
    }

    @Override
    public List<EtcdRange> ranges() {
        List<EtcdRange> ranges = new ArrayList<>();
        ranges.add(new EtcdRange(root.getBytes(UTF_8), rules.getBytes(UTF_8), true));
        ranges.add(EtcdRange.of(rules, false));
        ranges.add(new EtcdRange(EtcdRange.endOf(rules), EtcdRange.endOf(root), true));
        if (instances != null) {
            ranges.add(EtcdRange.of(InstanceKeys.ROOT, false));
        }
        return ranges;
    }

    @Override
    public boolean put(String text, byte[] value, long nowNs) {
        if (text.length() > MAX_KEY_LENGTH) {
            if (logLimit.tryLog(nowNs)) {
                // Without the key, which may hold a token.
                LOG.warn(
                        "key {} ignored: {}",
                        isInstance(text) ? InstanceKeys.ROOT + "..." : root + "...",
                        text.length() + " characters (expected: at most " + MAX_KEY_LENGTH + ")");
            }
            return false;
        }
        boolean taken = isInstance(text) ? instances.put(text, value, nowNs) : putBelowRoot(text, value, nowNs);
        if (taken && remaining != null) {
            remaining.add(text);
        }
        return taken;
    }

    private boolean putBelowRoot(String text, byte[] value, long nowNs) {
        String rule = rule(text);
        if (rule != null) {
            providers.putDocument(rule, new String(value, UTF_8), nowNs);
            return true;
        }
        Key key = parse(text);
        if (key == null) {
            return false;
        }
        if (key.category().equals(OVERRIDES)) {
            putOverride(key, nowNs);
        } else {
            boolean known = providers.isKnown(key.service());
            providers.put(key.service(), key.url(), nowNs);
            if (!known && overrides.containsKey(key.service())) {
                providers.putOverrides(key.service(), overrides.get(key.service()), nowNs);
            }
        }
        return true;
    }

    private void putOverride(Key key, long nowNs) {
        if (overrideCount >= MAX_OVERRIDES || overrideCharacters + key.url().length() > MAX_OVERRIDE_CHARACTERS) {
            surplus.markIgnored();
            return;
        }
        Set<String> ofService = overrides.computeIfAbsent(key.service(), service -> new TreeSet<>());
        if (ofService.add(key.url())) {
            overrideCount++;
            overrideCharacters += key.url().length();
            providers.putOverrides(key.service(), ofService, nowNs);
        }
    }

    @Override
    public void delete(String text, long nowNs) {
        if (isInstance(text)) {
            instances.delete(text, nowNs);
        } else if (rule(text) != null) {
            providers.removeDocument(rule(text));
        } else {
            deleteUrl(parse(text), nowNs);
        }
        if (remaining != null) {
            remaining.remove(text);
        }
    }

    /** @param key null for one that means nothing */
    private void deleteUrl(Key key, long nowNs) {
        if (key != null && key.category().equals(OVERRIDES)) {
            deleteOverride(key, nowNs);
        } else if (key != null) {
            providers.remove(key.service(), key.url(), nowNs);
        }
    }

    private void deleteOverride(Key key, long nowNs) {
        Set<String> ofService = overrides.get(key.service());
        if (ofService != null && ofService.remove(key.url())) {
            overrideCount--;
            surplus.freed();
            overrideCharacters -= key.url().length();
            providers.putOverrides(key.service(), ofService, nowNs);
            if (ofService.isEmpty()) {
                overrides.remove(key.service());
            }
        }
    }

    @Override
    public void retain(Set<String> keys, long nowNs) {
        if (remaining != null && nowNs - giveUpNs < 0) {
            // Read anew after a loss that is not over: what is missing still has its time to be put again.
            remaining = new HashSet<>(keys);
            return;
        }
        remaining = null;
        retainOnly(keys, nowNs);
    }

    private void retainOnly(Set<String> keys, long nowNs) {
        providers.retainDocuments(
                keys.stream().map(this::rule).filter(Objects::nonNull).toList());
        if (instances != null) {
            instances.retain(keys);
        }
        Map<String, Set<String>> urls = byService(keys, PROVIDERS);
        List<String> services = new ArrayList<>(providers.services());
        services.forEach(service -> providers.retain(service, urls.getOrDefault(service, Set.of())));
        Map<String, Set<String>> kept = byService(keys, OVERRIDES);
        for (String service : List.copyOf(overrides.keySet())) {
            for (String url : List.copyOf(overrides.get(service))) {
                if (!kept.getOrDefault(service, Set.of()).contains(url)) {
                    deleteOverride(new Key(service, OVERRIDES, url), nowNs);
                }
            }
        }
    }

    private Map<String, Set<String>> byService(Set<String> keys, String category) {
        Map<String, Set<String>> urls = new HashMap<>();
        for (String text : keys) {
            Key key = isInstance(text) || rule(text) != null ? null : parse(text);
            if (key != null && key.category().equals(category)) {
                urls.computeIfAbsent(key.service(), service -> new HashSet<>()).add(key.url());
            }
        }
        return urls;
    }

    @Override
    public void markSuspect(Set<String> keys, long nowNs) {
        remaining = new HashSet<>(keys);
        giveUpNs = nowNs + graceNs;
    }

    @Override
    public boolean pollRoom() {
        boolean ofOverrides = surplus.pollRoom();
        boolean ofInstances = instances != null && instances.pollRoom();
        return providers.pollRoom() || ofOverrides || ofInstances;
    }

    @Override
    public void ask(long nowNs) {
        if (instances != null) {
            instances.ask(nowNs);
        }
    }

    @Override
    public boolean isFirstAnswerAwaited() {
        return instances != null && instances.isFirstAnswerAwaited();
    }

    @Override
    public void expire(long nowNs) {
        if (remaining != null && nowNs - giveUpNs >= 0) {
            retainOnly(remaining, nowNs);
            remaining = null;
        }
        providers.expire(nowNs);
    }

    @Override
    public boolean hasChanged() {
        return providers.hasChanged();
    }

    @Override
    public Directory directory() {
        return providers.directory();
    }
}
