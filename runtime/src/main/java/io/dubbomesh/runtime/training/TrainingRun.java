package io.dubbomesh.runtime.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes what the JVMs of agents start from: runs the agents with the launcher's flags in front of a provider and
 * registries of its own, sends calls through them if they are a consumer agent and a provider agent, and ends them,
 * whereupon each JVM writes its archive.
 *
 * <pre>
 * java -cp JAR io.dubbomesh.runtime.training.TrainingRun FLAGS JAR FILE [-Dkey=value ...] [JAR FILE [-Dkey=value ...]]
 * </pre>
 *
 * FLAGS are words separated by spaces. Of two agents the first is the consumer agent. FILE is an AOT cache if it ends
 * in {@code .aot} (JEP 483, 514 and 515), else a class archive (JEP 350).
 */
final class TrainingRun {
    private static final int OF_A_PAIR = 2;

    private final List<TrainedAgent> agents = new ArrayList<>();
    private final Path directory;

    private TrainingRun(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("dubbo-mesh-training");
        TrainingRun run = new TrainingRun(directory);
        Runtime.getRuntime().addShutdownHook(new Thread(run::clear));
        try {
            run.run(args);
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        // The threads of the provider and of the registry still run.
        System.exit(0);
    }

    private void run(String[] args) throws IOException, InterruptedException {
        List<String> flags = List.of(args[0].strip().split("\\s+"));
        TrainingProvider provider = TrainingProvider.start();
        TrainingEtcd etcd = TrainingEtcd.start();
        Path files = Files.createDirectory(directory.resolve("registry"));
        String registries = "file:" + files + ",etcd://127.0.0.1:" + etcd.port();
        for (int i = 1; i + 1 < args.length; ) {
            TrainedAgent agent = new TrainedAgent(directory, agents.size(), Path.of(args[i]), Path.of(args[i + 1]));
            agents.add(agent);
            List<String> settings = new ArrayList<>(List.of("-Dregistry=" + registries));
            for (i += 2; i < args.length && args[i].startsWith("-"); i++) {
                settings.add(args[i]);
            }
            agent.start(flags, settings, provider.port());
        }
        for (TrainedAgent agent : agents) {
            agent.awaitReady();
        }
        if (agents.size() == OF_A_PAIR) {
            TrainingCalls.make(agents.get(0).port());
        }
        for (TrainedAgent agent : agents) {
            agent.readMetrics();
            agent.finish();
        }
    }

    /** Called at the end, also of a run that was broken off. */
    private void clear() {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (TrainedAgent agent : agents) {
                agent.kill();
            }
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            System.err.println(directory + " was not removed: " + e);
        }
    }
}
