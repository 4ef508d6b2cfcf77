package io.dubbomesh.transport.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.util.concurrent.FastThreadLocal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class SharedReadBufferTest {
    private final ByteBufAllocator allocator = new PooledByteBufAllocator(true);
    private final ExtendedHandle handle = SharedReadBuffer.INSTANCE.newHandle();

    @AfterEach
    void releaseBuffersOfThisThread() {
        FastThreadLocal.removeAll();
    }

    @Test
    void channelsShareTheHandleAndTheFirstBuffer() {
        assertThat(SharedReadBuffer.INSTANCE.newHandle()).isSameAs(handle);
        ByteBuf first = handle.allocate(allocator);
        first.writeInt(1).release();
        ByteBuf second = handle.allocate(allocator);

        assertThat(second).isSameAs(first);
        assertThat(second.isReadable()).isFalse();
        second.release();
    }

    @Test
    void readsWhileBuffersAreKeptGetOthersAndTheFirstOneAgainWhenItIsFree() {
        Set<ByteBuf> different = Collections.newSetFromMap(new IdentityHashMap<>());
        List<ByteBuf> kept = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ByteBuf buffer = handle.allocate(allocator);
            kept.add(buffer);
            different.add(buffer);
        }

        assertThat(different).hasSize(20);
        kept.subList(0, 16).forEach(shared -> assertThat(shared.refCnt()).isEqualTo(2));
        kept.subList(16, 20).forEach(own -> assertThat(own.refCnt()).isEqualTo(1));
        kept.forEach(ByteBuf::release);
        ByteBuf next = handle.allocate(allocator);
        assertThat(next).isSameAs(kept.get(0));
        next.release();
    }

    @Test
    void aBufferThatIsKeptForLongIsPassedOver() {
        ByteBuf kept = handle.allocate(allocator);
        ByteBuf other = handle.allocate(allocator);
        other.release();
        ByteBuf again = handle.allocate(allocator);

        assertThat(other).isNotSameAs(kept);
        assertThat(again).isSameAs(other);
        again.release();
        kept.release();
    }
}
