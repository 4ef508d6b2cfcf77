package io.dubbomesh.client.call;

import io.dubbomesh.client.call.PeerQueue.Waiter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ServiceLimitTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final List<String> events = new ArrayList<>();

    private static ServiceLimit limit(int calls, int queue) {
        return new ServiceLimit(new LimitSettings(calls, false, 1, queue, SECOND, 3600 * SECOND));
    }

    /** Is heard of by its name when it is granted a permit, and by its name in brackets when it is evicted. */
    private Waiter waiter(String name) {
        return new Waiter() {
            @Override
            void granted() {
                events.add(name);
            }

            @Override
            void evicted() {
                events.add("[" + name + "]");
            }
        };
    }

    private boolean tryWait(ServiceLimit limit, PeerQueue peer, String name) {
        return limit.tryWait(peer, waiter(name), 0);
    }

    @Test
    void permitsAreTakenUpToTheLimit() {
        ServiceLimit limit = limit(2, 1);

        assertThat(limit.tryAcquire()).isTrue();
        assertThat(limit.tryAcquire()).isTrue();
        assertThat(limit.tryAcquire()).isFalse();
        assertThat(limit.inService()).isEqualTo(2);
        limit.release();
        assertThat(limit.tryAcquire()).isTrue();
    }

    @Test
    void permitsAreGrantedToThePeersCallsInTheirOrder() {
        ServiceLimit limit = limit(1, 3);
        PeerQueue peer = limit.queue(0);
        limit.tryAcquire();
        tryWait(limit, peer, "a");
        tryWait(limit, peer, "b");

        limit.release();
        assertThat(events).containsExactly("a");
        limit.release();
        assertThat(events).containsExactly("a", "b");
        assertThat(limit.inService()).isEqualTo(1);
        assertThat(limit.waiting()).isZero();
        limit.release();
        assertThat(limit.inService()).isZero();
    }

    @Test
    void permitsAreGrantedToThePeersInTurnHoweverManyCallsEachHas() {
        ServiceLimit limit = limit(1, 10);
        PeerQueue greedy = limit.queue(0);
        PeerQueue modest = limit.queue(0);
        limit.tryAcquire();
        for (int i = 1; i <= 4; i++) {
            tryWait(limit, greedy, "greedy " + i);
        }
        tryWait(limit, modest, "modest 1");
        tryWait(limit, modest, "modest 2");

        for (int i = 0; i < 6; i++) {
            limit.release();
        }
        assertThat(events).containsExactly("greedy 1", "modest 1", "greedy 2", "modest 2", "greedy 3", "greedy 4");
    }

    @Test
    void theLinksOfOneAgentShareItsTurn() {
        ServiceLimit limit = limit(1, 10);
        PeerQueue oneLink = limit.queue(7);
        PeerQueue otherLink = limit.queue(7);
        PeerQueue modest = limit.queue(8);
        limit.tryAcquire();
        tryWait(limit, oneLink, "a");
        tryWait(limit, otherLink, "b");
        tryWait(limit, modest, "c");

        for (int i = 0; i < 3; i++) {
            limit.release();
        }
        assertThat(events).containsExactly("a", "c", "b");
        assertThat(otherLink).isSameAs(oneLink);
        limit.linkClosed(7, oneLink);
        assertThat(limit.queue(7)).as("as long as one link is open").isSameAs(oneLink);
        limit.linkClosed(7, oneLink);
        limit.linkClosed(7, oneLink);
        assertThat(limit.queue(7)).isNotSameAs(oneLink);
    }

    @Test
    void theQueueIsBounded() {
        ServiceLimit limit = limit(1, 2);
        PeerQueue peer = limit.queue(0);
        limit.tryAcquire();

        assertThat(tryWait(limit, peer, "a")).isTrue();
        assertThat(limit.admits(peer, SECOND, 0)).isTrue();
        assertThat(tryWait(limit, peer, "b")).isTrue();
        assertThat(limit.admits(peer, SECOND, 0)).isFalse();
        assertThat(tryWait(limit, peer, "c")).isFalse();
        limit.release();
        assertThat(tryWait(limit, peer, "d")).isTrue();
    }

    @Test
    void aFullQueueMakesRoomForAPeerWithFewerCallsAtTheExpenseOfTheOneWithMost() {
        ServiceLimit limit = limit(1, 3);
        PeerQueue greedy = limit.queue(0);
        PeerQueue modest = limit.queue(0);
        limit.tryAcquire();
        tryWait(limit, greedy, "a");
        tryWait(limit, greedy, "b");
        tryWait(limit, greedy, "c");

        assertThat(limit.admits(greedy, SECOND, 0)).isFalse();
        assertThat(limit.admits(modest, SECOND, 0)).isTrue();
        assertThat(tryWait(limit, modest, "d")).isTrue();
        assertThat(events).containsExactly("[c]");
        assertThat(limit.waiting()).isEqualTo(3);
        assertThat(tryWait(limit, modest, "e"))
                .as("both would have two, or one and two")
                .isFalse();
        for (int i = 0; i < 3; i++) {
            limit.release();
        }
        assertThat(events).containsExactly("[c]", "a", "d", "b");
    }

    @Test
    void aWaiterThatLeavesTheQueueMakesRoomInItAndIsNotGrantedAPermit() {
        ServiceLimit limit = limit(1, 1);
        PeerQueue peer = limit.queue(0);
        limit.tryAcquire();
        Waiter leaving = waiter("leaving");
        limit.tryWait(peer, leaving, 0);

        assertThat(limit.remove(leaving)).isTrue();
        assertThat(limit.remove(leaving)).isFalse();
        assertThat(tryWait(limit, peer, "b")).isTrue();
        limit.release();
        assertThat(events).containsExactly("b");
    }

    @Test
    void waitersMayLeaveFromAnyPlaceOfTheQueue() {
        ServiceLimit limit = limit(1, 5);
        PeerQueue peer = limit.queue(0);
        limit.tryAcquire();
        List<Waiter> waiters = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d", "e")) {
            Waiter waiter = waiter(name);
            waiters.add(waiter);
            limit.tryWait(peer, waiter, 0);
        }

        for (int leaving : new int[] {2, 0, 4}) {
            assertThat(limit.remove(waiters.get(leaving))).isTrue();
        }
        assertThat(limit.waiting()).isEqualTo(2);
        limit.release();
        limit.release();
        assertThat(events).containsExactly("b", "d");
    }

    @Test
    void aWaiterIsGrantedAFreePermitAtOnce() {
        ServiceLimit limit = limit(1, 1);

        assertThat(tryWait(limit, limit.queue(0), "a")).isTrue();
        assertThat(events).containsExactly("a");
    }

    @Test
    void aCallWhoseDeadlineWouldPassInTheQueueIsRefused() {
        ServiceLimit limit = limit(1, 10);
        PeerQueue peer = limit.queue(0);
        limit.tryAcquire();
        assertThat(limit.admits(peer, 1, 0))
                .as("the first may be served in time")
                .isTrue();
        tryWait(limit, peer, "a");

        assertThat(limit.admits(peer, SECOND, 10 * SECOND)).isFalse();
    }

    @Test
    void peersWhoseCallsHaveLeftTheQueueTakeNoShareOfTheLimit() {
        ServiceLimit limit = new ServiceLimit(new LimitSettings(20, false, 1, 100, 1, 1));
        for (int i = 0; i < 20; i++) {
            limit.tryAcquire();
        }
        for (int i = 0; i < 9; i++) {
            Waiter leaving = waiter("leaving");
            limit.tryWait(limit.queue(0), leaving, 0);
            limit.remove(leaving);
        }
        PeerQueue peer = limit.queue(0);
        limit.admits(peer, SECOND, 0);
        for (int i = 0; i < 12; i++) {
            tryWait(limit, peer, "waiting");
        }

        assertThat(limit.admits(peer, 60 * SECOND, SECOND))
                .as("five rounds of 20 calls may wait")
                .isTrue();
    }

    @Test
    void eachOfMorePeersThanPermitsCountsAsServed() {
        ServiceLimit limit = limit(1, 10);
        PeerQueue peer = limit.queue(0);
        limit.tryAcquire();
        limit.admits(peer, SECOND, 0);
        tryWait(limit, peer, "a");
        tryWait(limit, limit.queue(0), "b");

        assertThat(limit.admits(peer, SECOND, 10 * SECOND))
                .as("it would wait longer than its time")
                .isFalse();
    }

    @Test
    void aLearntLimitFollowsRefusals() {
        ServiceLimit limit = new ServiceLimit(new LimitSettings(100, true, 1, 10, SECOND, SECOND));
        assertThat(limit.advertised()).isEqualTo(20);
        for (int i = 0; i < 20; i++) {
            assertThat(limit.tryAcquire()).isTrue();
        }
        assertThat(limit.tryAcquire()).isFalse();

        for (int i = 0; i < 5; i++) {
            limit.poolExhausted(0);
            limit.release();
        }

        assertThat(limit.advertised()).isEqualTo(15);
        assertThat(limit.tryAcquire()).isFalse();
        limit.release();
        assertThat(limit.tryAcquire()).isTrue();
    }

    @Test
    void manyThreadsNeverExceedTheLimitAndEachWaiterGetsAPermitOrIsEvicted() {
        int threads = 4;
        int rounds = 20_000;
        ServiceLimit limit = limit(3, 8);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        // Like an event loop, a thread serves no call within the release of another one: that would nest without end.
        Queue<Working> granted = new ConcurrentLinkedQueue<>();
        Phaser ready = new Phaser(threads);
        Runnable work = () -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            now.decrementAndGet();
            served.incrementAndGet();
            limit.release();
        };
        Runnable serveGranted = () -> {
            while (granted.poll() != null) {
                work.run();
            }
        };
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            PeerQueue peer = limit.queue(0);
            Thread thread = new Thread(() -> {
                ready.arriveAndAwaitAdvance();
                for (int round = 0; round < rounds; round++) {
                    if (limit.tryAcquire()) {
                        work.run();
                    } else if (!limit.tryWait(peer, new Working(granted, refused), 0)) {
                        refused.incrementAndGet();
                    }
                    serveGranted.run();
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

    private static final class Working extends Waiter {
        private final Queue<Working> granted;
        private final AtomicInteger refused;

        Working(Queue<Working> granted, AtomicInteger refused) {
            this.granted = granted;
            this.refused = refused;
        }

        @Override
        void granted() {
            granted.add(this);
        }

        @Override
        void evicted() {
            refused.incrementAndGet();
        }
    }
}
