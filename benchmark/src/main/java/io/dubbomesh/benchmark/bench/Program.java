package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that the harness started. Its CPU time and memory are its own and those of the processes that it started and that still run.
 *
 * @param gcLog null unless it is a JVM
 */
record Program(String name, Process process, Path log, Path gcLog) {
    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    CpuTime cpu() throws IOException {
        CpuTime sum = CpuTime.NONE;
        for (long pid : pids()) {
            sum = sum.plus(ProcStat.cpu(pid));
        }
        return sum;
    }

    long rssKib() throws IOException {
        long sum = 0;
        for (long pid : pids()) {
            sum += ProcStat.rssKib(pid);
        }
        return sum;
    }

    long pssKib() throws IOException {
        long sum = 0;
        for (long pid : pids()) {
            sum += ProcStat.pssKib(pid);
        }
        return sum;
    }

    private List<Long> pids() {
        List<Long> pids = new ArrayList<>(List.of(pid()));
        process.descendants().forEach(descendant -> pids.add(descendant.pid()));
        return pids;
    }

    /** The length of the log of collections, to {@link GcLog#read} from later; 0 if there is none. */
    long gcLogLength() throws IOException {
        return gcLog == null ? 0 : Files.size(gcLog);
    }

    String output() throws IOException {
        return Files.readString(log);
    }
}
