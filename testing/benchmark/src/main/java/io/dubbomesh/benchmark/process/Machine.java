package io.dubbomesh.benchmark.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine of the figures, and the measured commit. */
public record Machine(String cpu, int cores, String kernel, String jdk, String commit) {
    private static final String UNKNOWN = "unknown";

    public static Machine of(Path root) throws IOException, InterruptedException {
        String cpu = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(UNKNOWN);
        int cores = Runtime.getRuntime().availableProcessors();
        return new Machine(
                cpu, cores, System.getProperty("os.version"), System.getProperty("java.vm.version"), commit(root));
    }

    /**
     * Returns the commit of the checkout in this directory; with {@code -dirty} if something but documents differs,
     * since those are written by what measures.
     */
    public static String commit(Path root) throws InterruptedException {
        try {
            String directory = root.toString();
            String commit = Programs.outputOf("git", "-C", directory, "describe", "--always")
                    .strip();
            String changes = Programs.outputOf(
                    "git", "-C", directory, "status", "--porcelain", "--untracked-files=no", ".", ":(exclude)docs");
            return changes.isBlank() ? commit : commit + "-dirty";
        } catch (IOException | BenchException e) {
            return UNKNOWN;
        }
    }

    @Override
    public String toString() {
        return cores + " cores (" + cpu + "), Linux " + kernel + ", JDK " + jdk + ", commit " + commit;
    }
}
