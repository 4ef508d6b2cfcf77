package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Each event loop has its own link to an endpoint; what happens to the endpoint is logged once. */
class SharedEventLogTest extends AgentTest {
    private static final int CLIENTS = 8;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog("io.dubbomesh");

    @Test
    void anEndpointThatEndsIsLoggedOnceForAllEventLoops() throws Exception {
        ServingPeer peer = opened(new ServingPeer());
        startWithPorts(Map.of("io.threads", "2"), peer.port());
        List<HttpSocket> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client());
            assertThat(answer(clients.get(i)).text()).isEqualTo("argument");
        }
        assertThat(peer.links()).as("links that took calls").isEqualTo(2);
        peer.close();

        for (HttpSocket client : clients) {
            Await.until(
                    "its event loop has tried to connect again",
                    () -> answer(client).text().contains("Connection refused"));
        }
        String endpoint = "endpoint 127.0.0.1:" + peer.port() + ": ";
        assertThat(log.warnings())
                .filteredOn(line -> line.startsWith(endpoint + "connection lost"))
                .hasSize(1);
        assertThat(log.warnings())
                .filteredOn(line -> line.contains("Connection refused"))
                .hasSize(1);
    }

    private static HttpAnswer answer(HttpSocket client) throws IOException {
        client.send(Requests.form("argument"));
        return client.answer();
    }
}
