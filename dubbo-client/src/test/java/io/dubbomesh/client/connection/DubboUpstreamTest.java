package io.dubbomesh.client.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests how the agent leaves a provider that is about to end, and finds it again. */
class DubboUpstreamTest {
    private static final String READ_ONLY = "dabba200" + "0000000000000000" + "00000002" + "0152";
    private static final String WRITABLE = "dabba200" + "0000000000000000" + "00000002" + "0157";
    private static final String HEARTBEAT = "dabbe200" + "0000000000000001" + "00000001" + "4e";
    private static final String ANSWER = "dabb0214" + "0000000000000001" + "00000001" + "4e";
    private static final int HEARTBEAT_LENGTH = 17;
    private static final long AN_HOUR_MS = TimeUnit.HOURS.toMillis(1);

    private final EmbeddedProvider port = new EmbeddedProvider(1_000_000);
    private final EmbeddedChannel loop = port.loop;
    private final Deque<EmbeddedProvider.Attempt> attempts = port.attempts;
    private final Calls calls = new Calls();

    @AfterEach
    void close() {
        port.close();
    }

    private DubboUpstream upstream(long shutdownWaitMs) {
        return upstream(shutdownWaitMs, false);
    }

    private DubboUpstream upstream(long shutdownWaitMs, boolean check) {
        return upstream(shutdownWaitMs, check, 60_000);
    }

    private DubboUpstream upstream(long shutdownWaitMs, boolean check, long silenceMs) {
        DubboUpstream upstream = port.upstream(EmbeddedProvider.settings(60_000, silenceMs, shutdownWaitMs, check));
        upstream.listen(calls, calls);
        upstream.open();
        return upstream;
    }

    /** The connection attempt that is due by now. */
    private EmbeddedProvider.Attempt nextAttempt() {
        port.advance(2_000);
        return attempts.remove();
    }

    private EmbeddedChannel accept() {
        return port.accept(nextAttempt());
    }

    private void refuse() {
        port.refuse(nextAttempt());
    }

    private void receive(EmbeddedChannel provider, String frames) {
        port.send(provider, frames);
    }

    @Test
    void anIdleProviderIsDisconnectedWhenItIsReadOnly() {
        DubboUpstream upstream = upstream(AN_HOUR_MS);
        EmbeddedChannel provider = accept();
        assertThat(upstream.takesCalls()).isTrue();

        receive(provider, READ_ONLY);
        assertThat(provider.isOpen()).isFalse();
        assertThat(upstream.takesCalls()).isFalse();
        assertThat(upstream.isUndecided()).isFalse();
        assertThat(calls.lost).isZero();
    }

    @Test
    void aProviderWithCallsIsDisconnectedAfterItsLastAnswer() {
        upstream(AN_HOUR_MS);
        EmbeddedChannel provider = accept();
        calls.awaitsAnswers = true;

        receive(provider, READ_ONLY);
        assertThat(provider.isOpen()).isTrue();
        calls.awaitsAnswers = false;
        receive(provider, HEARTBEAT);
        assertThat(provider.isOpen()).isFalse();
    }

    @Test
    void aProviderThatTakesCallsAgainStaysConnected() {
        DubboUpstream upstream = upstream(AN_HOUR_MS);
        EmbeddedChannel provider = accept();
        calls.awaitsAnswers = true;
        receive(provider, READ_ONLY);
        passAMinute();

        receive(provider, WRITABLE);
        calls.awaitsAnswers = false;
        receive(provider, HEARTBEAT);
        assertThat(provider.isOpen()).isTrue();
        assertThat(upstream.takesCalls()).isTrue();
    }

    @Test
    void aProviderThatChangesItsMindInMassesIsBelievedAtItsLastWord() {
        DubboUpstream upstream = upstream(AN_HOUR_MS);
        EmbeddedChannel provider = accept();
        int changesBefore = calls.changes;

        for (int read = 0; read < 10; read++) {
            receive(provider, (READ_ONLY + WRITABLE).repeat(2_000));
        }
        assertThat(calls.changes - changesBefore).isLessThanOrEqualTo(2);
        assertThat(upstream.takesCalls()).as("it was read-only just now").isFalse();
        passAMinute();
        assertThat(upstream.takesCalls()).as("its last word").isTrue();
        assertThat(provider.isOpen()).isTrue();

        calls.awaitsAnswers = true;
        receive(provider, (READ_ONLY + WRITABLE).repeat(2_000) + READ_ONLY);
        passAMinute();
        assertThat(upstream.takesCalls()).as("its last word").isFalse();
        assertThat(calls.changes - changesBefore).isLessThanOrEqualTo(5);
        calls.awaitsAnswers = false;
        receive(provider, HEARTBEAT);
        assertThat(provider.isOpen()).as("open after its last answer").isFalse();
    }

    @Test
    void aProviderThatSaysAtOnceThatItTakesCallsAgainIsBelievedSoon() {
        DubboUpstream upstream = upstream(AN_HOUR_MS);
        EmbeddedChannel provider = accept();
        receive(provider, READ_ONLY + WRITABLE);
        assertThat(upstream.takesCalls()).isFalse();

        loop.advanceTimeBy(1, TimeUnit.SECONDS);
        loop.runScheduledPendingTasks();

        assertThat(upstream.takesCalls()).isTrue();
    }

    private void passAMinute() {
        loop.advanceTimeBy(1, TimeUnit.MINUTES);
        loop.runScheduledPendingTasks();
    }

    @Test
    void aProviderThatHasNotClosedItsPortGetsNoCallsAndIsNotKeptFromEnding() {
        DubboUpstream upstream = upstream(AN_HOUR_MS);
        receive(accept(), READ_ONLY);

        for (int i = 0; i < 5; i++) {
            assertThat(accept().isOpen()).isFalse();
            assertThat(upstream.takesCalls()).isFalse();
        }
        refuse();
        assertThat(accept().isOpen()).isTrue();
        assertThat(upstream.takesCalls()).as("another process").isTrue();
    }

    @Test
    void aProviderThatIsStartedAgainWithinASecondIsNotMissed() {
        upstream(AN_HOUR_MS);
        receive(accept(), READ_ONLY);

        for (int i = 0; i < 20; i++) {
            assertThat(pauseMs()).as("ms until its port is looked at").isLessThanOrEqualTo(200);
            accept();
        }
    }

    @Test
    void aProviderThatNeverEndsTakesCallsAgainInTheEnd() {
        DubboUpstream upstream = upstream(0);
        receive(accept(), READ_ONLY);

        assertThat(accept().isOpen()).isTrue();
        assertThat(upstream.takesCalls()).isTrue();
    }

    @Test
    void aConnectionIsUsedWhenAFrameHasComeOnIt() {
        DubboUpstream upstream = upstream(AN_HOUR_MS, true);
        EmbeddedChannel provider = accept();
        assertThat(upstream.takesCalls()).isFalse();
        assertThat(upstream.isUndecided()).as("links wait for the answer").isTrue();

        receive(provider, HEARTBEAT);
        assertThat(upstream.takesCalls()).isTrue();
        assertThat(calls.failures).isEmpty();
    }

    @Test
    void theConnectionThatFollowsOneThatWorkedIsUsedAtOnce() {
        DubboUpstream upstream = upstream(AN_HOUR_MS, true);
        EmbeddedChannel provider = accept();
        receive(provider, HEARTBEAT);
        passAMinute();
        provider.close();
        assertThat(attempts).as("made at once").hasSize(1);

        accept();
        assertThat(upstream.takesCalls()).isTrue();
    }

    @Test
    void aConnectionThatWasLostAfterAnAnswerIsFollowedByAnotherAtOnce() {
        DubboUpstream upstream = upstream(AN_HOUR_MS, true);
        EmbeddedChannel provider = accept();
        calls.called = true;
        receive(provider, ANSWER);
        provider.close();

        assertThat(attempts).hasSize(1);
        assertThat(upstream.isUndecided()).isTrue();
    }

    @Test
    void aProviderThatEndsConnectionsAfterTheirFirstFrameIsConnectedToLessAndLessOften() {
        // Only the pauses are counted, not what this takes.
        loop.freezeTime();
        upstream(AN_HOUR_MS, true);
        List<Long> pausesMs = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            EmbeddedChannel provider = accept();
            // There was no call.
            receive(provider, i % 2 == 0 ? HEARTBEAT : ANSWER);
            provider.close();
            pausesMs.add(pauseMs());
        }
        assertThat(pausesMs.get(0)).as("it may be a chance").isZero();
        assertThat(pausesMs.get(1)).isBetween(25L, 50L);
        assertThat(pausesMs.get(4)).isBetween(200L, 400L);
        assertThat(pausesMs.get(8)).isBetween(500L, 1000L);
    }

    /** Until the next attempt to connect. */
    private long pauseMs() {
        long ms = 0;
        while (attempts.isEmpty()) {
            loop.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            loop.runScheduledPendingTasks();
            loop.runPendingTasks();
            ms++;
        }
        return ms;
    }

    @Test
    void theBackOffStartsAnewAfterAConnectionThatHasLivedForAWhile() {
        upstream(AN_HOUR_MS, true);
        for (int i = 0; i < 5; i++) {
            EmbeddedChannel provider = accept();
            receive(provider, HEARTBEAT);
            provider.close();
        }
        EmbeddedChannel provider = accept();
        receive(provider, HEARTBEAT);
        passAMinute();
        provider.close();
        refuse();
        assertThat(pauseMs()).isLessThanOrEqualTo(50);
    }

    @Test
    void aProviderThatComesBackHasToAnswer() {
        DubboUpstream upstream = upstream(AN_HOUR_MS, true);
        EmbeddedChannel provider = accept();
        receive(provider, HEARTBEAT);
        passAMinute();
        provider.close();
        refuse();
        assertThat(calls.failures).containsExactly("false refused");

        EmbeddedChannel back = accept();
        assertThat(upstream.takesCalls()).isFalse();
        assertThat(upstream.isUndecided()).isFalse();
        receive(back, HEARTBEAT);
        assertThat(upstream.takesCalls()).isTrue();
    }

    @Test
    void aPortThatClosesOrIsSilentIsReported() {
        DubboUpstream upstream = upstream(AN_HOUR_MS, true);
        accept().close();
        assertThat(upstream.isUndecided()).isFalse();
        accept();
        loop.advanceTimeBy(1, TimeUnit.MINUTES);
        loop.runScheduledPendingTasks();

        assertThat(calls.failures)
                .containsExactly(
                        "true closed by the provider", "true no answer to a heartbeat in hessian2 within 60000 ms");
        assertThat(upstream.takesCalls()).isFalse();
    }

    @Test
    void aProviderThatDropsTheFirstHeartbeatIsSentAnother() {
        DubboUpstream upstream = upstream(AN_HOUR_MS, true, 2_000);
        EmbeddedChannel provider = accept();
        loop.runPendingTasks();
        assertThat(heartbeats(provider)).isOne();

        for (int i = 0; i < 3; i++) {
            loop.advanceTimeBy(2, TimeUnit.SECONDS);
            loop.runScheduledPendingTasks();
            loop.runPendingTasks();
            assertThat(heartbeats(provider)).isOne();
        }
        assertThat(calls.failures).containsExactly("true no answer to a heartbeat in hessian2 within 2000 ms");
        receive(provider, HEARTBEAT);
        assertThat(upstream.takesCalls()).isTrue();
        loop.advanceTimeBy(2, TimeUnit.SECONDS);
        loop.runScheduledPendingTasks();
        loop.runPendingTasks();
        assertThat(heartbeats(provider)).as("its own heartbeat is answered").isLessThanOrEqualTo(1);
    }

    /** Returns the number of frames that were sent since the last time. */
    private static int heartbeats(EmbeddedChannel provider) {
        int bytes = 0;
        for (ByteBuf sent = provider.readOutbound(); sent != null; sent = provider.readOutbound()) {
            bytes += sent.readableBytes();
            sent.release();
        }
        return bytes / HEARTBEAT_LENGTH;
    }

    private static final class Calls extends QuietListener {
        private boolean called;
        private int lost;
        private int changes;
        private final List<String> failures = new ArrayList<>();

        @Override
        public boolean answered(ProviderConnection connection, ByteBuf in, int offset) {
            return called;
        }

        @Override
        public void connectionLost(ProviderConnection connection, String reason) {
            lost++;
        }

        @Override
        public void stateChanged() {
            changes++;
        }

        @Override
        public void attemptFailed(boolean accepted, String how) {
            failures.add(accepted + " " + how);
        }
    }
}
