package io.dubbomesh.registry.zookeeper.session;

import io.dubbomesh.registry.address.AccessFiles;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One session with ZooKeeper, over one connection after the other. What arrives is queued in the order in which
 * ZooKeeper sent it, which is that of its changes, and run by the thread that calls {@link #run}.
 */
public final class ZooKeeperSession implements AutoCloseable {
    private static final long CLOSE_MS = 1_000;

    private final BlockingQueue<Runnable> arrived = new LinkedBlockingQueue<>();
    private final ZooKeeper client;
    private final SessionUser user;
    private final Consumer<WatchedEvent> watcher;

    private boolean connected;
    private boolean connectedAnew;
    private String ended;
    private RuntimeException thrown;
    private boolean refused;

    /** The names of a node's children, or null if there is no such node. */
    @FunctionalInterface
    public interface Children {
        void answered(List<String> names, Stat stat);
    }

    /**
     * The answer for one of several nodes.
     *
     * @param names   of its children; null if there is no such node, or none are told
     * @param failure null if it was answered
     */
    public record Names(List<String> names, KeeperException.Code failure) {}

    /** @param watcher is told of every change that a watch reports */
    public ZooKeeperSession(Ensemble ensemble, ZooKeeperTimes times, Consumer<WatchedEvent> watcher)
            throws ZooKeeperFailure {
        this.watcher = watcher;
        AccessFiles.User first = ensemble.user();
        client = ensemble.connect(first, times.sessionMs(), event -> arrived.add(() -> onEvent(event)));
        user = new SessionUser(ensemble, client, first);
    }

    private void onEvent(WatchedEvent event) {
        if (event.getType() != Watcher.Event.EventType.None) {
            watcher.accept(event);
            return;
        }
        switch (event.getState()) {
            case SyncConnected, ConnectedReadOnly -> {
                connected = true;
                connectedAnew = true;
            }
            case Disconnected -> connected = false;
            case Expired -> end("the session expired");
            case AuthFailed -> end("ZooKeeper refuses the session");
            default -> {}
        }
    }

    private void end(String reason) {
        connected = false;
        ended = reason;
    }

    /**
     * Runs what has arrived; waits for something until {@code timeoutNs} have passed.
     *
     * @throws ZooKeeperFailure if the session has ended
     */
    public void run(long timeoutNs) throws ZooKeeperFailure, InterruptedException {
        Runnable task = arrived.poll(Math.max(0, timeoutNs), TimeUnit.NANOSECONDS);
        for (; task != null; task = arrived.poll()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                // Every client that may write to ZooKeeper could end every session with it.
                thrown = e;
            }
        }
        if (ended != null) {
            throw new ZooKeeperFailure(ended, null);
        }
    }

    /** Ends the waiting of {@link #run}; called by any thread. */
    public void wake() {
        arrived.add(() -> {});
    }

    /**
     * Returns the exception that an answer or a change has caused since the last call, so that it was not taken; null
     * if there was none.
     */
    public RuntimeException thrown() {
        RuntimeException last = thrown;
        thrown = null;
        return last;
    }

    public boolean isConnected() {
        return connected;
    }

    /** Returns whether there is a new connection since the last call: watches may have missed changes. */
    public boolean isConnectedAnew() {
        boolean anew = connectedAnew;
        connectedAnew = false;
        return anew && connected;
    }

    /** Has every change below the path reported from now on. */
    public void watchAll(String path, Consumer<KeeperException.Code> answered) {
        client.addWatch(
                path,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (code, where, context) -> arrived.add(() -> answered.accept(KeeperException.Code.get(code))),
                null);
    }

    /**
     * Asks for the children of a node. An answer that does not come is asked for again after the next connection, by
     * the caller.
     *
     * @param watch whether to report the next change of the list, or the creation of the node if there is none
     */
    public void children(String path, boolean watch, Children answered, Consumer<KeeperException.Code> failed) {
        AsyncCallback.Children2Callback callback = (code, where, context, names, stat) -> arrived.add(() -> {
            KeeperException.Code result = KeeperException.Code.get(code);
            if (result == KeeperException.Code.OK) {
                answered.answered(names, stat);
            } else if (result != KeeperException.Code.NONODE) {
                failed(result, failed);
            } else if (watch) {
                awaitCreation(path, answered, failed);
            } else {
                answered.answered(null, null);
            }
        });
        client.getChildren(path, watch, callback, null);
    }

    /**
     * Asks for the children of several nodes by one question, which ZooKeeper 3.6 and newer answer, and without a watch
     * of their own.
     *
     * @param answered takes the answers in the order of the paths
     */
    public void childrenOfAll(List<String> paths, Consumer<List<Names>> answered) {
        AsyncCallback.MultiCallback callback = (code, where, context, results) -> arrived.add(() -> {
            List<Names> all = new ArrayList<>();
            for (int i = 0; i < paths.size(); i++) {
                all.add(results == null ? namesOf(code) : namesOf(results.get(i)));
            }
            answered.accept(all);
        });
        client.multi(paths.stream().map(Op::getChildren).toList(), callback, null);
    }

    private Names namesOf(OpResult result) {
        return result instanceof OpResult.GetChildrenResult found
                ? new Names(found.getChildren(), null)
                : namesOf(((OpResult.ErrorResult) result).getErr());
    }

    private Names namesOf(int error) {
        KeeperException.Code code = KeeperException.Code.get(error);
        if (code == KeeperException.Code.NONODE) {
            return new Names(null, null);
        }
        refused |= code == KeeperException.Code.NOAUTH;
        return new Names(null, code);
    }

    private void awaitCreation(String path, Children answered, Consumer<KeeperException.Code> failed) {
        exists(path, true, (code, stat) -> {
            if (code == KeeperException.Code.NONODE) {
                answered.answered(null, null);
            } else if (code == KeeperException.Code.OK) {
                children(path, true, answered, failed);
            } else {
                failed(code, failed);
            }
        });
    }

    private void failed(KeeperException.Code code, Consumer<KeeperException.Code> failed) {
        refused |= code == KeeperException.Code.NOAUTH;
        failed.accept(code);
    }

    /** Returns whether something was not told since {@link #clearRefusals}, as only others may read it. */
    public boolean isRefused() {
        return refused;
    }

    public void refuse() {
        refused = true;
    }

    public void clearRefusals() {
        refused = false;
    }

    /**
     * Gives ZooKeeper the user who is in the file now, and was at the last call, if it is another one.
     *
     * @return whether it is
     * @throws ZooKeeperFailure if the file cannot be used
     */
    public boolean updateUser() throws ZooKeeperFailure {
        return user.readChanged() != null;
    }

    /** Asks for the value of a node; null if there is no such node. A node without a value has an empty one. */
    public void data(String path, boolean watch, Consumer<byte[]> answered, Consumer<KeeperException.Code> failed) {
        AsyncCallback.DataCallback callback = (code, where, context, bytes, stat) -> arrived.add(() -> {
            KeeperException.Code result = KeeperException.Code.get(code);
            if (result == KeeperException.Code.OK) {
                answered.accept(bytes == null ? new byte[0] : bytes);
            } else if (result == KeeperException.Code.NONODE) {
                answered.accept(null);
            } else {
                failed(result, failed);
            }
        });
        client.getData(path, watch, callback, null);
    }

    @FunctionalInterface
    public interface Exists {
        void answered(KeeperException.Code code, Stat stat);
    }

    public void exists(String path, boolean watch, Exists answered) {
        client.exists(
                path,
                watch,
                (code, where, context, stat) ->
                        arrived.add(() -> answered.answered(KeeperException.Code.get(code), stat)),
                null);
    }

    @Override
    public void close() {
        close(client);
    }

    /** Waits for a second at most: a client that has no connection would wait for one. */
    public static void close(ZooKeeper client) {
        Thread closing = new Thread(
                () -> {
                    try {
                        client.close();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "registry-close");
        closing.setDaemon(true);
        closing.start();
        boolean interrupted = Thread.interrupted();
        try {
            closing.join(CLOSE_MS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
