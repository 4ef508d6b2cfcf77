package io.dubbomesh.acceptance.document;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The formatter of the build breaks lines of code, and leaves those of comments as they are. */
class CommentWidthTest {
    private static final int COLUMNS = 120;
    private static final Pattern COMMENT = Pattern.compile("\\s*(//|/?\\*).*");

    private static Stream<String> wideComments(Path source) {
        try {
            List<String> lines = Files.readAllLines(source);
            return Stream.iterate(0, line -> line < lines.size(), line -> line + 1)
                    .filter(line -> lines.get(line).length() > COLUMNS)
                    .filter(line -> COMMENT.matcher(lines.get(line)).matches())
                    .map(line -> SourceTree.ROOT.relativize(source) + ":" + (line + 1));
        } catch (IOException e) {
            throw new IllegalStateException(source.toString(), e);
        }
    }

    @Test
    void noLineOfACommentIsLongerThan120Columns() {
        List<Path> sources = SourceTree.files().stream()
                .filter(file -> file.toString().endsWith(".java"))
                .toList();

        assertThat(sources).hasSizeGreaterThan(500);
        assertThat(sources.stream().flatMap(CommentWidthTest::wideComments)).isEmpty();
    }
}
