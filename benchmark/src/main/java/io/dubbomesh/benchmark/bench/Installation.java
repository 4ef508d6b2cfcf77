package io.dubbomesh.benchmark.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Where the programs are and the flags that the scripts give their JVMs, by {@code -Dbench.KEY}.
 *
 * @param root          {@code root}: the project's directory
 * @param agentFlags    {@code agent-flags}: words parted by spaces, as the following two
 * @param providerFlags {@code provider-flags}
 * @param stubFlags     {@code stub-flags}
 */
record Installation(Path root, List<String> agentFlags, List<String> providerFlags, List<String> stubFlags) {

    static Installation from(UnaryOperator<String> properties) throws BenchException {
        return new Installation(
                Path.of(text(properties, "bench.root")),
                words(text(properties, "bench.agent-flags")),
                words(text(properties, "bench.provider-flags")),
                words(text(properties, "bench.stub-flags")));
    }

    /** Other programs, the same flags. */
    Installation at(Path otherRoot) {
        return new Installation(otherRoot, agentFlags, providerFlags, stubFlags);
    }

    private static String text(UnaryOperator<String> properties, String key) throws BenchException {
        String value = properties.apply(key);
        if (value == null) {
            throw new BenchException("-D" + key + " is not set; start the harness by scripts/bench.sh");
        }
        return value;
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+"));
    }

    Path jar(String module) throws BenchException {
        Path name = Path.of(module).getFileName();
        return existing(root.resolve(module).resolve("target").resolve(name + ".jar"));
    }

    /** The real provider. */
    Path demoJar() throws BenchException {
        return existing(root.resolve("demo/dubbo33/target/demo-dubbo33.jar"));
    }

    /** The flag that has a JVM of this version map the classes of an agent into memory, as the agents' scripts give it. */
    String archiveFlag(String module) {
        String name = module + "-" + Runtime.version().feature() + ".jsa";
        return "-XX:SharedArchiveFile=" + root.resolve(module).resolve("target").resolve(name);
    }

    Path script(String name) throws BenchException {
        return existing(root.resolve("benchmark/wrk").resolve(name));
    }

    private static Path existing(Path path) throws BenchException {
        if (!Files.exists(path)) {
            throw new BenchException(path + " is missing");
        }
        return path;
    }

    Path reports() {
        return root.resolve("build/bench");
    }

    /** A JVM of the same kind as this one. */
    static List<String> java(List<String> flags, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(tool("java")));
        command.addAll(flags);
        command.addAll(arguments);
        return command;
    }

    /** A program of the JDK that this runs on. */
    static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** Whether {@code PATH} has a program of this name. */
    static boolean has(String program) {
        for (String directory : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }
}
