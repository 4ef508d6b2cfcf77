package io.dubbomesh.transport.grpc;

import io.dubbomesh.runtime.protobuf.ProtobufReader;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Headers;

import java.nio.charset.StandardCharsets;

/**
 * What arrives of one call of gRPC, on one stream of HTTP/2. Belongs to the connection's event loop.
 * <pre>
 *   HEADERS --headers--> MESSAGES --trailers--> ENDED
 *      `------headers that end the stream---------^
 *   each --what breaks the rules of gRPC, the end of the stream or of the connection--> ENDED
 * </pre>
 */
final class GrpcCall {
    private static final String CONTENT_TYPE = "content-type";
    private static final String GRPC = "application/grpc";
    private static final String STATUS = "grpc-status";
    private static final String MESSAGE = "grpc-message";
    private static final String DETAILS = "grpc-status-details-bin";

    private final GrpcReceiver receiver;
    private final GrpcMessageReader messages = new GrpcMessageReader();
    private State state = State.HEADERS;

    private enum State {
        HEADERS,
        MESSAGES,
        ENDED
    }

    GrpcCall(GrpcReceiver receiver) {
        this.receiver = receiver;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    /** Called with the headers of the response, and with its trailers, which end the stream. */
    void onHeaders(Http2Headers headers, boolean endOfStream) {
        switch (state) {
            case HEADERS -> {
                GrpcException refusal = refusal(headers);
                if (refusal != null) {
                    end(refusal);
                } else if (endOfStream) {
                    onTrailers(headers);
                } else {
                    state = State.MESSAGES;
                }
            }
            case MESSAGES -> {
                if (endOfStream) {
                    onTrailers(headers);
                } else {
                    end(new GrpcException(GrpcStatus.INTERNAL, "headers after the first message"));
                }
            }
            case ENDED -> {}
        }
    }

    /** Called with data, which stays the caller's. */
    void onData(ByteBuf data, boolean endOfStream) {
        switch (state) {
            case HEADERS -> end(new GrpcException(GrpcStatus.INTERNAL, "data before the headers"));
            case MESSAGES -> {
                readMessages(data);
                if (endOfStream) {
                    end(new GrpcException(GrpcStatus.INTERNAL, "the stream ended without a status"));
                }
            }
            case ENDED -> {}
        }
    }

    /** Ends the call, if it has not ended: no trailers will come. */
    void end(GrpcException failure) {
        if (state != State.ENDED) {
            state = State.ENDED;
            receiver.onEnd(failure);
        }
    }

    private void readMessages(ByteBuf data) {
        try {
            for (byte[] message = messages.read(data); message != null; message = messages.read(data)) {
                receiver.onMessage(message);
            }
        } catch (GrpcException e) {
            end(e);
        } catch (ProtobufReader.Malformed e) {
            end(new GrpcException(GrpcStatus.INTERNAL, e.getMessage()));
        }
    }

    /** Returns why the response is none of gRPC; null if it is one. */
    private static GrpcException refusal(Http2Headers headers) {
        CharSequence http = headers.status();
        CharSequence type = headers.get(CONTENT_TYPE);
        if (!HttpResponseStatus.OK.codeAsText().contentEquals(String.valueOf(http))) {
            return GrpcException.refused("HTTP status " + http + " (expected: 200)");
        }
        if (!headers.contains(STATUS) && (type == null || !type.toString().startsWith(GRPC))) {
            return GrpcException.refused("content type " + type + " (expected: " + GRPC + ")");
        }
        return null;
    }

    private void onTrailers(Http2Headers trailers) {
        CharSequence number = trailers.get(STATUS);
        GrpcStatus status = number == null ? GrpcStatus.UNKNOWN : GrpcStatus.parse(number);
        CharSequence message = trailers.get(MESSAGE);
        CharSequence details = trailers.get(DETAILS);
        end(
                status == GrpcStatus.OK
                        ? null
                        : GrpcException.endedBy(
                                status,
                                message == null ? "no message" : decode(message.toString()),
                                details == null ? null : details.toString()));
    }

    /** Decodes {@code %C3%A4}; what is malformed stays as it is. */
    private static String decode(String message) {
        byte[] bytes = new byte[message.length()];
        int length = 0;
        for (int i = 0; i < message.length(); i++) {
            char next = message.charAt(i);
            int high = next == '%' && i + 2 < message.length() ? Character.digit(message.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(message.charAt(i + 2), 16);
            if (low < 0) {
                bytes[length++] = (byte) next;
            } else {
                bytes[length++] = (byte) (high << 4 | low);
                i += 2;
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
