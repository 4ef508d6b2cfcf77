package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.naming.pojo.Instance;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.dubbo.DubboUrl;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The services of Nacos that Dubbo providers registered by interface, and the directory made of their instances. The name of such a service is
 * {@code providers:{interface}:{version}:{group}}; an instance has the parameters of the provider's URL as its metadata, {@code protocol} and
 * {@code path} included. Belongs to one thread.
 */
final class NacosServices {
    private static final String PROVIDERS = "providers:";
    private static final int MAX_NAMES = 65_536;

    private final DubboProviders providers = new DubboProviders();
    /** The keys of the instances by the name of their service. */
    private final Map<String, Set<String>> keys = new HashMap<>();

    /** Whether Dubbo's providers register services of such a name, and there is room for one more. */
    boolean isWanted(String name) {
        return name.startsWith(PROVIDERS) && !interfaceOf(name).isEmpty() && keys.size() < MAX_NAMES;
    }

    private static String interfaceOf(String name) {
        int end = name.indexOf(':', PROVIDERS.length());
        return name.substring(PROVIDERS.length(), end < 0 ? name.length() : end);
    }

    /**
     * Sets all instances of a service.
     *
     * @param keepMissing whether those that are not among them stay, until {@link #lapseOthers}; otherwise they have deregistered
     */
    void set(String name, List<Instance> instances, boolean keepMissing, long nowNs) {
        String service = interfaceOf(name);
        // All are read first: an instance that cannot be read changes nothing.
        Map<String, DubboUrl> urls = new LinkedHashMap<>();
        for (Instance instance : instances) {
            urls.put(key(name, instance), url(service, instance));
        }
        providers.addService(service);
        urls.forEach((key, url) -> providers.put(service, key, url, "", nowNs));
        Set<String> before = keys.put(name, new HashSet<>(urls.keySet()));
        if (before == null) {
            return;
        }
        if (keepMissing) {
            keys.get(name).addAll(before);
            return;
        }
        before.stream().filter(key -> !urls.containsKey(key)).forEach(key -> providers.remove(service, key, nowNs));
    }

    /** Removes the instances of a service that are not among these: nobody saw when and why they ended, which says nothing about whether they serve. */
    void lapseOthers(String name, List<Instance> instances) {
        Set<String> present = new HashSet<>();
        instances.forEach(instance -> present.add(key(name, instance)));
        Set<String> before = keys.put(name, present);
        if (before != null) {
            before.stream()
                    .filter(key -> !present.contains(key))
                    .forEach(key -> providers.lapse(interfaceOf(name), key));
        }
    }

    private static String key(String name, Instance instance) {
        return name + '@' + instance.getIp() + ':' + instance.getPort();
    }

    private static DubboUrl url(String service, Instance instance) {
        Map<String, String> parameters = new HashMap<>();
        instance.getMetadata().forEach((key, value) -> {
            if (value != null) {
                parameters.put(key, value);
            }
        });
        String protocol = parameters.getOrDefault("protocol", "dubbo");
        String path = parameters.getOrDefault("path", service);
        if (!instance.isEnabled()) {
            // Taken out by hand, in Nacos' console.
            parameters.put("disabled", "true");
        }
        return new DubboUrl(protocol, instance.getIp(), instance.getPort(), path, parameters);
    }

    /** Removes a service that Nacos does not know any more. */
    void remove(String name, long nowNs) {
        set(name, List.of(), false, nowNs);
        keys.remove(name);
    }

    void expire(long nowNs) {
        providers.expire(nowNs);
    }

    boolean hasChanged() {
        return providers.hasChanged();
    }

    Directory directory() {
        return providers.directory();
    }
}
