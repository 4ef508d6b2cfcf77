package io.dubbomesh.registry.etcd;

import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class EtcdSessionsTest {
    /** Times of which the first pause is the longest. */
    private static final EtcdTimes TIMES = new EtcdTimes(2, 200, 2_000, 30_000, 30_000, 2_000);

    @TempDir
    private Path folder;

    private int attempts;

    @Test
    void aUserWhomEtcdRefusesIsNotSentAgainBeforeThePauseIsOverOrTheFileChanges() throws Exception {
        Path file = Files.writeString(folder.resolve("user"), "mesh\nwrong\n");
        try (ServerSocket etcd = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            EtcdMembers members = new EtcdMembers(
                    List.of(new HostPort("127.0.0.1", etcd.getLocalPort())),
                    EtcdAccess.parse("username-file=" + file),
                    2_000);
            EtcdSessions sessions = new EtcdSessions(members, TIMES, () -> "");

            for (int i = 0; i < 50; i++) {
                assertThat(sessions.run(this::refuse)).isBetween(0L, 1_000L);
            }
            assertThat(attempts).isOne();

            Files.writeString(file, "mesh\nright\n");
            sessions.run(this::refuse);
            assertThat(attempts).isEqualTo(2);
        }
    }

    private void refuse(EtcdSession session) throws EtcdFailure {
        attempts++;
        throw new EtcdFailure("etcdserver: authentication failed", EtcdFailure.Kind.REFUSED);
    }
}
