package io.dubbomesh.benchmark.stub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

/**
 * A line with the hash for every call that was executed, written before the call is answered: it stays if the process
 * is killed.
 */
final class CallsFile implements AutoCloseable {
    private final FileChannel file;

    /** Created if it is missing, otherwise appended to. */
    CallsFile(Path path) throws IOException {
        file = FileChannel.open(path, CREATE, APPEND);
    }

    void add(int hash) {
        try {
            file.write(ByteBuffer.wrap((hash + "\n").getBytes(US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
