package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.process.Programs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Runs wrk with a script. */
public final class Wrk {
    private static final int LOAD_THREADS = 2;

    /** One connection for each thread: only then can the script tell which answer belongs to which request. */
    private static final int CHECK_THREADS = 16;

    /** The most that wrk needs to end if requests are not answered. */
    private static final int GRACE_SECONDS = 30;

    private final Programs programs;
    private final Path script;

    public Wrk(Programs programs, Path script) {
        this.programs = programs;
        this.script = script;
    }

    public LoadResult load(Side side, Point point, int seconds) throws IOException, InterruptedException {
        return finish(start(side, point, seconds), seconds);
    }

    /** The caller {@link #finish finishes} it. */
    public Program start(Side side, Point point, int seconds) throws IOException {
        return start("wrk", side, point, LOAD_THREADS, point.connections(), seconds, Map.of());
    }

    /** Under the load of {@code point}, compares every answer on some further connections with the expected one. */
    public LoadResult check(Side side, Point point, int seconds) throws IOException, InterruptedException {
        Program load = start(side, point, seconds);
        Program check = start("wrk-check", side, point, CHECK_THREADS, CHECK_THREADS, seconds, Map.of("CHECK", "1"));
        LoadResult result = finish(check, seconds);
        finish(load, seconds);
        if (result.checked() == 0) {
            throw new BenchException(side.name() + ", " + point.label() + ": no answer's value could be compared");
        }
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
        String options = "-t%d -c%d -d%ds --timeout 10s --latency -s"
                .formatted(Math.min(threads, connections), connections, seconds);
        return programs.start(name, Programs.command("wrk " + options, script.toString(), side.url()), all);
    }

    public LoadResult finish(Program wrk, int seconds) throws IOException, InterruptedException {
        return LoadResult.parse(programs.finish(wrk, seconds + GRACE_SECONDS));
    }
}
