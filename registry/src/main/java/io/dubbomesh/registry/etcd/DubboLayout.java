package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.dubbo.DubboProviders;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * That of Dubbo's own registry in etcd (2.7, and the extensions of 3): {@code /dubbo/{interface}/providers/{URL}} and
 * {@code /dubbo/{interface}/configurators/{URL}}, with the URL percent-encoded. Values are ids of leases or times, which nobody reads.
 */
final class DubboLayout implements EtcdLayout {
    private static final String PROVIDERS = "providers";
    private static final String OVERRIDES = "configurators";
    static final int MAX_OVERRIDES = 65_536;

    private final String root;
    private final long graceNs;
    private final DubboProviders providers = new DubboProviders();
    /** Their URLs by service, also of services without providers; in order, since no more than so many of a service count. */
    private final Map<String, Set<String>> overrides = new HashMap<>();

    private int overrideCount;
    /** The keys of an etcd that lost its data, until the others are given up; null if it did not. */
    private Set<String> remaining;

    private long giveUpNs;

    /** @param root a slash at both ends */
    DubboLayout(String root, long graceNs) {
        this.root = root;
        this.graceNs = graceNs;
    }

    private record Key(String service, String category, String url) {}

    /** Null for a key that is neither one of a provider nor of an override. */
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

    @Override
    public String root() {
        return root;
    }

    @Override
    public boolean keysOnly() {
        return true;
    }

    @Override
    public boolean put(String text, byte[] value, long nowNs) {
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
        if (remaining != null) {
            remaining.add(text);
        }
        return true;
    }

    private void putOverride(Key key, long nowNs) {
        if (overrideCount >= MAX_OVERRIDES) {
            return;
        }
        Set<String> ofService = overrides.computeIfAbsent(key.service(), service -> new TreeSet<>());
        if (ofService.add(key.url())) {
            overrideCount++;
            providers.putOverrides(key.service(), ofService, nowNs);
        }
    }

    @Override
    public void delete(String text, long nowNs) {
        Key key = parse(text);
        if (key == null) {
            return;
        }
        if (key.category().equals(OVERRIDES)) {
            deleteOverride(key, nowNs);
        } else {
            providers.remove(key.service(), key.url(), nowNs);
        }
        if (remaining != null) {
            remaining.remove(text);
        }
    }

    private void deleteOverride(Key key, long nowNs) {
        Set<String> ofService = overrides.get(key.service());
        if (ofService != null && ofService.remove(key.url())) {
            overrideCount--;
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
            Key key = parse(text);
            if (key.category().equals(category)) {
                urls.computeIfAbsent(key.service(), service -> new HashSet<>()).add(key.url());
            }
        }
        return urls;
    }

    @Override
    public void doubt(Set<String> keys, long nowNs) {
        remaining = new HashSet<>(keys);
        giveUpNs = nowNs + graceNs;
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
