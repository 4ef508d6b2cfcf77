package io.dubbomesh.benchmark.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A control group of Linux with a share of the processors, of version 1 or 2.
 *
 * @param cpu        the directory with {@code cpu.stat}
 * @param accounting the one with {@code cpuacct.usage}; the same with version 2
 */
record Cgroup(Path cpu, Path accounting) {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final long NS_PER_US = 1000;

    /**
     * CPU time until now.
     *
     * @param periods   of the quota in which anything ran
     * @param throttled the periods in which the quota did not suffice
     */
    record Use(long cpuUs, long periods, long throttled) {
        Use minus(Use earlier) {
            return new Use(cpuUs - earlier.cpuUs, periods - earlier.periods, throttled - earlier.throttled);
        }
    }

    /** The control group of the process {@code pid}. */
    static Cgroup of(long pid) throws IOException {
        return of(ROOT, Files.readAllLines(Path.of("/proc/" + pid + "/cgroup")));
    }

    /** @param lines {@code ID:CONTROLLERS:PATH}; the line of version 2 has no controllers */
    static Cgroup of(Path root, List<String> lines) {
        Path cpu = null;
        Path accounting = null;
        Path unified = null;
        for (String line : lines) {
            String[] fields = line.split(":", 3);
            String path = fields[2].substring(1);
            List<String> controllers = List.of(fields[1].split(","));
            if (controllers.contains("cpu")) {
                cpu = root.resolve(fields[1]).resolve(path);
            }
            if (controllers.contains("cpuacct")) {
                accounting = root.resolve(fields[1]).resolve(path);
            }
            if (fields[1].isEmpty()) {
                unified = root.resolve(path);
            }
        }
        return cpu == null ? new Cgroup(unified, unified) : new Cgroup(cpu, accounting);
    }

    Use use() throws IOException {
        List<String> stat = Files.readAllLines(cpu.resolve("cpu.stat"));
        Path usageNs = accounting.resolve("cpuacct.usage");
        long cpuUs = Files.exists(usageNs)
                ? Long.parseLong(Files.readString(usageNs).strip()) / NS_PER_US
                : value(stat, "usage_usec");
        return new Use(cpuUs, value(stat, "nr_periods"), value(stat, "nr_throttled"));
    }

    private static long value(List<String> stat, String key) {
        return stat.stream()
                .filter(line -> line.startsWith(key + " "))
                .mapToLong(line -> Long.parseLong(line.substring(key.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no line " + key + " in " + stat));
    }

    List<Long> processes() throws IOException {
        return Files.readAllLines(cpu.resolve("cgroup.procs")).stream()
                .map(Long::valueOf)
                .toList();
    }
}
