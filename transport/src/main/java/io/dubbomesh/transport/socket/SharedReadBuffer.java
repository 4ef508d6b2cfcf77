package io.dubbomesh.transport.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Lets all channels of an event loop read into one and the same buffer: a read allocates nothing, a connection that
 * waits holds nothing, and the bytes lie where the processor's cache has them. A handler that keeps bytes copies them;
 * as long as one keeps the buffer itself, reads get buffers of their own. One read per event: what a second one could
 * find is announced by the next event. Nothing of a read is left for the next one, so the channels share the handle,
 * too.
 *
 * <p>Not for transports that hold the buffer while they wait, as io_uring does.
 */
final class SharedReadBuffer extends DefaultMaxMessagesRecvByteBufAllocator {
    static final SharedReadBuffer INSTANCE = new SharedReadBuffer();

    private static final int CAPACITY = 64 * 1024;

    private static final FastThreadLocal<LoopHandle> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected LoopHandle initialValue() {
            return INSTANCE.new LoopHandle();
        }

        @Override
        protected void onRemoval(LoopHandle handle) {
            handle.shared.release();
        }
    };

    private SharedReadBuffer() {
        super(1);
    }

    /** Returns the handle of the event loop, on which a channel asks for its handle with its first read. */
    @Override
    public ExtendedHandle newHandle() {
        return OF_LOOP.get();
    }

    private final class LoopHandle extends MaxMessageHandle {
        private final ByteBuf shared = PooledByteBufAllocator.DEFAULT.directBuffer(CAPACITY, CAPACITY);

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return shared.refCnt() == 1 ? shared.clear().retain() : allocator.directBuffer(CAPACITY);
        }

        @Override
        public int guess() {
            return CAPACITY;
        }
    }
}
