package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The command {@code docker}. */
final class Docker {
    private Docker() {}

    /** Returns what it prints. */
    static String run(String... arguments) throws IOException, InterruptedException, BenchException {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new BenchException(String.join(" ", command) + " ended with " + status + ":\n" + output);
        }
        return output;
    }
}
