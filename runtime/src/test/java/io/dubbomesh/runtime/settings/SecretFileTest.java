package io.dubbomesh.runtime.settings;

import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import static org.assertj.core.api.Assertions.assertThat;

class SecretFileTest {
    @RegisterExtension
    private final RecordedLog log = new RecordedLog(SecretFile.class);

    @TempDir
    private Path directory;

    private Path path;
    private SecretFile file;

    @BeforeEach
    void open() throws Exception {
        path = Files.writeString(directory.resolve("file"), "secret");
        permit("rw-r-----");
        file = new SecretFile("a.file", path);
    }

    private void permit(String permissions) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private int warnings(boolean hasSecrets) {
        file.warnIfPublic(hasSecrets);
        return log.lines().size();
    }

    @Test
    void aFileThatEveryUserCanReadIsLoggedEachTimeThatItBecomesSo() throws Exception {
        assertThat(warnings(true)).isZero();
        permit("rw-r--r--");
        assertThat(warnings(true)).isEqualTo(1);
        assertThat(warnings(true)).isEqualTo(1);
        assertThat(log.lines().get(0))
                .isEqualTo("a.file: " + path + " can be read by every user of this machine (expected: chmod o-rwx)");
        permit("rw-r-----");
        assertThat(warnings(true)).isEqualTo(1);
        permit("rw-r--r--");
        assertThat(warnings(true)).isEqualTo(2);
    }

    @Test
    void aFileThatHasNoSecretsYetIsLoggedWhenItHas() throws Exception {
        permit("rw-r--r--");
        assertThat(warnings(false)).isZero();
        assertThat(warnings(true)).isEqualTo(1);
    }

    @Test
    void aFileThatIsGoneIsNotLogged() throws Exception {
        Files.delete(path);
        assertThat(warnings(true)).isZero();
    }
}
