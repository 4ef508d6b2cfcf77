package io.dubbomesh.micro;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.transport.call.CallPromise;
import io.dubbomesh.transport.call.PendingCalls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * With 512 calls in flight, the oldest is answered and a new one begins. The map holds futures without deadlines; in comparison with
 * {@link #agentWithDeadline} it would also need a timer.
 */
public class PendingCallsBenchmark extends Microbenchmark {
    private static final int IN_FLIGHT = 512;
    private static final ByteBuf ANSWER = Unpooled.EMPTY_BUFFER;
    private static final long DEADLINE_NS = 5_000_000_000L;

    /** As at 100,000 calls a second. */
    private static final long CALL_NS = 10_000;

    private final PendingCalls<CallPromise> withoutDeadline = new PendingCalls<>(0);
    private final PendingCalls<CallPromise> withDeadline = new PendingCalls<>(0);
    private final Map<Long, CompletableFuture<ByteBuf>> futures = new HashMap<>();
    private final long[] ids = new long[IN_FLIGHT];
    private final long[] idsWithDeadline = new long[IN_FLIGHT];
    private int answered;
    private int oldest;
    private int oldestWithDeadline;
    private long nowNs;
    private long sweptNs;
    private long lastId;

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

    @Setup
    public void setUp() {
        for (int i = 0; i < IN_FLIGHT; i++) {
            ids[i] = withoutDeadline.add(new Call());
            idsWithDeadline[i] = withDeadline.add(new Call(), DEADLINE_NS);
            begin();
        }
        for (int i = 0; i < 4 * IN_FLIGHT; i++) {
            requireEqual(agent(), 3 * i + 1);
            requireEqual(agentWithDeadline(), 3 * i + 2);
            requireEqual(hashMap(), 3 * i + 3);
        }
        requireEqual(withoutDeadline.size() + withDeadline.size() + futures.size(), 3 * IN_FLIGHT);
    }

    @Benchmark
    public int agent() {
        Call call = (Call) withoutDeadline.get(ids[oldest]);
        withoutDeadline.remove(call);
        call.completed(ANSWER, 0);
        ids[oldest] = withoutDeadline.add(call);
        oldest = (oldest + 1) % IN_FLIGHT;
        return answered;
    }

    @Benchmark
    public int agentWithDeadline() {
        Call call = (Call) withDeadline.get(idsWithDeadline[oldestWithDeadline]);
        withDeadline.remove(call);
        call.completed(ANSWER, 0);
        nowNs += CALL_NS;
        if (nowNs - sweptNs >= PendingCalls.TICK_NS) {
            withDeadline.sweep(nowNs);
            sweptNs = nowNs;
        }
        idsWithDeadline[oldestWithDeadline] = withDeadline.add(call, nowNs + DEADLINE_NS);
        oldestWithDeadline = (oldestWithDeadline + 1) % IN_FLIGHT;
        return answered;
    }

    @Benchmark
    public int hashMap() {
        futures.remove(lastId - IN_FLIGHT + 1).complete(ANSWER);
        begin();
        return answered;
    }

    private void begin() {
        CompletableFuture<ByteBuf> future = new CompletableFuture<>();
        future.thenAccept(answer -> answered++);
        futures.put(++lastId, future);
    }
}
