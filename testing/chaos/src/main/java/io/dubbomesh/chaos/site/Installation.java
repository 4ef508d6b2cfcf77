package io.dubbomesh.chaos.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The places of the programs and the flags of the agents' JVMs, as {@code scripts/chaos.sh} says.
 *
 * @param root       {@code -Dchaos.root}: the project's directory
 * @param agentFlags {@code -Dchaos.agent-flags}: words separated by spaces
 */
public record Installation(Path root, List<String> agentFlags) {
    public static Installation from(UnaryOperator<String> properties) {
        return new Installation(
                Path.of(text(properties, "chaos.root")),
                List.of(text(properties, "chaos.agent-flags").strip().split("\\s+")));
    }

    private static String text(UnaryOperator<String> properties, String key) {
        String value = properties.apply(key);
        if (value == null) {
            throw new IllegalArgumentException("-D" + key + " is not set: use scripts/chaos.sh");
        }
        return value;
    }

    String jar(String module) {
        return file(module + "/target/" + module.substring(module.lastIndexOf('/') + 1) + ".jar");
    }

    String demoJar() {
        return file("testing/demo/dubbo33/target/demo-dubbo33.jar");
    }

    private String file(String path) {
        Path file = root.resolve(path);
        if (!Files.exists(file)) {
            throw new IllegalStateException(file + " is missing: use scripts/chaos.sh, which builds it");
        }
        return file.toString();
    }

    /** The flag with which the launchers give an agent its class archive. */
    String archiveFlag(String module) {
        String name = module + "-" + Runtime.version().feature();
        Path target = root.resolve(module).resolve("target");
        Path cache = target.resolve(name + ".aot");
        return Files.exists(cache) ? "-XX:AOTCache=" + cache : "-XX:SharedArchiveFile=" + target.resolve(name + ".jsa");
    }
}
