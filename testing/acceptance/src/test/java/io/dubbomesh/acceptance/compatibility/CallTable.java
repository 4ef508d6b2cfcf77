package io.dubbomesh.acceptance.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code compatibility.calls}, whose head describes its syntax. */
final class CallTable {
    private static final Pattern SIGNATURE = Pattern.compile("(?:(\\w+)\\.)?(\\w+)\\((.*)\\)");
    private static final Pattern REPEATED = Pattern.compile("\\$\\{(.+?)\\*(\\d+)}");

    private final List<Call> calls = new ArrayList<>();

    private CallTable() {}

    static List<Call> read(Path file) throws IOException {
        CallTable table = new CallTable();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            try {
                if (line.startsWith("  ")) {
                    table.addToLast(repeated(line.trim()));
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    table.add(i + 1, repeated(line));
                }
            } catch (RuntimeException e) {
                throw new IOException(file.getFileName() + ":" + (i + 1) + ": " + line, e);
            }
        }
        return table.calls;
    }

    static String repeated(String line) {
        return REPEATED.matcher(line)
                .replaceAll(part -> Matcher.quoteReplacement(part.group(1).repeat(Integer.parseInt(part.group(2)))));
    }

    private void add(int line, String text) {
        String[] columns = columns(text, 3);
        Matcher signature = SIGNATURE.matcher(columns[0]);
        if (!signature.matches()) {
            throw new IllegalArgumentException(columns[0] + " (expected: method(types) or Service.method(types))");
        }
        calls.add(new Call(
                line,
                signature.group(1) == null ? Call.CONFORMANCE : Call.OFFICE + signature.group(1),
                signature.group(2),
                TypeNames.split(signature.group(3)),
                columns[1],
                "",
                new ArrayList<>(),
                ExpectedAnswer.of(columns[2]),
                new LinkedHashMap<>(),
                new EnumMap<>(CallStyle.class)));
    }

    private void addToLast(String text) {
        Call last = calls.get(calls.size() - 1);
        if (text.startsWith("> ?")) {
            calls.set(calls.size() - 1, withQuery(last, text.substring("> ?".length())));
        } else if (text.startsWith("> ")) {
            last.headers().add(text.substring("> ".length()));
        } else if (text.startsWith("< ")) {
            String[] header = text.substring("< ".length()).split(": ", 2);
            last.answerHeaders().put(header[0].toLowerCase(Locale.ROOT), header[1]);
        } else {
            String[] columns = columns(text, 2);
            ExpectedAnswer answer = columns[1].equals("-") ? null : ExpectedAnswer.of(columns[1]);
            styles(columns[0]).forEach(style -> last.exceptions().put(style, answer));
        }
    }

    static List<CallStyle> styles(String list) {
        return list.equals("all")
                ? List.of(CallStyle.values())
                : Arrays.stream(list.split(", "))
                        .map(name -> CallStyle.valueOf(name.toUpperCase(Locale.ROOT)))
                        .toList();
    }

    static String[] columns(String line, int count) {
        String[] columns = line.split(" \\| ", -1);
        if (columns.length != count) {
            throw new IllegalArgumentException(columns.length + " columns (expected: " + count + ")");
        }
        return columns;
    }

    private static Call withQuery(Call call, String query) {
        return new Call(
                call.line(),
                call.service(),
                call.method(),
                call.types(),
                call.arguments(),
                query,
                call.headers(),
                call.answer(),
                call.answerHeaders(),
                call.exceptions());
    }
}
