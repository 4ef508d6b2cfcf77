package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.MeshConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** An agent with {@code lb.weight=auto} registers what its provider can execute. */
@Timeout(60)
class AutomaticWeightTest {
    private static final Pattern VALUE = Pattern.compile(
            "\\{\"weight\":3,\"limit\":10,\"variants\":\\[\\{\"version\":\"\",\"group\":\"\"}],.*\"capacity\":(\\d+)}");

    @TempDir
    Path folder;

    private final AgentFixture fixture = new AgentFixture();

    AutomaticWeightTest() throws Exception {}

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void theCapacityIsTheLimitOverTheTimeOfACall() throws Exception {
        fixture.with("registry", "file:" + folder).with("lb.weight", "auto*3").with("lb.limit", 10);
        DubboConnection provider = fixture.startAndAccept();
        MeshConnection peer = fixture.hashPeer();
        Path entry = folder.resolve(HashCalls.HASHER + "/127.0.0.1_" + fixture.agent.port());
        Await.until("the agent is registered", () -> Files.exists(entry));
        assertThat(entry).content().startsWith("{\"weight\":3,").doesNotContain("capacity");

        for (int i = 1; i <= 60; i++) {
            peer.send(HashCalls.hash(i, "a"));
            long id = provider.read().id();
            Thread.sleep(5);
            provider.answerInt(id, 97);
            peer.read();
        }

        Await.untilAsserted(
                Duration.ofSeconds(15), () -> assertThat(entry).content().matches(VALUE));
        Matcher value = VALUE.matcher(Files.readString(entry));
        assertThat(value.matches()).isTrue();
        // 10 calls at once, of 5 ms or, on a busy machine, more.
        assertThat(Integer.parseInt(value.group(1))).isBetween(50, 2000);
    }
}
