package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux tells about CPU time and memory in {@code /proc}, see proc(5). */
final class ProcStat {
    private static final Path PROC = Path.of("/proc");

    /** USER_HZ is 100 on every architecture that there is a JDK for. */
    private static final long US_PER_TICK = 10_000;

    /** Fields of {@code /proc/PID/stat} behind the name: utime is the 14th of all, state the third. */
    private static final int USER = 11;

    private static final int SYSTEM = 12;
    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;

    /** Fields of the line {@code cpu} in {@code /proc/stat}. */
    private static final int IDLE = 4;

    private static final int IO_WAIT = 5;
    private static final int STEAL = 8;

    private ProcStat() {}

    /** The CPU time of the whole machine, by anybody and by other virtual machines, and all that there was. */
    record Machine(long usedUs, long allUs) {}

    static CpuTime cpu(long pid) throws IOException {
        return parseCpu(Files.readString(PROC.resolve(pid + "/stat")));
    }

    /** The CPU time of those children that have ended and been waited for. */
    static CpuTime cpuOfEndedChildren(long pid) throws IOException {
        return parseCpuOfEndedChildren(Files.readString(PROC.resolve(pid + "/stat")));
    }

    static Machine machine() throws IOException {
        return parseMachine(Files.readAllLines(PROC.resolve("stat")));
    }

    static long rssKib(long pid) throws IOException {
        return parseKib(Files.readAllLines(PROC.resolve(pid + "/status")), "VmRSS:");
    }

    /** Resident memory of which what is shared counts in parts. */
    static long pssKib(long pid) throws IOException {
        return parseKib(Files.readAllLines(PROC.resolve(pid + "/smaps_rollup")), "Pss:");
    }

    /** Connections that were accepted in this network namespace. */
    static long acceptedConnections() throws IOException {
        return parsePassiveOpens(Files.readAllLines(PROC.resolve("net/snmp")));
    }

    /** How many files this process, and therefore each that it starts, may have open. */
    static long openFilesLimit() throws IOException {
        return parseOpenFilesLimit(Files.readAllLines(PROC.resolve("self/limits")));
    }

    static CpuTime parseCpu(String stat) {
        String[] fields = fieldsBehindTheName(stat);
        return ticks(fields[USER], fields[SYSTEM]);
    }

    static CpuTime parseCpuOfEndedChildren(String stat) {
        String[] fields = fieldsBehindTheName(stat);
        return ticks(fields[CHILDREN_USER], fields[CHILDREN_SYSTEM]);
    }

    /** The name stands in parentheses and may hold spaces and parentheses itself. */
    private static String[] fieldsBehindTheName(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static CpuTime ticks(String user, String system) {
        return new CpuTime(Long.parseLong(user) * US_PER_TICK, Long.parseLong(system) * US_PER_TICK);
    }

    static Machine parseMachine(List<String> stat) {
        String[] fields = lineOf(stat, "cpu ").split(" +");
        long used = 0;
        long all = 0;
        // What follows steal is the time of guests, which stands in user and nice too.
        for (int i = 1; i <= STEAL; i++) {
            long us = Long.parseLong(fields[i]) * US_PER_TICK;
            all += us;
            if (i != IDLE && i != IO_WAIT) {
                used += us;
            }
        }
        return new Machine(used, all);
    }

    static long parseKib(List<String> lines, String key) {
        return Long.parseLong(lineOf(lines, key).split("\\s+")[1]);
    }

    static long parsePassiveOpens(List<String> snmp) {
        List<String> tcp =
                snmp.stream().filter(line -> line.startsWith("Tcp: ")).toList();
        int column = List.of(tcp.get(0).split(" ")).indexOf("PassiveOpens");
        return Long.parseLong(tcp.get(1).split(" ")[column]);
    }

    static long parseOpenFilesLimit(List<String> limits) {
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
