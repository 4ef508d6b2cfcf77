package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.netty.buffer.ByteBuf;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Writes HTTP answers; the usual one is bytes made in advance up to the digits of its length. Owned by one event loop. */
final class HttpAnswers {
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");
    private static final byte[] CLOSE = ascii("\r\nConnection: close");
    private static final byte[] KEEP_ALIVE = ascii("\r\nConnection: keep-alive");
    private static final byte[] RETRY_AFTER = ascii("\r\nRetry-After: 1");
    private static final byte[] ALLOW = ascii("\r\nAllow: ");
    private static final byte[] END_OF_HEAD = ascii("\r\n\r\n");

    private final byte[][] heads = new byte[256][];
    private final AnswerAttachments attachments = new AnswerAttachments();
    private long second = Long.MIN_VALUE;
    private String date;
    private byte[] okText;
    private byte[] okJson;
    private byte[] accepted;

    HttpAnswers() {
        tick(System.currentTimeMillis());
    }

    /** Lets the Date header follow the clock; to be called about once a second or more often. */
    void tick(long epochMs) {
        long now = Math.floorDiv(epochMs, 1000);
        if (now == second) {
            return;
        }
        second = now;
        date = IMF_FIXDATE.format(Instant.ofEpochSecond(now));
        okText = head(Outcome.OK, "text/plain;charset=UTF-8");
        okJson = head(Outcome.OK, "application/json");
        accepted = ascii("HTTP/1.1 202 Accepted\r\nDate: " + date + "\r\nContent-Length: ");
        Arrays.fill(heads, null);
    }

    private byte[] head(Outcome outcome, String contentType) {
        return ascii("HTTP/1.1 " + outcome.httpStatus() + ' ' + outcome.title() + "\r\nDate: " + date
                + "\r\nContent-Type: " + contentType + "\r\nContent-Length: ");
    }

    private byte[] okHead(HttpCall call, boolean json) {
        return call.isOneWay() ? accepted : json ? okJson : okText;
    }

    private byte[] problemHead(Outcome outcome) {
        byte[] head = heads[outcome.number()];
        if (head == null) {
            head = head(outcome, Problem.CONTENT_TYPE);
            heads[outcome.number()] = head;
        }
        return head;
    }

    static void writeContinue(ByteBuf out) {
        out.writeBytes(CONTINUE);
    }

    /**
     * Appends a whole answer.
     *
     * @param json     whether a good answer is JSON and not text
     * @param call     says how the connection goes on
     * @param in       holds the attachments (see {@link io.dubbomesh.protocol.Attachments}) and the document; only read
     */
    void write(
            ByteBuf out,
            Outcome outcome,
            boolean json,
            HttpCall call,
            ByteBuf in,
            int attachments,
            int attachmentsLength,
            int document,
            int documentLength) {
        out.writeBytes(outcome == Outcome.OK ? okHead(call, json) : problemHead(outcome));
        writeDecimal(out, documentLength);
        if (call.close) {
            out.writeBytes(CLOSE);
        } else if (call.http10) {
            out.writeBytes(KEEP_ALIVE);
        }
        if (outcome.retryLater()) {
            out.writeBytes(RETRY_AFTER);
        }
        if (outcome == Outcome.METHOD_NOT_ALLOWED) {
            out.writeBytes(ALLOW).writeBytes(call.path.allowedBytes());
        }
        if (attachmentsLength > 0) {
            this.attachments.write(out, in, attachments, attachmentsLength);
        }
        out.writeBytes(END_OF_HEAD);
        if (!call.headOnly) {
            out.writeBytes(in, document, documentLength);
        }
    }

    private static void writeDecimal(ByteBuf out, int value) {
        int divisor = 1;
        while (value / divisor >= 10) {
            divisor *= 10;
        }
        while (divisor > 0) {
            out.writeByte('0' + value / divisor % 10);
            divisor /= 10;
        }
    }

    static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
