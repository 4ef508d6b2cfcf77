package io.dubbomesh.registry.file;

import io.dubbomesh.registry.keep.StoreFailure;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        Files.deleteIfExists(file);
        Files.createSymbolicLink(file, file);
        entry.touch();
    }

    /**
     * The ways to the states, and the events, by letters: p put, t touched, b touched though it was replaced by what
     * cannot be, r read after others have deleted it, d deleted.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE     | WAY | p    | t         | b         | r         | d
                    UNWRITTEN | ''  | HELD | UNWRITTEN | UNWRITTEN | UNWRITTEN | UNWRITTEN
                    UNWRITTEN | pd  | HELD | UNWRITTEN | UNWRITTEN | UNWRITTEN | UNWRITTEN
                    HELD      | p   | HELD | HELD      | BLOCKED   | HELD      | UNWRITTEN
                    HELD      | pr  | HELD | HELD      | HELD      | HELD      | UNWRITTEN
                    HELD      | pbp | HELD | HELD      | BLOCKED   | HELD      | UNWRITTEN
                    BLOCKED   | pb  | HELD | BLOCKED   | BLOCKED   | BLOCKED   | UNWRITTEN
                    """)
    void itFollowsItsDrawing(String state, String way, String p, String t, String b, String r, String d)
            throws Exception {
        String[] next = {p, t, b, r, d};
        for (int event = 0; event < next.length; event++) {
            Files.deleteIfExists(file);
            create();
            for (char step : way.toCharArray()) {
                happen(step);
            }
            assertThat(state()).as(way).isEqualTo(state);
            happen("ptbrd".charAt(event));
            assertThat(state()).as(way + " " + "ptbrd".charAt(event)).isEqualTo(next[event]);
        }
    }

    private String state() {
        if (entry.isHeld()) {
            return "HELD";
        }
        return entry.isOurs() ? "BLOCKED" : "UNWRITTEN";
    }

    private void happen(char event) throws Exception {
        switch (event) {
            case 'p' -> entry.put(VALUE, false);
            case 't' -> entry.touch();
            case 'b' -> block();
            case 'r' -> {
                Files.deleteIfExists(file);
                entry.refresh();
            }
            default -> entry.delete();
        }
    }

    @Test
    void theEntryOfAServiceWhoseNameNoFileCanHaveIsRefusedAlone() throws Exception {
        UnnamableEntry unnamable = (UnnamableEntry)
                new FileEntryStore(folder, FileTimes.DEFAULT).entry("com.\0", new HostPort("192.0.2.7", 1), List.of());

        assertThatThrownBy(() -> unnamable.put(VALUE, false))
                .isInstanceOfSatisfying(
                        StoreFailure.class,
                        refusal -> assertThat(refusal.isOfOneEntry()).isTrue())
                .hasMessage("no file can have this name (Nul character not allowed; expected: a locale with UTF-8, as"
                        + " LC_ALL=C.UTF-8)");
        assertThat(unnamable.value()).isNull();
        assertThat(unnamable.path()).isEqualTo(folder + "/com.\0");
    }

    @Test
    void aNameOfMoreThan255BytesIsRefusedAloneToo() throws Exception {
        HostPort address = new HostPort("192.0.2.7", 1);
        FileEntryStore store = new FileEntryStore(folder, FileTimes.DEFAULT);

        assertThat(store.entry("a".repeat(255), address, List.of())).isInstanceOf(FileEntry.class);
        assertThat(store.entry("a", new HostPort("h".repeat(254), 1), List.of()))
                .as("the file of a long host")
                .isInstanceOf(UnnamableEntry.class);
        UnnamableEntry tooLong = (UnnamableEntry) store.entry("a".repeat(256), address, List.of());
        assertThatThrownBy(() -> tooLong.put(VALUE, false))
                .isInstanceOfSatisfying(
                        StoreFailure.class,
                        refusal -> assertThat(refusal.isOfOneEntry()).isTrue())
                .hasMessage("no file can have this name (256 bytes; expected: 255 at most)");
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
