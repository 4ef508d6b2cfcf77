package io.dubbomesh.transport.write;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.util.concurrent.FastThreadLocal;

import java.util.ArrayList;
import java.util.List;

/**
 * Buffers of one capacity that an event loop writes with. Most are sent whole at once and can be filled again; the last
 * used comes first, since its bytes are still in the processor's cache, where an allocator's own cache would go round
 * all that it has. Owned by the loop.
 */
final class SpareBuffers {
    /** 512 of the smallest in use, so that as many HTTP connections can have one in a turn. */
    private static final int BYTES_KEPT = 256 * 1024;

    private static final FastThreadLocal<List<SpareBuffers>> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected List<SpareBuffers> initialValue() {
            return new ArrayList<>();
        }

        @Override
        protected void onRemoval(List<SpareBuffers> all) {
            all.forEach(SpareBuffers::close);
        }
    };

    private final int capacity;
    private final ByteBuf[] spares;
    private int count;
    private boolean closed;

    /** Returns the spare buffers of this capacity that belong to the event loop which asks. */
    static SpareBuffers ofLoop(int capacity) {
        List<SpareBuffers> all = OF_LOOP.get();
        for (SpareBuffers spares : all) {
            if (spares.capacity == capacity) {
                return spares;
            }
        }
        SpareBuffers spares = new SpareBuffers(capacity);
        all.add(spares);
        return spares;
    }

    private SpareBuffers(int capacity) {
        this.capacity = capacity;
        spares = new ByteBuf[Math.max(2, BYTES_KEPT / capacity)];
    }

    ByteBuf take(ByteBufAllocator allocator) {
        return count > 0 ? spares[--count] : allocator.directBuffer(capacity);
    }

    /** Sends a buffer and takes it back if the channel is done with it by then. */
    void writeAndFlush(Channel channel, ByteBuf buffer) {
        channel.writeAndFlush(buffer.retain(), channel.voidPromise());
        release(buffer);
    }

    /** Takes over a buffer that this loop does not need any more; the channel may still hold it. */
    void release(ByteBuf buffer) {
        if (count < spares.length && !closed && buffer.refCnt() == 1 && buffer.capacity() == capacity) {
            spares[count++] = buffer.clear();
        } else {
            buffer.release();
        }
    }

    private void close() {
        closed = true;
        while (count > 0) {
            spares[--count].release();
        }
    }
}
