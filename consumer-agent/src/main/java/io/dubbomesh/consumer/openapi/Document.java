package io.dubbomesh.consumer.openapi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * A document as it is kept and sent. A large one is compressed while it is written, to a tenth or less, since its
 * schemas are alike: it is never whole in memory.
 *
 * @param bytes  of the document, compressed or not
 * @param length of the document as clients get it
 */
record Document(byte[] bytes, boolean isCompressed, int length) {
    private static final int PART = 8 * 1024;

    /** Takes what is written, until the document is complete. Released by {@link #close}. */
    static final class Output extends OutputStream {
        private final int maxPlain;
        private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        private ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        /** Null as long as the document is not large. */
        private DeflaterOutputStream compressing;

        private int length;

        /** @param maxPlain the bytes of the largest document that is not compressed */
        Output(int maxPlain) {
            this.maxPlain = maxPlain;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int count) throws IOException {
            length = Math.addExact(length, count);
            if (compressing == null && length > maxPlain) {
                ByteArrayOutputStream plain = bytes;
                bytes = new ByteArrayOutputStream();
                compressing = new DeflaterOutputStream(bytes, deflater, PART);
                plain.writeTo(compressing);
            }
            if (compressing == null) {
                bytes.write(from, offset, count);
            } else {
                compressing.write(from, offset, count);
            }
        }

        /** Returns the document, to which nothing can be added any more. */
        Document document() throws IOException {
            if (compressing != null) {
                compressing.finish();
            }
            return new Document(bytes.toByteArray(), compressing != null, length);
        }

        @Override
        public void close() {
            deflater.end();
        }
    }

    /** Returns the document as clients get it. */
    byte[] toBytes() {
        byte[] whole = new byte[length];
        try (DocumentReader reader = new DocumentReader(this)) {
            int at = 0;
            while (at < length) {
                at += reader.read(whole, at, length - at);
            }
        }
        return whole;
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
