package io.dubbomesh.acceptance.mesh;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients of streams of lines, {@code "0 ..."}, {@code "1 ..."} and so on, that read a little when they are told to.
 * Each checks that its stream is not refused, that no line is missing and none comes twice.
 */
public final class SlowReaders implements Closeable {
    private static final int BUFFER = 4096;

    private final List<Reader> readers = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

    private static final class Reader {
        private final SocketChannel channel;
        private final StringBuilder line = new StringBuilder();
        private int messages;
        private String end;

        Reader(SocketChannel channel) {
            this.channel = channel;
        }

        void take(byte b) {
            if (b != '\n') {
                line.append((char) b);
                return;
            }
            if (line.indexOf("HTTP/1.1 ") == 0) {
                assertThat(line.toString()).as("the status line").startsWith("HTTP/1.1 200 ");
            } else if (line.length() > 0 && line.charAt(0) == '"') {
                assertThat(line.substring(1, line.indexOf(" "))).as("a message").isEqualTo(String.valueOf(messages));
                messages++;
            } else if (line.length() > 0 && line.charAt(0) == '{') {
                end = line.toString();
            }
            line.setLength(0);
        }
    }

    /** Connects another client, and sends a request. */
    public void add(int port, String request) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.write(ByteBuffer.wrap(request.getBytes(UTF_8)));
        channel.configureBlocking(false);
        readers.add(new Reader(channel));
    }

    /** Has each client read up to 4 KiB of what has come. */
    public void read() throws IOException {
        for (Reader reader : readers) {
            read(reader);
        }
    }

    /** Has the clients read that have got nothing yet; returns whether all have got something. */
    public boolean begin() throws IOException {
        boolean haveBegun = true;
        for (Reader reader : readers) {
            if (reader.messages == 0) {
                read(reader);
                haveBegun &= reader.messages > 0;
            }
        }
        return haveBegun;
    }

    private void read(Reader reader) throws IOException {
        if (reader.end != null || !reader.channel.isOpen()) {
            return;
        }
        buffer.clear();
        if (reader.channel.read(buffer) < 0) {
            throw new AssertionError("the response of a client was cut off: " + reader.line);
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            reader.take(buffer.get());
        }
    }

    /** Returns how many streams have not ended. */
    public long open() {
        return readers.stream()
                .filter(reader -> reader.end == null && reader.channel.isOpen())
                .count();
    }

    /** Returns how many streams have ended behind so many messages. */
    public long ended(int messages) {
        return readers.stream()
                .filter(reader -> reader.end != null && reader.messages == messages)
                .count();
    }

    /** Returns the different ends of the streams. */
    public List<String> ends() {
        return readers.stream()
                .map(reader -> reader.end)
                .filter(end -> end != null)
                .distinct()
                .toList();
    }

    /** Closes the connections of the last ones. */
    public void leave(int count) throws IOException {
        for (Reader reader : readers.subList(readers.size() - count, readers.size())) {
            reader.channel.close();
        }
    }

    @Override
    public void close() throws IOException {
        for (Reader reader : readers) {
            reader.channel.close();
        }
    }
}
