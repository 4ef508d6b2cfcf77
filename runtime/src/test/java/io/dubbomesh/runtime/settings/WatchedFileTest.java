package io.dubbomesh.runtime.settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Readings of the file, one by one. */
class WatchedFileTest {
    @TempDir
    private Path directory;

    private final List<String> taken = new ArrayList<>();

    private void take(String text) {
        if (text.startsWith("wrong")) {
            throw new IllegalArgumentException(text.substring("wrong".length()));
        }
        taken.add(text);
    }

    private Path write(String text) throws Exception {
        return Files.writeString(directory.resolve("file"), text);
    }

    private WatchedFile open(String text) throws Exception {
        return new WatchedFile("a.file", write(text), this::take);
    }

    @Test
    void aChangeIsTakenOnceItIsReadTwice() throws Exception {
        WatchedFile file = open("a");
        for (String text : List.of("", "b", "bc", "bc", "bc")) {
            write(text);
            file.readAgain();
        }
        assertThat(taken).containsExactly("a", "bc");
    }

    @Test
    void whatIsEmptyMalformedOrGoneChangesNothing() throws Exception {
        WatchedFile file = open("a");
        for (String text : List.of("", "", "wrong", "wrong")) {
            write(text);
            file.readAgain();
        }
        Files.delete(directory.resolve("file"));
        file.readAgain();
        assertThat(taken).containsExactly("a");
        write("a");
        file.readAgain();
        write("b");
        file.readAgain();
        file.readAgain();
        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void aMessageNamesSettingPathLineAndReason() throws Exception {
        Path path = directory.resolve("file");
        assertThatThrownBy(() -> open("wrong12: two words"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("a.file: " + path + ":12: two words");
        assertThatThrownBy(() -> open("wrong3 tokens (expected: two)"))
                .hasMessage("a.file: " + path + ": 3 tokens (expected: two)");
        Path none = directory.resolve("none");
        assertThatThrownBy(() -> new WatchedFile("a.file", none, this::take))
                .hasMessage("a.file: " + none + ": no such file");
    }
}
