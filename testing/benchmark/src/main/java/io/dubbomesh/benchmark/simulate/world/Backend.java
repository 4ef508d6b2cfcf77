package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.transport.call.StandingDelay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A provider with its agent: serves calls up to the limit, has others wait, and refuses what would wait too long. */
public final class Backend {
    /** The defaults of the provider agent. */
    private static final long QUEUE_TARGET_NS = 20_000_000;

    private static final long QUEUE_BURST_NS = 250_000_000;
    private static final int MEAN_OF = 16;

    /** How a call ends at the provider. */
    public enum End {
        EXECUTED,
        FAILED,
        /** The service has thrown an exception. */
        THREW,
        REFUSED,
        LOST
    }

    /** Takes the answer of one call. */
    public interface Caller {
        /** @param load as the answer reports it; null if there is none */
        void ended(End end, BackendLoad load);
    }

    private record Waiting(Caller caller, long arrivedNs) {}

    private final Timeline timeline;
    private final int number;
    private final int limit;
    private final Service service;
    private final StandingDelay delay;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final Set<Caller> inService = new LinkedHashSet<>();
    private final LatencyByLoad latencies = new LatencyByLoad();
    private boolean alive = true;
    /** The number of its processes so far. */
    private int life;
    /** The time in which it answers each call with an error; 0 if it works. */
    private long failsAfterNs;

    private End failsWith;

    /** The moving mean of what calls have taken, as the provider agent's ServiceLimit has it. */
    private long meanCallNs;

    private long executed;

    public Backend(Timeline timeline, int number, int limit, Service service) {
        this.timeline = timeline;
        this.number = number;
        this.limit = limit;
        this.service = service;
        delay = new StandingDelay(QUEUE_TARGET_NS, QUEUE_BURST_NS, timeline.nowNs());
    }

    public int number() {
        return number;
    }

    public int limit() {
        return limit;
    }

    public boolean isAlive() {
        return alive;
    }

    /** Returns the number of its present or last process. */
    int life() {
        return life;
    }

    public long executed() {
        return executed;
    }

    public void failAfter(long durationNs, End end) {
        failsWith = end;
        failsAfterNs = durationNs;
    }

    /** Returns what a provider agent reports with an answer that it writes now, of a call that is still in service. */
    private BackendLoad load() {
        return new BackendLoad(inService.size() + queue.size(), meanCallNs, timeline.nowNs());
    }

    /** Returns what a server of the paper of Prequal answers to a probe now. */
    public BackendLoad probe() {
        int calls = inService.size() + queue.size();
        return new BackendLoad(calls, latencies.estimateNs(calls + 1), timeline.nowNs());
    }

    public void serve(Caller caller) {
        if (!alive) {
            caller.ended(End.LOST, null);
        } else if (inService.size() < limit) {
            begin(caller, timeline.nowNs());
        } else if (delay.admits(queue.size(), inService.size(), Long.MAX_VALUE, timeline.nowNs())) {
            queue.add(new Waiting(caller, timeline.nowNs()));
        } else {
            caller.ended(End.REFUSED, load());
        }
    }

    private void begin(Caller caller, long arrivedNs) {
        inService.add(caller);
        int calls = inService.size() + queue.size();
        if (failsAfterNs > 0) {
            End end = failsWith;
            timeline.after(failsAfterNs, () -> end(caller, end));
            return;
        }
        service.begin(() -> {
            executed++;
            long durationNs = timeline.nowNs() - arrivedNs;
            meanCallNs += meanCallNs == 0 ? durationNs : (durationNs - meanCallNs) / MEAN_OF;
            latencies.add(calls, durationNs);
            end(caller, End.EXECUTED);
        });
    }

    private void end(Caller caller, End end) {
        BackendLoad load = load();
        if (!inService.remove(caller)) {
            return;
        }
        Waiting next = queue.poll();
        if (next != null) {
            delay.served(queue.size(), timeline.nowNs());
            begin(next.caller(), next.arrivedNs());
        }
        caller.ended(end, load);
    }

    /** Ends the process: all its calls are lost with the links. */
    public void kill() {
        alive = false;
        service.kill();
        List<Caller> lost = new ArrayList<>(inService);
        queue.forEach(waiting -> lost.add(waiting.caller()));
        inService.clear();
        queue.clear();
        lost.forEach(caller -> caller.ended(End.LOST, null));
    }

    /** Starts another process at the same address. */
    public void restart() {
        alive = true;
        life++;
    }
}
