package io.dubbomesh.micro;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.transport.call.CallPromise;
import io.dubbomesh.transport.call.PendingCalls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.collection.LongObjectHashMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * With 512 calls in flight, the oldest is answered and a new one begins. The maps hold futures and know nothing of deadlines; beside
 * {@link #agentWithDeadline} they would need a timer as well.
 */
public class PendingCallsBenchmark extends Microbenchmark {
    private static final int IN_FLIGHT = 512;
    private static final ByteBuf ANSWER = Unpooled.EMPTY_BUFFER;

    @Benchmark
    public int agent(Promises table) {
        return table.turn();
    }

    @Benchmark
    public int agentWithDeadline(PromisesWithDeadline table) {
        return table.turn();
    }

    @Benchmark
    public int hashMap(FuturesInHashMap table) {
        return table.turn();
    }

    @Benchmark
    public int concurrentHashMap(FuturesInConcurrentHashMap table) {
        return table.turn();
    }

    @Benchmark
    public int longObjectHashMap(FuturesInLongObjectHashMap table) {
        return table.turn();
    }

    /** One for each benchmark, so that no other contender's types are in a fork's profiles. */
    @State(Scope.Thread)
    public abstract static class Table {
        int answered;

        @Setup
        public void setUp() {
            for (int i = 0; i < IN_FLIGHT; i++) {
                begin();
            }
            for (int i = 0; i < 4 * IN_FLIGHT; i++) {
                requireEqual(turn(), i + 1);
                requireEqual(size(), IN_FLIGHT);
            }
        }

        abstract void begin();

        /** Returns the number of calls answered so far. */
        abstract int turn();

        abstract int size();
    }

    public static class Promises extends Table {
        private final PendingCalls<CallPromise> pending = new PendingCalls<>(0);
        private final long[] ids = new long[IN_FLIGHT];
        private int oldest;

        @Override
        void begin() {
            begin(new Call());
        }

        private void begin(Call call) {
            ids[oldest] = add(pending, call);
            oldest = (oldest + 1) % IN_FLIGHT;
        }

        long add(PendingCalls<CallPromise> pending, CallPromise call) {
            return pending.add(call);
        }

        @Override
        int turn() {
            Call call = (Call) pending.get(ids[oldest]);
            pending.remove(call);
            call.completed(ANSWER, 0);
            begin(call);
            return answered;
        }

        @Override
        int size() {
            return pending.size();
        }

        private final class Call extends CallPromise {
            @Override
            protected void completed(ByteBuf in, int offset) {
                answered++;
            }

            @Override
            protected void failed(Outcome outcome, String detail) {
                throw new IllegalStateException(detail);
            }
        }
    }

    public static class PromisesWithDeadline extends Promises {
        private static final long DEADLINE_NS = 5_000_000_000L;
        /** As at 100,000 calls a second. */
        private static final long CALL_NS = 10_000;

        private long nowNs;
        private long sweptNs;

        @Override
        long add(PendingCalls<CallPromise> pending, CallPromise call) {
            nowNs += CALL_NS;
            if (nowNs - sweptNs >= PendingCalls.TICK_NS) {
                pending.sweep(nowNs);
                sweptNs = nowNs;
            }
            return pending.add(call, nowNs + DEADLINE_NS);
        }
    }

    public static class FuturesInMap extends Table {
        private final Map<Long, CompletableFuture<ByteBuf>> pending;
        private long lastId;

        FuturesInMap(Map<Long, CompletableFuture<ByteBuf>> pending) {
            this.pending = pending;
        }

        @Override
        void begin() {
            CompletableFuture<ByteBuf> future = new CompletableFuture<>();
            future.thenAccept(answer -> answered++);
            pending.put(++lastId, future);
        }

        @Override
        int turn() {
            pending.remove(lastId - IN_FLIGHT + 1).complete(ANSWER);
            begin();
            return answered;
        }

        @Override
        int size() {
            return pending.size();
        }
    }

    public static class FuturesInHashMap extends FuturesInMap {
        public FuturesInHashMap() {
            super(new HashMap<>());
        }
    }

    public static class FuturesInConcurrentHashMap extends FuturesInMap {
        public FuturesInConcurrentHashMap() {
            super(new ConcurrentHashMap<>());
        }
    }

    public static class FuturesInLongObjectHashMap extends Table {
        private final LongObjectHashMap<CompletableFuture<ByteBuf>> pending = new LongObjectHashMap<>();
        private long lastId;

        @Override
        void begin() {
            CompletableFuture<ByteBuf> future = new CompletableFuture<>();
            future.thenAccept(answer -> answered++);
            pending.put(++lastId, future);
        }

        @Override
        int turn() {
            pending.remove(lastId - IN_FLIGHT + 1).complete(ANSWER);
            begin();
            return answered;
        }

        @Override
        int size() {
            return pending.size();
        }
    }
}
