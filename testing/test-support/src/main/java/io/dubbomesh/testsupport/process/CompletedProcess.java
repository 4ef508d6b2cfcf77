package io.dubbomesh.testsupport.process;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A command that was run to its end.
 *
 * @param output what it has printed, its errors included
 */
public record CompletedProcess(List<String> command, int exitCode, String output) {
    private static final long LIMIT_MINUTES = 10;

    public static CompletedProcess run(String... command) {
        return run(List.of(command));
    }

    public static CompletedProcess run(List<String> command) {
        return run(new ProcessBuilder(command), "");
    }

    /** Runs a command, with a directory or an environment of its own, that reads {@code input}. */
    public static CompletedProcess run(ProcessBuilder builder, String input) {
        try {
            Process process = builder.redirectErrorStream(true).start();
            try (OutputStream to = process.getOutputStream()) {
                to.write(input.getBytes(UTF_8));
            } catch (IOException e) {
                // It has ended without reading it; its exit code says why.
            }
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError(builder.command() + " has closed its output and does not end");
            }
            return new CompletedProcess(List.copyOf(builder.command()), process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(String.join(" ", builder.command()), e);
        }
    }

    /**
     * Returns the output.
     *
     * @throws IllegalStateException if the exit code is not 0
     */
    public String requireSuccess() {
        if (exitCode != 0) {
            throw new IllegalStateException(
                    String.join(" ", command) + " ended with status " + exitCode + ":\n" + output);
        }
        return output;
    }
}
