package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the handler that stands for TLS until the first record has come. */
class FirstRecordTest {
    private static final long TIMEOUT_MS = 2000;
    private static final String RECORD = "1603010008" + "0100000400112233";
    private static final int RECORD_BYTES = RECORD.length() / 2;
    /** The first two bytes of the next one. */
    private static final String BOTH = RECORD + "1603";

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final List<String> events = new ArrayList<>();
    private final StringBuilder received = new StringBuilder();
    private boolean mayBegin = true;
    private int sent;
    private FirstRecord first;
    private EmbeddedChannel channel = open();

    private EmbeddedChannel open() {
        EmbeddedChannel opened = new EmbeddedChannel();
        opened.freezeTime();
        opened.config().setAllocator(memory);
        TlsRecords records = new TlsRecords(budget, TlsRecords.NoRoom.KEEP, events::add);
        first = new FirstRecord(records, TIMEOUT_MS, new Start());
        opened.pipeline().addLast(records, first, new Behind());
        opened.pipeline().fireChannelActive();
        return opened;
    }

    private final class Start implements FirstRecord.TlsStart {
        @Override
        public boolean request() {
            return mayBegin;
        }

        @Override
        public void begin(ChannelHandlerContext firstRecord, long leftMs) {
            if (events.contains("TLS fails")) {
                throw new IllegalStateException("no provider");
            }
            events.add("TLS begins with " + leftMs + " ms");
        }

        @Override
        public void timedOut() {
            events.add("timed out");
        }
    }

    /** The handler to which TLS is added. */
    private final class Behind extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            events.add("active");
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            events.add("inactive");
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            events.add("read complete");
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            received.append(ByteBufUtil.hexDump(bytes));
            bytes.release();
        }
    }

    private void receive(String hex) {
        channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(Hex.bytes(hex)));
        channel.pipeline().fireChannelReadComplete();
    }

    private void pass(long ms) {
        channel.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private long bytesHeld() {
        return memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
    }

    @AfterEach
    void close() {
        channel.close();
        assertThat(bytesHeld()).isZero();
        assertThat(budget.used()).isZero();
    }

    /**
     * The ways to the states, and the events, by letters: p one byte comes, r the rest of the record comes, or the next
     * one, n it comes and TLS may begin now, b TLS may begin, t the time is over, e the peer ends its output, x a
     * failure, c the connection ends. A minus stands for what cannot happen there.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE      | WAY  | p          | r       | n   | b      | t      | e      | x      | c
                    INCOMPLETE | ''   | INCOMPLETE | WAITING | TLS | -      | CLOSED | CLOSED | CLOSED | CLOSED
                    INCOMPLETE | p    | INCOMPLETE | WAITING | TLS | -      | CLOSED | CLOSED | CLOSED | CLOSED
                    WAITING    | pr   | WAITING    | WAITING | -   | TLS    | CLOSED | CLOSED | CLOSED | CLOSED
                    WAITING    | rp   | WAITING    | WAITING | -   | TLS    | CLOSED | CLOSED | CLOSED | CLOSED
                    TLS        | rb   | TLS        | TLS     | -   | -      | TLS    | TLS    | -      | CLOSED
                    TLS        | pn   | TLS        | TLS     | -   | -      | TLS    | TLS    | -      | CLOSED
                    CLOSED     | rc   | -          | -       | -   | CLOSED | CLOSED | -      | -      | CLOSED
                    """)
    void itFollowsItsDrawing(
            String state, String way, String p, String r, String n, String b, String t, String e, String x, String c) {
        String[] next = {p, r, n, b, t, e, x, c};
        for (int event = 0; event < next.length; event++) {
            close();
            sent = 0;
            mayBegin = false;
            channel = open();
            way.chars().forEach(step -> happen((char) step));
            assertThat(state()).as(way).isEqualTo(state);
            if (!next[event].equals("-")) {
                happen("prnbtexc".charAt(event));
                assertThat(state()).as(way + " " + "prnbtexc".charAt(event)).isEqualTo(next[event]);
            }
        }
    }

    private String state() {
        if (!channel.isOpen()) {
            return "CLOSED";
        }
        return channel.pipeline().get(FirstRecord.class) == null
                ? "TLS"
                : first.state().toString();
    }

    private void happen(char event) {
        switch (event) {
            case 'p' -> receiveUpTo(sent + 1);
            case 'r' -> receiveUpTo((sent / RECORD_BYTES + 1) * RECORD_BYTES);
            case 'n' -> {
                mayBegin = true;
                happen('r');
            }
            case 'b' -> first.begin();
            case 't' -> pass(TIMEOUT_MS);
            case 'e' -> channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            case 'x' -> channel.pipeline().fireExceptionCaught(new IOException("reset"));
            default -> channel.close();
        }
    }

    private void receiveUpTo(int bytes) {
        receive(RECORD.repeat(3).substring(2 * sent, 2 * bytes));
        sent = bytes;
    }

    @Test
    void tlsBeginsWithTheLastByteOfTheFirstRecordAtWhateverByteItIsSplit() {
        for (int split = 1; split < BOTH.length() / 2; split++) {
            receive(BOTH.substring(0, 2 * split));
            assertThat(events).hasSize(split < RECORD_BYTES ? 0 : 2);
            receive(BOTH.substring(2 * split));
            assertThat(events).startsWith("TLS begins with 2000 ms", "read complete");
            assertThat(received).hasToString(BOTH);
            close();
            events.clear();
            received.setLength(0);
            channel = open();
        }
    }

    @Test
    void tlsBeginsWithTheLastOfManySingleBytes() {
        for (int i = 0; i < RECORD.length(); i += 2) {
            assertThat(events).isEmpty();
            receive(RECORD.substring(i, i + 2));
        }
        assertThat(events).containsExactly("TLS begins with 2000 ms", "read complete");
        assertThat(received).hasToString(RECORD);
    }

    @Test
    void aPartOfARecordHoldsNoMoreThanItsLength() {
        receive("1603014000" + "01fffffb");
        assertThat(bytesHeld()).isLessThanOrEqualTo(64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"47", "d3e5", "1602"})
    void whatIsNoRecordIsLeftToTlsAtOnce(String bytes) {
        receive(bytes);
        assertThat(events).containsExactly("TLS begins with 2000 ms", "read complete");
        assertThat(received).hasToString(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "16", "1603010008" + "01"})
    void aPeerThatStopsBeforeIsClosedInTime(String start) {
        if (!start.isEmpty()) {
            receive(start);
        }
        pass(TIMEOUT_MS - 1);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
        assertThat(events).containsExactly("timed out");
    }

    @Test
    void theRestOfTheHandshakeHasTheTimeThatIsLeft() {
        receive("16");
        pass(1500);
        receive(RECORD.substring(2));
        pass(TIMEOUT_MS);
        assertThat(events).containsExactly("TLS begins with 500 ms", "read complete");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aPeerThatEndsItsOutputBeforeIsClosedAtOnce() {
        receive("16");
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(channel.isOpen()).isFalse();
        assertThat(events).isEmpty();
    }

    @Test
    void aRecordThatIsCompleteWaitsInABufferOfItsLengthUntilTlsMayBegin() {
        mayBegin = false;
        receive(RECORD);
        assertThat(events).isEmpty();
        assertThat(bytesHeld()).isBetween((long) RECORD_BYTES, 64L);
        assertThat(budget.used(Use.STRANGERS)).isEqualTo(RECORD_BYTES);
        pass(1500);
        first.begin();
        assertThat(budget.used()).isZero();
        assertThat(events).containsExactly("TLS begins with 500 ms", "read complete");
        assertThat(received).hasToString(RECORD);
    }

    @Test
    void whatComesWhileARecordWaitsFollowsIt() {
        mayBegin = false;
        receive(RECORD);
        receive("1603");
        receive("01");
        first.begin();
        assertThat(received).hasToString(RECORD + "160301");
    }

    @Test
    void tlsDoesNotBeginOnAConnectionThatWasClosedMeanwhile() {
        mayBegin = false;
        receive(RECORD);
        channel.close();
        first.begin();
        assertThat(events).isEmpty();
        assertThat(bytesHeld()).isZero();
    }

    @Test
    void aRecordThatWaitsForTooLongIsNotRead() {
        mayBegin = false;
        receive(RECORD);
        pass(TIMEOUT_MS);
        assertThat(channel.isOpen()).isFalse();
        assertThat(events).containsExactly("timed out");
    }

    @Test
    void aConnectionEndsWhereTlsCannotBegin() {
        events.add("TLS fails");
        receive(RECORD);
        assertThat(channel.isOpen()).isFalse();
    }
}
