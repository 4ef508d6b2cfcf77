package io.dubbomesh.consumer.accesslog;

import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class LoopLogTest {
    private final AtomicInteger woken = new AtomicInteger();

    private LoopLog log(double sample, int queueSize) {
        return new LoopLog(new AccessLogSettings(true, null, sample, false, 0, queueSize), woken::incrementAndGet);
    }

    @Test
    void whatTheQueueHasNoRoomForIsDroppedAndCounted() {
        LoopLog log = log(1, 16);
        CallRecord first = new CallRecord();
        assertThat(log.ended(first)).isTrue();
        for (int i = 1; i < 16; i++) {
            assertThat(log.ended(new CallRecord())).isTrue();
        }
        assertThat(log.ended(new CallRecord())).as("it may be used again").isFalse();
        assertThat(log.ended(new CallRecord())).isFalse();
        assertThat(log.dropped()).isEqualTo(2);
        assertThat(woken).as("with each quarter").hasValue(4);

        assertThat(log.queue().poll()).isSameAs(first);
        assertThat(log.ended(new CallRecord())).isTrue();
        for (int i = 0; i < 16; i++) {
            assertThat(log.queue().poll()).isNotNull();
        }
        assertThat(log.queue().poll()).isNull();
        assertThat(log.dropped()).isEqualTo(2);
    }

    @Test
    void aSampleIsThatPartOfTheRequests() {
        LoopLog log = log(0.1, 16);
        int wanted = 0;
        for (int i = 0; i < 100_000; i++) {
            wanted += log.shouldRecord(null, null) ? 1 : 0;
        }
        assertThat(wanted).isCloseTo(10_000, within(1_000));
    }

    @Test
    void recordsComeInTheirOrderFromAnotherThread() throws Exception {
        RecordQueue queue = new RecordQueue(100);
        int count = 200_000;
        Thread writer = new Thread(() -> {
            for (int i = 1; i <= count; ) {
                CallRecord record = new CallRecord();
                record.answer().written(Outcome.OK, i, i, i);
                if (queue.offer(record)) {
                    i++;
                } else {
                    Thread.yield();
                }
            }
        });
        writer.start();
        for (int i = 1; i <= count; ) {
            CallRecord record = queue.poll();
            if (record == null) {
                Thread.yield();
            } else {
                assertThat(record.answer().status()).isEqualTo(i);
                assertThat(record.answer().endedNs()).isEqualTo(i++);
            }
        }
        writer.join();
    }

    @Test
    void aLineHasTheTimeOfTheRequestInUtc() {
        assertThat(timeOf(951_827_696_789L)).isEqualTo("2000-02-29T12:34:56.789Z");
        assertThat(timeOf(1_798_761_599_009L)).isEqualTo("2026-12-31T23:59:59.009Z");
        assertThat(timeOf(0)).isEqualTo("1970-01-01T00:00:00.000Z");
    }

    private static String timeOf(long epochMs) {
        CallRecord record = new CallRecord();
        record.request().received(null, 0, -2_000_000);
        record.answer().written(Outcome.OK, 200, 0, 0);
        StringBuilder line = new StringBuilder();
        RecordLine.append(line, record, 1_000_000, epochMs + 3);
        return line.substring(9, 33);
    }

    @Test
    void namesOfStrangersCannotForgeALine() {
        CallRecord record = new CallRecord();
        record.request().received(null, 0, 0);
        record.call().dispatched(new MethodName("a\"\\", "\n\u001b[2J\u2028\u202e\ud800\u00e9\u670d", "", "", ""), 0);
        record.answer().written(Outcome.METHOD_NOT_FOUND, 404, 0, 1_234_567);
        StringBuilder line = new StringBuilder();
        RecordLine.append(line, record, 0, 0);

        assertThat(line.toString())
                .isEqualTo("{\"time\":\"1970-01-01T00:00:00.000Z\",\"service\":\"a\\\"\\\\\","
                        + "\"method\":\"\\u000a\\u001b[2J\\u2028\\u202e\\ud800\u00e9\u670d\",\"status\":404,"
                        + "\"code\":\"METHOD_NOT_FOUND\",\"durationMs\":1.234,\"agentMs\":0.000,\"queueMs\":1.234,"
                        + "\"bytesIn\":0,\"bytesOut\":0,\"attempts\":0}\n");
    }
}
