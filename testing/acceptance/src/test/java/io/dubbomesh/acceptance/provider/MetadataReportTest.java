package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real provider of Dubbo 3.3.6 whose agent has no class files, but the report that such a provider has written into a
 * ZooKeeper: calls are native, with all types.
 */
@Timeout(120)
class MetadataReportTest {
    private static final String DIARY = "io.dubbomesh.demo.office.Diary";
    private static final Path REPORT =
            Path.of("src", "test", "resources", "metadata-reports", "3.3.6", DIARY + ".json");
    private static final String POSTPONE =
            "[{\"title\":\"t\",\"start\":\"2026-11-21T10:00:00+02:00\",\"day\":\"2026-11-21\"}]";
    /** Only with types can the agent make a date of a text with an offset. */
    private static final String POSTPONED = "\"start\":\"2026-11-22T08:00:00Z\"";

    private static Mesh mesh;
    private static LocalZooKeeper zooKeeper;
    private static Agent consumerAgent;
    private static Agent providerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("MetadataReportTest");
        zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"));
        Dubbo provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "0", "office", "true"));
        String registry = "file:" + mesh.directory().resolve("registry");
        provider.awaitListening();
        providerAgent = mesh.providerAgent(
                "provider-agent",
                provider.port(),
                registry,
                Map.of(
                        "dubbo.services",
                        "auto",
                        "metadata",
                        zooKeeper.uri(),
                        "types.cache",
                        mesh.directory().resolve("types").toString()));
        providerAgent.awaitReady();
        consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
        consumerAgent.awaitReady();
        // After the agent has registered: reports come late.
        ZooKeeperOperator client = zooKeeper.connect();
        client.create(
                "/dubbo/metadata/" + DIARY + "/provider/provider", Files.readString(REPORT), CreateMode.PERSISTENT);
        client.close();
        providerAgent.process().awaitOutput(" 1 from metadata reports", Duration.ofSeconds(30));
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        zooKeeper.close();
    }

    private static HttpAnswer postpone() throws Exception {
        return HttpSocket.once(
                consumerAgent.port(),
                HttpSocket.request("POST /" + DIARY + "/postpone", POSTPONE, "Content-Type: application/json"));
    }

    @Test
    void callsAreNativeAndTheServiceIsDescribed() throws Exception {
        HttpAnswer answer = postpone();
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        assertThat(answer.text()).contains(POSTPONED);

        HttpAnswer description =
                HttpSocket.once(consumerAgent.port(), "GET /" + DIARY + " HTTP/1.1\r\nHost: mesh\r\n\r\n");
        assertThat(description.text()).contains("\"source\":\"metadata report\"", "\"start\":\"java.util.Date\"");
    }

    @Test
    void theTypesAreKeptForATimeWithoutZooKeeper() throws Exception {
        zooKeeper.stop();

        providerAgent.process().kill();
        providerAgent.startAgain();
        providerAgent.awaitReady();

        Await.untilAsserted(Duration.ofSeconds(10), () -> {
            HttpAnswer answer = postpone();
            assertThat(answer.status()).as("%s", answer).isEqualTo(200);
            assertThat(answer.text()).contains(POSTPONED);
        });
    }
}
