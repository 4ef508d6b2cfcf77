package io.dubbomesh.registry;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dubbomesh.runtime.settings.SecretFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import static org.assertj.core.api.Assertions.assertThat;

class AccessFilesTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(SecretFile.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    private Path directory;

    @BeforeEach
    void record() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopRecording() {
        logger.detachAppender(log);
    }

    private Path file(String name, String permissions) throws Exception {
        Path file = Files.writeString(directory.resolve(name), "mesh\nsecret\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void aPasswordAndAKeyThatEveryUserCanReadAreLogged() throws Exception {
        Path user = file("user", "rw-r--r--");
        Path key = file("key", "rw-r--r--");
        Path certificate = file("certificate", "rw-r--r--");

        AccessFiles.parse(
                "etcd", "username-file=" + user + "&ca=" + certificate + "&cert=" + certificate + "&key=" + key);

        String advice = " can be read by every user of this machine (expected: chmod o-rwx)";
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("etcd: username-file: " + user + advice, "etcd: key: " + key + advice);
    }

    @Test
    void filesThatOnlyTheAgentCanReadAreNotLogged() throws Exception {
        AccessFiles.parse("zookeeper", "username-file=" + file("user", "rw-------"));

        assertThat(log.list).isEmpty();
    }
}
