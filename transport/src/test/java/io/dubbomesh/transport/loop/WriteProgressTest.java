package io.dubbomesh.transport.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WriteProgressTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final WriteProgress writes = new WriteProgress();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private static ByteBuf bytes() {
        return Unpooled.wrappedBuffer(new byte[10]);
    }

    @Test
    void nothingIsPendingOnAChannelThatHasTakenAll() {
        assertThat(writes.isPending(channel, 1_000)).isFalse();
        channel.writeOutbound(bytes());
        assertThat(writes.isPending(channel, 2_000)).isFalse();
    }

    @Test
    void theTimeBeginsWithTheFirstLookThatFindsSomethingPendingThoughItIsNotFlushed() {
        channel.write(bytes());
        assertThat(writes.isPending(channel, 1_000_000)).isTrue();
        assertThat(writes.stalledNs(1_000_000)).isZero();
        assertThat(writes.isPending(channel, 1_000_500)).isTrue();
        assertThat(writes.stalledNs(1_000_500)).isEqualTo(500);
    }

    @Test
    void theTimeBeginsAnewWhenAllWasTakenMeanwhile() {
        channel.write(bytes());
        assertThat(writes.isPending(channel, 1_000)).isTrue();
        channel.flush();
        assertThat(writes.isPending(channel, 2_000)).isFalse();
        channel.write(bytes());
        assertThat(writes.isPending(channel, 3_000)).isTrue();
        assertThat(writes.stalledNs(3_000)).isZero();
    }
}
