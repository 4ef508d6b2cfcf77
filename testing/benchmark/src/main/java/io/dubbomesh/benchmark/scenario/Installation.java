package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.process.BenchException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The places of the programs, and the flags that the scripts give their JVMs, by {@code -Dbench.KEY}.
 *
 * @param root          {@code root}: the project's directory
 * @param agentFlags    {@code agent-flags}: words separated by spaces, as the following two
 * @param providerFlags {@code provider-flags}
 * @param stubFlags     {@code stub-flags}
 * @param beforeFlags {@code before-flags}: what the launchers of the other checkout give its agents; those of this one,
 *     if there is none
 */
record Installation(
        Path root,
        List<String> agentFlags,
        List<String> providerFlags,
        List<String> stubFlags,
        List<String> beforeFlags) {

    static Installation from(UnaryOperator<String> properties) {
        String agentFlags = text(properties, "bench.agent-flags");
        return new Installation(
                Path.of(text(properties, "bench.root")),
                words(agentFlags),
                words(text(properties, "bench.provider-flags")),
                words(text(properties, "bench.stub-flags")),
                words(Objects.requireNonNullElse(properties.apply("bench.before-flags"), agentFlags)));
    }

    private static String text(UnaryOperator<String> properties, String key) {
        String value = properties.apply(key);
        if (value == null) {
            throw new BenchException("-D" + key + " is not set; start the harness by scripts/bench.sh");
        }
        return value;
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    /** The programs of another checkout, as its launchers start them. */
    Installation at(Path otherRoot) {
        return new Installation(otherRoot, beforeFlags, providerFlags, stubFlags, beforeFlags);
    }

    String jar(String module) {
        return file(module + "/target/" + module.substring(module.lastIndexOf('/') + 1) + ".jar");
    }

    /** Returns the jar of the real provider. */
    String demoJar() {
        return file("testing/demo/dubbo33/target/demo-dubbo33.jar");
    }

    Path script() {
        return Path.of(file("testing/benchmark/wrk/form.lua"));
    }

    private String file(String path) {
        Path file = root.resolve(path);
        if (!Files.exists(file)) {
            throw new BenchException(file + " is missing");
        }
        return file.toString();
    }

    /** The flag with which a JVM of this version maps an agent's classes into memory, as the agents' scripts do. */
    String archiveFlag(String module) {
        String name = module + "-" + Runtime.version().feature();
        Path target = root.resolve(module).resolve("target");
        Path cache = target.resolve(name + ".aot");
        return Files.exists(cache) ? "-XX:AOTCache=" + cache : "-XX:SharedArchiveFile=" + target.resolve(name + ".jsa");
    }

    Path reports() {
        return root.resolve("build/bench");
    }

    /** Whether {@code PATH} has a program of this name. */
    static boolean has(String program) {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
