package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.text.Ascii;

/**
 * The media type of a response that comes in pieces, each a message in JSON, and the bytes around a message.
 * <pre>
 *   EVENTS   data: {"id":1}\n\n                                LINES   {"id":1}\n
 *            :\n\n                      (a heartbeat)
 *            event: end\ndata: {"status":200,"code":"OK"}\n\n          {"$end":{"status":200,"code":"OK"}}\n
 * </pre>
 * The end is always the last of them: a response without it was cut off. After a failure it has the problem document.
 */
public enum StreamFormat {
    /** Server-sent events (WHATWG HTML, section 9.2). */
    EVENTS("text/event-stream", "data: ", "\n\n", "event: end\ndata: ", "\n\n", ":\n\n"),
    /** A line for each message. */
    LINES("application/x-ndjson", "", "\n", "{\"$end\":", "}\n", ""),
    /** One OpenAPI document, whose pieces are no messages, and which has no end of its own. */
    DOCUMENT("application/openapi+json", "", "", "", "", "");

    private final String mediaType;
    private final byte[] beforeMessage;
    private final byte[] behindMessage;
    private final byte[] beforeEnd;
    private final byte[] behindEnd;
    private final byte[] heartbeat;

    StreamFormat(
            String mediaType,
            String beforeMessage,
            String behindMessage,
            String beforeEnd,
            String behindEnd,
            String heartbeat) {
        this.mediaType = mediaType;
        this.beforeMessage = Ascii.bytes(beforeMessage);
        this.behindMessage = Ascii.bytes(behindMessage);
        this.beforeEnd = Ascii.bytes(beforeEnd);
        this.behindEnd = Ascii.bytes(behindEnd);
        this.heartbeat = Ascii.bytes(heartbeat);
    }

    public String mediaType() {
        return mediaType;
    }

    byte[] before(boolean end) {
        return end ? beforeEnd : beforeMessage;
    }

    byte[] behind(boolean end) {
        return end ? behindEnd : behindMessage;
    }

    /** Returns what keeps the connection open and is no message; empty where the format has none. */
    byte[] heartbeat() {
        return heartbeat;
    }

    /** Returns whether the last piece tells the status. */
    public boolean hasEnd() {
        return beforeEnd.length > 0;
    }

    /** Returns whether the client gets something from time to time while there is no message. */
    public boolean hasHeartbeat() {
        return heartbeat.length > 0;
    }
}
