package io.dubbomesh.acceptance.page;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** The Markdown pages of the tree: their links, the index of {@code docs/}, and the lengths of the first two. */
class PagesTest {
    /** Folders of output, and of texts from which pages are made: their links are checked in the page. */
    private static final Set<String> NO_PAGES = Set.of(".git", "target", "build", "resources", "node_modules");

    private static final Path ROOT = Path.of("../..");
    private static final Path DOCS = ROOT.resolve("docs");

    /** The page to which problem documents of all versions lead; it only leads on to the page of errors. */
    private static final Path ERRORS_PAGE = DOCS.resolve("errors.md");

    /** A link in Markdown, or a picture in HTML. */
    private static final Pattern LINK =
            Pattern.compile("(?:]\\(|src=\")(?![a-z]+:)([^)\"#\\s]*)(?:#([^)\"\\s]+))?[)\"]");

    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*)");
    private static final Pattern LINKED_TEXT = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    private final List<Path> pages = pages();

    PagesTest() throws IOException {}

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean isSkipped = NO_PAGES.contains(directory.getFileName().toString());
                return isSkipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file.normalize());
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages;
    }

    @Test
    void everyRelativeLinkAndItsAnchorLeadToSomething() throws IOException {
        assertThat(pages).hasSizeGreaterThan(30);
        Set<String> dead = new TreeSet<>();
        for (Path page : pages) {
            for (MatchResult link : LINK.matcher(text(page)).results().toList()) {
                Path target = link.group(1).isEmpty()
                        ? page
                        : page.resolveSibling(link.group(1)).normalize();
                String anchor = link.group(2);
                boolean isAlive = Files.exists(target)
                        && (anchor == null || anchors(target).contains(anchor));
                if (!isAlive) {
                    dead.add(page + ": " + link.group());
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void theIndexOfTheDocumentsListsEveryPage() throws IOException {
        Path index = DOCS.resolve("README.md");
        Set<Path> listed = new HashSet<>(Set.of(index, ERRORS_PAGE));
        for (MatchResult link : LINK.matcher(text(index)).results().toList()) {
            listed.add(index.resolveSibling(link.group(1)).normalize());
        }
        assertThat(pages).filteredOn(page -> page.startsWith(DOCS)).isNotEmpty().allMatch(listed::contains);
    }

    @ParameterizedTest
    @CsvSource({"README.md, 900", "CONTRIBUTING.md, 1200"})
    void aFirstPageIsShort(String page, int most) throws IOException {
        String text = Files.readString(ROOT.resolve(page)).strip();
        assertThat(text.split("\\s+")).as("words of %s", page).hasSizeLessThanOrEqualTo(most);
    }

    /** Returns the page without its blocks of code, in which nothing is a link or a heading. */
    private static String text(Path page) throws IOException {
        StringBuilder text = new StringBuilder();
        boolean isCode = false;
        for (String line : Files.readAllLines(page)) {
            boolean isFence = line.strip().startsWith("```");
            isCode ^= isFence;
            if (!isCode && !isFence) {
                text.append(line).append('\n');
            }
        }
        return text.toString();
    }

    /** Returns the anchors of a page's headings, as GitHub derives them from their texts. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        for (String line : text(page).split("\n")) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String shown = LINKED_TEXT.matcher(heading.group(1)).replaceAll("$1");
                String anchor = shown.strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
                for (int number = 1; !anchors.add(number == 1 ? anchor : anchor + "-" + (number - 1)); number++) {}
            }
        }
        return anchors;
    }
}
