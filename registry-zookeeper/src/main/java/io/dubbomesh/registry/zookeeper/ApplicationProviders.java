package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.LogLimit;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.dubbo.DubboInstance;
import io.dubbomesh.registry.dubbo.DubboMetadata;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.dubbo.DubboUrl;
import io.dubbomesh.runtime.PrintableText;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.common.PathUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads what providers register by instance, {@code /services/{application}/{instance}}, with what the applications export,
 * {@code /dubbo/metadata/{application}/{revision}}, and follows it. Belongs to the thread of the watch.
 */
final class ApplicationProviders {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_INSTANCES = 65_536;
    private static final int LINES_PER_MINUTE = 60;
    /** Of the metadata of all revisions, as it is written in ZooKeeper; in memory it is a few times that. */
    private static final long MAX_HELD_BYTES = 32 << 20;

    /** The revision of an application that exports nothing. */
    private static final String NOTHING = "0";

    private final String root;
    private final String metadataRoot;
    private final DubboProviders providers;

    private final Map<String, Listed> instances = new HashMap<>();
    /** By application and revision, as long as an instance has it. */
    private final Map<String, Revision> revisions = new HashMap<>();

    private long heldBytes;

    /** Revisions whose metadata is not in the metadata centre, as long as nothing was told of them. */
    private final Set<String> unknown = new HashSet<>();

    private final Set<String> told = new HashSet<>();
    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);
    private boolean reportsAll;
    private boolean keepMissing;
    private Reading reading;

    /** An instance, and the entries made of it, by key with their services. */
    private record Listed(DubboInstance instance, Map<String, String> services) {}

    private static final class Revision {
        final Set<String> instances = new HashSet<>();
        /** Null if it has not been read, or is too much to be held. */
        DubboMetadata metadata;

        int bytes;
        boolean isAsked;
    }

    private static final class Reading {
        final Set<String> instances = new HashSet<>();
        int pending = 1;
        boolean failed;
    }

    /**
     * @param root         of the instances
     * @param metadataRoot of what applications export
     */
    ApplicationProviders(String root, String metadataRoot, DubboProviders providers) {
        this.root = root;
        this.metadataRoot = metadataRoot;
        this.providers = providers;
    }

    /** As in {@link InterfaceProviders}. */
    void keepMissing(boolean keep) {
        keepMissing = keep;
    }

    /** Reads everything, and watches it from now on; {@code reportsAll} as {@link InterfaceProviders} learnt it. */
    void read(ZooKeeperSession session, boolean reportsAllNow) {
        reportsAll = reportsAllNow;
        if (reportsAll) {
            session.watchAll(root, code -> LOG.debug("{}: {}", root, code));
        }
        // Whose answers may have been lost with their session.
        revisions.values().forEach(revision -> revision.isAsked = false);
        Reading started = new Reading();
        reading = started;
        session.children(
                root,
                !reportsAll,
                (names, stat) -> {
                    for (String application : names == null ? List.<String>of() : names) {
                        if (!isOther(application)) {
                            started.pending++;
                            readApplication(session, started, root + '/' + application);
                        }
                    }
                    end(started);
                },
                code -> failed(started, root, code));
    }

    /** Whether the node is none of an application, where interfaces and applications have one root. */
    private boolean isOther(String name) {
        return metadataRoot.startsWith(root + '/') && InterfaceProviders.OTHERS.contains(name);
    }

    private void readApplication(ZooKeeperSession session, Reading of, String path) {
        session.children(
                path,
                !reportsAll,
                (ids, stat) -> {
                    for (String id : ids == null ? List.<String>of() : ids) {
                        if (!InterfaceProviders.CATEGORIES.contains(id)) {
                            of.pending++;
                            of.instances.add(path + '/' + id);
                            readInstance(session, of, path + '/' + id);
                        }
                    }
                    end(of);
                },
                code -> failed(of, path, code));
    }

    private void readInstance(ZooKeeperSession session, Reading of, String path) {
        session.data(
                path,
                !reportsAll,
                bytes -> {
                    put(session, of, path, bytes);
                    end(of);
                },
                code -> failed(of, path, code));
    }

    private void put(ZooKeeperSession session, Reading of, String path, byte[] bytes) {
        DubboInstance instance = bytes == null ? null : parse(path, bytes);
        Listed before = instances.get(path);
        if (instance == null) {
            return;
        }
        Revision had = before == null ? null : revisions.get(name(before.instance()));
        if (had != null && had.metadata != null && before.instance().equals(instance)) {
            return;
        }
        if (before == null && instances.size() >= MAX_INSTANCES) {
            tell(root, "more than " + MAX_INSTANCES + " instances", "the rest is ignored");
            return;
        }
        instances.put(path, new Listed(instance, before == null ? Map.of() : before.services()));
        if (before != null && !name(before.instance()).equals(name(instance))) {
            leave(path, before.instance());
        }
        if (instance.revision().equals(NOTHING)) {
            list(path, new DubboMetadata(instance.application(), NOTHING, List.of()));
            return;
        }
        Revision revision = revisions.computeIfAbsent(name(instance), name -> new Revision());
        revision.instances.add(path);
        if (revision.metadata != null) {
            list(path, revision.metadata);
        } else if (!revision.isAsked) {
            revision.isAsked = true;
            of.pending++;
            readMetadata(session, of, name(instance), revision);
        }
    }

    private static String name(DubboInstance instance) {
        return instance.application() + '/' + instance.revision();
    }

    private void leave(String path, DubboInstance instance) {
        Revision revision = revisions.get(name(instance));
        if (revision != null && revision.instances.remove(path) && revision.instances.isEmpty()) {
            heldBytes -= revision.bytes;
            revisions.remove(name(instance));
        }
    }

    /** Returns the entries made of it, by key with their services. */
    private Map<String, String> removeInstance(String path) {
        Listed gone = instances.remove(path);
        if (gone == null) {
            return Map.of();
        }
        leave(path, gone.instance());
        return gone.services();
    }

    private DubboInstance parse(String path, byte[] bytes) {
        try {
            DubboInstance instance = DubboInstance.parse(new String(bytes, UTF_8));
            if (instance != null) {
                checkName("application", instance.application());
                checkName("revision", instance.revision());
            }
            return instance;
        } catch (IllegalArgumentException e) {
            tell(path, e.getMessage(), "the instance is not listed, or stays as it was");
            return null;
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

    private void readMetadata(ZooKeeperSession session, Reading of, String name, Revision revision) {
        session.data(
                metadataRoot + '/' + name,
                false,
                bytes -> {
                    revision.isAsked = false;
                    if (bytes == null) {
                        unknown.add(name);
                    } else {
                        metadataRead(name, revision, bytes);
                    }
                    end(of);
                },
                code -> {
                    revision.isAsked = false;
                    failed(of, name, code);
                });
    }

    private void metadataRead(String name, Revision revision, byte[] bytes) {
        try {
            DubboMetadata read = DubboMetadata.parse(new String(bytes, UTF_8));
            revision.instances.forEach(path -> list(path, read));
            // What is too much is read again for each instance that comes; one that nobody has any more is not to be
            // found again.
            if (revisions.get(name) == revision && heldBytes - revision.bytes + bytes.length <= MAX_HELD_BYTES) {
                heldBytes += bytes.length - revision.bytes;
                revision.bytes = bytes.length;
                revision.metadata = read;
            }
        } catch (IllegalArgumentException e) {
            tell(name, e.getMessage(), "its services are not listed by instance");
        }
    }

    private void list(String path, DubboMetadata exported) {
        Listed before = instances.get(path);
        long nowNs = System.nanoTime();
        Map<String, String> services = new HashMap<>();
        try {
            for (DubboUrl url : before.instance().urls(exported)) {
                String service = url.parameter("interface");
                String key = path + '?' + url + url.parameter("version") + '/' + url.parameter("group");
                services.put(key, service);
                providers.put(service, key, url, before.instance().revision(), nowNs);
            }
        } catch (IllegalArgumentException e) {
            tell(path, e.getMessage(), "the instance stays as it was");
            return;
        }
        before.services().forEach((key, service) -> {
            if (!services.containsKey(key)) {
                providers.remove(service, key, nowNs);
            }
        });
        instances.put(path, new Listed(before.instance(), services));
    }

    private void tell(String what, String reason, String consequence) {
        String line = what + reason;
        if (told.size() < MAX_INSTANCES && !told.contains(line) && logLimit.tryLog(System.nanoTime())) {
            told.add(line);
            LOG.warn(
                    "instance {} ignored: {}; {}", PrintableText.brief(what), PrintableText.brief(reason), consequence);
        }
    }

    private void failed(Reading of, String path, KeeperException.Code code) {
        if (code == KeeperException.Code.NOAUTH) {
            LOG.warn("registry: {} cannot be read: {}; it is left out", path, code);
        } else {
            of.failed = true;
        }
        end(of);
    }

    private void end(Reading of) {
        of.pending--;
        if (of.pending == 0 && !of.failed && of == reading && !keepMissing) {
            Set<String> gone = new HashSet<>(instances.keySet());
            gone.removeAll(of.instances);
            gone.forEach(path -> removeInstance(path).forEach((key, service) -> providers.lapse(service, key)));
        }
    }

    /**
     * Tells of which applications the services are not known. Most providers register by interface too, before they register by instance: to be called
     * some time after their instances were read.
     */
    void tellUnknown() {
        for (String revision : unknown) {
            if (!providers.isByInterface(revision.substring(0, revision.lastIndexOf('/')))) {
                tell(
                        revision,
                        "its metadata is not in " + metadataRoot,
                        "its services are not listed; set register-mode=all or metadata-type=remote at its providers");
            }
        }
        unknown.clear();
        int leftOut = logLimit.leftOut(System.nanoTime());
        if (leftOut > 0) {
            LOG.warn("{} more lines about malformed or surplus entries were not logged", leftOut);
        }
    }

    boolean isRead() {
        return reading != null && reading.pending == 0 && !reading.failed;
    }

    boolean hasFailed() {
        return reading != null && reading.pending == 0 && reading.failed;
    }

    /** Takes a change that ZooKeeper reports. */
    void changed(ZooKeeperSession session, WatchedEvent event) {
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
            long nowNs = System.nanoTime();
            removeInstance(path).forEach((key, service) -> providers.remove(service, key, nowNs));
        } else if (depth == 2) {
            if (reading != null) {
                // It may be newer than the names that are being read.
                reading.instances.add(path);
            }
            readInstance(session, new Reading(), path);
        } else if (!reportsAll) {
            read(session, false);
        }
    }
}
