package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs wrk with a side's script. */
final class Wrk {
    private static final int LOAD_THREADS = 2;

    /** One connection for each thread: the scripts can tell which answer belongs to which request then only. */
    private static final int CHECK_THREADS = 16;

    /** wrk takes so long to end at most, with requests that are not answered. */
    private static final int GRACE_SECONDS = 30;

    private final Programs programs;

    Wrk(Programs programs) {
        this.programs = programs;
    }

    LoadResult load(Side side, Point point, int seconds) throws IOException, InterruptedException, BenchException {
        return finish(start(side, point, seconds), seconds);
    }

    /** To be {@link #finish finished} later. */
    Program start(Side side, Point point, int seconds) throws IOException {
        return start("wrk", side, point, LOAD_THREADS, point.connections(), seconds, Map.of());
    }

    /** Under the load of {@code point}, compares every answer of some connections of its own with what is expected. */
    LoadResult check(Side side, Point point, int seconds) throws IOException, InterruptedException, BenchException {
        Program load = start(side, point, seconds);
        Program check = start("wrk-check", side, point, CHECK_THREADS, CHECK_THREADS, seconds, Map.of("CHECK", "1"));
        LoadResult result = finish(check, seconds);
        finish(load, seconds);
        if (result.wrong() > 0) {
            check.output()
                    .lines()
                    .filter(line -> line.startsWith("WRONG"))
                    .findFirst()
                    .ifPresent(System.err::println);
        }
        return result;
    }

    private Program start(
            String name,
            Side side,
            Point point,
            int threads,
            int connections,
            int seconds,
            Map<String, String> environment)
            throws IOException {
        Map<String, String> all = new HashMap<>(side.environment());
        all.putAll(point.environment());
        all.putAll(environment);
        List<String> command = List.of(
                "wrk",
                "-t" + Math.min(threads, connections),
                "-c" + connections,
                "-d" + seconds + "s",
                "--timeout",
                "10s",
                "--latency",
                "-s",
                side.script().toString(),
                side.url());
        return programs.start(name, command, all);
    }

    LoadResult finish(Program wrk, int seconds) throws IOException, InterruptedException, BenchException {
        return LoadResult.parse(programs.finish(wrk, seconds + GRACE_SECONDS));
    }
}
