package io.dubbomesh.consumer.record;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.TraceParent;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class CallRecordsTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private static final MethodName ORDINARY = new MethodName("a.B", "m", "Ljava/lang/String;", "1.0", "g");

    /** Has the field {@code traceparent}. */
    private static final TraceFields TRACED = new TraceFields() {
        @Override
        public boolean readParent(TraceParent into) {
            ByteBuf value = Unpooled.copiedBuffer(PARENT, US_ASCII);
            return into.read(value, 0, value.readableBytes());
        }

        @Override
        public void setParent(long traceIdHigh, long traceIdLow, long spanId) {}
    };

    private static final class Recorder implements CallRecorder {
        private final boolean wants;
        private final boolean keeps;
        private CallRecord begun;
        private CallRecord ended;

        Recorder(boolean wants, boolean keeps) {
            this.wants = wants;
            this.keeps = keeps;
        }

        @Override
        public boolean shouldRecord(TraceFields fields, TraceParent parent) {
            return wants;
        }

        @Override
        public void begins(CallRecord record, TraceFields fields) {
            begun = record;
        }

        @Override
        public boolean ended(CallRecord record) {
            ended = record;
            return keeps;
        }
    }

    @Test
    void thereIsARecordOnlyForThoseWhoWantIt() {
        Recorder wanting = new Recorder(true, false);
        Recorder other = new Recorder(false, false);
        CallRecords records = new CallRecords(List.of(other, wanting));
        CallRecord record = records.begin(null, false);
        assertThat(wanting.begun).isSameAs(record);
        assertThat(other.begun).isNull();
        records.end(record);
        assertThat(wanting.ended).isSameAs(record);
        assertThat(other.ended).isNull();

        assertThat(new CallRecords(List.of(other)).begin(null, false)).isNull();
        CallRecord told = new CallRecords(List.of(other)).begin(null, true);
        assertThat(told.areTimesRequested()).isTrue();
    }

    @Test
    void namesThatClientsInventAreKeptShort() {
        CallRecord record = new CallRecord();
        record.call().dispatched(ORDINARY, 0);
        assertThat(record.call().method()).isSameAs(ORDINARY);

        String name = "n".repeat(0xffff);
        String kept = "n".repeat(200) + "...";
        record.call().dispatched(new MethodName(name, "m", name, "1.0", "g"), 0);
        assertThat(record.call().method()).isEqualTo(new MethodName(kept, "m", kept, "1.0", "g"));
        record.call().dispatched(new MethodName("a.B", name, "", name, name), 0);
        assertThat(record.call().method()).isEqualTo(new MethodName("a.B", kept, "", kept, kept));
    }

    @Test
    void aRecordIsUsedAgainUnlessSomebodyKeepsIt() {
        CallRecords records = new CallRecords(List.of(new Recorder(true, false)));
        CallRecord record = records.begin(TRACED, false);
        assertThat(record.trace().isPresent()).isTrue();
        record.call().sent("192.0.2.1:30000", "mesh", 1, 5);
        record.call().arrived(6);
        record.call().timed(new CallTiming("192.0.2.1:20880"));
        record.answer().written(Outcome.OK, 200, 7, 8);
        records.end(record);
        CallRecord second = records.begin(null, false);
        assertThat(second).isSameAs(record);
        assertThat(second.trace().isPresent()).isFalse();
        assertThat(second.trace().parentSpanId()).isZero();
        assertThat(second.call().endpoint()).isNull();
        assertThat(second.call().provider()).isNull();
        assertThat(second.call().attempts()).isZero();
        assertThat(second.answer().isEnded()).isFalse();
        assertThat(second.answer().outcome()).isNull();
        assertThat(second.call().providerNs()).isEqualTo(CallRecord.UNKNOWN);

        CallRecords kept = new CallRecords(List.of(new Recorder(true, true), new Recorder(true, false)));
        CallRecord first = kept.begin(null, false);
        kept.end(first);
        assertThat(kept.begin(null, false)).isNotSameAs(first);
    }

    @Test
    void theTraceOfTheRequestIsKnownFromTheBeginning() {
        CallRecord[] seen = new CallRecord[1];
        CallRecords records = new CallRecords(List.of(new CallRecorder() {
            @Override
            public boolean shouldRecord(TraceFields fields, TraceParent parent) {
                return parent != null && parent.isSampled();
            }

            @Override
            public void begins(CallRecord record, TraceFields fields) {
                seen[0] = record;
                assertThat(record.trace().isSampled()).isTrue();
                assertThat(record.trace().parentSpanId()).isEqualTo(0x00f067aa0ba902b7L);
            }

            @Override
            public boolean ended(CallRecord record) {
                return false;
            }
        }));

        assertThat(records.begin(TRACED, false)).isNotNull();
        assertThat(seen[0].trace().idHigh()).isEqualTo(0x4bf92f3577b34da6L);
        assertThat(seen[0].trace().idLow()).isEqualTo(0xa3ce929d0e0e4736L);
        assertThat(records.begin(null, false)).isNull();
    }

    @Test
    void theStagesAreTheWholeTime() {
        CallRecord record = new CallRecord();
        record.request().received(null, 0, 100);
        record.call().dispatched(ORDINARY, 110);
        record.call().sent("192.0.2.1:30000", "mesh", 1, 150);
        record.call().arrived(1150);
        ByteBuf timing = Unpooled.buffer();
        CallTiming written = new CallTiming("192.0.2.1:20880").set(200, 500);
        timing.writeZero(written.length()).writeShort(0);
        written.insert(timing, 0);
        CallTiming read = new CallTiming();
        assertThat(read.read(timing, Short.BYTES, timing.writerIndex() - Short.BYTES))
                .isTrue();
        record.call().timed(read);
        record.answer().written(Outcome.OK, 200, 1, 1170);

        assertThat(record.totalNs()).isEqualTo(1070);
        assertThat(record.agentNs()).isEqualTo(10 + 20);
        assertThat(record.queueNs()).isEqualTo(40);
        assertThat(record.upstreamNs()).isEqualTo(1000);
        assertThat(record.meshNs()).isEqualTo(300);
        assertThat(record.call().providerQueueNs()).isEqualTo(200);
        assertThat(record.call().providerNs()).isEqualTo(500);
        assertThat(record.call().provider()).isEqualTo("192.0.2.1:20880");
    }
}
