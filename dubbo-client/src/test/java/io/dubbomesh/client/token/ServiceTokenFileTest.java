package io.dubbomesh.client.token;

import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Readings of the file, one by one. */
@Timeout(30)
class ServiceTokenFileTest {
    @TempDir
    private Path directory;

    private final List<String> tokens = new ArrayList<>();
    private Path file;
    private ServiceTokenFile reader;

    @BeforeEach
    void open() throws Exception {
        file = Files.writeString(directory.resolve("tokens"), "first\n");
        permit("rw-r-----");
        // Its own readings would come in between.
        reader = new ServiceTokenFile(
                file, read -> tokens.add(read.token("a.Greeter", "", "")), TimeUnit.HOURS.toMillis(1));
    }

    @AfterEach
    void close() {
        reader.close();
    }

    private void read(String content) throws Exception {
        Files.writeString(file, content);
        reader.readAgain();
    }

    @Test
    void aChangedFileHoldsOnceItIsReadASecondTime() throws Exception {
        read("second");
        assertThat(tokens).containsExactly("first");

        reader.readAgain();
        assertThat(tokens).containsExactly("first", "second");
        reader.readAgain();
        assertThat(tokens).hasSize(2);
    }

    @Test
    void whatIsReadWhileTheFileIsWrittenDoesNotHold() throws Exception {
        read("");
        read("sec");
        read("second");
        read("second");
        assertThat(tokens).containsExactly("first", "second");
    }

    @Test
    void aFileThatHasBecomeEmptyChangesNothing() throws Exception {
        for (int i = 0; i < 3; i++) {
            read(" \n");
        }
        assertThat(tokens).containsExactly("first");
    }

    @Test
    void aCommentAloneStandsForNoTokens() throws Exception {
        for (int i = 0; i < 3; i++) {
            read("# none\n");
        }
        assertThat(tokens).containsExactly("first", null);
    }

    @Test
    void onlyLineFeedsAndCarriageReturnsEndALine() throws Exception {
        for (String separator : new String[] {"\n", "\r\n", "\r"}) {
            tokens.clear();
            read("a.Greeter=one" + separator + "two");
            read("a.Greeter=one" + separator + "two");
            assertThat(tokens).containsExactly("one");
            read("first");
            read("first");
        }
        for (String other : new String[] {"\u000b", "\f", "\u0085", "\u2028", "\u2029"}) {
            tokens.clear();
            read("a.Greeter=one" + other + "two");
            read("a.Greeter=one" + other + "two");
            assertThat(tokens).as("U+%04x", (int) other.charAt(0)).isEmpty();
        }
    }

    @Test
    void aFileWithTokensThatEveryUserCanReadIsLoggedOnce() throws Exception {
        try (RecordedLog log = new RecordedLog(SecretFile.class)) {
            read("# none\n");
            read("# none\n");
            permit("rw-r--r--");
            reader.readAgain();
            assertThat(log.lines()).isEmpty();
            read("second");
            read("second");
            reader.readAgain();
            assertThat(log.lines())
                    .containsExactly("dubbo.token-file: " + file
                            + " can be read by every user of this machine (expected: chmod o-rwx)");
        }
    }

    private void permit(String permissions) throws Exception {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void aFileThatIsNotUnderstoodOrGoneChangesNothing() throws Exception {
        read("a b=c");
        read("a b=c");
        Files.delete(file);
        reader.readAgain();
        reader.readAgain();
        assertThat(tokens).containsExactly("first");

        read("first");
        read("third");
        read("third");
        assertThat(tokens).containsExactly("first", "third");
    }
}
