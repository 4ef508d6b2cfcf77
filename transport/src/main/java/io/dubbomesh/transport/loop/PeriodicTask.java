package io.dubbomesh.transport.loop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A task that is run again after any exception. An executor drops a periodic task silently at its first exception, and
 * with it the timeouts or heartbeats that the task stood for; here the failure is logged and the next run comes as
 * usual.
 */
public final class PeriodicTask implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

    private final String name;
    private final Runnable task;

    private PeriodicTask(String name, Runnable task) {
        this.name = name;
        this.task = task;
    }

    /**
     * Runs {@code task} on {@code executor}, an event loop or another one, {@code delayMs} from now and then
     * {@code delayMs} after the end of each run, until the result is cancelled.
     *
     * @param name for the log
     */
    public static Future<?> start(ScheduledExecutorService executor, String name, long delayMs, Runnable task) {
        return executor.scheduleWithFixedDelay(new PeriodicTask(name, task), delayMs, delayMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void run() {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("periodic task {} failed; it is run again", name, e);
        }
    }
}
