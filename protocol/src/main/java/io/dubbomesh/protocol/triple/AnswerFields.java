package io.dubbomesh.protocol.triple;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.value.JsonValues;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What the header fields and the trailers of an answer say. The attachments of a result are its trailers, but for those
 * that HTTP, gRPC and Dubbo use themselves, and those of bytes, which no caller gets. Reused; owned by one event loop.
 */
final class AnswerFields {
    private static final int NONE = -1;
    private static final int HEX = 16;
    private static final String NOT_AN_EXCEPTION = "0";

    private final Map<String, String> attachments = new LinkedHashMap<>();
    private String httpStatus;
    private String contentType;
    private int grpcStatus;
    private String message;
    private String details;
    private String encoding;
    private String converted;
    private boolean isException;

    /** @param trailers those of an answer without a message are its header fields; null if none have come */
    void read(
            Iterable<Map.Entry<CharSequence, CharSequence>> headers,
            Iterable<Map.Entry<CharSequence, CharSequence>> trailers) {
        attachments.clear();
        httpStatus = null;
        contentType = null;
        grpcStatus = NONE;
        message = null;
        details = null;
        encoding = null;
        converted = null;
        isException = false;
        for (Map.Entry<CharSequence, CharSequence> field : headers) {
            read(field.getKey().toString(), field.getValue().toString(), false);
        }
        if (trailers != null && trailers != headers) {
            for (Map.Entry<CharSequence, CharSequence> field : trailers) {
                read(field.getKey().toString(), field.getValue().toString(), true);
            }
        }
        if (converted != null) {
            restoreNames();
        }
    }

    private void read(String name, String value, boolean isTrailer) {
        switch (name) {
            case ":status" -> httpStatus = value;
            case "content-type" -> contentType = value;
            case "grpc-encoding" -> encoding = value;
            case "grpc-status" -> grpcStatus = number(value);
            case "grpc-message" -> message = percentDecoded(value);
            case "grpc-status-details-bin" -> details = value;
            case "tri-exception-code" -> isException = !value.equals(NOT_AN_EXCEPTION);
            case CallerFields.CONVERT -> converted = percentDecoded(value);
            default -> {
                if (isTrailer && isAttachment(name)) {
                    attachments.put(name, value);
                }
            }
        }
    }

    private static boolean isAttachment(String name) {
        return !name.startsWith(":")
                && !name.startsWith("grpc-")
                && !name.startsWith("tri-")
                && !name.endsWith(CallerFields.BINARY);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    /** Decodes what is percent-encoded UTF-8; Dubbo 3.3 does not encode its texts, and leaves what is no such code. */
    static String percentDecoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteBuf bytes = Unpooled.buffer(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int high = c == '%' && i + 2 < text.length() ? Character.digit(text.charAt(i + 1), HEX) : NONE;
            int low = high >= 0 ? Character.digit(text.charAt(i + 2), HEX) : NONE;
            if (low >= 0) {
                bytes.writeByte(high * HEX + low);
                i += 2;
            } else {
                bytes.writeCharSequence(String.valueOf(c), UTF_8);
            }
        }
        return bytes.toString(UTF_8);
    }

    /** Gives those names their capitals again of which the provider has sent them, in an object by the names sent. */
    private void restoreNames() {
        byte[] json = converted.getBytes(UTF_8);
        try (JsonParser parser = JsonValues.parser(Unpooled.wrappedBuffer(json), 0, json.length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (parser.nextToken() != JsonToken.VALUE_STRING) {
                    return;
                }
                String value = attachments.remove(name);
                if (value != null) {
                    attachments.put(parser.getText(), value);
                }
            }
        } catch (IOException e) {
            // The attachments keep the names that they have.
        }
    }

    Map<String, String> attachments() {
        return attachments;
    }

    /** Returns the status of HTTP; null if there is none. */
    String httpStatus() {
        return httpStatus;
    }

    boolean isGrpc() {
        return contentType != null && contentType.startsWith("application/grpc");
    }

    String contentType() {
        return contentType;
    }

    /** Returns the status of gRPC; negative if there is none. */
    int grpcStatus() {
        return grpcStatus;
    }

    /** Returns the text of an error; empty if there is none. */
    String message() {
        return message == null ? "" : message;
    }

    /** Returns the {@code google.rpc.Status} in Base64; null if there is none. */
    String details() {
        return details;
    }

    String encoding() {
        return encoding;
    }

    /** Returns whether the message is an exception: since Dubbo 3.2, for methods whose arguments are wrapped. */
    boolean isException() {
        return isException;
    }
}
