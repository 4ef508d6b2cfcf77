package io.dubbomesh.registry.follow;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.thread.Outage;
import io.dubbomesh.registry.thread.TaskQueue;
import io.dubbomesh.runtime.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Follows a registry on a thread of its own: runs a source again and again, with the pauses that the source wants, and
 * delivers the directories that it makes. While the registry is away the directory stays as it is.
 *
 * <pre>
 *            start()            the source returns           close()
 *   CREATED ---------> RUNNING ---------------------> PAUSE ---------> CLOSED
 *                         ^                             |                 ^
 *                         +-----------------------------+                 |
 *                         |          after the pause                      |
 *                         +-----------------------------------------------+
 * </pre>
 *
 * Every method belongs to the thread, but for {@link #start}, {@link #close} and {@link #ageNs}.
 */
public final class DirectoryFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    /** The time for which the first directory waits for what the registry itself does not tell. */
    public static final long FIRST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final long MIN_UNEXPECTED_PAUSE_MS = 1_000;
    private static final long MAX_UNEXPECTED_PAUSE_MS = 30_000;
    private static final long NEVER = -1;

    private final Object registry;
    private final Source source;
    private final DirectoryDelivery delivery;
    private final TaskQueue tasks = new TaskQueue();
    private final Backoff unexpectedBackoff = new Backoff(MIN_UNEXPECTED_PAUSE_MS, MAX_UNEXPECTED_PAUSE_MS);
    private final Thread thread;
    private volatile boolean closed;
    /** Whether the registry has ever confirmed the directory. */
    private volatile boolean confirmed;
    /** The time at which it did so last. */
    private volatile long confirmedNs;

    /** The contents of a registry; called by the follower's thread. */
    @FunctionalInterface
    public interface Source {
        /**
         * Reads the registry, and follows it as far as it can.
         *
         * @return milliseconds to wait before the next call
         */
        long run() throws InterruptedException;

        /** Called once, when the follower is closed. */
        default void end() {}
    }

    /**
     * @param threadName the name of the thread
     * @param registry   its text is for the log
     */
    public DirectoryFollower(String threadName, Object registry, Source source, Consumer<Directory> listener) {
        this.registry = registry;
        this.source = source;
        this.delivery = new DirectoryDelivery(registry, listener);
        this.thread = new Thread(this::follow, threadName);
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    private void follow() {
        try {
            while (!closed) {
                TimeUnit.MILLISECONDS.sleep(runSource());
            }
        } catch (InterruptedException e) {
            LOG.debug("registry {}: watch closed", registry);
        } finally {
            source.end();
        }
    }

    private long runSource() throws InterruptedException {
        try {
            long pauseMs = source.run();
            unexpectedBackoff.reset();
            return pauseMs;
        } catch (RuntimeException e) {
            LOG.error("registry {}: the directory cannot be made", registry, e);
            return unexpectedBackoff.nextMs();
        }
    }

    public boolean isClosed() {
        return closed;
    }

    /** Returns what other threads add to for this one. */
    public TaskQueue tasks() {
        return tasks;
    }

    public DirectoryDelivery delivery() {
        return delivery;
    }

    /** Returns what it means for calls that the registry is away, for the log. */
    public String consequence() {
        return Outage.consequence(delivery.hasEndpoints());
    }

    /** Runs tasks until the first answers are there that {@code ask} asks for, or it takes too long. */
    public void awaitFirst(BooleanSupplier isAwaited, LongConsumer ask) throws InterruptedException {
        long untilNs = System.nanoTime() + FIRST_WAIT_NS;
        while (isAwaited.getAsBoolean() && System.nanoTime() - untilNs < 0) {
            tasks.run(untilNs - System.nanoTime());
            ask.accept(System.nanoTime());
        }
    }

    /** Called when the registry has confirmed what is delivered, be it that nothing has changed. */
    public void confirm(long nowNs) {
        confirmedNs = nowNs;
        confirmed = true;
    }

    public boolean isConfirmed() {
        return confirmed;
    }

    /** Returns as {@link Registry#ageNs}; called by any thread. */
    public long ageNs() {
        return confirmed ? System.nanoTime() - confirmedNs : NEVER;
    }

    /** Ends the thread, without waiting for it. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    /** Ends the thread, and waits for it so long. */
    public void close(long timeoutMs) {
        close();
        try {
            thread.join(timeoutMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
