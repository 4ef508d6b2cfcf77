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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** An agent with {@code lb.weight=auto} registers what its provider can execute. */
@Timeout(60)
class AutomaticWeightTest {
    private static final int LIMIT = 10;
    private static final int CALL_MS = 20;
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
        fixture.with("registry", "file:" + folder).with("lb.weight", "auto*3").with("lb.limit", LIMIT);
        DubboConnection provider = fixture.startAndAccept();
        MeshConnection peer = fixture.hashPeer();
        Path entry = folder.resolve(HashCalls.HASHER + "/127.0.0.1_" + fixture.agent.port());
        Await.until("the agent is registered", () -> Files.exists(entry));
        assertThat(entry).content().startsWith("{\"weight\":3,").doesNotContain("capacity");

        Matcher value = VALUE.matcher("");
        long startNs = System.nanoTime();
        int calls = 0;
        while (!value.reset(Files.readString(entry)).matches()) {
            peer.send(HashCalls.hash(++calls, "a"));
            long id = provider.read().id();
            Thread.sleep(CALL_MS);
            provider.answerInt(id, 97);
            peer.read();
        }
        double callMs = (System.nanoTime() - startNs) / 1e6 / calls;

        // No call was shorter; those that were measured may have been longer than the mean.
        assertThat(Integer.parseInt(value.group(1)))
                .isBetween((int) (LIMIT * 1000 / callMs / 2), LIMIT * 1000 / CALL_MS);
    }
}
