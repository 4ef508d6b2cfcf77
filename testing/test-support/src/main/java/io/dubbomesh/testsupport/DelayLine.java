package io.dubbomesh.testsupport;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Bytes on their way from one thread to another: each piece arrives when it is due, and never before the one that was
 * put before it.
 */
final class DelayLine implements AutoCloseable {
    /** More are on their way only if one piece is larger: {@link #put} waits, and the sender is not read from. */
    private static final int CAPACITY = 128 * 1024;

    private final Queue<Piece> pieces = new ArrayDeque<>();
    private int length;
    private boolean closed;

    private record Piece(byte[] bytes, long dueNs) {}

    /** Copies the first {@code count} bytes, unless the line is closed. */
    synchronized void put(byte[] bytes, int count, long dueNs) throws InterruptedException {
        while (length > 0 && length + count > CAPACITY && !closed) {
            wait();
        }
        byte[] copy = new byte[count];
        System.arraycopy(bytes, 0, copy, 0, count);
        pieces.add(new Piece(copy, dueNs));
        length += count;
        notifyAll();
    }

    /** The next bytes, or null when the line is closed and empty. */
    byte[] take() throws InterruptedException {
        Piece next = next();
        if (next == null) {
            return null;
        }
        long waitNs = next.dueNs - System.nanoTime();
        if (waitNs > 0) {
            TimeUnit.NANOSECONDS.sleep(waitNs);
        }
        return next.bytes;
    }

    private synchronized Piece next() throws InterruptedException {
        while (pieces.isEmpty() && !closed) {
            wait();
        }
        Piece next = pieces.poll();
        if (next != null) {
            length -= next.bytes.length;
            notifyAll();
        }
        return next;
    }

    /** Nothing more is put; what is on its way still arrives. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
