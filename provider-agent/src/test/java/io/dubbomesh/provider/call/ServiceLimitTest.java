package io.dubbomesh.provider.call;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ServiceLimitTest {
    private final List<String> granted = new ArrayList<>();

    private ServiceLimit.Waiter waiter(String name) {
        return () -> granted.add(name);
    }

    @Test
    void permitsAreTakenUpToTheLimit() {
        ServiceLimit limit = new ServiceLimit(new LimitSettings(2, 1));

        assertThat(limit.tryAcquire()).isTrue();
        assertThat(limit.tryAcquire()).isTrue();
        assertThat(limit.tryAcquire()).isFalse();
        assertThat(limit.inService()).isEqualTo(2);
        limit.release();
        assertThat(limit.tryAcquire()).isTrue();
    }

    @Test
    void permitsAreGrantedInTheOrderOfTheQueue() {
        ServiceLimit limit = new ServiceLimit(new LimitSettings(1, 3));
        limit.tryAcquire();
        limit.tryWait(waiter("a"));
        limit.tryWait(waiter("b"));

        limit.release();
        assertThat(granted).containsExactly("a");
        limit.release();
        assertThat(granted).containsExactly("a", "b");
        assertThat(limit.inService()).isEqualTo(1);
        assertThat(limit.waiting()).isZero();
        limit.release();
        assertThat(limit.inService()).isZero();
    }

    @Test
    void theQueueIsBounded() {
        ServiceLimit limit = new ServiceLimit(new LimitSettings(1, 2));
        limit.tryAcquire();

        assertThat(limit.tryWait(waiter("a"))).isTrue();
        assertThat(limit.isFull()).isFalse();
        assertThat(limit.tryWait(waiter("b"))).isTrue();
        assertThat(limit.isFull()).isTrue();
        assertThat(limit.tryWait(waiter("c"))).isFalse();
        limit.release();
        assertThat(limit.tryWait(waiter("d"))).isTrue();
    }

    @Test
    void aWaiterThatLeavesTheQueueMakesRoomInItAndIsNotGrantedAPermit() {
        ServiceLimit limit = new ServiceLimit(new LimitSettings(1, 1));
        limit.tryAcquire();
        ServiceLimit.Waiter leaving = waiter("leaving");
        limit.tryWait(leaving);

        assertThat(limit.leave(leaving)).isTrue();
        assertThat(limit.leave(leaving)).isFalse();
        assertThat(limit.tryWait(waiter("b"))).isTrue();
        limit.release();
        assertThat(granted).containsExactly("b");
    }

    @Test
    void aWaiterIsGrantedAFreePermitAtOnce() {
        ServiceLimit limit = new ServiceLimit(new LimitSettings(1, 1));

        assertThat(limit.tryWait(waiter("a"))).isTrue();
        assertThat(granted).containsExactly("a");
    }

    @Test
    void manyThreadsNeverExceedTheLimitAndEachWaiterGetsAPermit() {
        int threads = 4;
        int rounds = 20_000;
        ServiceLimit limit = new ServiceLimit(new LimitSettings(3, 8));
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Phaser ready = new Phaser(threads);
        Runnable work = () -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            now.decrementAndGet();
            served.incrementAndGet();
            limit.release();
        };
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                ready.arriveAndAwaitAdvance();
                for (int round = 0; round < rounds; round++) {
                    if (limit.tryAcquire()) {
                        work.run();
                    } else if (!limit.tryWait(work::run)) {
                        refused.incrementAndGet();
                    }
                }
            });
            thread.start();
            running.add(thread);
        }
        for (Thread thread : running) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        assertThat(most.get()).isBetween(1, 3);
        assertThat(served.get() + refused.get()).isEqualTo(threads * rounds);
        assertThat(limit.inService()).isZero();
        assertThat(limit.waiting()).isZero();
    }
}
