package io.dubbomesh.client.connection;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
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
