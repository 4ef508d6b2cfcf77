package io.dubbomesh.consumer.accesslog;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Where lines go: standard output or a file, which is opened again when another program has moved it away. Used by one thread. */
final class LogOutput implements AutoCloseable {
    /** Null for standard output. */
    private final Path file;

    private OutputStream out;
    /** Tells the open file from others; null if the system has no such thing. */
    private Object key;

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
            out = new FileOutputStream(file.toFile(), true);
            key = key();
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

    void write(byte[] bytes) throws IOException {
        out.write(bytes);
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
