package io.dubbomesh.chaos;

import io.dubbomesh.benchmark.process.Machine;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Installation;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Runs rows of the catalogue, one after the other, each with processes of its own, and writes what was measured. Its
 * status is 0 only if every row passed. Started by {@code scripts/chaos.sh}, in namespaces that end with it.
 */
public final class Chaos {
    private static final int CLOSE_SECONDS = 60;

    private Chaos() {}

    public static void main(String[] args) throws Exception {
        try {
            System.exit(run(Options.parse(List.of(args))) ? 0 : 1);
        } catch (IllegalArgumentException e) {
            System.err.println("chaos.sh: " + e.getMessage());
            System.exit(2);
        }
    }

    private static boolean run(Options options) throws IOException, InterruptedException {
        List<Row> catalogue = Catalogue.rows(options.minutes());
        List<Row> rows = options.select(catalogue);
        if (options.list()) {
            rows.forEach(row -> System.out.printf("%-6s %s%n       wanted: %s%n", row.id(), row.fault(), row.wanted()));
            return true;
        }
        Installation installation = Installation.from(System::getProperty);
        Results results = new Results(installation.root().resolve("build/chaos"), Machine.of(installation.root()));
        List<String> failed = new ArrayList<>();
        for (Row row : rows) {
            System.out.printf("%-6s %s%n", row.id(), row.fault());
            long startNs = System.nanoTime();
            Figures figures = run(row, installation, results.directory(row.id()), options.brief());
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
            System.out.printf(
                    "       wanted: %s%n       measured: %s%n       %s, %d s%n",
                    row.wanted(), figures, figures.passed() ? "passed" : "FAILED", seconds);
            if (!figures.passed()) {
                failed.add(row.id());
            }
            if (!options.brief()) {
                results.add(row, figures);
            }
        }
        if (!options.brief()) {
            results.write(installation.root().resolve("docs/results/reliability.md"), catalogue);
        }
        System.out.printf("%d of %d rows passed%s%n", rows.size() - failed.size(), rows.size(), text(failed));
        return failed.isEmpty();
    }

    private static String text(List<String> failed) {
        return failed.isEmpty() ? "" : ", failed: " + String.join(" ", failed);
    }

    /** On a thread of its own, so that a row that hangs ends when its time is over. */
    private static Figures run(Row row, Installation installation, Path directory, boolean brief)
            throws IOException, InterruptedException {
        Figures figures = new Figures();
        empty(directory);
        Site site = new Site(installation, directory, brief, row.protocol());
        FutureTask<Void> task = new FutureTask<>(() -> {
            row.run().at(site, figures);
            return null;
        });
        start(task);
        try {
            task.get(row.maxSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            figures.fail("not done after " + row.maxSeconds() + " s");
            task.cancel(true);
        } catch (ExecutionException e) {
            figures.fail("ended by " + firstLine(e.getCause()));
            Files.writeString(directory.resolve("failure.txt"), trace(e.getCause()));
        }
        close(site, figures);
        return figures;
    }

    private static void close(Site site, Figures figures) throws InterruptedException {
        FutureTask<Void> closing = new FutureTask<>(() -> {
            site.close();
            return null;
        });
        start(closing);
        try {
            closing.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            figures.fail("could not clean up: " + e);
        }
    }

    private static void start(FutureTask<Void> task) {
        Thread thread = new Thread(task, "row");
        thread.setDaemon(true);
        thread.start();
    }

    private static String firstLine(Throwable failure) {
        return failure.toString().lines().findFirst().orElse("");
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    private static void empty(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
