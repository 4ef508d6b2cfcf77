package io.dubbomesh.benchmark.ladder;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The benchmark's stub provider, as a process of its own. */
final class Stub implements AutoCloseable {
    private static final String MAIN = "io.dubbomesh.benchmark.stub.StubProvider";
    private static final Pattern LISTENING = Pattern.compile("listening on [^ ]*:(\\d+)");

    private final Process process;
    private final int port;

    private Stub(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param port 0 for any */
    static Stub start(int port, int delayMs) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dport=" + port,
                        "-Ddelay.ms=" + delayMs,
                        MAIN)
                .redirectErrorStream(true)
                .start();
        BufferedReader output = process.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                return new Stub(process, Integer.parseInt(listening.group(1)));
            }
        }
        throw new IOException("the stub ended before it listened");
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
