package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.SlowReaders;
import io.dubbomesh.acceptance.mesh.StreamingProvider;
import io.dubbomesh.acceptance.provider.StreamTest.Way;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** A thousand streams of a thousand messages to clients that read nothing at first, then slowly; some leave. */
@Tag("release")
@Timeout(400)
class ManyStreamsTest {
    private static final int STREAMS = 1000;
    private static final int MESSAGES = 1000;
    private static final int LENGTH = 100;
    private static final int LEAVING = 50;
    private static final int AT_ONCE = 100;
    /** The time between reads of 4 KiB. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int READS_BETWEEN_LOOKS = 10;
    private static final Pattern HELD = Pattern.compile("(?m)^dubbomesh_memory_held_bytes\\{.*} ([0-9.eE]+)$");
    private static final Pattern BUDGET = Pattern.compile("(?m)^dubbomesh_memory_budget_bytes ([0-9.eE]+)$");
    private static final String REQUEST = HttpSocket.request(
            "POST /" + StreamTest.SERVICE + "/words",
            "[\"x\"]",
            "Content-Type: application/json",
            "Accept: application/x-ndjson");

    private Mesh mesh;

    @AfterEach
    void end() throws Exception {
        mesh.end();
    }

    @ParameterizedTest
    @EnumSource
    void allMessagesComeInOrderAndTheMemoryStaysWithinTheBudget(Way way) throws Exception {
        mesh = Mesh.named("ManyStreamsTest-" + way);
        try (StreamingProvider provider = new StreamingProvider(MESSAGES, LENGTH);
                SlowReaders readers = new SlowReaders()) {
            Map<String, String> bounded = Map.of(
                    "io.threads",
                    "1",
                    "memory.budget",
                    "24 MiB",
                    // So that what is not read waits in the agent, and not in the system.
                    "tcp.send-buffer",
                    "16 KiB");
            List<Agent> agents = way.start(mesh, provider.port(), bounded);
            int port = agents.get(0).port();
            long most = 0;
            for (int i = 0; i < STREAMS; i += AT_ONCE) {
                begin(readers, port, AT_ONCE);
                most = Math.max(most, heldPercent(agents));
            }

            readers.leave(LEAVING);
            Await.until(
                    Duration.ofSeconds(1),
                    "the provider has ended the streams of those who have left",
                    () -> provider.cancelled() == LEAVING);
            // The budget has room for 1,008 streams: these take the places of those who have left.
            begin(readers, port, LEAVING);
            for (int i = 0; readers.open() > 0; i++) {
                long sinceNs = System.nanoTime();
                readers.read();
                if (i % READS_BETWEEN_LOOKS == 0) {
                    most = Math.max(most, heldPercent(agents));
                }
                LockSupport.parkNanos(PAUSE_NS - (System.nanoTime() - sinceNs));
            }

            assertThat(readers.ends()).containsExactly("{\"$end\":{\"status\":200,\"code\":\"OK\"}}");
            assertThat(readers.ended(MESSAGES)).isEqualTo(STREAMS);
            assertThat(most).as("percent of the budget that were held at most").isBetween(5L, 100L);
            assertThat(provider.open()).isZero();
        }
    }

    private static void begin(SlowReaders readers, int port, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            readers.add(port, REQUEST);
        }
        Await.until(Duration.ofSeconds(30), "the streams have begun", readers::begin);
    }

    /** Returns how much of its budget the agent holds that holds most. */
    private static long heldPercent(List<Agent> agents) throws Exception {
        long most = 0;
        for (Agent agent : agents) {
            String request = HttpSocket.request("GET /metrics", "", "Connection: close");
            String metrics = HttpSocket.once(agent.adminPort(), request).text();
            most = Math.max(most, Math.round(100 * sum(HELD, metrics) / sum(BUDGET, metrics)));
        }
        return most;
    }

    private static double sum(Pattern pattern, String metrics) {
        List<Double> values = new ArrayList<>();
        Matcher matcher = pattern.matcher(metrics);
        while (matcher.find()) {
            values.add(Double.parseDouble(matcher.group(1)));
        }
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }
}
