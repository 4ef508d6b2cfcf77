package io.dubbomesh.consumer.openapi;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;

/**
 * The bytes of a document. It consists of parts, since an array that grows to ten megabytes takes three times as much.
 *
 * @param parts  full but for the last
 * @param length of all
 */
record Document(List<byte[]> parts, int length) {
    private static final int PART = 32 * 1024;

    /** Takes what is written, until the document is complete. */
    static final class Output extends OutputStream {
        private final List<byte[]> parts = new ArrayList<>();
        private int length;

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int count) {
            for (int written = 0; written < count; ) {
                int at = length % PART;
                if (at == 0) {
                    parts.add(new byte[PART]);
                }
                int fitting = Math.min(PART - at, count - written);
                System.arraycopy(from, offset + written, parts.get(parts.size() - 1), at, fitting);
                written += fitting;
                length += fitting;
            }
        }

        Document document() {
            return new Document(parts, length);
        }
    }

    /** Returns the document without copying it; nothing is to be released. */
    ByteBuf content() {
        return Unpooled.wrappedBuffer(Math.max(1, parts.size()), parts.toArray(new byte[0][]))
                .slice(0, length);
    }

    byte[] toBytes() {
        byte[] bytes = new byte[length];
        for (int i = 0; i < parts.size(); i++) {
            System.arraycopy(parts.get(i), 0, bytes, i * PART, Math.min(PART, length - i * PART));
        }
        return bytes;
    }

    static Document of(byte[] bytes) {
        return bytes.length <= PART ? new Document(List.of(bytes), bytes.length) : copyOf(bytes);
    }

    private static Document copyOf(byte[] bytes) {
        Output copy = new Output();
        copy.write(bytes, 0, bytes.length);
        return copy.document();
    }

    byte[] compressed() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (DeflaterOutputStream compressing = new DeflaterOutputStream(out, deflater, PART)) {
            for (int i = 0; i < parts.size(); i++) {
                compressing.write(parts.get(i), 0, Math.min(PART, length - i * PART));
            }
        } catch (IOException e) {
            throw new IllegalStateException("an array takes all", e);
        } finally {
            deflater.end();
        }
        return out.toByteArray();
    }

    /** Returns the document of which these are the {@link #compressed} bytes. */
    static Document decompress(byte[] compressed) {
        Output out = new Output();
        Inflater inflater = new Inflater();
        byte[] part = new byte[PART];
        try {
            inflater.setInput(compressed);
            while (!inflater.finished()) {
                out.write(part, 0, inflater.inflate(part));
            }
        } catch (DataFormatException e) {
            throw new IllegalStateException("these bytes were compressed here", e);
        } finally {
            inflater.end();
        }
        return out.document();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Document document && Arrays.equals(toBytes(), document.toBytes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toBytes());
    }
}
