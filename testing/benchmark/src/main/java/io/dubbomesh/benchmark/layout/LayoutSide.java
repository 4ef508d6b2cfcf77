package io.dubbomesh.benchmark.layout;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import io.dubbomesh.benchmark.load.LoadResult;
import io.dubbomesh.benchmark.process.ProcStat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One compose project of the 2018 layout and its load, which comes from another container on the project's network. */
@JsonIncludeProperties({"name", "containers"})
record LayoutSide(String name, String project, List<Container> containers) {
    private static final double US_PER_S = 1e6;

    /** {@code NAME=PROJECT} */
    static LayoutSide parse(String text) throws IOException, InterruptedException {
        String[] parts = text.split("=");
        return new LayoutSide(parts[0], parts[1], Container.of(parts[1]));
    }

    /**
     * @param outsidePercent of the machine's CPU time, used by nothing in the containers: wrk, the network, other
     *     programs
     */
    record Round(
            int number,
            int connections,
            LayoutSide side,
            LoadResult load,
            List<Container.Use> uses,
            double seconds,
            double outsidePercent) {
        double cpuUsPerRequest() {
            return perRequest(uses.stream().mapToLong(use -> use.all().cpuUs()).sum());
        }

        double perRequest(double sum) {
            return sum / load.requests();
        }

        /** Processors that the container used. */
        double cores(int container) {
            return uses.get(container).all().cpuUs() / US_PER_S / seconds;
        }
    }

    /** @param scripts the directory of wrk's scripts */
    Round measure(int number, int connections, int seconds, String wrkImage, Path scripts)
            throws IOException, InterruptedException {
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
        double outside = end.foreignPercent(machine, insideUs);
        return new Round(number, connections, this, load, uses, took, outside);
    }

    private List<Container.Use> uses() throws IOException {
        List<Container.Use> uses = new ArrayList<>();
        for (Container container : containers) {
            uses.add(container.use());
        }
        return uses;
    }

    /**
     * Loads as in 2018. The script only prints the result in one line. The script only prints the result in one line.
     */
    private LoadResult load(int connections, int seconds, String wrkImage, Path scripts)
            throws IOException, InterruptedException {
        String command = "run --rm --name %s-wrk --network %s_benchmarker -v %s:/scripts:ro --entrypoint wrk %s"
                        .formatted(project, project, scripts, wrkImage)
                + " -t2 -c%d -d%ds -T5 --latency -s /scripts/invoke.lua http://consumer:8087/invoke"
                        .formatted(connections, seconds);
        return LoadResult.parse(Container.docker(command.split(" ")));
    }
}
