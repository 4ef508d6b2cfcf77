package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Readings of the file, one by one. */
@Timeout(30)
class MeshTokenFileTest {
    private static final String FIRST = "first-token-of-the-mesh";
    private static final String SECOND = "second-token-of-the-mesh";
    private static final long AGENT = 7;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog("io.dubbomesh");

    @TempDir
    private Path directory;

    private Path path;
    private MeshTokenFile file;

    @BeforeEach
    void open() throws Exception {
        path = Files.writeString(directory.resolve("token"), "# of the mesh\n\n" + FIRST + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
        // Its own readings would come in between.
        file = new MeshTokenFile(path, TimeUnit.HOURS.toMillis(1));
    }

    @AfterEach
    void close() {
        file.close();
    }

    private void replace(String content) throws Exception {
        Files.writeString(path, content);
        file.readAgain();
        file.readAgain();
    }

    private boolean accepts(String token) {
        HelloCredentials challenge = file.challenge();
        HelloCredentials answer = challenge.answer(token.getBytes(US_ASCII), AGENT);
        return file.accept(new Hello(1, 0, 0, answer, AGENT, 0), challenge);
    }

    @Test
    void ofTwoTokensBothAreAcceptedAndTheFirstIsSent() throws Exception {
        assertThat(accepts(FIRST)).isTrue();
        assertThat(accepts(SECOND)).isFalse();
        replace(SECOND + "\n" + FIRST);
        assertThat(accepts(FIRST)).isTrue();
        assertThat(accepts(SECOND)).isTrue();
        HelloCredentials challenge = file.challenge();
        assertThat(file.answer(challenge, AGENT)).isEqualTo(challenge.answer(SECOND.getBytes(US_ASCII), AGENT));
        replace(SECOND);
        assertThat(accepts(FIRST)).isFalse();
        assertThat(accepts(SECOND)).isTrue();
    }

    @Test
    void aHelloWithoutCredentialsIsNotAccepted() {
        assertThat(file.accept(new Hello(1, 0, 0, HelloCredentials.NONE, AGENT, 0), file.challenge()))
                .isFalse();
    }

    @Test
    void whatIsReadWhileTheFileIsWrittenDoesNotHold() throws Exception {
        for (String part : List.of("", SECOND.substring(0, 18), SECOND)) {
            Files.writeString(path, part);
            file.readAgain();
            assertThat(accepts(FIRST)).isTrue();
        }
        file.readAgain();
        assertThat(accepts(SECOND)).isTrue();
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void aBrokenFileChangesNothingAndIsLoggedOnceWithoutWhatIsInIt() throws Exception {
        replace("too-short");
        replace("too-short");
        assertThat(accepts(FIRST)).isTrue();
        assertThat(log.warnings())
                .containsExactly("mesh.token-file: " + path
                        + ": line 1 (expected: a token of 16 to 512 printable ASCII characters, without spaces);"
                        + " what was read before holds");
        Files.delete(path);
        file.readAgain();
        assertThat(accepts(FIRST)).isTrue();
        assertThat(log.warnings()).hasSize(2).last().asString().contains("no such file");
        replace(SECOND);
        assertThat(accepts(SECOND)).isTrue();
        assertThat(log.lines()).noneMatch(line -> line.contains("too-short"));
    }

    @Test
    void aFileThatOthersMayReadIsLoggedOnce() throws Exception {
        assertThat(log.warnings()).isEmpty();
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
        file.readAgain();
        file.readAgain();
        assertThat(log.warnings())
                .containsExactly("mesh.token-file: " + path
                        + " can be read by every user of this machine (expected: chmod o-rwx)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing but a comment",
                "fifteen-letters",
                "a token with spaces in it",
                "letters beyond ascii: \u00e4\u00f6\u00fc",
                "first-of-three-tokens\nsecond-of-three-tokens\nthird-of-three-tokens"
            })
    void aFileThatIsNoListOfTokensIsRefused(String content) throws Exception {
        Files.writeString(path, content);
        assertThatThrownBy(() -> MeshTokenFile.open(path).close())
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("mesh.token-file: " + path + ": ")
                .hasMessageContaining("(expected: ");
    }
}
