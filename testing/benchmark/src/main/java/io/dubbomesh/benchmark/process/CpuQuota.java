package io.dubbomesh.benchmark.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A control group of Linux that holds a program to a part of a processor, of version 1 or 2. Needs root. A period must
 * be long against the ticks of the kernel's clock, at which it finds that a quota is used: up to 10 ms each.
 */
public final class CpuQuota {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    private final Path directory;

    private CpuQuota(Path directory) {
        this.directory = directory;
    }

    /** Holds a running program to so many cores, on average over each period. */
    public static CpuQuota hold(Program program, double cores, Duration period) throws IOException {
        boolean isFirstVersion = Files.isDirectory(ROOT.resolve("cpu"));
        Path directory = (isFirstVersion ? ROOT.resolve("cpu") : ROOT).resolve("dubbo-mesh-" + program.pid());
        long periodUs = period.toNanos() / 1_000;
        long quotaUs = Math.round(cores * periodUs);
        try {
            if (!isFirstVersion) {
                Files.writeString(ROOT.resolve("cgroup.subtree_control"), "+cpu");
            }
            Files.createDirectory(directory);
            if (isFirstVersion) {
                Files.writeString(directory.resolve("cpu.cfs_period_us"), Long.toString(periodUs));
                Files.writeString(directory.resolve("cpu.cfs_quota_us"), Long.toString(quotaUs));
            } else {
                Files.writeString(directory.resolve("cpu.max"), quotaUs + " " + periodUs);
            }
            for (long pid : program.process().pids()) {
                Files.writeString(directory.resolve("cgroup.procs"), Long.toString(pid));
            }
        } catch (IOException e) {
            throw new BenchException("no control group for " + program.name() + ": " + e
                    + " (expected: root, and control groups of Linux that may be written)");
        }
        return new CpuQuota(directory);
    }

    /** Removes the control group; the program must have ended. */
    public void remove() throws IOException {
        Files.delete(directory);
    }
}
