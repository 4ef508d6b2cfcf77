package io.dubbomesh.transport.call;

import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class DeadlineSweepTest {
    private static final long MS = 1_000_000;

    private final AtomicInteger timers = new AtomicInteger();
    private final DefaultEventLoop loop = new DefaultEventLoop() {
        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            timers.incrementAndGet();
            return super.schedule(command, delay, unit);
        }
    };
    private final PendingCalls<Call> calls = new PendingCalls<>(System.nanoTime(), Call::expired);
    private final DeadlineSweep sweep = new DeadlineSweep(loop, calls);
    private final BlockingQueue<Call> failed = new LinkedBlockingQueue<>();

    private class Call extends PendingCall {
        final long dueNs;
        long failedNs;

        Call(long timeoutMs) {
            dueNs = System.nanoTime() + timeoutMs * MS;
        }

        void expired() {
            failedNs = System.nanoTime();
            failed.add(this);
        }
    }

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Call add(Call call) {
        calls.add(call, call.dueNs);
        sweep.added(call.dueNs);
        return call;
    }

    @Test
    void eachCallFailsAfterItsDeadlineThoughALaterOneCameFirst() throws Exception {
        List<Call> added = loop.submit(
                        () -> List.of(add(new Call(300)), add(new Call(30)), add(new Call(150)), add(new Call(31))))
                .get();

        for (int position : new int[] {1, 3, 2, 0}) {
            Call call = failed.take();
            assertThat(call.failedNs - call.dueNs).isNotNegative();
            assertThat(call.dueNs / PendingCalls.TICK_NS).isEqualTo(added.get(position).dueNs / PendingCalls.TICK_NS);
        }
        assertThat(loop.submit(calls::size).get()).isZero();
    }

    @Test
    void callsThatAreAnsweredInTimeCostOneTimerAltogether() throws Exception {
        loop.submit(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        calls.remove(add(new Call(60_000)));
                    }
                })
                .get();
        assertThat(timers).hasValue(1);
    }

    @Test
    void aCallAfterAllOthersHaveEndedIsSweptToo() throws Exception {
        loop.submit(() -> add(new Call(1))).get();
        failed.take();
        loop.submit(() -> add(new Call(1))).get();
        failed.take();
        assertThat(timers).hasValue(2);
    }

    @Test
    void aCallThatCannotBeEndedDoesNotKeepTheOthers() throws Exception {
        Call broken = new Call(10) {
            @Override
            void expired() {
                throw new IllegalStateException("this is a test");
            }
        };
        Call sound = loop.submit(() -> {
                    add(broken);
                    return add(new Call(10));
                })
                .get();
        assertThat(failed.take()).isSameAs(sound);
    }

    @Test
    void anErrorWhileACallEndsDoesNotKeepTheOthers() throws Exception {
        Call broken = new Call(10) {
            @Override
            void expired() {
                throw new OutOfMemoryError("this is a test");
            }
        };
        Call sound = loop.submit(() -> {
                    add(broken);
                    return add(new Call(30));
                })
                .get();
        assertThat(failed.take()).isSameAs(sound);
    }

    @Test
    void aCallWhoseDeadlineHasPassedWhenItIsAddedFailsAtTheNextTick() throws Exception {
        loop.submit(() -> calls.sweep(System.nanoTime())).get();
        Call late = loop.submit(() -> add(new Call(-1000))).get();

        assertThat(failed.take()).isSameAs(late);
        assertThat(late.failedNs - late.dueNs).isLessThan(11_000 * MS);
    }

    @Test
    void aCallThatIsAddedByAnotherOnesEndIsSweptToo() throws Exception {
        Call second = new Call(40);
        Call first = new Call(10) {
            @Override
            void expired() {
                add(second);
            }
        };
        loop.submit(() -> add(first)).get();
        assertThat(failed.take()).isSameAs(second);
    }
}
