package io.dubbomesh.consumer.openapi;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads a document as clients get it, piece by piece. Has memory that is not on the heap until it is closed. */
final class DocumentReader implements AutoCloseable {
    private final Document document;
    /** Null for a document that is not compressed. */
    private final Inflater inflater;

    private int at;

    DocumentReader(Document document) {
        this.document = document;
        inflater = document.isCompressed() ? new Inflater() : null;
        if (inflater != null) {
            inflater.setInput(document.bytes());
        }
    }

    boolean isAtEnd() {
        return at == document.length();
    }

    /** Returns how many bytes have come: as many as there is room for, fewer at the end of the document alone. */
    int read(byte[] into, int offset, int length) {
        int wanted = Math.min(length, document.length() - at);
        if (inflater == null) {
            System.arraycopy(document.bytes(), at, into, offset, wanted);
        } else {
            inflate(into, offset, wanted);
        }
        at += wanted;
        return wanted;
    }

    private void inflate(byte[] into, int offset, int wanted) {
        try {
            int read = 0;
            while (read < wanted) {
                int inflated = inflater.inflate(into, offset + read, wanted - read);
                if (inflated == 0) {
                    throw new IllegalStateException("a document that ends at " + (at + read) + " of its bytes");
                }
                read += inflated;
            }
        } catch (DataFormatException e) {
            throw new IllegalStateException("these bytes were compressed here", e);
        }
    }

    @Override
    public void close() {
        if (inflater != null) {
            inflater.end();
        }
    }
}
