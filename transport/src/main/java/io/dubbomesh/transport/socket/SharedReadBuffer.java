package io.dubbomesh.transport.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Lets all channels of an event loop read into the same buffers: a read allocates nothing, a connection that waits
 * holds nothing, and the bytes lie where the processor's cache has them. A handler that keeps bytes beyond the turn
 * copies them. A read takes the first buffer; as long as handlers keep it, as they do to read some channels before they
 * go on with any, it takes one of {@link #MORE} smaller ones, and when these are kept too a buffer of its own. One read
 * per event: what a second one could find is announced by the next event. Nothing of a read is left for the next one,
 * so the channels share the handle, too.
 *
 * <p>Not for transports that hold the buffer while they wait, as io_uring does.
 */
final class SharedReadBuffer extends DefaultMaxMessagesRecvByteBufAllocator {
    static final SharedReadBuffer INSTANCE = new SharedReadBuffer();

    private static final int CAPACITY = 64 * 1024;
    /** The number of smaller buffers. */
    private static final int MORE = 15;

    private static final int SMALLER_CAPACITY = 8 * 1024;

    private static final FastThreadLocal<LoopHandle> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected LoopHandle initialValue() {
            return INSTANCE.new LoopHandle();
        }

        @Override
        protected void onRemoval(LoopHandle handle) {
            handle.release();
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
        private final ByteBuf[] buffers = new ByteBuf[1 + MORE];
        /** The buffer of the last read. */
        private int last;

        private LoopHandle() {
            buffers[0] = newBuffer(CAPACITY);
            for (int i = 1; i < buffers.length; i++) {
                buffers[i] = newBuffer(SMALLER_CAPACITY);
            }
        }

        private static ByteBuf newBuffer(int capacity) {
            return PooledByteBufAllocator.DEFAULT.directBuffer(capacity, capacity);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            if (isFree(0)) {
                last = 0;
            } else if (!isFree(last) && last < MORE) {
                last++;
            }
            return isFree(last) ? buffers[last].clear().retain() : allocator.directBuffer(CAPACITY);
        }

        private boolean isFree(int index) {
            return buffers[index].refCnt() == 1;
        }

        @Override
        public int guess() {
            return CAPACITY;
        }

        private void release() {
            for (ByteBuf buffer : buffers) {
                buffer.release();
            }
        }
    }
}
