package io.dubbomesh.registry.keep;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.thread.TaskQueue;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Keeps one agent registered in a store, on a thread of its own. {@link AgentEntries} knows what the store should hold
 * and writes it; this class runs it in sessions, one after the other, and carries the calls of other threads to its
 * own.
 *
 * <pre>
 *   IDLE -----first register()----> SESSION ---the session failed---> BACK_OFF
 *    |                               |   ^                             |  |
 *    |                               |   `----pause or task is over----'  |
 *    | close()     closed, no entry  |                                    | closed, and no entry is left;
 *    |             is left, and the  |                                    | or the time for closing is over
 *    |             lease has ended   v                                    |
 *    `---------------------------> ENDED <--------------------------------'
 * </pre>
 */
public final class RegistrationKeeper implements Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private static final long MIN_UNEXPECTED_PAUSE_MS = 1_000;
    private static final long MAX_UNEXPECTED_PAUSE_MS = 30_000;

    enum State {
        IDLE,
        SESSION,
        BACK_OFF,
        ENDED
    }

    private enum Target {
        DEREGISTERED,
        REGISTERED,
        CLOSED
    }

    private final EntryStore store;
    private final AgentEntries entries;
    private final long closeMs;
    private final Thread thread;
    private final TaskQueue tasks = new TaskQueue();
    private volatile State state = State.IDLE;
    private volatile boolean registered;

    // The rest belongs to the thread; see post() for what comes after its end.
    private final List<CompletableFuture<Void>> deregistrations = new ArrayList<>();
    private final Backoff unexpectedBackoff = new Backoff(MIN_UNEXPECTED_PAUSE_MS, MAX_UNEXPECTED_PAUSE_MS);
    private Target target = Target.DEREGISTERED;
    /** The entries that the log has as registered. */
    private String logged = "";

    /**
     * @param opener  is given the tasks of the keeper's thread, for what the store reports by others
     * @param closeMs what closing may take if the store does not answer
     */
    public RegistrationKeeper(Function<TaskQueue, EntryStore> opener, RegistrationRequest request, long closeMs) {
        this.store = opener.apply(tasks);
        this.entries = new AgentEntries(store, request);
        this.closeMs = closeMs;
        this.thread = new Thread(this::run, "registry-registration");
        thread.setDaemon(true);
    }

    State state() {
        return state;
    }

    public void start() {
        thread.start();
    }

    @Override
    public void register() {
        post(() -> {
            if (target != Target.CLOSED) {
                target = Target.REGISTERED;
                endDeregistrations(false);
            }
        });
    }

    @Override
    public void select(Map<String, List<Variant>> services) {
        post(() -> entries.select(services));
    }

    @Override
    public CompletableFuture<Void> deregister() {
        CompletableFuture<Void> deregistration = new CompletableFuture<>();
        post(() -> {
            if (target != Target.CLOSED) {
                target = Target.DEREGISTERED;
            }
            deregistrations.add(deregistration);
        });
        return deregistration;
    }

    @Override
    public HostPort address() {
        return entries.address();
    }

    @Override
    public void changeWeight(int weight) {
        post(() -> entries.changeWeight(weight));
    }

    @Override
    public void changeCapacity(int callsPerSecond) {
        post(() -> entries.changeCapacity(callsPerSecond));
    }

    @Override
    public int weight() {
        return entries.weight();
    }

    @Override
    public boolean registered() {
        return registered;
    }

    @Override
    public long leaseLeftNs() {
        return store.leaseLeftNs();
    }

    @Override
    public void close() {
        post(() -> target = Target.CLOSED);
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(closeMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }

    private void post(Runnable task) {
        tasks.execute(task);
        if (state == State.ENDED) {
            runTasksAfterEnd();
        }
    }

    /** The thread has ended, so the thread that called the registration runs its task. */
    private synchronized void runTasksAfterEnd() {
        tasks.runAll();
        endDeregistrations(!entries.isAnyLeft());
    }

    private void run() {
        try {
            while (target == Target.DEREGISTERED) {
                tasks.run(TimeUnit.DAYS.toNanos(1));
                if (target != Target.REGISTERED) {
                    endDeregistrations(true);
                }
            }
            long pauseMs = 0;
            while (!isOver()) {
                pauseMs = runSession(pauseMs);
            }
        } catch (InterruptedException e) {
            store.abandoned();
        } finally {
            registered = false;
            state = State.ENDED;
            runTasksAfterEnd();
        }
    }

    /**
     * Runs tasks during a pause, and a session after it.
     *
     * @return milliseconds to wait before the next session
     */
    private long runSession(long pauseMs) throws InterruptedException {
        try {
            tasks.run(TimeUnit.MILLISECONDS.toNanos(pauseMs));
            if (isOver()) {
                return 0;
            }
            state = State.SESSION;
            return store.run(this::keep);
        } catch (RuntimeException e) {
            LOG.error("registry {}: the registration cannot be kept", store, e);
            return unexpectedBackoff.nextMs();
        } finally {
            state = State.BACK_OFF;
        }
    }

    private boolean isOver() {
        return target == Target.CLOSED && !store.hasLease() && !entries.isAnyLeft();
    }

    /** Returns once closed. */
    private void keep(EntryStore.Session session) throws StoreFailure, InterruptedException {
        while (true) {
            session.connect();
            try {
                entries.name(session);
                session.prepare();
                if (session.hasOtherUser()) {
                    entries.clearRefusals();
                }
                long checkNs = session.check();
                long writeNs = entries.write(isWanted());
                session.written();
                unexpectedBackoff.reset();
                if (writeNs < 0) {
                    setRegistered(isWanted());
                    if (target == Target.CLOSED) {
                        session.end();
                        return;
                    }
                }
                tasks.run(writeNs < 0 ? checkNs : Math.min(checkNs, writeNs));
            } catch (StoreFailure e) {
                // Without an address there are no entries, which must not be taken for all of them being there.
                long retryMs = entries.address() == null ? -1 : session.retryMs(e);
                if (retryMs < 0) {
                    throw e;
                }
                tasks.run(TimeUnit.MILLISECONDS.toNanos(retryMs));
            }
        }
    }

    private boolean isWanted() {
        return target == Target.REGISTERED;
    }

    private void setRegistered(boolean now) {
        if (now && !entries.toString().equals(logged)) {
            logged = entries.toString();
            LOG.info("registered at {}, weight {}: {}", store, entries.weight(), logged);
        } else if (!now && registered) {
            LOG.info("deregistered at {}: {}", store, logged);
            logged = "";
        }
        registered = now;
        if (!now) {
            endDeregistrations(true);
        }
    }

    private void endDeregistrations(boolean done) {
        for (CompletableFuture<Void> deregistration : deregistrations) {
            if (done) {
                deregistration.complete(null);
            } else {
                deregistration.cancel(false);
            }
        }
        deregistrations.clear();
    }
}
