package io.dubbomesh.runtime.settings;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import static org.assertj.core.api.Assertions.assertThat;

class SecretFileTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(SecretFile.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    private Path directory;

    private Path path;
    private SecretFile file;

    @BeforeEach
    void open() throws Exception {
        log.start();
        logger.addAppender(log);
        path = Files.writeString(directory.resolve("file"), "secret");
        permit("rw-r-----");
        file = new SecretFile("a.file", path);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
    }

    private void permit(String permissions) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private int warnings(boolean hasSecrets) {
        file.warnIfPublic(hasSecrets);
        return log.list.size();
    }

    @Test
    void aFileThatEveryUserCanReadIsLoggedEachTimeThatItBecomesSo() throws Exception {
        assertThat(warnings(true)).isZero();
        permit("rw-r--r--");
        assertThat(warnings(true)).isEqualTo(1);
        assertThat(warnings(true)).isEqualTo(1);
        assertThat(log.list.get(0).getFormattedMessage())
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
