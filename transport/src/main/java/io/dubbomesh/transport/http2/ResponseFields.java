package io.dubbomesh.transport.http2;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;

import java.util.Iterator;
import java.util.Map;

/** What RFC 9113 (8.1, 8.3.2) demands of the header fields of an answer, beyond what the decoder checks. */
final class ResponseFields {
    private static final int STATUS_LENGTH = 3;
    private static final String SWITCHING_PROTOCOLS = "101";

    private ResponseFields() {}

    /** Returns what is wrong with the first fields of an answer; null for nothing. */
    static String faultOfHead(Http2Headers fields, boolean endsStream) {
        CharSequence status = fields.status();
        if (status == null) {
            return "header fields without :status";
        }
        if (!isStatus(status)) {
            return ":status is not a number from 100 to 599";
        }
        if (isInformational(fields) && endsStream) {
            return "an informational answer that ends the stream";
        }
        if (SWITCHING_PROTOCOLS.contentEquals(status)) {
            return ":status 101, which HTTP/2 does not have";
        }
        return null;
    }

    private static boolean isStatus(CharSequence status) {
        return status.length() == STATUS_LENGTH
                && status.charAt(0) >= '1'
                && status.charAt(0) <= '5'
                && isDigit(status.charAt(1))
                && isDigit(status.charAt(2));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Returns whether others follow: 1xx. */
    static boolean isInformational(Http2Headers fields) {
        return fields.status().charAt(0) == '1';
    }

    /** Returns what is wrong with fields behind the first ones; null for nothing. */
    static String faultOfTrailers(Http2Headers fields, boolean endsStream) {
        if (!endsStream) {
            return "trailers that do not end the stream";
        }
        // The decoder sees to it that pseudo-header fields come first.
        Iterator<Map.Entry<CharSequence, CharSequence>> all = fields.iterator();
        boolean hasPseudo = all.hasNext()
                && PseudoHeaderName.hasPseudoHeaderFormat(all.next().getKey());
        return hasPseudo ? "trailers with pseudo-header fields" : null;
    }
}
