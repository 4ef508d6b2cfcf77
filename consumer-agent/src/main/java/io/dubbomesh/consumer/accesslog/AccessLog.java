package io.dubbomesh.consumer.accesslog;

import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.CallRecorder;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes the records of all event loops, on a thread of its own. Event loops never wait for it: what their queues have
 * no room for is dropped, and counted.
 */
public final class AccessLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final Metric LINES =
            Metric.counter("dubbomesh_consumer_access_log_lines_total", "Lines written to the access log.");
    private static final Metric DROPPED = Metric.counter(
            "dubbomesh_consumer_access_log_dropped_total",
            "Requests that are missing in the access log, because their line could not be written, or not in time.");

    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ROTATION_CHECK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_MS = 2000;
    /** Chars that are collected before they are written. */
    private static final int BATCH = 32 * 1024;
    /** Records of one event loop before it is another one's turn. */
    private static final int RECORDS_AT_ONCE = 256;

    private enum State {
        WRITTEN,
        /** The file was moved away, and there can be no new one. */
        NOT_OPENED,
        NOT_WRITTEN
    }

    private final AccessLogSettings settings;
    private final LogOutput output;
    private final Thread thread;
    private final List<LoopLog> loops = new CopyOnWriteArrayList<>();
    private volatile boolean closing;
    /** Written by the thread alone. */
    private volatile long written;

    private volatile long lost;

    private final StringBuilder lines = new StringBuilder();
    private int lineCount;
    private long checkedNs = System.nanoTime();
    private State state = State.WRITTEN;

    AccessLog(AccessLogSettings settings, LogOutput output) {
        this.settings = settings;
        this.output = output;
        thread = new Thread(this::run, "access-log");
        thread.setDaemon(true);
    }

    /**
     * Starts, unless the settings want no access log: then the result is null.
     *
     * @throws IOException if the file cannot be opened
     */
    public static AccessLog start(AccessLogSettings settings) throws IOException {
        if (!settings.on()) {
            return null;
        }
        AccessLog log = new AccessLog(settings, new LogOutput(settings.file()));
        log.thread.start();
        return log;
    }

    /** Returns what records the requests of another event loop. */
    public CallRecorder newLoop() {
        LoopLog loop = new LoopLog(settings, () -> LockSupport.unpark(thread));
        loops.add(loop);
        return loop;
    }

    /** Called by any thread. */
    public void addTo(MetricSamples samples) {
        samples.add(LINES, written);
        samples.add(DROPPED, lost + loops.stream().mapToLong(LoopLog::dropped).sum());
    }

    private void run() {
        boolean last;
        boolean any;
        do {
            // All that was recorded before is written after.
            last = closing;
            any = writeRound();
            if (!any && !last) {
                LockSupport.parkNanos(POLL_NS);
            }
        } while (any || !last);
        try {
            output.close();
        } catch (IOException e) {
            LOG.debug("access log", e);
        }
    }

    /** Writes some records of each event loop; false if there were none. Called by the thread. */
    boolean writeRound() {
        boolean any = false;
        for (LoopLog loop : loops) {
            for (int i = 0; i < RECORDS_AT_ONCE; i++) {
                CallRecord record = loop.queue().poll();
                if (record == null) {
                    break;
                }
                any = true;
                RecordLine.append(lines, record, System.nanoTime(), System.currentTimeMillis());
                lineCount++;
                if (lines.length() > BATCH) {
                    write();
                }
            }
        }
        if (lineCount > 0) {
            write();
        }
        return any;
    }

    private void write() {
        State now = State.WRITTEN;
        IOException failure = null;
        try {
            followRotation();
        } catch (IOException e) {
            now = State.NOT_OPENED;
            failure = e;
        }
        try {
            output.write(lines.toString().getBytes(StandardCharsets.UTF_8));
            written += lineCount;
        } catch (IOException e) {
            lost += lineCount;
            now = State.NOT_WRITTEN;
            failure = e;
        }
        lineCount = 0;
        lines.setLength(0);
        logState(now, failure);
    }

    private void followRotation() throws IOException {
        long nowNs = System.nanoTime();
        if (state != State.WRITTEN || nowNs - checkedNs > ROTATION_CHECK_NS) {
            checkedNs = nowNs;
            output.followRotation();
        }
    }

    /** Logs each change of the state once. */
    private void logState(State now, IOException failure) {
        if (now == state) {
            return;
        }
        state = now;
        switch (now) {
            case WRITTEN -> LOG.info("the access log is written to {} again", output);
            case NOT_OPENED ->
                LOG.warn(
                        "the access log cannot be opened again at {}: {}; its lines go to the old file, which was moved or deleted"
                                + " (access.log)",
                        output,
                        failure.toString());
            case NOT_WRITTEN ->
                LOG.warn(
                        "the access log cannot be written to {}: {}; requests are missing in it until it can (access.log)",
                        output,
                        failure.toString());
        }
    }

    /** Writes what was recorded before; to be called when no more comes. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
