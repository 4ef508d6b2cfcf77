package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.naming.NamingService;
import com.alibaba.nacos.api.naming.listener.EventListener;
import com.alibaba.nacos.api.naming.listener.NamingEvent;
import com.alibaba.nacos.api.naming.pojo.Instance;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** The names of services whose instances Nacos pushes. Owned by the thread of a {@link NacosWatch}. */
final class NacosSubscriptions {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    /** The state of a server to which the client has no connection. */
    private static final String AWAY = "DOWN";

    private final NacosUri uri;
    private final NacosServices services;
    private final BiConsumer<String, List<Instance>> pushed;
    private final Map<String, Subscription> subscriptions = new HashMap<>();
    /** The log says that services cannot be subscribed to. */
    private boolean refusalLogged;

    private static final class Subscription {
        final EventListener listener;
        /**
         * The time at which a list first had the name no more; null while it has it. While there are no lists, nothing
         * is missing. While there are no lists, nothing is missing.
         */
        Long missingSinceNs;
        /**
         * The instances that were pushed last while the missing were kept, which are to be removed later; null if none
         * were.
         */
        List<Instance> pendingInstances;

        Subscription(EventListener listener) {
            this.listener = listener;
        }
    }

    /**
     * @param services that get the instances
     * @param pushed gets what Nacos pushes of a name, on a thread of its client; to call {@link #apply} on the owner's
     */
    NacosSubscriptions(NacosUri uri, NacosServices services, BiConsumer<String, List<Instance>> pushed) {
        this.uri = uri;
        this.services = services;
        this.pushed = pushed;
    }

    int count() {
        return subscriptions.size();
    }

    /**
     * Subscribes to the wanted ones of these names. One name that Nacos refuses hides no other.
     *
     * @param isClosed whether the first failure ends it
     * @throws Exception of the client, if Nacos refuses all names or is away
     */
    void add(NamingService naming, Set<String> names, BooleanSupplier isClosed) throws Exception {
        String refused = null;
        Exception reason = null;
        int others = -1;
        for (String name : names) {
            if (subscriptions.containsKey(name) || !services.isWanted(name)) {
                continue;
            }
            try {
                subscribe(naming, name);
            } catch (NacosException | RuntimeException e) {
                if (isClosed.getAsBoolean() || AWAY.equals(naming.getServerStatus())) {
                    throw e;
                }
                refused = refused == null ? name : refused;
                reason = reason == null ? e : reason;
                others++;
            }
        }
        if (refused != null && subscriptions.isEmpty()) {
            throw reason;
        }
        if (refused != null && !refusalLogged) {
            LOG.warn(
                    "registry {}: service {} cannot be subscribed to: {}; nor can {} others, which are tried again",
                    uri,
                    PrintableText.brief(refused),
                    NacosWatch.text(reason),
                    others);
        }
        refusalLogged = refused != null;
    }

    private void subscribe(NamingService naming, String name) throws NacosException {
        EventListener listener = event -> {
            if (event instanceof NamingEvent change) {
                pushed.accept(name, List.copyOf(change.getInstances()));
            }
        };
        naming.subscribe(name, uri.group(), listener);
        try {
            services.set(name, naming.getAllInstances(name, uri.group(), true), false, System.nanoTime());
        } catch (NacosException | RuntimeException e) {
            unsubscribe(naming, name, listener);
            throw e;
        }
        subscriptions.put(name, new Subscription(listener));
    }

    private void unsubscribe(NamingService naming, String name, EventListener listener) {
        try {
            naming.unsubscribe(name, uri.group(), listener);
        } catch (NacosException | RuntimeException e) {
            // What it still pushes is ignored.
            LOG.debug("registry {}: {} not unsubscribed", uri, name, e);
        }
    }

    /** Ends those that lists have not had for so long. */
    void removeMissing(NamingService naming, Set<String> names, long giveUpNs, long nowNs) {
        for (Map.Entry<String, Subscription> entry : List.copyOf(subscriptions.entrySet())) {
            String name = entry.getKey();
            Subscription subscription = entry.getValue();
            if (names.contains(name)) {
                subscription.missingSinceNs = null;
            } else if (subscription.missingSinceNs == null) {
                subscription.missingSinceNs = nowNs;
            } else if (nowNs - subscription.missingSinceNs >= giveUpNs) {
                subscriptions.remove(name);
                services.remove(name, nowNs);
                unsubscribe(naming, name, subscription.listener);
            }
        }
    }

    /**
     * Takes what was pushed, and, if {@code keepMissing}, keeps the instances that are not among it until
     * {@link #lapseMissing}.
     */
    void apply(String name, List<Instance> instances, boolean keepMissing, long nowNs) {
        Subscription subscription = subscriptions.get(name);
        if (subscription == null) {
            return;
        }
        try {
            services.set(name, instances, keepMissing, nowNs);
            subscription.pendingInstances = keepMissing ? instances : null;
        } catch (RuntimeException e) {
            LOG.warn(
                    "registry {}: what was pushed of {} is ignored: {}",
                    uri,
                    PrintableText.brief(name),
                    PrintableText.brief(e.toString()),
                    e);
        }
    }

    /** Takes everything again as the client knows it. */
    void readAgain(NamingService naming, boolean keepMissing, long nowNs) throws NacosException {
        for (String name : List.copyOf(subscriptions.keySet())) {
            apply(name, naming.getAllInstances(name, uri.group(), true), keepMissing, nowNs);
        }
    }

    void lapseMissing() {
        subscriptions.forEach((name, subscription) -> {
            if (subscription.pendingInstances != null) {
                services.lapseOthers(name, subscription.pendingInstances);
                subscription.pendingInstances = null;
            }
        });
    }
}
