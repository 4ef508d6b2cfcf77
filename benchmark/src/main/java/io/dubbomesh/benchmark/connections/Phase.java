package io.dubbomesh.benchmark.connections;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;
import org.HdrHistogram.Histogram;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes calls on connections in turn, each at a time that is fixed beforehand and does not wait for the answers. Latencies count from
 * that time, so that a stall of the server shows in every call that it delays. Runs on the event loop; what it counted may be read when
 * its future is complete.
 */
final class Phase implements Runnable {
    private static final long LONGEST_LATENCY_US = TimeUnit.HOURS.toMicros(1);

    private final EventLoop loop;
    private final List<FormConnection> connections;
    private final long calls;
    private final double intervalNs;
    private final long timeoutMs;
    private final Promise<Void> ended;
    private final Histogram latencyUs = new Histogram(1, LONGEST_LATENCY_US, 3);

    private long startNs;
    private long lastAnswerNs;
    private long made;
    private long over;
    private long requests;
    private long socketErrors;
    private long timeouts;
    private long badStatuses;
    private long wrong;
    private ScheduledFuture<?> timeout;

    /**
     * @param calls      how many, at least 1
     * @param intervalNs from one to the next
     * @param timeoutMs  how long to wait for answers when the last call is due
     */
    Phase(EventLoop loop, List<FormConnection> connections, long calls, double intervalNs, long timeoutMs) {
        this.loop = loop;
        this.connections = connections;
        this.calls = calls;
        this.intervalNs = intervalNs;
        this.timeoutMs = timeoutMs;
        ended = loop.newPromise();
    }

    /** Complete when every call is answered, lost or given up. */
    Future<Void> start() {
        loop.execute(() -> {
            startNs = System.nanoTime();
            lastAnswerNs = startNs;
            run();
        });
        return ended;
    }

    /** Makes the calls that are due. */
    @Override
    public void run() {
        long nowNs = System.nanoTime();
        while (made < calls && dueNs(made) - nowNs <= 0) {
            FormConnection connection = connections.get((int) (made % connections.size()));
            // First, since a lost connection ends the call at once.
            made++;
            connection.call(this, dueNs(made - 1));
        }
        if (made < calls) {
            loop.schedule(this, dueNs(made) - nowNs, TimeUnit.NANOSECONDS);
        } else if (!ended.isDone()) {
            timeout = loop.schedule(this::giveUp, timeoutMs, TimeUnit.MILLISECONDS);
        }
    }

    private long dueNs(long call) {
        return startNs + (long) (call * intervalNs);
    }

    private void giveUp() {
        timeouts += calls - over;
        connections.forEach(FormConnection::giveUp);
        ended.setSuccess(null);
    }

    void answered(long dueNs) {
        lastAnswerNs = System.nanoTime();
        latencyUs.recordValue(Math.min(TimeUnit.NANOSECONDS.toMicros(lastAnswerNs - dueNs), LONGEST_LATENCY_US));
        requests++;
        over(1);
    }

    void answeredWithBadStatus(long dueNs) {
        badStatuses++;
        answered(dueNs);
    }

    void answeredWrongly(long dueNs) {
        wrong++;
        answered(dueNs);
    }

    void lost(int count) {
        socketErrors += count;
        over(count);
    }

    private void over(int count) {
        over += count;
        if (over == calls) {
            if (timeout != null) {
                timeout.cancel(false);
            }
            ended.setSuccess(null);
        }
    }

    long requests() {
        return requests;
    }

    long durationUs() {
        return TimeUnit.NANOSECONDS.toMicros(lastAnswerNs - startNs);
    }

    /** In microseconds. */
    Histogram latencyUs() {
        return latencyUs;
    }

    long socketErrors() {
        return socketErrors;
    }

    long timeouts() {
        return timeouts;
    }

    long badStatuses() {
        return badStatuses;
    }

    long wrong() {
        return wrong;
    }
}
