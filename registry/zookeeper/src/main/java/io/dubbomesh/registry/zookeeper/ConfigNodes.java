package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.dubbo.DubboProviders;
import org.apache.zookeeper.KeeperException;
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
    private int pending;
    private boolean started;
    private boolean failed;
    /** What is asked for belongs to one list; answers to an older one do not count. */
    private int reading;

    /** @param root that of Dubbo */
    ConfigNodes(String root, DubboProviders providers) {
        this.path = root + "/config/dubbo";
        this.providers = providers;
    }

    /** Whether rules that are missing are kept: for a while after ZooKeeper has lost its data. */
    void keepMissing(boolean keep) {
        keepMissing = keep;
    }

    /** Reads everything, and watches it from now on. */
    void read(ZooKeeperSession session, boolean allAreReported) {
        reportsAll = allAreReported;
        started = true;
        failed = false;
        pending = 0;
        reading++;
        readList(session);
    }

    private void readList(ZooKeeperSession session) {
        int of = reading;
        pending++;
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
                    end(of);
                },
                code -> failed(of, path, code));
    }

    private void readNode(ZooKeeperSession session, String key) {
        int of = reading;
        pending++;
        session.data(
                path + '/' + key,
                !reportsAll,
                value -> {
                    if (value == null) {
                        providers.removeDocument(key);
                    } else {
                        providers.putDocument(key, new String(value, UTF_8), System.nanoTime());
                    }
                    end(of);
                },
                code -> failed(of, path + '/' + key, code));
    }

    private void failed(int of, String where, KeeperException.Code code) {
        if (code == KeeperException.Code.NOAUTH) {
            unreadable.tell(where);
        } else if (of == reading) {
            failed = true;
        }
        end(of);
    }

    private void end(int of) {
        if (of == reading) {
            pending--;
        }
    }

    /** Whether everything was read since {@link #read}. */
    boolean isRead() {
        return started && pending == 0 && !failed;
    }

    /** As {@link InterfaceProviders#hasFailed}. */
    boolean hasFailed() {
        return started && pending == 0 && failed;
    }

    /** Takes a change that ZooKeeper reports. */
    void changed(ZooKeeperSession session, WatchedEvent event) {
        String where = event.getPath();
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
