package io.dubbomesh.client.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A blocking connection of HTTP/2 to a provider, without TLS, for a few unary calls of gRPC one after the other. Not
 * for event loops. No method waits longer than to the deadline of the connection.
 * <pre>
 *  +-----------------------------------------------+
 *  |                 Length (24)                   |
 *  +---------------+---------------+---------------+
 *  |   Type (8)    |   Flags (8)   |
 *  +-+-------------+---------------+-------------------------------+
 *  |R|                 Stream Identifier (31)                      |
 *  +-+-------------------------------------------------------------+
 * </pre>
 */
public final class BlockingGrpcConnection implements Closeable {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(UTF_8);
    private static final int FRAME_HEADER = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;

    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;
    private static final int PING_BYTES = 8;

    private static final int ENABLE_PUSH = 2;
    private static final int INITIAL_WINDOW_SIZE = 4;
    /** What a peer may send that was told nothing else. */
    private static final int MAX_FRAME = 16_384;

    private static final int DEFAULT_WINDOW = 65_535;
    private static final int MAX_HEADERS = 64 * 1024;
    private static final int MAX_MESSAGE = 8 * 1024 * 1024;
    /** The window of all that is received. */
    private static final int WINDOW = 2 * MAX_MESSAGE;

    /**
     * The SETTINGS and PINGs that are answered during a call: as long as the socket takes that many answers, no write
     * waits for a provider that does not read.
     */
    private static final int MAX_ANSWERED = 1000;

    private static final int PREFIX = 5;
    private static final String OK = "200";

    private final Socket socket = new Socket();
    private final String authority;
    private final long deadlineNs;
    private final InputStream in;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, MAX_HEADERS);
    private int lastStream = -1;
    /** During this call. */
    private int answered;

    /** The provider has answered with a failure, and the connection can be used again. */
    public static final class StatusException extends IOException {
        private static final long serialVersionUID = 1;

        StatusException(String message) {
            super(message);
        }
    }

    /** Connects, and waits for it. */
    public BlockingGrpcConnection(String host, int port, long deadlineNs) throws IOException {
        this.deadlineNs = deadlineNs;
        authority = (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), timeLeftMs());
            in = new BufferedInputStream(socket.getInputStream());
            ByteBuf hello = Unpooled.buffer();
            hello.writeBytes(PREFACE);
            writeHeader(hello, 12, SETTINGS, 0, 0);
            hello.writeShort(ENABLE_PUSH)
                    .writeInt(0)
                    .writeShort(INITIAL_WINDOW_SIZE)
                    .writeInt(WINDOW);
            writeHeader(hello, Integer.BYTES, WINDOW_UPDATE, 0, 0);
            hello.writeInt(WINDOW - DEFAULT_WINDOW);
            write(hello);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Calls a method, and returns the message of its answer.
     *
     * @param fields  header fields beside those of gRPC, in small letters
     * @param message shorter than a frame
     * @throws StatusException if the answer is a failure
     */
    public byte[] call(String path, String contentType, Map<String, String> fields, byte[] message) throws IOException {
        lastStream += 2;
        answered = 0;
        ByteBuf block = Unpooled.buffer();
        writeField(block, ":method", "POST");
        writeField(block, ":scheme", "http");
        writeField(block, ":path", path);
        writeField(block, ":authority", authority);
        writeField(block, "te", "trailers");
        writeField(block, "content-type", contentType);
        writeField(block, "grpc-timeout", timeLeftMs() + "m");
        fields.forEach((name, value) -> writeField(block, name, value));
        ByteBuf request = Unpooled.buffer();
        writeHeader(request, block.readableBytes(), HEADERS, END_HEADERS, lastStream);
        request.writeBytes(block);
        writeHeader(request, PREFIX + message.length, DATA, END_STREAM, lastStream);
        request.writeByte(0).writeInt(message.length).writeBytes(message);
        write(request);
        return readAnswer();
    }

    private byte[] readAnswer() throws IOException {
        ByteBuf received = Unpooled.buffer();
        boolean begun = false;
        while (true) {
            Frame frame = read();
            if (frame.stream != lastStream) {
                continue;
            }
            boolean ends = (frame.flags & END_STREAM) != 0;
            switch (frame.type) {
                case DATA -> {
                    received.writeBytes(frame.content);
                    if (received.readableBytes() > PREFIX + MAX_MESSAGE) {
                        throw new IOException("an answer of more than " + MAX_MESSAGE + " bytes");
                    }
                    if (ends) {
                        throw new IOException("an answer without a status");
                    }
                }
                case HEADERS -> {
                    if (!begun) {
                        checkBegin(frame.headers);
                        begun = true;
                    }
                    if (ends) {
                        checkEnd(frame.headers);
                        return message(received);
                    }
                }
                case RESET -> throw new StatusException("the stream was reset: error " + frame.content.readInt());
                default -> {}
            }
        }
    }

    private static void checkBegin(Http2Headers headers) throws IOException {
        if (!OK.contentEquals(String.valueOf(headers.status()))) {
            throw new StatusException("HTTP status " + headers.status());
        }
    }

    private static void checkEnd(Http2Headers trailers) throws IOException {
        CharSequence status = trailers.get("grpc-status");
        if (status == null || !status.toString().equals("0")) {
            CharSequence message = trailers.get("grpc-message");
            throw new StatusException("grpc-status " + status + (message == null ? "" : ": " + message));
        }
    }

    private static byte[] message(ByteBuf received) throws IOException {
        if (received.readableBytes() < PREFIX
                || received.getByte(0) != 0
                || received.getInt(1) != received.readableBytes() - PREFIX) {
            throw new IOException("the answer is not one message of gRPC");
        }
        byte[] message = new byte[received.readableBytes() - PREFIX];
        received.getBytes(PREFIX, message);
        return message;
    }

    /** @param headers of a header frame with those that continue it; null for others */
    private record Frame(int type, int flags, int stream, ByteBuf content, Http2Headers headers) {}

    /** Returns the next frame of a stream; answers those of the connection. */
    private Frame read() throws IOException {
        while (true) {
            Frame frame = readFrame();
            switch (frame.type) {
                case SETTINGS -> {
                    if ((frame.flags & ACK) == 0) {
                        answer(SETTINGS, Unpooled.EMPTY_BUFFER);
                    }
                }
                case PING -> {
                    if ((frame.flags & ACK) == 0) {
                        if (frame.content.readableBytes() != PING_BYTES) {
                            throw notHttp2();
                        }
                        answer(PING, frame.content);
                    }
                }
                case GO_AWAY -> {
                    if (frame.content.readableBytes() < Integer.BYTES || frame.content.getInt(0) < lastStream) {
                        throw new EOFException("closed by the provider");
                    }
                }
                case HEADERS -> {
                    // Also those of another stream: they may change the table of the next.
                    return new Frame(HEADERS, frame.flags, frame.stream, frame.content, headers(frame));
                }
                case DATA -> {
                    return new Frame(DATA, frame.flags, frame.stream, unpadded(frame, 0), null);
                }
                case RESET -> {
                    if (frame.content.readableBytes() != Integer.BYTES) {
                        throw notHttp2();
                    }
                    return frame;
                }
                default -> {}
            }
        }
    }

    private Http2Headers headers(Frame first) throws IOException {
        ByteBuf block = Unpooled.buffer();
        block.writeBytes(unpadded(first, (first.flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES));
        Frame last = first;
        while ((last.flags & END_HEADERS) == 0) {
            last = readFrame();
            if (last.type != CONTINUATION || last.stream != first.stream) {
                throw notHttp2();
            }
            block.writeBytes(last.content);
            if (block.readableBytes() > MAX_HEADERS) {
                throw new IOException("header fields of more than " + MAX_HEADERS + " bytes");
            }
        }
        try {
            return decoder.decodeHeaders(first.stream, block);
        } catch (Http2Exception e) {
            throw new IOException("malformed header fields: " + e.getMessage(), e);
        }
    }

    /** @param others bytes in front that are not padding */
    private static ByteBuf unpadded(Frame frame, int others) throws IOException {
        ByteBuf content = frame.content;
        boolean isPadded = (frame.flags & PADDED) != 0;
        int padding = isPadded && content.isReadable() ? content.readUnsignedByte() : 0;
        if (content.readableBytes() < padding + others) {
            throw notHttp2();
        }
        return content.skipBytes(others).slice(content.readerIndex(), content.readableBytes() - padding);
    }

    private Frame readFrame() throws IOException {
        ByteBuf header = readBytes(FRAME_HEADER);
        int length = header.readUnsignedMedium();
        if (length > MAX_FRAME) {
            throw notHttp2();
        }
        int type = header.readUnsignedByte();
        int flags = header.readUnsignedByte();
        int stream = header.readInt() & Integer.MAX_VALUE;
        return new Frame(type, flags, stream, readBytes(length), null);
    }

    private ByteBuf readBytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        int at = 0;
        while (at < length) {
            socket.setSoTimeout(timeLeftMs());
            int count = in.read(bytes, at, length - at);
            if (count < 0) {
                throw new EOFException("closed by the provider");
            }
            at += count;
        }
        return Unpooled.wrappedBuffer(bytes);
    }

    private static IOException notHttp2() {
        return new IOException("the answer is not HTTP/2");
    }

    private void answer(int type, ByteBuf content) throws IOException {
        if (++answered > MAX_ANSWERED) {
            throw new IOException("more than " + MAX_ANSWERED + " SETTINGS and PINGs during a call");
        }
        ByteBuf frame = Unpooled.buffer();
        writeHeader(frame, content.readableBytes(), type, ACK, 0);
        write(frame.writeBytes(content));
    }

    private void write(ByteBuf bytes) throws IOException {
        bytes.readBytes(socket.getOutputStream(), bytes.readableBytes());
    }

    private static void writeHeader(ByteBuf out, int length, int type, int flags, int stream) {
        out.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
    }

    /** Writes a literal field that is not indexed, with a new name, without Huffman's code (RFC 7541, 6.2.2). */
    private static void writeField(ByteBuf block, String name, String value) {
        block.writeByte(0);
        writeText(block, name);
        writeText(block, value);
    }

    private static void writeText(ByteBuf block, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        int first = 0x7f;
        if (bytes.length < first) {
            block.writeByte(bytes.length);
        } else {
            block.writeByte(first);
            int rest = bytes.length - first;
            for (; rest >= 0x80; rest >>>= 7) {
                block.writeByte(rest & 0x7f | 0x80);
            }
            block.writeByte(rest);
        }
        block.writeBytes(bytes);
    }

    private int timeLeftMs() throws SocketTimeoutException {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        return (int) Math.min(leftMs, Integer.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
