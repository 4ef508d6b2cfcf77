package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One composition of the 2018 layout and its load, which comes from a container of its own on the composition's network. */
record LayoutSide(String name, String project, List<Container> containers) {
    private static final String SCRIPTS = "/scripts";

    /** {@code NAME=PROJECT} */
    static LayoutSide parse(String text) throws IOException, InterruptedException, BenchException {
        int equals = text.indexOf('=');
        String project = text.substring(equals + 1);
        return new LayoutSide(text.substring(0, equals), project, Container.of(project));
    }

    /** @param outsidePercent of the machine's CPU time, by whatever is in none of the containers: wrk, the network, other programs */
    record Round(
            int number,
            int connections,
            LayoutSide side,
            LoadResult load,
            List<Container.Use> uses,
            double seconds,
            double outsidePercent) {
        double cpuUsPerRequest() {
            return uses.stream().mapToLong(use -> use.all().cpuUs()).sum() / (double) load.requests();
        }
    }

    Round measure(int number, int connections, int seconds, String wrkImage, String scripts)
            throws IOException, InterruptedException, BenchException {
        List<Container.Use> before = uses();
        ProcStat.Machine machine = ProcStat.machine();
        long beginNs = System.nanoTime();
        LoadResult load = load(connections, seconds, wrkImage, scripts);
        double took = (System.nanoTime() - beginNs) / 1e9;
        ProcStat.Machine end = ProcStat.machine();
        List<Container.Use> uses = new ArrayList<>();
        long insideUs = 0;
        for (Container.Use use : uses()) {
            Container.Use used = use.minus(before.get(uses.size()));
            uses.add(used);
            insideUs += used.all().cpuUs();
        }
        double outside = 100.0 * (end.usedUs() - machine.usedUs() - insideUs) / (end.allUs() - machine.allUs());
        return new Round(number, connections, this, load, uses, took, outside);
    }

    private List<Container.Use> uses() throws IOException {
        List<Container.Use> uses = new ArrayList<>();
        for (Container container : containers) {
            uses.add(container.use());
        }
        return uses;
    }

    /** As in 2018; the script only says the result in one line. */
    private LoadResult load(int connections, int seconds, String wrkImage, String scripts)
            throws IOException, InterruptedException, BenchException {
        return LoadResult.parse(Docker.run(
                "run",
                "--rm",
                "--name",
                project + "-wrk",
                "--network",
                project + "_benchmarker",
                "-v",
                scripts + ":" + SCRIPTS + ":ro",
                "--entrypoint",
                "wrk",
                wrkImage,
                "-t2",
                "-c" + connections,
                "-d" + seconds + "s",
                "-T5",
                "--latency",
                "-s",
                SCRIPTS + "/invoke.lua",
                "http://consumer:8087/invoke"));
    }
}
