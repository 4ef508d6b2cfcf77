package io.dubbomesh.provider;

import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the lines of a provider agent's start about its open port. */
@Timeout(60)
class OpenPortTest {
    private final AgentFixture mesh;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(ProviderAgent.class);

    @TempDir
    private Path directory;

    OpenPortTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void anAgentThatEverybodyMayCallSaysSoIfOthersCanReachIt() throws Exception {
        mesh.with("server.host", "0.0.0.0").with("mesh.open", "true").start();
        assertThat(log.warnings())
                .containsExactly("whoever reaches 0.0.0.0:" + mesh.agent.port()
                        + " may call every service of this agent: set mesh.token-file or mesh.tls.cert, .key and .ca,"
                        + " or server.host to an address of loopback");
    }

    @Test
    void anAgentOfLoopbackDoesNotWarn() throws Exception {
        mesh.with("mesh.open", "true").start();
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void anAgentThatDemandsATokenDoesNotWarn() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "correct-horse-battery-staple");
        mesh.with("server.host", "0.0.0.0")
                .with("mesh.open", "true")
                .with("mesh.token-file", token)
                .start();
        assertThat(log.warnings()).isEmpty();
    }
}
