package io.dubbomesh.benchmark.process;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads the log that {@link #FLAG} makes a JVM write. */
public final class GcLog {
    private static final String FLAG = "-Xlog:gc,safepoint:file=%s:uptime:filecount=0";

    /** {@code [1.234s] GC(3) Pause Young (Allocation Failure) 14M->3M(123M) 1.234ms} */
    private static final Pattern PAUSE = Pattern.compile("GC\\(\\d+\\) Pause .* (\\d+\\.\\d+)ms$");

    /** {@code [1.234s] Safepoint "Cleanup", Time since last: 1 ns, Reaching safepoint: 2 ns, ..., Total: 5 ns} */
    private static final Pattern SAFEPOINT = Pattern.compile("Safepoint \".*\", .* Total: +(\\d+) ns$");

    private GcLog() {}

    /** Stops of the threads, in milliseconds. A collection's pause is also a safepoint. */
    public record Stops(int collections, double pauseMs, double longestPauseMs, int safepoints, double safepointMs) {}

    static String flag(Path file) {
        return FLAG.formatted(file);
    }

    /** The length of the program's log, to {@link #read} from later. */
    public static long length(Program jvm) throws IOException {
        return Files.size(jvm.gcLog());
    }

    /** The stops in the program's log from the byte {@code from} on. */
    public static Stops read(Program jvm, long from) throws IOException {
        return read(jvm.gcLog(), from);
    }

    static Stops read(Path file, long from) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            channel.position(from);
            return parse(new String(Channels.newInputStream(channel).readAllBytes(), UTF_8));
        }
    }

    static Stops parse(String log) {
        int collections = 0;
        double pauseMs = 0;
        double longestMs = 0;
        int safepoints = 0;
        double safepointMs = 0;
        for (String line : log.lines().toList()) {
            Matcher pause = PAUSE.matcher(line);
            Matcher safepoint = SAFEPOINT.matcher(line);
            if (pause.find()) {
                double ms = Double.parseDouble(pause.group(1));
                collections++;
                pauseMs += ms;
                longestMs = Math.max(longestMs, ms);
            } else if (safepoint.find()) {
                safepoints++;
                safepointMs += Long.parseLong(safepoint.group(1)) / 1e6;
            }
        }
        return new Stops(collections, pauseMs, longestMs, safepoints, safepointMs);
    }
}
