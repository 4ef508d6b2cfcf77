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

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * That of Dubbo's own registry in etcd (2.7, and the extensions of 3): {@code /dubbo/{interface}/providers/{URL}}, with the URL percent-encoded.
 * Values are ids of leases or times, which nobody reads.
 */
final class DubboLayout implements EtcdLayout {
    private static final String PROVIDERS = "providers";

    private final String root;
    private final long graceNs;
    private final DubboProviders providers = new DubboProviders();
    /** The URLs by service of an etcd that lost its data, until the others are given up; null if it did not. */
    private Map<String, Set<String>> remaining;

    private long giveUpNs;

    /** @param root a slash at both ends */
    DubboLayout(String root, long graceNs) {
        this.root = root;
        this.graceNs = graceNs;
    }

    private record Key(String service, String url) {}

    /** Null for a key that is none of a provider. */
    private Key parse(String key) {
        int service = root.length();
        int category = key.indexOf('/', service);
        int url = category < 0 ? -1 : key.indexOf('/', category + 1);
        if (!key.startsWith(root)
                || url < 0
                || !key.substring(category + 1, url).equals(PROVIDERS)) {
            return null;
        }
        try {
            return new Key(URLDecoder.decode(key.substring(service, category), UTF_8), key.substring(url + 1));
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
        providers.put(key.service(), key.url(), nowNs);
        if (remaining != null) {
            remaining.computeIfAbsent(key.service(), service -> new HashSet<>()).add(key.url());
        }
        return true;
    }

    @Override
    public void delete(String text, long nowNs) {
        Key key = parse(text);
        if (key != null) {
            providers.remove(key.service(), key.url(), nowNs);
            if (remaining != null) {
                remaining.getOrDefault(key.service(), new HashSet<>()).remove(key.url());
            }
        }
    }

    @Override
    public void retain(Set<String> keys, long nowNs) {
        if (remaining != null && nowNs - giveUpNs < 0) {
            // Read anew after a loss that is not over: what is missing still has its time to be put again.
            remaining = byService(keys);
            return;
        }
        remaining = null;
        retain(byService(keys));
    }

    private void retain(Map<String, Set<String>> urls) {
        List<String> services = new ArrayList<>(providers.services());
        services.forEach(service -> providers.retain(service, urls.getOrDefault(service, Set.of())));
    }

    private Map<String, Set<String>> byService(Set<String> keys) {
        Map<String, Set<String>> urls = new HashMap<>();
        for (String text : keys) {
            Key key = parse(text);
            urls.computeIfAbsent(key.service(), service -> new HashSet<>()).add(key.url());
        }
        return urls;
    }

    @Override
    public void doubt(Set<String> keys, long nowNs) {
        remaining = byService(keys);
        giveUpNs = nowNs + graceNs;
    }

    @Override
    public void expire(long nowNs) {
        if (remaining != null && nowNs - giveUpNs >= 0) {
            retain(remaining);
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
