package io.dubbomesh.benchmark.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** CPU time and memory as Linux reports them in {@code /proc}, see proc(5). */
public final class ProcStat {
    private static final Path PROC = Path.of("/proc");

    /** USER_HZ is 100 on every architecture that has a JDK. */
    private static final long US_PER_TICK = 10_000;

    /** Fields of {@code /proc/PID/stat} after the name: utime and stime, then those of children that ended. */
    private static final int OWN = 11;

    private static final int ENDED_CHILDREN = 13;

    /** Fields of the line {@code cpu} in {@code /proc/stat}. */
    private static final int IDLE = 4;

    private static final int IO_WAIT = 5;
    private static final int STEAL = 8;

    private ProcStat() {}

    /** CPU time of the whole machine: what was used, other virtual machines included, and all that existed. */
    public record Machine(long usedUs, long allUs) {
        /**
         * The share of the time since {@code earlier} that was used beside {@code oursUs}; ticks of counters may differ
         * by one.
         */
        public double foreignPercent(Machine earlier, long oursUs) {
            long sinceUs = allUs - earlier.allUs;
            return sinceUs == 0 ? 0 : 100.0 * (usedUs - earlier.usedUs - oursUs) / sinceUs;
        }
    }

    public static CpuTime cpu(long pid) throws IOException {
        return cpu(Files.readString(PROC.resolve(pid + "/stat")));
    }

    static CpuTime cpu(String stat) {
        return ticks(stat, OWN);
    }

    /** Returns the CPU time of the children that ended and were waited for. */
    static CpuTime cpuOfEndedChildren(long pid) throws IOException {
        return cpuOfEndedChildren(Files.readString(PROC.resolve(pid + "/stat")));
    }

    static CpuTime cpuOfEndedChildren(String stat) {
        return ticks(stat, ENDED_CHILDREN);
    }

    /** The name is in parentheses and may contain spaces and parentheses. */
    private static CpuTime ticks(String stat, int user) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new CpuTime(Long.parseLong(fields[user]) * US_PER_TICK, Long.parseLong(fields[user + 1]) * US_PER_TICK);
    }

    public static Machine machine() throws IOException {
        return machine(Files.readAllLines(PROC.resolve("stat")));
    }

    static Machine machine(List<String> stat) {
        String[] fields = lineOf(stat, "cpu ").split(" +");
        long used = 0;
        long all = 0;
        // The fields after steal are the time of guests, which user and nice include.
        for (int i = 1; i <= STEAL; i++) {
            long us = Long.parseLong(fields[i]) * US_PER_TICK;
            all += us;
            used += i == IDLE || i == IO_WAIT ? 0 : us;
        }
        return new Machine(used, all);
    }

    static long rssKib(long pid) throws IOException {
        return kib(Files.readAllLines(PROC.resolve(pid + "/status")), "VmRSS:");
    }

    /** Resident memory, of which shared pages count in part. */
    static long pssKib(long pid) throws IOException {
        return kib(Files.readAllLines(PROC.resolve(pid + "/smaps_rollup")), "Pss:");
    }

    static long kib(List<String> lines, String key) {
        return Long.parseLong(lineOf(lines, key).split("\\s+")[1]);
    }

    /** Connections that were accepted in this network namespace. */
    public static long acceptedConnections() throws IOException {
        return acceptedConnections(Files.readAllLines(PROC.resolve("net/snmp")));
    }

    static long acceptedConnections(List<String> snmp) {
        List<String> tcp =
                snmp.stream().filter(line -> line.startsWith("Tcp: ")).toList();
        int column = List.of(tcp.get(0).split(" ")).indexOf("PassiveOpens");
        return Long.parseLong(tcp.get(1).split(" ")[column]);
    }

    /** Returns the number of files that this process, and therefore each process that it starts, may have open. */
    public static long openFilesLimit() throws IOException {
        return openFilesLimit(Files.readAllLines(PROC.resolve("self/limits")));
    }

    static long openFilesLimit(List<String> limits) {
        String soft = lineOf(limits, "Max open files").split("\\s{2,}")[1];
        return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
    }

    private static String lineOf(List<String> lines, String start) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no line " + start + " in " + lines));
    }
}
