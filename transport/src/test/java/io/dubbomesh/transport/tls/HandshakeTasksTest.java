package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.Await;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class HandshakeTasksTest {
    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(1);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final HandshakeTasks tasks = new HandshakeTasks(threads, channel, HandshakeTasks.Progress.IGNORED);
    private final AtomicInteger computed = new AtomicInteger();

    HandshakeTasksTest() {
        threads.setRemoveOnCancelPolicy(true);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        channel.close();
    }

    @Test
    void oneTaskFollowsTheOther() throws Exception {
        CountDownLatch done = new CountDownLatch(2);
        tasks.execute(done::countDown);
        tasks.execute(done::countDown);
        done.await();
    }

    @Test
    void whatHasNotBegunWhenTheConnectionClosesIsDropped() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch another = new CountDownLatch(1);
        threads.execute(() -> {
            begun.countDown();
            await(another);
        });
        begun.await();
        tasks.execute(computed::incrementAndGet);

        channel.close();

        assertThat(threads.getQueue()).isEmpty();
        another.countDown();
        threads.submit(() -> {}).get();
        assertThat(computed).hasValue(0);
    }

    @Test
    void nothingIsComputedForAConnectionThatIsClosed() throws Exception {
        channel.close();
        tasks.execute(computed::incrementAndGet);

        threads.submit(() -> {}).get();
        assertThat(computed).hasValue(0);
    }

    /** The event loop may ask for what follows before the thread is done with what was before. */
    @Test
    void thePeerIsAwaitedWhenNothingIsLeftToCompute() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        HandshakeTasks handshake = new HandshakeTasks(threads, channel, new HandshakeTasks.Progress() {
            @Override
            public void computes() {
                told.add("computes");
            }

            @Override
            public void awaitsPeer() {
                told.add("awaits the peer");
            }
        });
        handshake.execute(() -> {
            told.add("first");
            handshake.execute(() -> told.add("second"));
        });
        Await.until("the peer is awaited", () -> told.contains("awaits the peer"));
        threads.submit(() -> {}).get();
        assertThat(told).containsExactly("computes", "first", "second", "awaits the peer");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
