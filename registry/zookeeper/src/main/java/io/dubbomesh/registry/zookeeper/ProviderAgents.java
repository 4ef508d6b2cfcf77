package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.follow.Entries;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperSession;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads what provider agents register, {@code /dubbomesh/{interface}/{host}:{port}}, and follows it. Belongs to the
 * thread of the watch.
 *
 * <p>ZooKeeper reports that a node has changed, not what it says then: it is read again after each report. A node that
 * goes must have said for some time that its agent leaves, or it has lapsed.
 */
final class ProviderAgents {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final String root;
    private final UnreadableNodes unreadable = new UnreadableNodes();
    private final Entries entries = new Entries(0);
    private final Runnable lost;
    private boolean reportsAll;
    /** The time at which the root was created, by ZooKeeper's clock; 0 if it is not known. */
    private long rootCreated;
    /** The list that is being read, or was read last; null before the first. */
    private Reading reading;

    private boolean keepMissing;

    /** A list of everything, or a change of it. */
    private static final class Reading {
        /** The services that are listed, so that only others are read when the list of them has changed. */
        final Set<String> services = new HashSet<>();
        /** Found while everything is listed. */
        final Set<String> keys = new HashSet<>();

        int pending = 1;
        boolean failed;
    }

    /**
     * @param root the node below which agents register
     * @param lost is called when ZooKeeper turns out to have lost its data
     */
    ProviderAgents(String root, Runnable lost) {
        this.root = root;
        this.lost = lost;
    }

    /** Sets what {@link InterfaceProviders#keepMissing} sets there. */
    void keepMissing(boolean keep) {
        keepMissing = keep;
    }

    /** Reads everything, and watches it from now on; {@code reportsAll} as {@link InterfaceProviders} learnt it. */
    void read(ZooKeeperSession session, boolean reportsAllNow) {
        reportsAll = reportsAllNow;
        if (reportsAll) {
            session.watchAll(root, code -> LOG.debug("{}: {}", root, code));
        }
        Reading started = new Reading();
        reading = started;
        session.children(
                root,
                !reportsAll,
                (names, stat) -> {
                    long created = stat == null ? 0 : stat.getCtime();
                    if (rootCreated != 0 && created != rootCreated) {
                        lost.run();
                    }
                    rootCreated = created;
                    readServices(session, started, names);
                    end(started);
                },
                code -> failed(started, root, code));
    }

    private void readServices(ZooKeeperSession session, Reading of, List<String> names) {
        for (String name : names == null ? List.<String>of() : names) {
            if (reading.services.add(name)) {
                of.pending++;
                readService(session, of, root + '/' + name);
            }
        }
    }

    private void readService(ZooKeeperSession session, Reading of, String path) {
        session.children(
                path,
                !reportsAll,
                (names, stat) -> {
                    for (String name : names == null ? List.<String>of() : names) {
                        of.pending++;
                        readNode(session, of, path + '/' + name);
                    }
                    end(of);
                },
                code -> failed(of, path, code));
    }

    private void readNode(ZooKeeperSession session, Reading of, String path) {
        String key = EndpointCodec.ROOT + path.substring(root.length() + 1);
        if (!isListed(reading)) {
            reading.keys.add(key);
        }
        session.data(
                path,
                !reportsAll,
                bytes -> {
                    if (bytes == null) {
                        entries.delete(key, System.nanoTime());
                    } else {
                        entries.put(key, bytes, System.nanoTime());
                    }
                    end(of);
                },
                code -> failed(of, path, code));
    }

    private void failed(Reading of, String path, KeeperException.Code code) {
        if (code == KeeperException.Code.NOAUTH) {
            unreadable.log(path);
            // A user who might read it before: what is known is no less true.
            String below = EndpointCodec.ROOT + (path.equals(root) ? "" : path.substring(root.length() + 1) + '/');
            entries.keys().stream().filter(key -> key.startsWith(below)).forEach(of.keys::add);
        } else {
            of.failed = true;
            reading.failed = true;
        }
        end(of);
    }

    private void end(Reading of) {
        of.pending--;
        if (of == reading && isListed(of)) {
            if (!of.failed && !keepMissing) {
                entries.retain(of.keys, System.nanoTime());
            }
            of.keys.clear();
        }
    }

    private static boolean isListed(Reading of) {
        return of.pending == 0;
    }

    boolean isRead() {
        return reading != null && isListed(reading) && !reading.failed;
    }

    /**
     * Returns whether an answer failed for another reason than the end of the connection, so that it has to be asked
     * for again.
     */
    boolean hasFailed() {
        return reading != null && isListed(reading) && reading.failed;
    }

    /** Takes a change that ZooKeeper reports. */
    void changed(ZooKeeperSession session, WatchedEvent event) {
        String path = event.getPath();
        if (reading == null || !path.equals(root) && !path.startsWith(root + '/')) {
            return;
        }
        int depth = path.substring(root.length()).split("/", -1).length - 1;
        Reading change = new Reading();
        if (depth == 2) {
            readNode(session, change, path);
        } else if (depth == 1 && !reportsAll) {
            readService(session, change, path);
        } else if (depth == 0 && reportsAll) {
            if (event.getType() == Watcher.Event.EventType.NodeCreated) {
                rootCreated(session);
            }
        } else if (depth == 0) {
            session.children(
                    root,
                    true,
                    (names, stat) -> readServices(session, change, names),
                    code -> failed(change, root, code));
        }
    }

    /** An agent may start before the first one registers: that the data was lost is seen by the time alone. */
    private void rootCreated(ZooKeeperSession session) {
        session.exists(root, false, (code, stat) -> {
            if (code == KeeperException.Code.OK) {
                rootCreated = stat.getCtime();
            }
        });
    }

    Directory directory() {
        return entries.directory();
    }

    /** Returns what {@link Entries#pollRoom} returns. */
    boolean pollRoom() {
        return entries.pollRoom();
    }

    boolean hasChanged() {
        return entries.hasChanged();
    }

    void expire(long nowNs) {
        entries.expire(nowNs);
    }
}
