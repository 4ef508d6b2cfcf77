package io.dubbomesh.benchmark.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that the harness started. Its CPU time and memory include those of its running child processes.
 *
 * @param gcLog null unless it is a JVM
 */
public record Program(String name, Process process, Path log, Path gcLog) {
    public boolean isJvm() {
        return gcLog != null;
    }

    long pid() {
        return process.pid();
    }

    public CpuTime cpu() throws IOException {
        CpuTime sum = CpuTime.NONE;
        for (long pid : pids()) {
            sum = sum.plus(ProcStat.cpu(pid));
        }
        return sum;
    }

    public long rssKib() throws IOException {
        long sum = 0;
        for (long pid : pids()) {
            sum += ProcStat.rssKib(pid);
        }
        return sum;
    }

    public long pssKib() throws IOException {
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

    public String output() throws IOException {
        return Files.readString(log);
    }
}
