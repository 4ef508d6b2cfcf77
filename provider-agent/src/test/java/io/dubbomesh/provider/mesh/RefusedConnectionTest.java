package io.dubbomesh.provider.mesh;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class RefusedConnectionTest {
    private static final long NOTHING_SCHEDULED = -1;

    /**
     * The loop of another channel, since the loop of an EmbeddedChannel forgets what is scheduled when that is closed.
     */
    private final EmbeddedChannel loop = new EmbeddedChannel();

    private final EmbeddedChannel channel = new EmbeddedChannel();

    @BeforeEach
    @SuppressWarnings("deprecation") // of handlers on another loop than their channel's, which this test needs
    void refuse() {
        channel.pipeline().addLast(loop.eventLoop(), new RefusedConnection("full", 2_000));
        channel.pipeline().fireChannelActive();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        loop.finishAndReleaseAll();
    }

    @Test
    void itIsClosedAfterATimeIfThePeerSaysNothing() {
        assertThat(channel.isOpen()).isTrue();
        loop.advanceTimeBy(2, TimeUnit.SECONDS);
        loop.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void nothingIsLeftOfOneThatIsClosed() {
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[10]));

        assertThat(channel.isOpen()).isFalse();
        assertThat(loop.runScheduledPendingTasks()).isEqualTo(NOTHING_SCHEDULED);
    }
}
