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
        TrainingZooKeeper zooKeeper = TrainingZooKeeper.start();
        Path files = Files.createDirectory(directory.resolve("registry"));
        String registries = "-Dregistry=file:" + files + ",etcd://127.0.0.1:" + etcd.port();
        List<List<String>> settings = new ArrayList<>();
        for (int i = 1; i + 1 < args.length; ) {
            agents.add(new TrainedAgent(directory, agents.size(), Path.of(args[i]), Path.of(args[i + 1])));
            List<String> own = new ArrayList<>(List.of(registries));
            for (i += 2; i < args.length && args[i].startsWith("-"); i++) {
                own.add(args[i]);
            }
            settings.add(own);
        }
        if (agents.size() == OF_A_PAIR && !agents.get(0).makesAotCache()) {
            // The classes of an AOT cache would be loaded at each start, whatever the registry is. The provider agent
            // would register itself there.
            settings.get(0).set(0, registries + ",zookeeper://127.0.0.1:" + zooKeeper.port());
        }
        for (int i = 0; i < agents.size(); i++) {
            agents.get(i).start(flags, settings.get(i), provider.port());
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
