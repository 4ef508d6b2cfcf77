package io.dubbomesh.transport.http2;

import io.dubbomesh.testsupport.Hex;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Streams that are reset are so by a few frames at once, and the rest later. */
class ResetBudgetTest {
    private static final int STREAMS = 100;
    private static final Http2Limits LIMITS = new Http2Limits(STREAMS, 128 * 1024, 256 * 1024, 1024, 100_000);

    /** Resets 100 streams, of which the peer is told of 80. */
    private static PlayedPeer begin() {
        PlayedPeer peer = new PlayedPeer(LIMITS, 1);
        peer.sends(PlayedPeer.SETTINGS);
        for (int i = 0; i < STREAMS; i++) {
            peer.open("01");
        }
        peer.sends("000001 01 04", Hex.u32(199), "88 000004 00 00", Hex.u32(199), "00000000");
        peer.received();
        peer.happened();
        for (int i = 0; i < STREAMS; i++) {
            peer.client.reset(1 + 2 * i, Http2Error.CANCEL);
        }
        return peer;
    }

    @Test
    void atMost80AreSentAtOnceAndAboutAsManyIn30Seconds() {
        long now = -5;
        ResetBudget budget = new ResetBudget(now);
        List<Long> taken = new ArrayList<>();
        long end = now + TimeUnit.SECONDS.toNanos(200);
        for (; now < end; now += TimeUnit.MILLISECONDS.toNanos(7)) {
            if (budget.tryTake(now)) {
                taken.add(now);
            }
        }
        assertThat(taken).hasSize(80 + 200 * 80 / 30);
        assertThat(taken.get(79)).isLessThan(TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i + 160 < taken.size(); i++) {
            assertThat(taken.get(i + 160) - taken.get(i)).isGreaterThan(TimeUnit.SECONDS.toNanos(29));
        }
    }

    @Test
    void whatHasToBeSentIsTakenInAdvance() {
        ResetBudget budget = new ResetBudget(0);
        for (int i = 0; i < ResetBudget.MAX + 10; i++) {
            budget.take(0);
        }
        assertThat(budget.tryTake(10 * ResetBudget.INTERVAL_NS)).isFalse();
        assertThat(budget.tryTake(11 * ResetBudget.INTERVAL_NS)).isTrue();
    }

    @Test
    void theRestIsAbandonedStillCountsAtThePeerAndIsResetLater() {
        try (PlayedPeer peer = begin()) {
            assertThat(peer.received()).hasSize(80).allMatch(frame -> frame.startsWith("RST_STREAM"));
            assertThat(peer.client.openStreams()).isZero();
            assertThat(peer.client.canOpen()).isTrue();
            for (int i = 0; i < 80; i++) {
                peer.open("01");
            }
            assertThat(peer.client.canOpen()).isFalse();
            assertThat(peer.client.isUnsent(161)).isFalse();
            peer.received();

            peer.channel.advanceTimeBy(ResetBudget.INTERVAL_NS, TimeUnit.NANOSECONDS);
            peer.channel.runScheduledPendingTasks();
            assertThat(peer.received()).containsExactly("RST_STREAM 161 00000008");
            assertThat(peer.happened()).containsExactly("writable");
            assertThat(peer.client.canOpen()).isTrue();
            peer.channel.advanceTimeBy(8, TimeUnit.SECONDS);
            peer.channel.runScheduledPendingTasks();
            assertThat(peer.received()).hasSize(19);
            assertThat(peer.channel.runScheduledPendingTasks()).isEqualTo(-1);
        }
    }

    @Test
    void nothingOfAnAbandonedStreamIsHandedOverAndItEndsWithItsAnswer() {
        try (PlayedPeer peer = begin()) {
            peer.received();
            peer.sends(
                    "000001 01 04 000000a1 88", "000001 00 00 000000a1 07", "000005 01 05 000000a1 00 01 'a' 01 'b'");
            peer.sends("000004 03 00 000000a3 00000002");
            peer.sends("000005 01 04 000000a5 00 01 'A' 01 'b'", "000000 00 01 000000a5");
            peer.sends("000001 00 00 000000c7 07", "000001 01 05 000000c7 88");
            peer.client.reset(0xa7, Http2Error.CANCEL);
            peer.client.consumed(0xa7, 1);
            assertThat(peer.happened()).isEmpty();
            assertThat(peer.received()).isEmpty();

            peer.sends("000008 07 00 00000000 000000a9 00000000");
            assertThat(peer.happened()).containsExactly("goaway 169 0");
            peer.channel.advanceTimeBy(30, TimeUnit.SECONDS);
            peer.channel.runScheduledPendingTasks();
            assertThat(peer.received()).containsExactly("RST_STREAM 167 00000008", "RST_STREAM 169 00000008");
        }
    }

    @Test
    void aStreamWhoseRequestWaitsIsResetAtOnce() {
        try (PlayedPeer peer = begin()) {
            peer.received();
            peer.sends("000006 04 00 00000000 0004 00000000");
            int id = peer.open("01");
            peer.received();
            peer.client.reset(id, Http2Error.CANCEL);

            assertThat(peer.received()).containsExactly("RST_STREAM " + id + " 00000008");
        }
    }
}
