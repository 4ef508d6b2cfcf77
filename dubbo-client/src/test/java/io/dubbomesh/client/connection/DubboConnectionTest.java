package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class DubboConnectionTest {
    private static final DubboSettings SETTINGS = new DubboSettings(
            new HostPort("provider", 20880), Serialization.HESSIAN2, 1024, 60_000, 60_000, 10_000, 1000, 1000, false);

    private final MemoryBudget memory = new MemoryBudget(1000);
    private final EmbeddedChannel channel = new EmbeddedChannel() {
        /** The peer reads nothing. */
        @Override
        protected void doWrite(ChannelOutboundBuffer out) {}
    };

    private DubboConnection connection;
    private boolean awaitsAnswers;

    @BeforeEach
    void connect() {
        Turn turn = new Turn(channel.eventLoop(), memory);
        DubboUpstream upstream =
                new DubboUpstream(channel.eventLoop(), (address, handler) -> null, turn, SETTINGS, new SharedEvents());
        NoCalls noCalls = new NoCalls();
        upstream.listen(noCalls, noCalls);
        connection = new DubboConnection(upstream, noCalls, turn, SETTINGS);
        channel.pipeline().addLast(connection);
        channel.pipeline().fireChannelActive();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void answersAreLeftWithTheProviderEachTimeThatOthersWait() {
        for (int i = 0; i < 3; i++) {
            memory.add(Use.ANSWERS, 600);
            channel.pipeline().fireChannelReadComplete();
            assertThat(channel.config().isAutoRead()).as("reading, pause %d", i).isFalse();

            memory.release(Use.ANSWERS, 600);
            channel.advanceTimeBy(20, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
            assertThat(channel.config().isAutoRead())
                    .as("reading, after pause %d", i)
                    .isTrue();
        }
    }

    @Test
    void aProviderIsNotSilentWhileItsAnswersAreLeftWithIt() {
        awaitsAnswers = true;
        memory.add(Use.ANSWERS, 600);
        channel.pipeline().fireChannelReadComplete();
        passChecks(10);
        assertThat(connection.isSilent()).as("silent, while nothing is read").isFalse();

        memory.release(Use.ANSWERS, 600);
        passChecks(6);
        assertThat(connection.isSilent()).as("silent, and it is read").isTrue();
    }

    private void passChecks(int checks) {
        for (int i = 0; i < checks; i++) {
            channel.advanceTimeBy(connection.checkIntervalMs(), TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void requestsThatTheProviderDoesNotReadDoNotStopItsAnswers() {
        connection.batch().buffer().writeZero(600);
        channel.runPendingTasks();
        assertThat(memory.used()).isGreaterThanOrEqualTo(600);
        channel.pipeline().fireChannelReadComplete();

        assertThat(memory.used(Use.ANSWERS)).isZero();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    private final class NoCalls implements ResponseListener, UpstreamListener {
        @Override
        public void answered(DubboConnection connection, ByteBuf in, int offset) {}

        @Override
        public boolean awaitsAnswers(DubboConnection connection) {
            return awaitsAnswers;
        }

        @Override
        public void checked(DubboConnection connection) {}

        @Override
        public void connectionLost(DubboConnection connection, String reason) {}

        @Override
        public void stateChanged() {}

        @Override
        public void attemptFailed(boolean accepted, String how) {}

        @Override
        public void silenceChanged() {}

        @Override
        public void writabilityChanged() {}
    }
}
