package io.dubbomesh.transport.loop;

import io.netty.channel.DefaultEventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class PeriodicTaskTest {
    private final DefaultEventLoop loop = new DefaultEventLoop();

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void aTaskThatThrowsIsRunAgain() throws Exception {
        CountDownLatch runs = new CountDownLatch(4);
        PeriodicTask.start(loop, "test", 1, () -> {
            runs.countDown();
            if (runs.getCount() == 2) {
                throw new OutOfMemoryError("this is a test");
            }
            throw new IllegalStateException("this is a test");
        });

        runs.await();
    }

    @Test
    void aCancelledTaskIsNotRunAgain() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch cancelled = new CountDownLatch(1);
        Future<?>[] task = new Future<?>[1];
        loop.submit(() -> task[0] = PeriodicTask.start(loop, "test", 1, () -> {
                    runs.incrementAndGet();
                    task[0].cancel(false);
                    loop.schedule(cancelled::countDown, 20, TimeUnit.MILLISECONDS);
                }))
                .get();

        cancelled.await();
        assertThat(runs).hasValue(1);
    }
}
