package io.dubbomesh.client.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The provider's end of an HTTP/2 connection, byte by byte: makes frames of any kind, allowed or not, and names those
 * that were sent to it.
 */
final class Http2Peer {
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final String OK = "88" + field("content-type", "application/grpc+proto");

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final EmbeddedChannel channel;
    private final ByteBuf sent = Unpooled.buffer();
    private boolean greeted;

    Http2Peer(EmbeddedChannel channel) {
        this.channel = channel;
    }

    // --- frames, in hexadecimal digits ---

    static String frame(int type, int flags, int stream, String payload) {
        return String.format("%06x%02x%02x%08x", payload.length() / 2, type, flags, stream) + payload;
    }

    /** A literal field that is not indexed. */
    static String field(String name, String value) {
        return "00" + text(name) + text(value);
    }

    private static String text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return String.format("%02x", bytes.length) + ByteBufUtil.hexDump(bytes);
    }

    static String settings() {
        return frame(SETTINGS, 0, 0, "");
    }

    static String maxStreams(int streams) {
        return frame(SETTINGS, 0, 0, String.format("0003%08x", streams));
    }

    static String headers(int stream, String block) {
        return frame(HEADERS, END_HEADERS, stream, block);
    }

    static String lastHeaders(int stream, String block) {
        return frame(HEADERS, END_HEADERS | END_STREAM, stream, block);
    }

    static String data(int stream, String content) {
        return frame(DATA, 0, stream, content);
    }

    static String lastData(int stream, String content) {
        return frame(DATA, END_STREAM, stream, content);
    }

    static String trailers(int stream, int grpcStatus) {
        return lastHeaders(stream, field("grpc-status", Integer.toString(grpcStatus)));
    }

    static String reset(int stream, int error) {
        return frame(RST_STREAM, 0, stream, String.format("%08x", error));
    }

    static String goAway(int lastStream, int error) {
        return frame(GOAWAY, 0, 0, String.format("%08x%08x", lastStream, error));
    }

    static String settingsAcknowledged() {
        return frame(SETTINGS, 1, 0, "");
    }

    static String message(String content) {
        return String.format("00%08x", content.length() / 2) + content;
    }

    /** A whole answer. */
    static String answer(int stream, String content) {
        return headers(stream, OK) + data(stream, message(content)) + trailers(stream, 0);
    }

    void sends(String frames) {
        channel.writeInbound(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(frames)));
        channel.runPendingTasks();
    }

    // --- what was sent to it ---

    /** Returns the frames that have come since the last call, without windows and settings that set something. */
    List<String> received() {
        channel.runPendingTasks();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            sent.writeBytes(out);
            out.release();
        }
        if (!greeted && sent.readableBytes() >= PREFACE.length()) {
            String preface = sent.readCharSequence(PREFACE.length(), StandardCharsets.US_ASCII)
                    .toString();
            if (!preface.equals(PREFACE)) {
                throw new AssertionError(preface);
            }
            greeted = true;
        }
        List<String> frames = new ArrayList<>();
        while (sent.readableBytes() >= 9) {
            int length = sent.readUnsignedMedium();
            int type = sent.readUnsignedByte();
            int flags = sent.readUnsignedByte();
            int stream = sent.readInt();
            String payload = ByteBufUtil.hexDump(sent, sent.readerIndex(), length);
            sent.skipBytes(length);
            String end = (flags & END_STREAM) == 0 ? "" : " end";
            switch (type) {
                case DATA -> frames.add("DATA " + stream + " " + payload + end);
                case HEADERS -> frames.add("HEADERS " + stream + " " + payload + end);
                case RST_STREAM -> frames.add("RST_STREAM " + stream + " " + Long.parseLong(payload, 16));
                case PING -> frames.add("PING" + ((flags & 1) == 0 ? "" : " ack"));
                case GOAWAY -> frames.add("GOAWAY");
                case SETTINGS -> {
                    if (flags == 0 && length == 0) {
                        frames.add("SETTINGS");
                    }
                }
                case WINDOW_UPDATE -> {}
                default -> throw new AssertionError("type " + type);
            }
        }
        return frames;
    }
}
