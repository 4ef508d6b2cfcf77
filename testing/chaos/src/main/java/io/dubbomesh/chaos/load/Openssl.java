package io.dubbomesh.chaos.load;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A TLS client of another make: openssl s_client, as a process whose input stays open, so that the other side ends the
 * connection.
 */
public final class Openssl implements Closeable {
    private static final long POLL_MS = 20;

    private final Path output;
    private final Process process;

    private Openssl(Path output, List<String> command) throws IOException {
        this.output = output;
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /**
     * Connects.
     *
     * @param output  the file that gets what the client is sent, and what openssl says
     * @param options of s_client
     */
    public static Openssl connect(InetSocketAddress target, Path output, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("openssl", "s_client", "-connect", target.getHostString() + ":" + target.getPort()));
        command.addAll(options);
        return new Openssl(output, command);
    }

    public void send(String text) throws IOException {
        try {
            OutputStream in = process.getOutputStream();
            in.write(text.getBytes(ISO_8859_1));
            in.flush();
        } catch (IOException ended) {
            // It was refused before.
        }
    }

    public String output() throws IOException {
        return Files.readString(output, ISO_8859_1);
    }

    /** Whether its output has this text before it ends, and within so many seconds. */
    public boolean awaitOutput(String text, int seconds) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - endNs < 0) {
            boolean over = !process.isAlive();
            if (output().contains(text)) {
                return true;
            }
            if (over) {
                return false;
            }
            Thread.sleep(POLL_MS);
        }
        return false;
    }

    /** Whether it ends within so many seconds: it does so when the other side has closed. */
    public boolean awaitEnd(int seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
