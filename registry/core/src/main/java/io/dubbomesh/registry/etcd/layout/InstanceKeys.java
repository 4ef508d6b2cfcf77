package io.dubbomesh.registry.etcd.layout;

import io.dubbomesh.registry.dubbo.DubboInstance;
import io.dubbomesh.registry.dubbo.DubboInstances;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.metadata.MetadataSource;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The providers that are registered by instance, as Dubbo's registry in etcd does: {@code
 * /services/{application}/{host}:{port}}, with JSON. Belongs to the thread of the watch.
 */
final class InstanceKeys {
    static final String ROOT = "/services/";
    /** The time between two questions for what was not found. */
    private static final long ASK_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

    /** Dubbo writes no metadata of applications into etcd. */
    private static final MetadataSource NOWHERE =
            (application, revision, service) -> CompletableFuture.completedFuture(null);

    private final DubboInstances instances;
    private long askedAgainNs = System.nanoTime();

    /**
     * @param metadata where the metadata of the instances is looked for
     * @param wake     is run by any thread when {@link #ask} is to be called soon
     */
    InstanceKeys(DubboProviders providers, MetadataSource metadata, Runnable wake) {
        instances = new DubboInstances(providers, NOWHERE, metadata, wake);
    }

    /** Returns false if it is none of a provider of Dubbo: others may write below this root, too. */
    boolean put(String key, byte[] value, long nowNs) {
        int slash = key.indexOf('/', ROOT.length());
        if (slash < 0 || key.indexOf('/', slash + 1) >= 0) {
            return false;
        }
        try {
            DubboInstance instance = DubboInstance.ofEtcd(new String(value, UTF_8));
            if (instance == null) {
                instances.remove(key, nowNs);
                return false;
            }
            instances.put(key, instance);
        } catch (RuntimeException e) {
            // No failure of one key may end the reading of all others.
            String reason = e instanceof IllegalArgumentException ? e.getMessage() : e.toString();
            instances.reject(key, reason, "the instance is not listed, or stays as it was");
        }
        return true;
    }

    void delete(String key, long nowNs) {
        instances.remove(key, nowNs);
    }

    void retain(Set<String> keys) {
        for (String key : instances.keys()) {
            if (!keys.contains(key)) {
                instances.lapse(key);
            }
        }
    }

    /** Asks for metadata, and takes answers. */
    void ask(long nowNs) {
        if (nowNs - askedAgainNs >= ASK_AGAIN_NS) {
            askedAgainNs = nowNs;
            instances.askAgain(nowNs);
        } else {
            instances.ask(nowNs);
        }
    }

    /** Returns what {@link DubboInstances#pollRoom} returns. */
    boolean pollRoom() {
        return instances.pollRoom();
    }

    boolean isFirstAnswerAwaited() {
        return instances.isFirstAnswerAwaited();
    }
}
