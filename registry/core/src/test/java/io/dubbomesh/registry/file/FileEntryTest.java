package io.dubbomesh.registry.file;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The machine of an agent's file: what it is in each state, and after each event. */
class FileEntryTest {
    private static final byte[] VALUE = {'5'};

    @TempDir
    Path folder;

    private Path file;
    private FileEntry entry;

    @BeforeEach
    void create() {
        file = folder.resolve("192.0.2.7_30000");
        entry = new FileEntry(new FileEntryStore(folder, FileTimes.DEFAULT), "com.example.Greeter", file, List.of());
    }

    /** A link to itself cannot be touched by any user, root included. */
    private void block() throws Exception {
        Files.delete(file);
        Files.createSymbolicLink(file, file);
        entry.touch();
    }

    private void assertState(boolean ours, boolean held) {
        assertThat(entry.isOurs()).as("ours").isEqualTo(ours);
        assertThat(entry.isHeld()).as("held").isEqualTo(held);
    }

    @Test
    void whatOthersHaveWrittenBeforeIsReadAndNotTouched() throws Exception {
        Files.write(file, VALUE);
        assertThat(entry.refresh()).isTrue();
        assertThat(entry.value()).isEqualTo(VALUE);
        entry.touch();
        assertState(false, false);
    }

    @Test
    void aFileIsHeldFromThePutToTheDeletion() throws Exception {
        entry.put(VALUE, false);
        assertState(true, true);
        entry.touch();
        assertThat(entry.refresh()).isFalse();
        assertState(true, true);

        entry.delete();
        assertThat(file).doesNotExist();
        assertState(false, false);
    }

    @Test
    void aFileThatCannotBeTouchedIsHeldAgainAfterAPut() throws Exception {
        entry.put(VALUE, false);
        block();
        assertState(true, false);
        assertThat(entry.refresh()).as("is no file any more").isTrue();
        assertState(true, false);

        entry.put(VALUE, false);
        assertThat(file).hasBinaryContent(VALUE);
        assertState(true, true);
    }

    @Test
    void aFileThatCannotBeTouchedIsDeleted() throws Exception {
        entry.put(VALUE, false);
        block();
        entry.delete();
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertState(false, false);
    }
}
