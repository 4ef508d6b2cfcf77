package io.dubbomesh.chaos;

import io.dubbomesh.chaos.row.Row;

import java.util.ArrayList;
import java.util.List;

/**
 * The options of a run: {@code [--quick] [--brief] [--minutes N] [--list] [ROW...]}.
 *
 * @param quick   only the rows that run with the tests
 * @param brief   short phases of load, nothing written
 * @param list    only prints the rows
 * @param minutes of the soak
 * @param ids     none for all
 */
record Options(boolean quick, boolean brief, boolean list, int minutes, List<String> ids) {
    private static final int SOAK_MINUTES = 10;

    static Options parse(List<String> arguments) {
        boolean quick = false;
        boolean brief = false;
        boolean list = false;
        int minutes = SOAK_MINUTES;
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                case "--quick" -> quick = true;
                case "--brief" -> brief = true;
                case "--list" -> list = true;
                case "--minutes" -> minutes = minutes(i + 1 < arguments.size() ? arguments.get(++i) : "nothing");
                default -> ids.add(argument);
            }
        }
        return new Options(quick, brief || quick, list, minutes, ids);
    }

    private static int minutes(String text) {
        try {
            int minutes = Integer.parseInt(text);
            if (minutes >= 2 && minutes <= 24 * 60) {
                return minutes;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("--minutes: " + text + " (expected: 2-1440)");
    }

    List<Row> select(List<Row> catalogue) {
        List<String> known = catalogue.stream().map(Row::id).toList();
        for (String id : ids) {
            if (known.stream().noneMatch(id::equalsIgnoreCase)) {
                throw new IllegalArgumentException(id + " (expected: one of " + String.join(" ", known) + ")");
            }
        }
        return catalogue.stream()
                .filter(row -> ids.isEmpty() || ids.stream().anyMatch(row.id()::equalsIgnoreCase))
                .filter(row -> !quick || row.quick())
                .toList();
    }
}
