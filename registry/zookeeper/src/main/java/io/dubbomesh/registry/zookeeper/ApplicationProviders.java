package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.dubbo.DubboInstance;
import io.dubbomesh.registry.dubbo.DubboInstances;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperSession;
import io.dubbomesh.runtime.PrintableText;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.common.PathUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads what providers register by instance, {@code /services/{application}/{instance}}, and follows it; and the
 * metadata centre there, {@code /dubbo/metadata/{application}/{revision}}. Belongs to the thread of the watch.
 */
final class ApplicationProviders {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationProviders.class);
    /** An answer that was lost with its session never comes. */
    private static final long METADATA_MS = 5_000;

    private final String root;
    private final String metadataRoot;
    private final DubboInstances instances;
    private final UnreadableNodes unreadable = new UnreadableNodes();

    private boolean reportsAll;
    private boolean keepMissing;
    private Reading reading;
    private ZooKeeperSession session;

    /**
     * @param root         of the instances
     * @param metadataRoot of what applications export
     * @param others       where metadata is looked for that is not there
     * @param wake         is run by any thread when {@link #ask} is to be called soon
     */
    ApplicationProviders(
            String root, String metadataRoot, DubboProviders providers, MetadataSource others, Runnable wake) {
        this.root = root;
        this.metadataRoot = metadataRoot;
        this.instances = new DubboInstances(providers, this::readMetadata, others, wake);
    }

    /** Sets what {@link InterfaceProviders#keepMissing} sets there. */
    void keepMissing(boolean keep) {
        keepMissing = keep;
    }

    /** Reads everything, and watches it from now on; {@code reportsAll} as {@link InterfaceProviders} learnt it. */
    void read(ZooKeeperSession by, boolean reportsAllNow) {
        session = by;
        reportsAll = reportsAllNow;
        if (reportsAll) {
            session.watchAll(root, code -> LOG.debug("{}: {}", root, code));
        }
        Reading started = new Reading(unreadable);
        reading = started;
        started.ask();
        session.children(
                root,
                !reportsAll,
                (names, stat) -> {
                    for (String application : names == null ? List.<String>of() : names) {
                        if (!isOther(application)) {
                            readApplication(started, root + '/' + application);
                        }
                    }
                    answered(started);
                },
                code -> failed(started, root, code));
    }

    /** Returns whether the node is none of an application, where interfaces and applications have one root. */
    private boolean isOther(String name) {
        return metadataRoot.startsWith(root + '/') && InterfaceProviders.OTHERS.contains(name);
    }

    private void readApplication(Reading of, String path) {
        of.ask();
        session.children(
                path,
                !reportsAll,
                (ids, stat) -> {
                    for (String id : ids == null ? List.<String>of() : ids) {
                        if (!InterfaceProviders.CATEGORIES.contains(id)) {
                            of.found(path + '/' + id);
                            readInstance(of, path + '/' + id);
                        }
                    }
                    answered(of);
                },
                code -> failed(of, path, code));
    }

    private void readInstance(Reading of, String path) {
        of.ask();
        session.data(
                path,
                !reportsAll,
                bytes -> {
                    if (bytes != null) {
                        take(path, bytes);
                    }
                    answered(of);
                },
                code -> failed(of, path, code));
    }

    private void take(String path, byte[] bytes) {
        try {
            DubboInstance instance = DubboInstance.parse(new String(bytes, UTF_8));
            if (instance == null) {
                // It has become another program's.
                instances.remove(path, System.nanoTime());
                return;
            }
            checkName("application", instance.application());
            checkName("revision", instance.revision());
            instances.put(path, instance);
        } catch (IllegalArgumentException e) {
            instances.reject(path, e.getMessage(), "the instance is not listed, or stays as it was");
        }
    }

    /** The client throws if it is asked for a path that cannot be. */
    private static void checkName(String what, String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    what + ": " + PrintableText.brief(name) + " (expected: the name of a node)");
        }
        PathUtils.validatePath('/' + name);
    }

    private CompletableFuture<String> readMetadata(
            String application, String revision, MetadataServiceAddress service) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        session.data(
                metadataRoot + '/' + application + '/' + revision,
                false,
                bytes -> answer.complete(bytes == null || bytes.length == 0 ? null : new String(bytes, UTF_8)),
                code -> answer.completeExceptionally(new IOException("ZooKeeper answered " + code)));
        return answer.orTimeout(METADATA_MS, TimeUnit.MILLISECONDS);
    }

    private void failed(Reading of, String path, KeeperException.Code code) {
        if (code == KeeperException.Code.NOAUTH) {
            // A user who might read it before: what is known is no less true.
            instances.keys().stream()
                    .filter(known -> known.startsWith(path + '/'))
                    .forEach(of::found);
        }
        of.failed(path, code);
        end(of);
    }

    private void answered(Reading of) {
        of.answered();
        end(of);
    }

    private void end(Reading of) {
        if (of == reading && of.isComplete() && !keepMissing) {
            for (String path : instances.keys()) {
                if (!of.hasFound(path)) {
                    instances.lapse(path);
                }
            }
        }
    }

    /** Asks for the metadata of what was read. Most providers register by interface too, which is to be read before. */
    void ask(long nowNs) {
        instances.ask(nowNs);
    }

    /** Asks again for all that was not found before. */
    void askAgain(long nowNs) {
        instances.askAgain(nowNs);
    }

    /** Returns what {@link DubboInstances#pollRoom} returns. */
    boolean pollRoom() {
        return instances.pollRoom();
    }

    boolean isFirstAnswerAwaited() {
        return instances.isFirstAnswerAwaited();
    }

    boolean isRead() {
        return reading != null && reading.isComplete();
    }

    boolean hasFailed() {
        return reading != null && reading.hasFailed();
    }

    /** Takes a change that ZooKeeper reports. */
    void changed(WatchedEvent event) {
        String path = event.getPath();
        if (!path.startsWith(root + '/') && !path.equals(root)) {
            return;
        }
        String[] names = path.substring(root.length()).split("/", -1);
        int depth = names.length - 1;
        if (depth >= 1 && isOther(names[1]) || depth >= 2 && InterfaceProviders.CATEGORIES.contains(names[2])) {
            return;
        }
        if (depth == 2 && event.getType() == Watcher.Event.EventType.NodeDeleted) {
            instances.remove(path, System.nanoTime());
        } else if (depth == 2) {
            if (reading != null) {
                // It may be newer than the names that are being read.
                reading.found(path);
            }
            readInstance(new Reading(unreadable), path);
        } else if (!reportsAll) {
            read(session, false);
        }
    }
}
