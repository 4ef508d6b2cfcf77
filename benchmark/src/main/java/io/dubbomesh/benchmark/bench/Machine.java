package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the figures were taken, and of what. */
record Machine(String cpu, int cores, String kernel, String jdk, String commit) {

    static Machine of(Path root) throws IOException, InterruptedException {
        String cpu = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
        return new Machine(
                cpu,
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.version"),
                System.getProperty("java.vm.version"),
                commit(root));
    }

    /** Of the checkout in this directory. */
    static String commit(Path root) throws IOException, InterruptedException {
        if (!Installation.has("git")) {
            return "unknown";
        }
        Process git = new ProcessBuilder("git", "-C", root.toString(), "describe", "--always", "--dirty")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String commit = new String(git.getInputStream().readAllBytes()).strip();
        return git.waitFor() == 0 ? commit : "unknown";
    }
}
