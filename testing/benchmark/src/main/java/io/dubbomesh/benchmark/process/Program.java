package io.dubbomesh.benchmark.process;

import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A program that the harness started. Its CPU time and memory include those of its running child processes.
 *
 * @param gcLog null unless it is a JVM
 */
public record Program(String name, RunningProcess process, Path gcLog) {
    public boolean isJvm() {
        return gcLog != null;
    }

    long pid() {
        return process.pid();
    }

    public CpuTime cpu() throws IOException {
        CpuTime sum = CpuTime.NONE;
        for (long pid : process.pids()) {
            sum = sum.plus(ProcStat.cpu(pid));
        }
        return sum;
    }

    public long rssKib() throws IOException {
        long sum = 0;
        for (long pid : process.pids()) {
            sum += ProcStat.rssKib(pid);
        }
        return sum;
    }

    public long pssKib() throws IOException {
        long sum = 0;
        for (long pid : process.pids()) {
            sum += ProcStat.pssKib(pid);
        }
        return sum;
    }

    public String output() {
        return process.output();
    }
}
