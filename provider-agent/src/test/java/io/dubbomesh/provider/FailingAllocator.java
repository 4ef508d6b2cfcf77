package io.dubbomesh.provider;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Fails once, at the allocation or growth of a buffer that it is told to fail at, counted from 0. Its buffers start
 * with a few bytes, so that writers of small frames grow them at many points.
 */
final class FailingAllocator extends AbstractByteBufAllocator {
    private static final int INITIAL_CAPACITY = 16;

    private final int failAt;
    private final Supplier<Throwable> failure;
    private final AtomicInteger allocations = new AtomicInteger();
    private volatile boolean disarmed;

    FailingAllocator(int failAt, Supplier<Throwable> failure) {
        super(true);
        this.failAt = failAt;
        this.failure = failure;
    }

    boolean hasFailed() {
        return allocations.get() > failAt;
    }

    /** Lets nothing fail from now on. */
    void disarm() {
        disarmed = true;
    }

    private void count() {
        if (!disarmed && allocations.getAndIncrement() == failAt) {
            FailingAllocator.<RuntimeException>rethrow(failure.get());
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable failure) throws T {
        throw (T) failure;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        count();
        return new UnpooledDirectByteBuf(this, Math.min(INITIAL_CAPACITY, initialCapacity), maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }

    @Override
    public int calculateNewCapacity(int minNewCapacity, int maxCapacity) {
        count();
        return minNewCapacity;
    }
}
