package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.SlowClients;
import io.dubbomesh.chaos.load.SlowClients.Manner;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.chaos.site.Site.pause;

/** The rows about what shows only after a while, or in the suite. */
public final class LongRows {
    private static final int SECONDS_PER_MINUTE = 60;

    private LongRows() {}

    /** @param soakMinutes of L2 */
    public static List<Row> rows(int soakMinutes) {
        return List.of(
                Row.of(
                        "L1",
                        "Netty's leak detection \"paranoid\" and assertions in the agents under F1, F2, O5 and O6; the"
                                + " suite runs with them too (test.sh)",
                        "0 lines LEAK, 0 IllegalReferenceCountException, 0 AssertionError",
                        LongRows::leaks),
                Row.of(
                                "L2",
                                "soak of %d minutes with F1, F3 and E1 mixed in".formatted(soakMinutes),
                                "memory at the end at most 1.05 x that in the middle; files +/- 5, threads constant; 0 wrong,"
                                        + " 0 lost",
                                (site, figures) -> soak(site, figures, soakMinutes))
                        .within(soakMinutes * SECONDS_PER_MINUTE + 120),
                Row.of(
                        "L3",
                        "two event loops at once at the limit, the queues and the loads that they share, and a directory that"
                                + " is offered (jcstress, scripts/races.sh); pending calls, weights and the drain belong to one"
                                + " loop each",
                        "0 forbidden outcomes",
                        LongRows::races),
                Row.of(
                        "L4",
                        "faults put into codecs and balancers one at a time (PIT, scripts/mutation.sh)",
                        "at least 85 % found by the tests",
                        LongRows::mutations));
    }

    private static void leaks(Site site, Figures figures) throws Exception {
        String[] flags = {
            "-ea",
            "-Xmx256m",
            "-Dio.netty.leakDetection.level=paranoid",
            "-Dio.netty.leakDetection.acquireAndReleaseOnly=true"
        };
        Mesh mesh = Mesh.of(site, 3).agents(flags).consumer(flags).start();
        Load load = mesh.load(Workload.rate(100));
        SlowClients deaf = site.closed(SlowClients.start(mesh.consumer().address(), 50, Manner.deaf(20, 100_000)));
        site.closed(SlowClients.start(mesh.consumer().address(), 50, Manner.upload(500_000, 10, 500)));
        site.closed(SlowClients.start(mesh.consumer().address(), 20, Manner.download(500_000, 50_000, 200)));
        pause(3);
        mesh.provider(1).kill();
        pause(2);
        mesh.provider(1).restart();
        mesh.agent(2).kill();
        pause(2);
        mesh.agent(2).restart();
        mesh.provider(0).sendCommand("refuse");
        pause(3);
        mesh.provider(0).sendCommand("answer");
        pause(2);
        deaf.close();
        // A leak is reported after a collection and a further allocation.
        mesh.call(Workload.closed(64), site.seconds(20));
        Calls calls = load.stop();
        StringBuilder logs = new StringBuilder(mesh.consumer().log());
        for (Part agent : mesh.agents()) {
            logs.append(agent.log());
        }
        String log = logs.toString();
        figures.nothingLost(calls, mesh.providers())
                .none("lines LEAK", Figures.linesWith(log, "LEAK:"))
                .none("IllegalReferenceCountException", Figures.linesWith(log, "IllegalReferenceCount"))
                .none("AssertionError", Figures.linesWith(log, "AssertionError"));
    }

    private static void soak(Site site, Figures figures, int minutes) throws Exception {
        Mesh mesh = Mesh.of(site, 3).start();
        List<Part> agents = new ArrayList<>(mesh.agents());
        agents.add(mesh.consumer());
        Load load = mesh.load(Workload.rate(300).timeout(Duration.ofSeconds(2)));
        List<List<Double>> samples = new ArrayList<>();
        int[] files = null;
        List<Map<String, Integer>> threads = List.of();
        for (int minute = 1; minute <= minutes; minute++) {
            switch (minute % 5) {
                case 1 -> {
                    mesh.provider(1).kill();
                    pause(2);
                    mesh.provider(1).restart();
                }
                case 2 -> {
                    mesh.provider(2).freeze();
                    pause(5);
                    mesh.provider(2).thaw();
                }
                case 3 -> {
                    mesh.etcd().node(0).kill();
                    pause(35);
                    mesh.etcd().node(0).restart();
                }
                default -> {}
            }
            pause(minute % 5 == 3 ? 20 : 50);
            List<Double> sample = new ArrayList<>();
            for (Part agent : agents) {
                sample.add(agent.rssMib());
            }
            samples.add(sample);
            if (minute == Math.max(1, minutes / 2)) {
                files = files(agents, mesh.consumer(), load);
                threads = threads(agents);
            }
        }
        int[] filesAtEnd = files(agents, mesh.consumer(), load);
        List<Map<String, Integer>> threadsAtEnd = threads(agents);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers());
        List<Double> middle = samples.get(Math.max(1, minutes / 2) - 1);
        List<Double> end = samples.get(samples.size() - 1);
        for (int i = 0; i < agents.size(); i++) {
            Part agent = agents.get(i);
            figures.atMost(
                            agent.name() + ": memory at the end, of that in the middle",
                            end.get(i) / middle.get(i),
                            1.05)
                    .atMost(agent.name() + ": files differ by", Math.abs(filesAtEnd[i] - files[i]), 5)
                    .equal(agent.name() + ": threads", sum(threadsAtEnd.get(i)), sum(threads.get(i)));
            if (!threadsAtEnd.get(i).equals(threads.get(i))) {
                figures.note(
                        agent.name() + ": at the end " + threadsAtEnd.get(i) + ", in the middle " + threads.get(i));
            }
        }
        figures.note(calls.statuses());
    }

    /** Returns the open files without the connections of the clients, of which a freeze leaves more. */
    private static int[] files(List<Part> agents, Part consumer, Load load) throws Exception {
        int[] files = new int[agents.size()];
        for (int i = 0; i < files.length; i++) {
            Part agent = agents.get(i);
            files[i] = agent.openFiles() - (agent == consumer ? load.openConnections() : 0);
        }
        return files;
    }

    /** Returns the threads without those of the compilers, which the JVM starts and ends as it has work for them. */
    private static List<Map<String, Integer>> threads(List<Part> agents) throws IOException {
        List<Map<String, Integer>> threads = new ArrayList<>();
        for (Part agent : agents) {
            Map<String, Integer> names = agent.threadNames();
            names.keySet().removeIf(name -> name.contains("CompilerThre"));
            threads.add(names);
        }
        return threads;
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static void races(Site site, Figures figures) throws Exception {
        Path result = site.installation().root().resolve("build/races/result");
        if (!Files.exists(result)) {
            figures.fail("not measured, see build/races");
            return;
        }
        Map<String, Integer> counts = new HashMap<>();
        for (String line : Files.readAllLines(result)) {
            String[] words = line.split(" ");
            counts.put(words[0], Integer.parseInt(words[1]));
        }
        figures.none("runs with forbidden outcomes", counts.get("forbidden"))
                .none("runs with errors", counts.get("errors"))
                .atLeast("runs that passed, of " + counts.get("planned"), counts.get("passed"), counts.get("planned"));
    }

    private static void mutations(Site site, Figures figures) throws Exception {
        for (String module : List.of("loadbalance", "protocol")) {
            Path results = site.installation().root().resolve(module + "/target/mutation/mutations.csv");
            if (!Files.exists(results)) {
                figures.fail(module + ": not measured, see build/mutation.log");
                continue;
            }
            // The sixth column is what became of a mutation.
            List<String> ends = Files.readAllLines(results).stream()
                    .map(line -> line.split(",")[5])
                    .toList();
            long found = ends.stream()
                    .filter(end -> end.equals("KILLED") || end.equals("TIMED_OUT") || end.equals("MEMORY_ERROR"))
                    .count();
            figures.atLeast(module + ": % found of " + ends.size(), 100.0 * found / ends.size(), 85);
        }
    }
}
