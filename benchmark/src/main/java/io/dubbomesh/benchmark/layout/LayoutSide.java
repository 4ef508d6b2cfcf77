package io.dubbomesh.benchmark.layout;

import io.dubbomesh.benchmark.load.LoadResult;
import io.dubbomesh.benchmark.process.ProcStat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One compose project of the 2018 layout and its load, which comes from another container on the project's network. */
record LayoutSide(String name, String project, List<Container> containers) {
    private static final double US_PER_S = 1e6;

    /** {@code NAME=PROJECT} */
    static LayoutSide parse(String text) throws IOException, InterruptedException {
        String[] parts = text.split("=");
        return new LayoutSide(parts[0], parts[1], Container.of(parts[1]));
    }

    /** @param outsidePercent of the machine's CPU time, used by nothing in the containers: wrk, the network, other programs */
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

        /** Processors that the container used. */
        double cores(int container) {
            return uses.get(container).all().cpuUs() / US_PER_S / seconds;
        }

        /** For the JSON report. */
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("round", number);
            json.put("agents", side.name());
            json.put("connections", connections);
            json.put("qps", Math.round(load.qps()));
            json.put("result", load);
            json.put("outsidePercent", outsidePercent);
            List<Map<String, Object>> containers = new ArrayList<>();
            for (int i = 0; i < uses.size(); i++) {
                Map<String, Object> container = new LinkedHashMap<>();
                container.put("name", side.containers().get(i).name());
                container.put("quota", side.containers().get(i).quota());
                container.put("cores", cores(i));
                container.put("agentCores", uses.get(i).agentUs() / US_PER_S / seconds);
                container.put("periods", uses.get(i).all().periods());
                container.put("throttled", uses.get(i).all().throttled());
                containers.add(container);
            }
            json.put("containers", containers);
            return json;
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

    /** As in 2018. The script only prints the result in one line. */
    private LoadResult load(int connections, int seconds, String wrkImage, Path scripts)
            throws IOException, InterruptedException {
        String command = "run --rm --name %s-wrk --network %s_benchmarker -v %s:/scripts:ro --entrypoint wrk %s"
                        .formatted(project, project, scripts, wrkImage)
                + " -t2 -c%d -d%ds -T5 --latency -s /scripts/invoke.lua http://consumer:8087/invoke"
                        .formatted(connections, seconds);
        return LoadResult.parse(Container.docker(command.split(" ")));
    }
}
