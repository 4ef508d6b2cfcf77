package io.dubbomesh.consumer.accesslog;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The output of lines: standard output or a file, which is opened again when another program has moved it away. Used by
 * one thread.
 */
final class LogOutput implements AutoCloseable {
    /** Linux writes as many at once to a pipe, which the agent's own log writes to as well (PIPE_BUF). */
    private static final int WHOLE_BYTES = 4096;

    private static final byte[] NEW_LINE = {'\n'};

    /** Null for standard output. */
    private final Path file;

    private OutputStream out;
    /** Tells the open file from others; null if the system has no such thing. */
    private Object key;
    /** Whether a part of a line may be at the end. */
    private boolean cut;

    LogOutput(Path file) throws IOException {
        this.file = file;
        open();
    }

    /** @param out is used as standard output */
    LogOutput(OutputStream out) {
        file = null;
        this.out = out;
    }

    private void open() throws IOException {
        if (file == null) {
            out = new FileOutputStream(FileDescriptor.out);
        } else {
            OutputStream opened = new FileOutputStream(file.toFile(), true);
            try {
                key = key();
            } catch (IOException e) {
                opened.close();
                throw e;
            }
            out = opened;
            cut = false;
        }
    }

    private Object key() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /** Opens the file again if it was moved or deleted; the old one is used if that fails. */
    void followRotation() throws IOException {
        if (file == null || !isMoved()) {
            return;
        }
        OutputStream old = out;
        open();
        old.close();
    }

    private boolean isMoved() throws IOException {
        try {
            return key != null && !key.equals(key());
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    /**
     * Writes whole lines. After a failure, of which a part of a line may be left, the next ones begin with a new line.
     */
    void write(byte[] lines) throws IOException {
        if (cut) {
            out.write(NEW_LINE);
        }
        cut = true;
        for (int at = 0, end; at < lines.length; at = end) {
            end = file == null ? endOfPiece(lines, at) : lines.length;
            out.write(lines, at, end - at);
        }
        cut = false;
    }

    /** Returns the index behind the last line that fits, or behind the next one if that is too long. */
    private static int endOfPiece(byte[] lines, int at) {
        if (lines.length - at <= WHOLE_BYTES) {
            return lines.length;
        }
        int end = at + WHOLE_BYTES;
        while (end > at && lines[end - 1] != '\n') {
            end--;
        }
        if (end > at) {
            return end;
        }
        end = at + WHOLE_BYTES;
        while (lines[end - 1] != '\n') {
            end++;
        }
        return end;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            out.close();
        }
    }

    @Override
    public String toString() {
        return file == null ? "standard output" : file.toString();
    }
}
