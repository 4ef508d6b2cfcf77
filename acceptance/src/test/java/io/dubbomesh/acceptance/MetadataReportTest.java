package io.dubbomesh.acceptance;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real provider of Dubbo 3.3.6 whose agent has no class files, but the report that such a provider has written into a ZooKeeper: calls are native, with
 * all types.
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
    private static NIOServerCnxnFactory server;
    private static Agent consumerAgent;
    private static Agent providerAgent;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("MetadataReportTest");
        File data =
                Files.createDirectories(mesh.directory().resolve("zookeeper")).toFile();
        server = new NIOServerCnxnFactory();
        server.configure(new InetSocketAddress("127.0.0.1", 0), 100);
        server.startup(new ZooKeeperServer(data, data, 500));
        String address = "127.0.0.1:" + server.getLocalPort();
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
                        "zookeeper://" + address,
                        "types.cache",
                        mesh.directory().resolve("types").toString()));
        providerAgent.awaitReady();
        consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
        consumerAgent.awaitReady();
        // After the agent has registered: reports come late.
        write(address, "/dubbo/metadata/" + DIARY + "/provider/provider", Files.readAllBytes(REPORT));
        providerAgent.process().awaitOutput(" 1 from metadata reports", Duration.ofSeconds(30));
    }

    private static void write(String address, String path, byte[] value) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(address, 10_000, event -> connected.countDown());
        try {
            connected.await();
            for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
                client.create(
                        path.substring(0, slash), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            client.create(path, value, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } finally {
            client.close();
        }
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        server.shutdown();
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
        server.shutdown();

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
