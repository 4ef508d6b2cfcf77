package io.dubbomesh.registry.zookeeper.session;

import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.runtime.SocketFailure;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One session with ZooKeeper in which nodes are read and written, over one connection after the other; its ephemeral
 * nodes live as long as it does. Each request waits for its answer. One that fails because the connection was lost, or
 * because ZooKeeper refuses it, leaves the session as it is; any other failure ends it.
 */
public final class NodeSession implements AutoCloseable {
    private static final int MAX_READS = 16;

    private final ZooKeeper client;
    private final SessionUser user;
    /** The rights to nodes that are created. */
    private List<ACL> acl;

    private final long answerMs;
    private final Consumer<String> changed;

    // Guarded by the lock.
    private final Object lock = new Object();
    private boolean connected;
    private boolean connectedAnew;
    /** The reason for which it is of no more use; null while it is. */
    private String ended;

    private volatile long answeredNs;
    private boolean refused;

    /** The value at a path. */
    public record Found(byte[] value, Stat stat) {}

    private record Answer<T>(Code code, T value) {}

    /**
     * @param changed is told, by a thread of the client, the path of a node that was read and has changed since, and
     *     null when the connection has
     */
    public NodeSession(Ensemble ensemble, RegistrationTimes times, Consumer<String> changed) throws ZooKeeperFailure {
        this.acl = ensemble.acl();
        this.answerMs = times.answerMs();
        this.changed = changed;
        AccessFiles.User first = ensemble.user();
        this.client = ensemble.connect(first, times.sessionMs(), this::onEvent);
        this.user = new SessionUser(ensemble, client, first);
    }

    private void onEvent(WatchedEvent event) {
        if (event.getType() == Watcher.Event.EventType.None) {
            stateChanged(event.getState());
        }
        changed.accept(event.getPath());
    }

    private void stateChanged(Watcher.Event.KeeperState state) {
        synchronized (lock) {
            switch (state) {
                case SyncConnected -> {
                    connected = true;
                    connectedAnew = true;
                    answeredNs = System.nanoTime();
                }
                case Disconnected -> connected = false;
                case Expired -> end("the session expired");
                case AuthFailed -> end("ZooKeeper refuses the session");
                default -> {}
            }
            lock.notifyAll();
        }
    }

    private void end(String reason) {
        synchronized (lock) {
            connected = false;
            if (ended == null) {
                ended = reason;
            }
        }
    }

    /** Waits until there is a connection. */
    public void awaitConnection(long patienceMs) throws ZooKeeperFailure, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        synchronized (lock) {
            while (!connected && ended == null) {
                long leftNs = deadlineNs - System.nanoTime();
                if (leftNs > 0) {
                    TimeUnit.NANOSECONDS.timedWait(lock, leftNs);
                } else {
                    end("no member answers");
                }
            }
            if (ended != null) {
                throw new ZooKeeperFailure(ended, null);
            }
        }
    }

    /** Returns whether there is a new connection since the last call. */
    public boolean isConnectedAnew() {
        synchronized (lock) {
            boolean anew = connectedAnew;
            connectedAnew = false;
            return anew;
        }
    }

    public boolean isOver() {
        synchronized (lock) {
            return ended != null;
        }
    }

    /** Returns the id; called when it has been connected. */
    public long id() {
        return client.getSessionId();
    }

    /**
     * Returns the nanoseconds until ZooKeeper would end the session if it heard nothing more of it; -1 as long as it
     * has not begun.
     */
    public long leftNs() {
        long timeoutMs = id() == 0 ? 0 : client.getSessionTimeout();
        return timeoutMs <= 0
                ? -1
                : Math.max(0, answeredNs + TimeUnit.MILLISECONDS.toNanos(timeoutMs) - System.nanoTime());
    }

    /** Asks for something, to see whether ZooKeeper answers. */
    public void confirm() throws ZooKeeperFailure, InterruptedException {
        exists("/", false);
    }

    /** Returns whether ZooKeeper has refused the user since the last {@link #updateUser}. */
    public boolean isRefused() {
        return refused;
    }

    /**
     * Gives ZooKeeper the user who is in the file now, and was at the last call, if it is another one.
     *
     * @return whether it is
     * @throws ZooKeeperFailure if the file cannot be used
     */
    public boolean updateUser() throws ZooKeeperFailure {
        refused = false;
        AccessFiles.User other = user.readChanged();
        if (other == null) {
            return false;
        }
        acl = Ensemble.aclOf(other);
        return true;
    }

    /** Reads the value at a path, null if there is none; its next change is reported. */
    public Found read(String path) throws ZooKeeperFailure, InterruptedException {
        for (int i = 0; i < MAX_READS; i++) {
            CompletableFuture<Answer<Found>> asked = new CompletableFuture<>();
            AsyncCallback.DataCallback callback = (code, where, context, bytes, stat) ->
                    asked.complete(new Answer<>(Code.get(code), new Found(bytes == null ? new byte[0] : bytes, stat)));
            client.getData(path, true, callback, null);
            Answer<Found> answer = await(asked);
            if (answer.code() == Code.OK) {
                return answer.value();
            }
            // A watch for a node that is not there is set by this question alone.
            if (!exists(path, true)) {
                return null;
            }
        }
        throw failure(path + " comes and goes all the time");
    }

    private boolean exists(String path, boolean watch) throws ZooKeeperFailure, InterruptedException {
        CompletableFuture<Answer<Stat>> asked = new CompletableFuture<>();
        client.exists(
                path, watch, (code, where, context, stat) -> asked.complete(new Answer<>(Code.get(code), stat)), null);
        return await(asked).code() == Code.OK;
    }

    /** Creates an ephemeral node, and those above it for good; returns false if there is one. */
    public boolean create(String path, byte[] value) throws ZooKeeperFailure, InterruptedException {
        return createBelow(path, value, CreateMode.EPHEMERAL) == Code.OK;
    }

    /** Asks for no node above one that is there: who may write below that one alone would be refused. */
    private Code createBelow(String path, byte[] value, CreateMode mode) throws ZooKeeperFailure, InterruptedException {
        Code code = create(path, value, mode);
        int slash = path.lastIndexOf('/');
        if (code != Code.NONODE || slash <= 0) {
            return code;
        }
        createBelow(path.substring(0, slash), new byte[0], CreateMode.PERSISTENT);
        return create(path, value, mode);
    }

    private Code create(String path, byte[] value, CreateMode mode) throws ZooKeeperFailure, InterruptedException {
        CompletableFuture<Answer<String>> asked = new CompletableFuture<>();
        AsyncCallback.StringCallback callback =
                (code, where, context, name) -> asked.complete(new Answer<>(Code.get(code), name));
        client.create(path, value, acl, mode, callback, null);
        return await(asked).code();
    }

    /** Returns whether the node had this version. */
    public boolean set(String path, byte[] value, int version) throws ZooKeeperFailure, InterruptedException {
        CompletableFuture<Answer<Stat>> asked = new CompletableFuture<>();
        AsyncCallback.StatCallback callback =
                (code, where, context, stat) -> asked.complete(new Answer<>(Code.get(code), stat));
        client.setData(path, value, version, callback, null);
        return await(asked).code() == Code.OK;
    }

    /** Replaces the node of another session by one of this, in one step; returns whether the node had this version. */
    public boolean replace(String path, byte[] value, int version) throws ZooKeeperFailure, InterruptedException {
        CompletableFuture<Answer<Void>> asked = new CompletableFuture<>();
        AsyncCallback.MultiCallback callback =
                (code, where, context, results) -> asked.complete(new Answer<>(Code.get(code), null));
        client.multi(
                List.of(Op.delete(path, version), Op.create(path, value, acl, CreateMode.EPHEMERAL)), callback, null);
        return await(asked).code() == Code.OK;
    }

    /** Returns whether the node had this version. */
    public boolean delete(String path, int version) throws ZooKeeperFailure, InterruptedException {
        CompletableFuture<Answer<Void>> asked = new CompletableFuture<>();
        AsyncCallback.VoidCallback callback =
                (code, where, context) -> asked.complete(new Answer<>(Code.get(code), null));
        client.delete(path, version, callback, null);
        return await(asked).code() == Code.OK;
    }

    /** Waits for an answer that says either that it was done or that the node is another than was expected. */
    private <T> Answer<T> await(CompletableFuture<Answer<T>> asked) throws ZooKeeperFailure, InterruptedException {
        Answer<T> answer;
        try {
            answer = asked.get(answerMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw failure("no answer within " + answerMs + " ms");
        } catch (ExecutionException e) {
            throw failure(SocketFailure.reason(e.getCause()));
        }
        switch (answer.code()) {
            case OK, NONODE, NODEEXISTS, BADVERSION, RUNTIMEINCONSISTENCY -> {
                answeredNs = System.nanoTime();
                return answer;
            }
            case CONNECTIONLOSS -> throw new ZooKeeperFailure("the connection was lost", null);
            case SESSIONEXPIRED, SESSIONMOVED, AUTHFAILED -> throw failure("ZooKeeper answered " + answer.code());
            default -> {
                answeredNs = System.nanoTime();
                refused |= answer.code() == Code.NOAUTH;
                throw new NodeRefusal("ZooKeeper answered " + answer.code());
            }
        }
    }

    private ZooKeeperFailure failure(String reason) {
        end(reason);
        return new ZooKeeperFailure(reason, null);
    }

    /** Ends the session, if it is connected, and its nodes with it. */
    @Override
    public void close() {
        ZooKeeperSession.close(client);
    }
}
