package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.ScriptedProvider;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance in a real ZooKeeper that registers before its metadata service answers (dubbo-go#3615), and that names a
 * port for it which is mapped elsewhere (dubbo#13579).
 */
@Timeout(120)
class LateMetadataTest {
    private static final String SERVICE = "a.Late";
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** After so many questions in vain a pause that doubles with each would be more than thirty seconds. */
    private static final int QUESTIONS = 6;
    /** A pause is a second here, on a machine that is idle. */
    private static final Duration LONGER_THAN_ANY_PAUSE = Duration.ofSeconds(10);

    private final int mappedPort = Ports.free();
    private volatile boolean isExported;
    private volatile int asked;

    LateMetadataTest() throws Exception {}

    @Test
    void itsServicesAreCalledSoonAfterItsFirstAnswerAndAreNeverNotFound() throws Exception {
        Mesh mesh = Mesh.named("LateMetadataTest");
        try (LocalZooKeeper zooKeeper = new LocalZooKeeper(mesh.directory().resolve("zookeeper"));
                ScriptedProvider provider = new ScriptedProvider()) {
            int port = provider.port();
            provider.serve((connection, call) -> {
                if (call.path().equals(SERVICE)) {
                    connection.answerInt(call.id(), 42);
                } else if (isExported) {
                    String metadata = metadata(port);
                    connection.answer(
                            call.id(),
                            20,
                            "94" + "53" + String.format("%04x", metadata.length()) + text(metadata) + "485a");
                } else {
                    asked++;
                    connection.answer(call.id(), 40, "12" + text("Not found exported"));
                }
            });
            ZooKeeperOperator client = zooKeeper.connect();
            client.create("/services/late/127.0.0.1:" + port, instance(port), CreateMode.EPHEMERAL);
            // The first call waits until the types are looked for, and this provider says nothing about them.
            Agent gateway = mesh.consumerAgent(
                    "gateway", zooKeeper.uri(), Map.of("type", "gateway", "dubbo.inquiry.timeout", "500 ms"));
            gateway.awaitReady();

            List<HttpAnswer> answers = new ArrayList<>();
            Await.until(LIMIT, "asked in vain", () -> {
                answers.add(call(gateway));
                return asked >= QUESTIONS;
            });
            long exportedNs = System.nanoTime();
            isExported = true;
            Await.until(LIMIT, "called", () -> {
                answers.add(call(gateway));
                return answers.get(answers.size() - 1).status() == 200;
            });
            Duration took = Duration.ofNanos(System.nanoTime() - exportedNs);

            assertThat(took).isLessThan(LONGER_THAN_ANY_PAUSE);
            assertThat(answers.remove(answers.size() - 1).text()).isEqualTo("42");
            for (HttpAnswer answer : answers) {
                assertThat(answer.assertProblem(503, "NO_PROVIDER").get("detail"))
                        .startsWith("no endpoint of a.Late is listed; it may be a service of an application whose"
                                + " metadata was not found yet: late: ");
            }
            assertThat(answers.get(answers.size() - 1).text())
                    .contains("127.0.0.1:" + mappedPort + ": Connection refused")
                    .contains("127.0.0.1:" + port + ": ")
                    .contains("Not found exported");
            client.close();
        } finally {
            mesh.end();
        }
    }

    private static HttpAnswer call(Agent gateway) throws Exception {
        return HttpSocket.once(
                gateway.port(),
                "POST /" + SERVICE + "/m HTTP/1.1\r\nHost: mesh\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 2\r\n\r\n[]");
    }

    private String instance(int port) {
        return ("{'name':'late','id':'127.0.0.1:" + port + "','address':'127.0.0.1','port':" + port
                        + ",'payload':{'metadata':{'dubbo.endpoints':'[{\\'port\\':" + port
                        + ",\\'protocol\\':\\'dubbo\\'}]','dubbo.metadata-service.url-params':'{\\'port\\':\\'"
                        + mappedPort
                        + "\\',\\'protocol\\':\\'dubbo\\',\\'version\\':\\'1.0.0\\'}','dubbo.metadata.revision':'r1',"
                        + "'dubbo.metadata.storage-type':'local'}}}")
                .replace("\\'", "\\\"")
                .replace('\'', '"');
    }

    private static String metadata(int port) {
        return ("{'app':'late','revision':'r1','services':{'x':{'name':'" + SERVICE + "','protocol':'dubbo','path':'"
                        + SERVICE + "','port':" + port + ",'params':{}}}}")
                .replace('\'', '"');
    }
}
