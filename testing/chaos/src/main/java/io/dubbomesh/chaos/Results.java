package io.dubbomesh.chaos;

import io.dubbomesh.benchmark.process.Machine;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The latest result of each row, in a file for each, and the page that is made of them. A row without such a file keeps
 * its line of the page.
 */
final class Results {
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private final Path directory;
    private final Machine machine;

    Results(Path directory, Machine machine) {
        this.directory = directory;
        this.machine = machine;
    }

    /** Returns the directory for the logs of a row. */
    Path directory(String id) {
        return directory.resolve(id);
    }

    void add(Row row, Figures figures) throws IOException {
        String time = LocalDateTime.now(ZoneOffset.UTC).format(MINUTE);
        String line = "| " + row.id() + " | " + cell(row.fault()) + " | " + cell(row.wanted()) + " | "
                + cell(figures.toString()) + " | " + (figures.passed() ? "yes" : "**no**") + " | " + time + ", "
                + machine.commit() + " |\n";
        Files.writeString(directory.resolve(row.id() + ".md"), line);
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }

    void write(Path page, List<Row> catalogue) throws IOException {
        List<String> published = Files.exists(page) ? Files.readAllLines(page) : List.of();
        StringBuilder table = new StringBuilder();
        int passed = 0;
        for (Row row : catalogue) {
            String line = latest(row, published);
            passed += line.contains(" | yes | ") ? 1 : 0;
            table.append(line);
        }
        String head =
                new String(getClass().getResourceAsStream("reliability.md").readAllBytes(), UTF_8);
        Files.writeString(
                page,
                head.replace("${passed}", passed + " of " + catalogue.size())
                        .replace("${machine}", machine.toString().replaceAll(", commit .*", ""))
                        .replace("${table}", table.toString().strip()));
    }

    private String latest(Row row, List<String> published) throws IOException {
        Path file = directory.resolve(row.id() + ".md");
        if (Files.exists(file)) {
            return Files.readString(file);
        }
        String begin = "| " + row.id() + " | ";
        for (String line : published) {
            if (line.startsWith(begin)) {
                return line + "\n";
            }
        }
        return begin + cell(row.fault()) + " | " + cell(row.wanted()) + " | not run | **no** | |\n";
    }
}
