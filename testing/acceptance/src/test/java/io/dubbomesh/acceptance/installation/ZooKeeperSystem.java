package io.dubbomesh.acceptance.installation;

import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A system as users have it before they begin: a ZooKeeper at 127.0.0.1:2181 and a Dubbo provider at 192.0.2.7:20880
 * that registers there, in a network namespace of its own, where all ports that the pages name are free. Everything in
 * it ends with the commands that are typed there.
 */
final class ZooKeeperSystem {
    /** The jars of ZooKeeper's server, which needs no more to serve plain connections. */
    private static final Pattern SERVER =
            Pattern.compile("(zookeeper|audience-annotations|slf4j-api|metrics-core|snappy-java|commons-io|netty).*");

    /** The jars that the demo lacks to register in ZooKeeper. */
    private static final Pattern CLIENT =
            Pattern.compile("(curator|zookeeper|audience-annotations|guava|failureaccess|jackson).*");

    private static final String PROVIDER_HOST = "192.0.2.7";

    private ZooKeeperSystem() {}

    /**
     * Starts the system, and then runs the script in bash; what the script printed follows a line with {@code begin}.
     */
    static RunningProcess run(Path directory, String begin, String script) throws Exception {
        Path logs = Files.createDirectories(directory);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String provider = new File("../../testing/demo/dubbo33/target/demo-dubbo33.jar").getCanonicalPath();
        String start = String.join(
                "\n",
                "ip link set lo up",
                "ip addr add " + PROVIDER_HOST + "/32 dev lo",
                java + " -Xmx128m -XX:+UseSerialGC -Dzookeeper.admin.enableServer=false -cp " + classPath(SERVER)
                        + " org.apache.zookeeper.server.ZooKeeperServerMain 2181 " + logs.resolve("data") + " > "
                        + logs.resolve("zookeeper.log") + " 2>&1 &",
                java + " -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp " + provider + ":" + classPath(CLIENT)
                        + " -Dname=shop -Dhost=" + PROVIDER_HOST + " -Dport=20880"
                        + " -Ddubbo.registry.address=zookeeper://127.0.0.1:2181 io.dubbomesh.demo.dubbo3.DemoProvider > "
                        + logs.resolve("provider.log") + " 2>&1 &",
                "for i in {1..600}; do grep -q ': listening on ' " + logs.resolve("provider.log")
                        + " && break || sleep 0.1; done",
                "cd " + logs,
                "echo '" + begin + "'",
                script);
        List<String> command = new ArrayList<>(List.of("unshare"));
        if (!"root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of(
                "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-o", "pipefail", "-ec", start));
        return RunningProcess.start(logs.resolve("commands.log"), command);
    }

    private static String classPath(Pattern names) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> names.matcher(path.getFileName().toString()).matches())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }
}
