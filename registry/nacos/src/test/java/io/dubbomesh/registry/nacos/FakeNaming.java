package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.config.listener.Listener;
import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.naming.NamingService;
import com.alibaba.nacos.api.naming.listener.EventListener;
import com.alibaba.nacos.api.naming.listener.NamingEvent;
import com.alibaba.nacos.api.naming.pojo.Instance;
import com.alibaba.nacos.api.naming.pojo.ListView;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A client of Nacos with services that tests change. */
final class FakeNaming {
    private static final String GROUP = "DEFAULT_GROUP";

    private final Map<String, List<Instance>> services = new TreeMap<>();
    private final Map<String, EventListener> listeners = new ConcurrentHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Map<String, String> configuration = new HashMap<>();
    private final Map<String, Listener> followed = new ConcurrentHashMap<>();
    private boolean away;
    private boolean endless;

    NamingService client() {
        return (NamingService) Proxy.newProxyInstance(
                NamingService.class.getClassLoader(),
                new Class<?>[] {NamingService.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
    }

    private synchronized Object answer(String method, Object[] arguments) throws NacosException {
        if (method.equals("getServerStatus")) {
            return away ? "DOWN" : "UP";
        }
        if (method.equals("subscribe") && refused.contains(arguments[0])) {
            throw new NacosException(NacosException.NO_RIGHT, "no right");
        }
        if (away) {
            throw new NacosException(NacosException.CLIENT_DISCONNECT, "Client not connected");
        }
        return switch (method) {
            case "getServicesOfServer" -> page((int) arguments[0], (int) arguments[1], (String) arguments[2]);
            case "getAllInstances" -> services.getOrDefault(id(arguments), List.of());
            case "subscribe" -> listeners.put(id(arguments), (EventListener) arguments[2]);
            case "unsubscribe" -> listeners.remove(id(arguments));
            default -> null;
        };
    }

    /** The name of a service, with its group before it if that is not the usual one. */
    private static String id(Object[] arguments) {
        return arguments[1].equals(GROUP) ? (String) arguments[0] : arguments[1] + "@@" + arguments[0];
    }

    private ListView<String> page(int page, int size, String group) {
        List<String> names = services.keySet().stream()
                .filter(id -> id.contains("@@") ? id.startsWith(group + "@@") : group.equals(GROUP))
                .map(id -> id.substring(id.contains("@@") ? id.indexOf("@@") + 2 : 0))
                .toList();
        ListView<String> view = new ListView<>();
        view.setCount(endless ? Integer.MAX_VALUE : names.size());
        view.setData(names.stream()
                .skip(endless ? 0 : (page - 1L) * size)
                .limit(size)
                .toList());
        return view;
    }

    /** Returns a service of configurations that has what {@link #configure} puts there. */
    ConfigService configuration() {
        return (ConfigService) Proxy.newProxyInstance(
                ConfigService.class.getClassLoader(),
                new Class<?>[] {ConfigService.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getConfig" -> config((String) arguments[0], (String) arguments[1]);
                    case "getConfigAndSignListener" ->
                        follow((String) arguments[0], (String) arguments[1], (Listener) arguments[3]);
                    case "removeListener" -> followed.remove(arguments[1] + "@" + arguments[0], arguments[2]);
                    default -> null;
                });
    }

    private synchronized String config(String key, String group) throws NacosException {
        if (away) {
            throw new NacosException(NacosException.CLIENT_DISCONNECT, "Client not connected");
        }
        if (refused.contains(key)) {
            throw new NacosException(NacosException.NO_RIGHT, "no right");
        }
        return configuration.get(group + '@' + key);
    }

    private synchronized String follow(String key, String group, Listener listener) throws NacosException {
        String value = config(key, group);
        followed.put(group + '@' + key, listener);
        return value;
    }

    /** Null deletes it. While Nacos is away listeners are not called. */
    synchronized void configure(String key, String group, String value) {
        configuration.put(group + '@' + key, value);
        tell(group + '@' + key);
    }

    private void tell(String id) {
        Listener listener = followed.get(id);
        if (listener != null && !away) {
            listener.receiveConfigInfo(configuration.get(id));
        }
    }

    /** The groups and keys of the configurations that are followed. */
    Set<String> followed() {
        return followed.keySet();
    }

    synchronized void away(boolean now) {
        away = now;
        // Like the client, which compares all that it follows when it has connected again.
        followed.keySet().forEach(this::tell);
    }

    /** @param name with {@code GROUP@@} before it in another group than the usual one */
    synchronized void set(String name, Instance... instances) {
        services.put(name, List.of(instances));
        EventListener listener = listeners.get(name);
        if (listener != null) {
            listener.onEvent(new NamingEvent(name, List.of(instances)));
        }
    }

    /** Each page of the names is the first, and there are always more. */
    synchronized void listEndlessly() {
        endless = true;
    }

    void refuse(String name, boolean now) {
        if (now) {
            refused.add(name);
        } else {
            refused.remove(name);
        }
    }

    synchronized void forget(String name) {
        services.remove(name);
    }

    Set<String> subscribed() {
        return listeners.keySet();
    }

    /** Returns an instance as applications of Dubbo 3 register. */
    static Instance application(String ip, String revision, String storage) {
        Instance instance = new Instance();
        instance.setIp(ip);
        instance.setPort(20880);
        instance.setMetadata(Map.of(
                "dubbo.metadata.revision",
                revision,
                "dubbo.metadata.storage-type",
                storage,
                "dubbo.endpoints",
                "[{\"port\":20880,\"protocol\":\"dubbo\"}]",
                "dubbo.metadata-service.url-params",
                "{\"port\":\"20880\",\"protocol\":\"dubbo\"}"));
        return instance;
    }

    /** Returns an instance as Dubbo's providers register: with the parameters of their URL. */
    static Instance instance(String ip, String... parameters) {
        Map<String, String> metadata = new HashMap<>(Map.of(
                "protocol",
                "dubbo",
                "path",
                "com.example.Greeter",
                "interface",
                "com.example.Greeter",
                "side",
                "provider",
                "category",
                "providers",
                "application",
                "greeter"));
        for (int i = 0; i < parameters.length; i += 2) {
            metadata.put(parameters[i], parameters[i + 1]);
        }
        Instance instance = new Instance();
        instance.setIp(ip);
        instance.setPort(20880);
        instance.setMetadata(metadata);
        return instance;
    }
}
