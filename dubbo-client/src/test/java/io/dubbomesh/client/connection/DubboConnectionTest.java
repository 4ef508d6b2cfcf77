package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class DubboConnectionTest {
    private static final DubboSettings SETTINGS = new DubboSettings(
            new HostPort("provider", 20880), Serialization.HESSIAN2, 1024, 60_000, 60, 10_000, 1000, 1000, false);

    private static final int READ_BYTES = 64 * 1024;

    private final MemoryBudget memory = new MemoryBudget(1000);
    private final EmbeddedChannel channel = new EmbeddedChannel() {
        /** The peer reads nothing. */
        @Override
        protected void doWrite(ChannelOutboundBuffer out) {}
    };

    private final QuietListener calls = new QuietListener();
    private DubboConnection connection;

    @BeforeEach
    void connect() {
        Turn turn = new Turn(channel.eventLoop(), memory);
        DubboUpstream upstream =
                new DubboUpstream(channel.eventLoop(), (address, handler) -> null, turn, SETTINGS, new SharedEvents());
        upstream.listen(calls, calls);
        connection = new DubboConnection(upstream.connectionListener(), calls, turn, SETTINGS);
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
        calls.awaitsAnswers = true;
        memory.add(Use.ANSWERS, 600);
        channel.pipeline().fireChannelReadComplete();
        passChecks(10);
        assertThat(connection.watch().isSilent())
                .as("silent, while nothing is read")
                .isFalse();

        memory.release(Use.ANSWERS, 600);
        passChecks(6);
        assertThat(connection.watch().isSilent()).as("silent, and it is read").isTrue();
    }

    private void passChecks(int checks) {
        for (int i = 0; i < checks; i++) {
            channel.advanceTimeBy(connection.checkIntervalMs(), TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void requestsThatTheProviderDoesNotReadDoNotStopItsAnswers() {
        connection.requestBuffer(600).writeZero(600);
        channel.runPendingTasks();
        assertThat(memory.used()).isGreaterThanOrEqualTo(600);
        channel.pipeline().fireChannelReadComplete();

        assertThat(memory.used(Use.ANSWERS)).isZero();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("whatAsksForAnAnswer")
    void aProviderThatReadsNoAnswersIsSentNoMoreOfThem(String frame) {
        int frames = READ_BYTES / (frame.length() / 2);
        for (int read = 0; read < 200; read++) {
            channel.writeInbound(Hex.buffer(frame.repeat(frames)));
            channel.runPendingTasks();
        }

        assertThat(connection.channel().isOpen()).isTrue();
        assertThat(memory.used()).isBetween(1L, 512L * 1024);
    }

    private static List<String> whatAsksForAnAnswer() {
        String longestEvent = "dabbe200" + "00000000000000ff" + "00000100" + "4e".repeat(256);
        String callback = "dabbc200" + "00000000000000ff" + "00000000";
        return List.of(longestEvent, callback);
    }
}
