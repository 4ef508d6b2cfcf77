package io.dubbomesh.acceptance.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A fenced block of a page for users.
 *
 * @param page     from the root of the tree
 * @param line     of its fence, from 1
 * @param language after the fence; empty if it names none
 */
public record Snippet(String page, int line, String language, List<String> lines) {
    public static final Path ROOT = Path.of("../..");

    private static final Pattern COMMAND = Pattern.compile(
            "\\s*(\\$ |\\./|docker/|scripts/|(apt-get|bash|cp|curl|docker|docker-compose|etcdctl|export|git|go|java|kubectl|ln|make"
                    + "|meshctl|mkdir|mvn|node|openssl|promtool|python3?|rm|sha256sum|sudo|systemctl|tar) ).*");

    /** Returns the snippets of the README, {@code CONTRIBUTING.md}, {@code examples/} and {@code docs/}. */
    public static List<Snippet> all() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        for (String folder : List.of("examples", "docs")) {
            SourceTree.files().stream()
                    .filter(file -> file.startsWith(ROOT.resolve(folder))
                            && file.toString().endsWith(".md"))
                    .sorted()
                    .forEach(pages::add);
        }
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : pages) {
            snippets.addAll(of(page));
        }
        return snippets;
    }

    private static List<Snippet> of(Path page) throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        Snippet open = null;
        int indent = 0;
        int number = 0;
        for (String line : Files.readAllLines(page)) {
            number++;
            boolean isFence = line.strip().startsWith("```");
            if (open == null && isFence) {
                indent = line.indexOf('`');
                open = new Snippet(
                        ROOT.relativize(page).toString(), number, line.strip().substring(3), new ArrayList<>());
            } else if (isFence) {
                snippets.add(open);
                open = null;
            } else if (open != null) {
                open.lines.add(line.substring(
                        Math.min(indent, line.length() - line.stripLeading().length())));
            }
        }
        if (open != null) {
            throw new AssertionError(open + " has no end");
        }
        return snippets;
    }

    public String text() {
        return String.join("\n", lines) + "\n";
    }

    public String firstLine() {
        return lines.get(0);
    }

    public boolean holdsCommand() {
        return lines.stream().anyMatch(line -> COMMAND.matcher(line).matches());
    }

    /**
     * Returns the commands and outputs of a console: lines after "$ " and what follows a backslash are typed, the
     * others printed.
     */
    public List<Exchange> exchanges() {
        List<Exchange> exchanges = new ArrayList<>();
        StringBuilder command = new StringBuilder();
        StringBuilder output = new StringBuilder();
        boolean isTyping = false;
        for (String line : lines) {
            if (line.startsWith("$ ")) {
                addTo(exchanges, command, output);
                command.append(line, 2, line.length());
                isTyping = line.endsWith("\\");
            } else if (isTyping) {
                command.append('\n').append(line);
                isTyping = line.endsWith("\\");
            } else if (command.isEmpty()) {
                throw new AssertionError(this + " begins with output (expected: a line \"$ COMMAND\")");
            } else {
                output.append(line).append('\n');
            }
        }
        addTo(exchanges, command, output);
        return exchanges;
    }

    private static void addTo(List<Exchange> exchanges, StringBuilder command, StringBuilder output) {
        if (!command.isEmpty()) {
            exchanges.add(new Exchange(command.toString(), output.toString()));
            command.setLength(0);
            output.setLength(0);
        }
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }

    /** @param output as the page shows it; empty where it shows none */
    public record Exchange(String command, String output) {}
}
