package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperSession;
import org.apache.zookeeper.WatchedEvent;

import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads the rules and overrides of Dubbo's configuration centre, {@code /dubbo/config/dubbo/{key}}, and follows them.
 * Belongs to the thread of the watch. The recursive watch of {@link InterfaceProviders} reports their changes;
 * ZooKeeper older than 3.6 has each node watched.
 */
final class ConfigNodes {
    private final String path;
    private final DubboProviders providers;
    private final UnreadableNodes unreadable = new UnreadableNodes();

    private boolean reportsAll;
    private boolean keepMissing;
    /** The list that is being read, or was read last; null before the first. Answers to an older one do not count. */
    private Reading reading;

    /** @param root that of Dubbo */
    ConfigNodes(String root, DubboProviders providers) {
        this.path = root + "/config/dubbo";
        this.providers = providers;
    }

    /** Sets whether rules that are missing are kept: for a while after ZooKeeper has lost its data. */
    void keepMissing(boolean keep) {
        keepMissing = keep;
    }

    /** Reads everything, and watches it from now on. */
    void read(ZooKeeperSession session, boolean allAreReported) {
        reportsAll = allAreReported;
        reading = new Reading(unreadable);
        readList(session);
    }

    private void readList(ZooKeeperSession session) {
        Reading of = reading;
        of.ask();
        session.children(
                path,
                !reportsAll,
                (names, stat) -> {
                    List<String> keys = names == null ? List.of() : names;
                    if (!keepMissing) {
                        providers.retainDocuments(keys);
                    }
                    for (String key : keys) {
                        if (DubboProviders.isDocument(key)) {
                            readNode(session, key);
                        }
                    }
                    of.answered();
                },
                code -> of.failed(path, code));
    }

    private void readNode(ZooKeeperSession session, String key) {
        Reading of = reading;
        of.ask();
        session.data(
                path + '/' + key,
                !reportsAll,
                value -> {
                    if (value == null) {
                        providers.removeDocument(key);
                    } else {
                        providers.putDocument(key, new String(value, UTF_8), System.nanoTime());
                    }
                    of.answered();
                },
                code -> of.failed(path + '/' + key, code));
    }

    /** Returns whether everything was read since {@link #read}. */
    boolean isRead() {
        return reading != null && reading.isComplete();
    }

    /** Returns as {@link InterfaceProviders#hasFailed}. */
    boolean hasFailed() {
        return reading != null && reading.hasFailed();
    }

    /** Takes a change that ZooKeeper reports. */
    void changed(ZooKeeperSession session, WatchedEvent event) {
        String where = event.getPath();
        if (reading == null) {
            return;
        }
        if (where.equals(path)) {
            if (!reportsAll) {
                readList(session);
            }
            return;
        }
        if (!where.startsWith(path + '/') || where.indexOf('/', path.length() + 1) >= 0) {
            return;
        }
        String key = where.substring(path.length() + 1);
        switch (event.getType()) {
            case NodeCreated, NodeDataChanged -> {
                if (DubboProviders.isDocument(key)) {
                    readNode(session, key);
                }
            }
            case NodeDeleted -> providers.removeDocument(key);
            default -> {}
        }
    }
}
