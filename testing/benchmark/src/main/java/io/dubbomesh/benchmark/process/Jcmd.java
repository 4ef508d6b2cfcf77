package io.dubbomesh.benchmark.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a JVM about its memory. */
public final class Jcmd {
    /** The first line of a thread in {@code Thread.print -e}; from a hundred units on it uses the next larger unit. */
    private static final Pattern THREAD = Pattern.compile("^\"(.*)\" #(\\d+) .* allocated=(\\d+)([BKMG]) ");

    /** {@code def new generation   total 14784K, used 1234K [...)} */
    private static final Pattern GENERATION = Pattern.compile(" total (\\d+)K, used (\\d+)K");

    /** {@code -                     Other (reserved=1034KB, committed=1034KB)} */
    private static final Pattern OTHER = Pattern.compile(" Other \\(reserved=\\d+KB, committed=(\\d+)KB");

    private static final String UNITS = "BKMG";
    private static final int UNIT_BITS = 10;

    /** The thread that answers jcmd. */
    private static final String ANSWERING = "Attach Listener";

    private Jcmd() {}

    /** Returns the bytes that each thread has allocated on the heap since it started, by the thread's number. */
    public static Map<Long, Long> allocatedBytes(Program jvm) throws IOException, InterruptedException {
        return parseAllocatedBytes(run(jvm, "Thread.print -e"));
    }

    /** Between two answers, by the threads of the second. */
    public static long allocatedBytes(Map<Long, Long> before, Map<Long, Long> after) {
        long sum = 0;
        for (Map.Entry<Long, Long> thread : after.entrySet()) {
            sum += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
        }
        return sum;
    }

    /** The heap in use after a full collection. */
    public static long liveHeapKib(Program jvm) throws IOException, InterruptedException {
        run(jvm, "GC.run");
        return parseUsedHeapKib(run(jvm, "GC.heap_info"));
    }

    /** The size of direct buffers if the JVM was started with {@code -XX:NativeMemoryTracking=summary}. */
    public static long directKib(Program jvm) throws IOException, InterruptedException {
        return parseDirectKib(run(jvm, "VM.native_memory summary scale=KB"));
    }

    private static String run(Program jvm, String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(Programs.tool("jcmd"), Long.toString(jvm.pid())));
        words.addAll(List.of(command.split(" ")));
        return Programs.outputOf(words.toArray(String[]::new));
    }

    static Map<Long, Long> parseAllocatedBytes(String threads) {
        Map<Long, Long> bytes = new HashMap<>();
        for (String line : threads.lines().toList()) {
            Matcher thread = THREAD.matcher(line);
            if (thread.find() && !thread.group(1).equals(ANSWERING)) {
                long amount = Long.parseLong(thread.group(3)) << UNIT_BITS * UNITS.indexOf(thread.group(4));
                bytes.put(Long.valueOf(thread.group(2)), amount);
            }
        }
        return bytes;
    }

    static long parseUsedHeapKib(String heap) {
        return GENERATION
                .matcher(heap)
                .results()
                .mapToLong(generation -> Long.parseLong(generation.group(2)))
                .sum();
    }

    static long parseDirectKib(String nativeMemory) {
        Matcher other = OTHER.matcher(nativeMemory);
        return other.find() ? Long.parseLong(other.group(1)) : 0;
    }
}
