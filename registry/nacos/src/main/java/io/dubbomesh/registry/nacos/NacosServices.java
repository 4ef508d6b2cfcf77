package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.naming.pojo.Instance;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.DubboInstance;
import io.dubbomesh.registry.dubbo.DubboInstances;
import io.dubbomesh.registry.dubbo.DubboProvider;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.dubbo.DubboUrl;
import io.dubbomesh.registry.metadata.MetadataSource;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The services of Nacos that Dubbo providers registered, and the directory made of their instances. By interface, the
 * name of such a service is {@code providers:{interface}:{version}:{group}}, in older providers without the colons
 * beside what is empty, and an instance has the parameters of the provider's URL as its metadata, {@code protocol} and
 * {@code path} included. By instance, the name is that of the application. Belongs to one thread.
 */
final class NacosServices {
    private static final String PROVIDERS = "providers:";
    /** The prefixes of what Dubbo registers beside the providers. */
    private static final List<String> OTHERS = List.of("consumers:", "routers:", "configurators:");

    private static final int MAX_NAMES = 65_536;

    private final DubboProviders providers;
    private final DubboInstances byInstance;
    /** The keys of the instances by the name of their service. */
    private final Map<String, Set<String>> keys = new HashMap<>();

    /**
     * @param centre where the metadata of instances is looked for first
     * @param others where it is looked for then
     * @param consumer whose calls rules of consumers concern; empty for none of that name
     * @param wake   is run by any thread when {@link #ask} is to be called soon
     */
    NacosServices(MetadataSource centre, MetadataSource others, String consumer, Runnable wake) {
        providers = new DubboProviders(consumer);
        byInstance = new DubboInstances(providers, centre, others, wake);
    }

    void prefer(EndpointProtocol protocol) {
        providers.prefer(protocol);
    }

    /** Returns whether Dubbo's providers may register services of such a name, and there is room for one more. */
    boolean isWanted(String name) {
        boolean wanted = isInterface(name)
                ? !interfaceOf(name).isEmpty()
                : OTHERS.stream().noneMatch(name::startsWith);
        return wanted && keys.size() < MAX_NAMES;
    }

    private static boolean isInterface(String name) {
        return name.startsWith(PROVIDERS);
    }

    private static String interfaceOf(String name) {
        int end = name.indexOf(':', PROVIDERS.length());
        return name.substring(PROVIDERS.length(), end < 0 ? name.length() : end);
    }

    /**
     * Sets all instances of a service.
     *
     * @param keepMissing whether those that are not among them stay, until {@link #lapseOthers}; otherwise they have
     *     deregistered
     */
    void set(String name, List<Instance> instances, boolean keepMissing, long nowNs) {
        Set<String> present = isInterface(name) ? putProviders(name, instances, nowNs) : putInstances(name, instances);
        Set<String> before = keys.put(name, present);
        if (before == null) {
            return;
        }
        if (keepMissing) {
            present.addAll(before);
            return;
        }
        for (String key : before) {
            if (present.contains(key)) {
                continue;
            }
            if (isInterface(name)) {
                providers.remove(interfaceOf(name), key, nowNs);
            } else {
                byInstance.remove(key, nowNs);
            }
        }
    }

    /** Returns the keys of those that are of Dubbo's: others register in Nacos, too. */
    private Set<String> putInstances(String name, List<Instance> instances) {
        Map<String, DubboInstance> read = new LinkedHashMap<>();
        for (Instance each : instances) {
            DubboInstance instance =
                    new DubboInstance(name, each.getIp(), each.getPort(), each.isEnabled(), metadata(each));
            if (!instance.revision().isEmpty()) {
                read.put(key(name, each), instance);
            }
        }
        read.forEach(byInstance::put);
        return new HashSet<>(read.keySet());
    }

    private Set<String> putProviders(String name, List<Instance> instances, long nowNs) {
        String service = interfaceOf(name);
        // All are read first: an instance that cannot be read changes nothing.
        Map<String, DubboUrl> urls = new LinkedHashMap<>();
        for (Instance instance : instances) {
            urls.put(key(name, instance), url(service, instance));
        }
        providers.addService(service);
        urls.forEach((key, url) -> providers.put(service, key, url, "", nowNs));
        return new HashSet<>(urls.keySet());
    }

    /**
     * Removes the instances of a service that are not among these: it was not seen when and why they ended, which says
     * nothing about whether they serve.
     */
    void lapseOthers(String name, List<Instance> instances) {
        Set<String> present = new HashSet<>();
        instances.forEach(instance -> present.add(key(name, instance)));
        Set<String> before = keys.put(name, present);
        if (before != null) {
            before.stream().filter(key -> !present.contains(key)).forEach(key -> lapse(name, key));
        }
    }

    private void lapse(String name, String key) {
        if (isInterface(name)) {
            providers.lapse(interfaceOf(name), key);
        } else {
            byInstance.lapse(key);
        }
    }

    private static String key(String name, Instance instance) {
        return name + '@' + instance.getIp() + ':' + instance.getPort();
    }

    private static DubboUrl url(String service, Instance instance) {
        Map<String, String> parameters = metadata(instance);
        String protocol = parameters.getOrDefault("protocol", "dubbo");
        String path = parameters.getOrDefault("path", service);
        if (!instance.isEnabled()) {
            // Taken out by hand, in Nacos' console.
            parameters.put("disabled", "true");
        }
        return new DubboUrl(protocol, instance.getIp(), instance.getPort(), path, parameters);
    }

    private static Map<String, String> metadata(Instance instance) {
        Map<String, String> metadata = new HashMap<>();
        instance.getMetadata().forEach((key, value) -> {
            if (value != null) {
                metadata.put(key, value);
            }
        });
        if (!instance.isHealthy()) {
            metadata.put(DubboProvider.UNHEALTHY, "true");
        }
        return metadata;
    }

    /** Sets what stands under the key of a rule; null for nothing. */
    void setRule(String key, String text, long nowNs) {
        if (text == null) {
            providers.removeDocument(key);
        } else {
            providers.putDocument(key, text, nowNs);
        }
    }

    /** Asks for the metadata of instances that were set since the last call. */
    void ask(long nowNs) {
        byInstance.ask(nowNs);
    }

    /** Asks again for all whose metadata was not found. */
    void askAgain(long nowNs) {
        byInstance.askAgain(nowNs);
    }

    /** Returns whether more may be known in a moment of what was set first. */
    boolean isFirstAnswerAwaited() {
        return byInstance.isFirstAnswerAwaited();
    }

    /** Removes a service that Nacos does not know any more. */
    void remove(String name, long nowNs) {
        set(name, List.of(), false, nowNs);
        keys.remove(name);
    }

    /** Returns whether all instances and rules are to be set again, since those that were ignored may have room now. */
    boolean pollRoom() {
        boolean ofInstances = byInstance.pollRoom();
        return providers.pollRoom() || ofInstances;
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
