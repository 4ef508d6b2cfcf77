package io.dubbomesh.provider;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** What a provider agent says at its start about who reaches its port. */
@Timeout(60)
class OpenPortTest {
    private final AgentFixture mesh;
    private final Logger logger = (Logger) LoggerFactory.getLogger(ProviderAgent.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    private Path directory;

    OpenPortTest() throws Exception {
        mesh = new AgentFixture();
    }

    @BeforeEach
    void record() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void close() throws Exception {
        logger.detachAppender(log);
        mesh.close();
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void anAgentThatEverybodyMayCallSaysSoIfOthersCanReachIt() throws Exception {
        mesh.with("server.host", "0.0.0.0").with("mesh.open", "true").start();
        assertThat(warnings())
                .containsExactly("whoever reaches 0.0.0.0:" + mesh.agent.port()
                        + " may call every service of this agent: set mesh.token-file or mesh.tls.cert, .key and .ca,"
                        + " or server.host to an address of loopback");
    }

    @Test
    void anAgentOfLoopbackDoesNotWarn() throws Exception {
        mesh.with("mesh.open", "true").start();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void anAgentThatDemandsATokenDoesNotWarn() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "correct-horse-battery-staple");
        mesh.with("server.host", "0.0.0.0")
                .with("mesh.open", "true")
                .with("mesh.token-file", token)
                .start();
        assertThat(warnings()).isEmpty();
    }
}
