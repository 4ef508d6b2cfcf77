package io.dubbomesh.registry.address;

import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import static org.assertj.core.api.Assertions.assertThat;

class AccessFilesTest {
    @RegisterExtension
    private final RecordedLog log = new RecordedLog(SecretFile.class);

    @TempDir
    private Path directory;

    private Path file(String name, String permissions) throws Exception {
        Path file = Files.writeString(directory.resolve(name), "mesh\nsecret\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void aPasswordAndAKeyThatEveryUserCanReadAreLogged() throws Exception {
        Path user = file("user", "rw-r--r--");
        Path key = file("key", "rw-r--r--");
        Path certificate = file("certificate", "rw-r--r--");

        AccessFiles.warnOfPublic(
                "etcd", "username-file=" + user + "&ca=" + certificate + "&cert=" + certificate + "&key=" + key);

        String advice = " can be read by every user of this machine (expected: chmod o-rwx)";
        assertThat(log.lines()).containsExactly("etcd: username-file: " + user + advice, "etcd: key: " + key + advice);
    }

    @Test
    void filesThatOnlyTheAgentCanReadAreNotLogged() throws Exception {
        AccessFiles.warnOfPublic("zookeeper", "username-file=" + file("user", "rw-------"));

        assertThat(log.lines()).isEmpty();
    }
}
