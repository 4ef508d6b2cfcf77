package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.text.Ascii;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.dubbomesh.protocol.value.JsonText;
import io.netty.buffer.ByteBuf;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Writes HTTP answers; the usual one is bytes made in advance up to the digits of its length. Owned by one event loop.
 */
public final class ResponseWriter {
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final byte[] CONTINUE = Ascii.bytes("HTTP/1.1 100 Continue\r\n\r\n");
    private static final byte[] CLOSE = Ascii.bytes("\r\nConnection: close");
    private static final byte[] KEEP_ALIVE = Ascii.bytes("\r\nConnection: keep-alive");
    private static final byte[] RETRY_AFTER = Ascii.bytes("\r\nRetry-After: ");
    private static final byte[] ALLOW = Ascii.bytes("\r\nAllow: ");
    /** Neither caches nor proxies, of which nginx reads the second field, keep pieces back. */
    private static final byte[] UNCACHED = Ascii.bytes("\r\nCache-Control: no-store\r\nX-Accel-Buffering: no");

    private static final byte[] CHUNKED = Ascii.bytes("\r\nTransfer-Encoding: chunked");
    private static final byte[] END_OF_HEAD = Ascii.bytes("\r\n\r\n");

    private final Supplier<String> challenge;
    private final byte[][] heads = new byte[256][];
    private final ResponseAttachments attachments = new ResponseAttachments();
    private long second = Long.MIN_VALUE;
    private String date;
    private byte[] okText;
    private byte[] okJson;
    private byte[] okOpenApi;
    private byte[] accepted;
    /** The only one without a length (RFC 9110, 8.6). */
    private byte[] noContent;

    /** @param challenge returns parameters of the challenge to clients without a sufficient token; empty for none */
    public ResponseWriter(Supplier<String> challenge) {
        this.challenge = challenge;
        tick(System.currentTimeMillis());
    }

    /** Updates the Date header; to be called about once a second or more often. */
    public void tick(long epochMs) {
        long now = Math.floorDiv(epochMs, 1000);
        if (now == second) {
            return;
        }
        second = now;
        date = IMF_FIXDATE.format(Instant.ofEpochSecond(now));
        okText = head(Outcome.OK, "text/plain;charset=UTF-8");
        okJson = head(Outcome.OK, "application/json");
        okOpenApi = null;
        accepted = Ascii.bytes("HTTP/1.1 202 Accepted\r\nDate: " + date + "\r\nContent-Length: ");
        noContent = Ascii.bytes("HTTP/1.1 204 No Content\r\nDate: " + date);
        Arrays.fill(heads, null);
    }

    private byte[] head(Outcome outcome, String contentType) {
        return head(outcome, challenge(outcome), contentType);
    }

    private byte[] head(Outcome outcome, String fields, String contentType) {
        return Ascii.bytes("HTTP/1.1 " + outcome.httpStatus() + ' ' + outcome.title() + "\r\nDate: " + date + fields
                + "\r\nContent-Type: " + contentType + "\r\nContent-Length: ");
    }

    /** Returns the challenge that tells a client how to authenticate (RFC 6750, section 3). */
    private String challenge(Outcome outcome) {
        return switch (outcome) {
            case UNAUTHENTICATED -> challenge("");
            case INVALID_TOKEN -> challenge("error=\"invalid_token\"");
            default -> "";
        };
    }

    private String challenge(String error) {
        String more = challenge.get();
        return "\r\nWWW-Authenticate: Bearer" + (error.isEmpty() && more.isEmpty() ? "" : " ") + error
                + (error.isEmpty() || more.isEmpty() ? "" : ", ") + more;
    }

    private byte[] head(Outcome outcome, Response.Content content) {
        return switch (content) {
            case RPC_RESULT -> okJson;
            case RPC_ERROR -> rpcErrorHead(outcome);
            default -> outcome == Outcome.OK ? okHead(content) : problemHead(outcome);
        };
    }

    private byte[] rpcErrorHead(Outcome outcome) {
        // A request of JSON-RPC is only forbidden for want of a scope.
        String scope = outcome == Outcome.FORBIDDEN ? challenge("error=\"insufficient_scope\"") : "";
        return head(outcome, scope, "application/json");
    }

    private byte[] okHead(Response.Content content) {
        return switch (content) {
            case TEXT -> okText;
            case JSON, RPC_RESULT -> okJson;
            case HTML -> head(Outcome.OK, "text/html;charset=UTF-8");
            case OPENAPI -> okOpenApi();
            case ACCEPTED -> accepted;
            case NOTHING -> noContent;
            case FRAMES, RPC_ERROR -> throw new IllegalStateException();
        };
    }

    private byte[] okOpenApi() {
        if (okOpenApi == null) {
            okOpenApi = head(Outcome.OK, "application/openapi+json");
        }
        return okOpenApi;
    }

    private byte[] problemHead(Outcome outcome) {
        byte[] head = heads[outcome.number()];
        if (head == null) {
            head = head(outcome, Problem.CONTENT_TYPE);
            heads[outcome.number()] = head;
        }
        return head;
    }

    /** Appends the interim response that asks for the body. */
    public static void writeContinue(ByteBuf out) {
        out.writeBytes(CONTINUE);
    }

    /** Appends a whole response. */
    public void write(ByteBuf out, Response response, ResponseFraming framing) {
        writeHead(out, response, framing);
        if (!framing.isHeadOnly()) {
            out.writeBytes(response.in(), response.offset(), response.length());
        }
    }

    /** Appends a response up to its content. */
    public void writeHead(ByteBuf out, Response response, ResponseFraming framing) {
        if (response.content() == Response.Content.FRAMES) {
            return;
        }
        Outcome outcome = response.outcome();
        byte[] head = head(outcome, response.content());
        out.writeBytes(head);
        if (head != noContent) {
            writeDecimal(out, response.length());
        }
        if (framing.isLast()) {
            out.writeBytes(CLOSE);
        } else if (framing.isHttp10()) {
            out.writeBytes(KEEP_ALIVE);
        }
        if (outcome.retryLater() && response.content() != Response.Content.RPC_RESULT) {
            out.writeBytes(RETRY_AFTER);
            JsonText.writeLong(out, response.retryAfterS());
        }
        if (outcome == Outcome.METHOD_NOT_ALLOWED) {
            out.writeBytes(ALLOW).writeCharSequence(framing.allow(), US_ASCII);
        }
        if (response.endpointField() != null) {
            out.writeBytes(response.endpointField());
        }
        if (framing.crossOrigin() != null) {
            out.writeBytes(framing.crossOrigin());
        }
        if (framing.times() != null) {
            ServerTiming.write(out, framing.times());
        }
        if (response.attachmentsLength() > 0) {
            attachments.write(out, response.in(), response.attachmentsOffset(), response.attachmentsLength());
        }
        out.writeBytes(END_OF_HEAD);
    }

    /** Appends the head of a response in pieces; that of HTTP/1.0 ends with the connection. */
    public void writeStreamHead(ByteBuf out, StreamFormat format, ResponseFraming framing) {
        out.writeCharSequence("HTTP/1.1 200 OK\r\nDate: " + date + "\r\nContent-Type: " + format.mediaType(), US_ASCII);
        out.writeBytes(UNCACHED);
        if (!framing.isHttp10()) {
            out.writeBytes(CHUNKED);
        }
        if (framing.isLast()) {
            out.writeBytes(CLOSE);
        }
        if (framing.crossOrigin() != null) {
            out.writeBytes(framing.crossOrigin());
        }
        out.writeBytes(END_OF_HEAD);
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
}
