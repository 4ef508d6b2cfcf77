package io.dubbomesh.client.call;

import io.dubbomesh.client.call.PeerQueue.Waiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.II_Result;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Two event loops at one {@link ServiceLimit}: no call waits beside a free permit, and no permit has two calls. */
public class ServiceLimitRaces {
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    private ServiceLimitRaces() {}

    /** The limit, of which {@code taken} permits are in use, and the queue of one peer. */
    private static class Limit {
        final ServiceLimit limit;
        final PeerQueue peer;

        Limit(int calls, int taken, int queue) {
            limit = new ServiceLimit(new LimitSettings(calls, false, 1, queue, HOUR_NS, HOUR_NS));
            peer = limit.queue(0);
            for (int i = 0; i < taken; i++) {
                limit.tryAcquire();
            }
        }

        /** 1 if the call has a permit at once, 2 if it waits, 0 if it does neither. */
        int call(Waiter waiter) {
            if (limit.tryAcquire()) {
                return 1;
            }
            return limit.tryWait(peer, waiter, 0) ? 2 : 0;
        }

        Counter waiting() {
            Counter waiter = new Counter();
            limit.tryWait(peer, waiter, 0);
            return waiter;
        }

        int leave(Waiter waiter) {
            return limit.remove(waiter) ? 1 : 0;
        }
    }

    private static final class Counter extends Waiter {
        final AtomicInteger grants = new AtomicInteger();
        final AtomicInteger evictions = new AtomicInteger();

        @Override
        void granted() {
            grants.incrementAndGet();
        }

        @Override
        void evicted() {
            evictions.incrementAndGet();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0, 1, 0", expect = Expect.ACCEPTABLE, desc = "found the permit")
    @Outcome(id = "2, 1, 1, 0", expect = Expect.ACCEPTABLE, desc = "waited and was granted the permit")
    @Outcome(expect = Expect.FORBIDDEN, desc = "waits beside a free permit, or has two")
    @State
    public static class ReleaseAndCall extends Limit {
        private final Counter waiter = new Counter();

        public ReleaseAndCall() {
            super(1, 1, 10);
        }

        @Actor
        public void release() {
            limit.release();
        }

        @Actor
        public void call(IIII_Result r) {
            r.r1 = call(waiter);
        }

        @Arbiter
        public void end(IIII_Result r) {
            r.r2 = waiter.grants.get();
            r.r3 = limit.inService();
            r.r4 = limit.waiting();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the first left, the second was granted the permit")
    @Outcome(id = "0, 1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first was granted the permit")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or none were granted the permit")
    @State
    public static class ReleaseAndLeave extends Limit {
        private final Counter first;
        private final Counter second;

        public ReleaseAndLeave() {
            super(1, 1, 10);
            first = waiting();
            second = waiting();
        }

        @Actor
        public void release() {
            limit.release();
        }

        @Actor
        public void leave(IIII_Result r) {
            r.r1 = leave(first);
        }

        @Arbiter
        public void end(IIII_Result r) {
            r.r2 = first.grants.get();
            r.r3 = second.grants.get();
            r.r4 = limit.inService();
        }
    }

    /**
     * The permit is put back if the queue is empty when its time has come; a call that comes at that moment must get
     * it.
     */
    @JCStressTest
    @Outcome(id = "1, 0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the first left, the second has the permit")
    @Outcome(id = "0, 1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first has the permit, the second waits")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or none have the permit")
    @State
    public static class ReleaseAndLeaveThenCall extends Limit {
        private final Counter first;
        private final Counter second = new Counter();
        private int called;

        public ReleaseAndLeaveThenCall() {
            super(1, 1, 10);
            first = waiting();
        }

        @Actor
        public void release() {
            limit.release();
        }

        @Actor
        public void leaveThenCall(IIII_Result r) {
            r.r1 = leave(first);
            called = call(second);
        }

        @Arbiter
        public void end(IIII_Result r) {
            r.r2 = first.grants.get();
            r.r3 = second.grants.get() + (called == 1 ? 1 : 0);
            r.r4 = limit.waiting() + 10 * (limit.inService() - 1);
        }
    }

    /** Each call gives its permit back as soon as it has it, on whichever thread that is. */
    @JCStressTest
    @Outcome(id = "2, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "one call after the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or one never")
    @State
    public static class CallsInTurn extends Limit {
        private final AtomicInteger served = new AtomicInteger();
        private final AtomicInteger atOnce = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        public CallsInTurn() {
            super(1, 0, 10);
        }

        private void serve() {
            int now = atOnce.incrementAndGet();
            most.accumulateAndGet(now, Math::max);
            served.incrementAndGet();
            atOnce.decrementAndGet();
            limit.release();
        }

        private void callAndServe() {
            Waiter waiter = new Waiter() {
                @Override
                void granted() {
                    serve();
                }

                @Override
                void evicted() {
                    throw new AssertionError("the queue is not full");
                }
            };
            if (call(waiter) == 1) {
                serve();
            }
        }

        @Actor
        public void one() {
            callAndServe();
        }

        @Actor
        public void other() {
            callAndServe();
        }

        @Arbiter
        public void end(IIII_Result r) {
            r.r1 = served.get();
            r.r2 = most.get();
            r.r3 = limit.inService();
            r.r4 = limit.waiting();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1, 2, 1", expect = Expect.ACCEPTABLE, desc = "each permit was granted once, in order")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a permit was lost or granted twice")
    @State
    public static class TwoReleases extends Limit {
        private final Counter first;
        private final Counter second;
        private final Counter third;

        public TwoReleases() {
            super(2, 2, 10);
            first = waiting();
            second = waiting();
            third = waiting();
        }

        @Actor
        public void one() {
            limit.release();
        }

        @Actor
        public void other() {
            limit.release();
        }

        @Arbiter
        public void end(IIII_Result r) {
            r.r1 = first.grants.get();
            r.r2 = second.grants.get();
            r.r3 = limit.inService();
            r.r4 = limit.waiting() + 10 * third.grants.get();
        }
    }

    @JCStressTest
    @Outcome(
            id = "1, 0, 1, 1",
            expect = Expect.ACCEPTABLE,
            desc = "the last one lost its place, then the first was granted")
    @Outcome(id = "1, 0, 0, 2", expect = Expect.ACCEPTABLE, desc = "the first was granted, then there was a place")
    @Outcome(expect = Expect.FORBIDDEN, desc = "granted and evicted, or neither and not in the queue")
    @State
    public static class ReleaseAndEvict extends Limit {
        private final PeerQueue modest = limit.queue(0);
        private final Counter first;
        private final Counter last;
        private final Counter newcomer = new Counter();

        public ReleaseAndEvict() {
            super(1, 1, 2);
            first = waiting();
            last = waiting();
        }

        @Actor
        public void release() {
            limit.release();
        }

        @Actor
        public void callOfAnotherPeer() {
            limit.tryWait(modest, newcomer, 0);
        }

        @Arbiter
        public void end(IIII_Result r) {
            r.r1 = first.grants.get() + last.grants.get() + newcomer.grants.get();
            r.r2 = first.evictions.get() + newcomer.evictions.get();
            r.r3 = last.evictions.get();
            r.r4 = limit.waiting() + 10 * (limit.inService() - 1);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the new link has the queue that the next one gets")
    @Outcome(expect = Expect.FORBIDDEN, desc = "links of one peer have two queues, or the queue stays")
    @State
    public static class LinkOpensAndLinkCloses {
        private static final long AGENT = 7;

        private final Limit of = new Limit(1, 0, 10);
        private final PeerQueue old = of.limit.queue(AGENT);
        private PeerQueue opened;

        @Actor
        public void open() {
            opened = of.limit.queue(AGENT);
        }

        @Actor
        public void close() {
            of.limit.linkClosed(AGENT, old);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = of.limit.queue(AGENT) == opened ? 1 : 0;
            of.limit.linkClosed(AGENT, opened);
            of.limit.linkClosed(AGENT, opened);
            r.r2 = of.limit.queue(AGENT) != opened ? 1 : 0;
        }
    }
}
