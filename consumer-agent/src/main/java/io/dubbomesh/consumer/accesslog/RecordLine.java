package io.dubbomesh.consumer.accesslog;

import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.RecordedAnswer;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.runtime.HostPort;

import java.net.InetSocketAddress;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;

/**
 * Writes a record as a line of JSON. A member without a value is missing. The names of the members are a contract,
 * listed in docs/operate/access-log.md.
 */
final class RecordLine {
    static final String CLIENT_LEFT = "CLIENT_LEFT";

    private static final long MS_PER_DAY = TimeUnit.DAYS.toMillis(1);
    private static final int MS_PER_HOUR = 3_600_000;
    private static final int MS_PER_MINUTE = 60_000;
    private static final int MS_PER_S = 1000;
    private static final int US_PER_MS = 1000;
    private static final String HEX = "0123456789abcdef";

    private RecordLine() {}

    /**
     * Appends the line.
     *
     * @param nowNs   by {@link System#nanoTime()}
     * @param epochMs the same moment
     */
    static void append(StringBuilder line, CallRecord record, long nowNs, long epochMs) {
        line.append("{\"time\":\"");
        time(
                line,
                epochMs - TimeUnit.NANOSECONDS.toMillis(nowNs - record.request().receivedNs()));
        line.append('"');
        if (record.trace().isPresent()) {
            line.append(",\"traceId\":\"");
            hex(line, record.trace().idHigh());
            hex(line, record.trace().idLow());
            line.append('"');
        }
        if (record.trace().serverSpanId() != 0) {
            line.append(",\"spanId\":\"");
            hex(line, record.trace().serverSpanId());
            line.append('"');
        }
        if (record.request().client() instanceof InetSocketAddress client) {
            text(line, "client", HostPort.of(client).toString());
        }
        text(line, "subject", record.request().caller());
        text(line, "tool", record.request().tool());
        appendCall(line, record);
        text(line, "endpoint", record.call().endpoint());
        text(line, "protocol", record.call().protocol());
        text(line, "provider", record.call().provider());
        line.append(",\"status\":").append(record.answer().status());
        text(
                line,
                "code",
                record.answer().outcome() == null
                        ? CLIENT_LEFT
                        : record.answer().outcome().code());
        times(line, record);
        line.append(",\"bytesIn\":").append(record.request().bodyBytes());
        line.append(",\"bytesOut\":").append(record.answer().bodyBytes());
        if (record.answer().messages() != RecordedAnswer.NO_STREAM) {
            line.append(",\"messages\":").append(record.answer().messages());
        }
        line.append(",\"attempts\":").append(record.call().attempts());
        line.append("}\n");
    }

    /** Appends a time of ISO 8601 in UTC. A formatter takes longer than all the rest of a line. */
    private static void time(StringBuilder line, long epochMs) {
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(epochMs, MS_PER_DAY));
        int ofDayMs = (int) Math.floorMod(epochMs, MS_PER_DAY);
        line.append(date.getYear());
        digits(line.append('-'), date.getMonthValue(), 10);
        digits(line.append('-'), date.getDayOfMonth(), 10);
        digits(line.append('T'), ofDayMs / MS_PER_HOUR, 10);
        digits(line.append(':'), ofDayMs / MS_PER_MINUTE % 60, 10);
        digits(line.append(':'), ofDayMs / MS_PER_S % 60, 10);
        digits(line.append('.'), ofDayMs % MS_PER_S, 100);
        line.append('Z');
    }

    /** @param unit of the first digit */
    private static void digits(StringBuilder line, int number, int unit) {
        for (int each = unit; each > 0; each /= 10) {
            line.append((char) ('0' + number / each % 10));
        }
    }

    /** Writes what is called, or the line of the request if it calls nothing that is known. */
    private static void appendCall(StringBuilder line, CallRecord record) {
        MethodName method = record.call().method();
        if (method != null) {
            text(line, "service", method.service());
            text(line, "method", method.method());
            text(line, "version", method.version().isEmpty() ? null : method.version());
            text(line, "group", method.group().isEmpty() ? null : method.group());
        } else if (record.request().httpMethod() != null) {
            text(
                    line,
                    "request",
                    record.request().httpMethod() + ' ' + record.request().target());
        }
    }

    private static void times(StringBuilder line, CallRecord record) {
        duration(line, "durationMs", record.totalNs());
        duration(line, "agentMs", record.agentNs());
        duration(line, "queueMs", record.queueNs());
        if (record.meshNs() == CallRecord.UNKNOWN) {
            duration(line, "upstreamMs", record.upstreamNs());
        } else {
            duration(line, "meshMs", record.meshNs());
            duration(line, "providerQueueMs", record.call().providerQueueNs());
            duration(line, "providerMs", record.call().providerNs());
        }
    }

    private static void duration(StringBuilder line, String name, long durationNs) {
        if (durationNs == CallRecord.UNKNOWN) {
            return;
        }
        long us = TimeUnit.NANOSECONDS.toMicros(durationNs);
        line.append(",\"").append(name).append("\":").append(us / US_PER_MS).append('.');
        digits(line, (int) (us % US_PER_MS), 100);
    }

    private static void text(StringBuilder line, String name, String value) {
        if (value == null) {
            return;
        }
        line.append(",\"").append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
                line.append(c);
            } else if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (mustBeEscaped(c)) {
                line.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    line.append(HEX.charAt(c >> shift & 0xf));
                }
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }

    /**
     * Returns whether the character could end a line or move the cursor of a terminal, or is half of a pair, which has
     * no bytes.
     */
    private static boolean mustBeEscaped(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> Character.isSurrogate(c);
        };
    }

    private static void hex(StringBuilder line, long number) {
        for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
            line.append(HEX.charAt((int) (number >>> shift) & 0xf));
        }
    }
}
