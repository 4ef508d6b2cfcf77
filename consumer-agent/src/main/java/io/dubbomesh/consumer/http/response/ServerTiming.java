package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.record.CallRecord;
import io.netty.buffer.ByteBuf;

import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The header field {@code Server-Timing} (W3C): the stages of a request in milliseconds, for a client that asks for
 * them.
 */
final class ServerTiming {
    private static final int US_PER_MS = 1000;

    private ServerTiming() {}

    static void write(ByteBuf out, CallRecord record) {
        StringBuilder field = new StringBuilder("\r\nServer-Timing: ");
        append(field, "agent", record.agentNs());
        append(field, "queue", record.queueNs());
        if (record.meshNs() == CallRecord.UNKNOWN) {
            append(field, "upstream", record.upstreamNs());
        } else {
            append(field, "mesh", record.meshNs());
            append(field, "provider-queue", record.call().providerQueueNs());
            append(field, "provider", record.call().providerNs());
        }
        append(field, "total", record.totalNs());
        field.setLength(field.length() - 2);
        out.writeCharSequence(field, US_ASCII);
    }

    private static void append(StringBuilder field, String stage, long durationNs) {
        if (durationNs == CallRecord.UNKNOWN) {
            return;
        }
        long us = TimeUnit.NANOSECONDS.toMicros(durationNs);
        field.append(stage).append(";dur=").append(us / US_PER_MS).append('.');
        long rest = us % US_PER_MS;
        field.append(rest < 100 ? "0" : "")
                .append(rest < 10 ? "0" : "")
                .append(rest)
                .append(", ");
    }
}
