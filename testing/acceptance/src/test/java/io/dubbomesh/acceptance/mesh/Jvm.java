package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/** A jar of this build as a process: its own JVM, with assertions and every leak reported. */
public enum Jvm implements Program {
    CONSUMER_AGENT("consumer-agent"),
    PROVIDER_AGENT("provider-agent"),
    MESH_AGENT("dist", "mesh-agent"),
    DUBBO("testing/demo/dubbo33", "demo-dubbo33"),
    DUBBO_2510("testing/demo/dubbo2510", "demo-dubbo2510"),
    DUBBO_26("testing/demo/dubbo26", "demo-dubbo26"),
    DUBBO_2612("testing/demo/dubbo2612", "demo-dubbo2612"),
    DUBBO_278("testing/demo/dubbo278", "demo-dubbo278"),
    DUBBO_27("testing/demo/dubbo27", "demo-dubbo27"),
    DUBBO_30("testing/demo/dubbo30", "demo-dubbo30"),
    DUBBO_31("testing/demo/dubbo31", "demo-dubbo31"),
    DUBBO_32("testing/demo/dubbo32", "demo-dubbo32"),
    DUBBO_MESSAGES("testing/demo/messages", "demo-messages"),
    /** Serves {@code hash} alone and starts in a fifth of the time: for tests of agents, not of what providers do. */
    STUB("testing/benchmark", "benchmark");

    private static final List<String> FLAGS = List.of(
            "-ea",
            "-Xmx256m",
            // What a test allocates fits into few pages, which the kernel would otherwise clear one after the other.
            "-Xmn16m",
            "-XX:+UseSerialGC",
            // The tests are too short for the best code to pay off, and compiling it takes the processors from them.
            "-XX:TieredStopAtLevel=1",
            "-Dio.netty.leakDetection.level=paranoid",
            // Every leak is found all the same; a stack trace for each byte read would block a loop for many seconds.
            "-Dio.netty.leakDetection.acquireAndReleaseOnly=true");

    private final Path jar;

    /**
     * Returns these versions of a provider with {@code -Dtest.all=true}, otherwise the first and the last of them.
     *
     * @param versions from the oldest to the newest
     */
    public static List<Jvm> selected(Jvm... versions) {
        return Selection.of(versions, Set.of(versions[0], versions[versions.length - 1]));
    }

    Jvm(String module) {
        this(module, module);
    }

    Jvm(String module, String name) {
        jar = Path.of("../..", module, "target", name + ".jar");
    }

    /**
     * Returns the JDK of the tests; of the demo's providers the one that DEMO_JAVA names, so that they can be tried
     * with another JDK.
     */
    private String java() {
        String ofProviders = System.getenv("DEMO_JAVA");
        return ofProviders != null && jar.startsWith(Path.of("../..", "testing", "demo"))
                ? ofProviders
                : Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private String archiveFlag() throws IOException {
        return switch (this) {
            case CONSUMER_AGENT, PROVIDER_AGENT ->
                ClassArchive.flagOfAgent(jar, java(), FLAGS, CONSUMER_AGENT.jar, PROVIDER_AGENT.jar);
            case MESH_AGENT ->
                ClassArchive.flag(
                        jar,
                        java(),
                        FLAGS,
                        List.of(
                                "-Dtype=consumer",
                                "-Dregistry=static:127.0.0.1:1",
                                "-Dserver.host=127.0.0.1",
                                "-Dserver.port=0",
                                "-Dadmin.port=0"));
            default -> ClassArchive.flag(jar, java(), FLAGS, List.of("-Dport=" + Ports.free()));
        };
    }

    @Override
    public RunningProcess start(Path log, Map<String, String> properties) throws IOException {
        return start(log, properties, List.of("-jar", jar.toString()));
    }

    /** The same with further jars on its class path. */
    public Program with(List<Path> jars) {
        return (log, properties) -> {
            List<String> classPath = new ArrayList<>(List.of(jar.toString()));
            jars.forEach(each -> classPath.add(each.toString()));
            List<String> program = new ArrayList<>();
            try (JarFile file = new JarFile(jar.toFile())) {
                Attributes manifest = file.getManifest().getMainAttributes();
                // Java heeds these of a manifest with -jar alone, which knows no other class path.
                for (String opened : manifest.getValue("Add-Opens").split(" ")) {
                    program.addAll(List.of("--add-opens", opened + "=ALL-UNNAMED"));
                }
                program.addAll(List.of(
                        "-cp",
                        String.join(File.pathSeparator, classPath),
                        manifest.getValue(Attributes.Name.MAIN_CLASS)));
            }
            return start(log, properties, program);
        };
    }

    private RunningProcess start(Path log, Map<String, String> properties, List<String> program) throws IOException {
        if (!Files.exists(jar)) {
            throw new AssertionError(jar + " is missing: build it first (mvn package)");
        }
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(FLAGS);
        command.add(archiveFlag());
        properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(program);
        return RunningProcess.start(log, command);
    }
}
