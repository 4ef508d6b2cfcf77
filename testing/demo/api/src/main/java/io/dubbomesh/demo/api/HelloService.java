package io.dubbomesh.demo.api;

import com.alibaba.dubbo.performance.demo.provider.IHelloService;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Computes the hash and occupies its thread for a while, like a service that does some work.
 * If there is a calls file, every call writes its result to it as a line before the call is answered: the lines are the
 * calls that were executed, even if an answer was lost.
 */
public final class HelloService implements IHelloService, AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final long delayMs;
    private final long busyNs;
    /** No channel and none of {@code Files}: the interrupt of one thread closes those, and all later calls fail. */
    private final OutputStream calls;

    /** @param callsFile null for none; created if it is missing, otherwise appended to */
    public HelloService(long delayMs, Path callsFile) throws IOException {
        this(delayMs, 0, callsFile);
    }

    /**
     * @param busyMs    how long a call computes, of the time of the processor
     * @param callsFile as above
     */
    public HelloService(long delayMs, long busyMs, Path callsFile) throws IOException {
        this.delayMs = delayMs;
        busyNs = TimeUnit.MILLISECONDS.toNanos(busyMs);
        this.calls = callsFile == null ? null : new FileOutputStream(callsFile.toFile(), true);
    }

    @Override
    public int hash(String text) {
        int hash = text.hashCode();
        try {
            if (calls != null) {
                calls.write((hash + "\n").getBytes(US_ASCII));
            }
            compute();
            TimeUnit.MILLISECONDS.sleep(delayMs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            // The server is stopping. The result is known, so answer with it.
            Thread.currentThread().interrupt();
        }
        return hash;
    }

    private void compute() {
        if (busyNs > 0) {
            long endNs = THREADS.getCurrentThreadCpuTime() + busyNs;
            while (THREADS.getCurrentThreadCpuTime() - endNs < 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (calls != null) {
            calls.close();
        }
    }
}
