package io.dubbomesh.demo.api;

import com.alibaba.dubbo.performance.demo.provider.IHelloService;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

/**
 * Computes the hash and keeps its thread for a while, as a service that does something would.
 * Where there is a calls file, every call leaves its result there as a line, written before the call is answered: the lines are the
 * calls that were executed, whatever became of the answers.
 */
public final class HelloService implements IHelloService, AutoCloseable {
    private final long delayMs;
    private final FileChannel calls;

    /** @param callsFile null for none; appended to, made where it is missing */
    public HelloService(long delayMs, Path callsFile) throws IOException {
        this.delayMs = delayMs;
        this.calls = callsFile == null ? null : FileChannel.open(callsFile, CREATE, APPEND);
    }

    @Override
    public int hash(String text) {
        int hash = text.hashCode();
        try {
            if (calls != null) {
                calls.write(ByteBuffer.wrap((hash + "\n").getBytes(US_ASCII)));
            }
            TimeUnit.MILLISECONDS.sleep(delayMs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            // The server is going down; what it asked for is known, so answer it.
            Thread.currentThread().interrupt();
        }
        return hash;
    }

    @Override
    public void close() throws IOException {
        if (calls != null) {
            calls.close();
        }
    }
}
