package io.dubbomesh.consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;

/** Each event loop has its own link to an endpoint; what happens to the endpoint is logged once. */
class SharedEventLogTest extends AgentTest {
    private static final int CLIENTS = 8;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.dubbomesh");
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel() == Level.WARN) {
                warnings.add(event.getFormattedMessage());
            }
        }
    };

    @BeforeEach
    void record() {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stopRecording() {
        logger.detachAppender(appender);
    }

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
        assertThat(warnings)
                .filteredOn(line -> line.startsWith(endpoint + "connection lost"))
                .hasSize(1);
        assertThat(warnings)
                .filteredOn(line -> line.contains("Connection refused"))
                .hasSize(1);
    }

    private static HttpAnswer answer(HttpSocket client) throws IOException {
        client.send(Requests.form("argument"));
        return client.answer();
    }
}
