package io.dubbomesh.consumer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/** Endpoints of services that the agent does not call cost it little. */
@Timeout(60)
class UncalledServicesTest {
    @TempDir
    Path registry;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.dubbomesh");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
        }
    };
    private ConsumerAgent agent;

    /** Accepts and closes at once. */
    private static final class ClosedDoor implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger accepted = new AtomicInteger();
        private final Thread thread = new Thread(this::accept, "closed-door");

        ClosedDoor() throws IOException {
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    accepted.incrementAndGet();
                    socket.close();
                }
            } catch (IOException e) {
                assertThat(listener.isClosed()).isTrue();
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @BeforeEach
    void record() {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void close() {
        logger.detachAppender(appender);
        agent.stop(0);
    }

    private void register(String service, int port) throws IOException {
        register(service, "127.0.0.1", port);
    }

    private void register(String service, String host, int port) throws IOException {
        Path folder = Files.createDirectories(registry.resolve(service));
        Files.writeString(folder.resolve(host + '_' + port), "");
    }

    private void start() throws Exception {
        agent = new ConsumerAgent(Settings.of(
                ConsumerSettings.REFERENCE,
                Map.of("registry", "file:" + registry, "server.port", "0", "admin.port", "0", "io.threads", "1"),
                Map.of()));
    }

    private HttpAnswer call(String service) throws IOException {
        return HttpSocket.once(agent.port(), Requests.json("/" + service + "/m", "[]", "X-Dubbo-Parameter-Types: "));
    }

    @Test
    void anEndpointThatNoCallNeedsIsTriedOnceAndAgainWhenACallNeedsIt() throws Exception {
        try (ClosedDoor called = new ClosedDoor();
                ClosedDoor uncalled = new ClosedDoor()) {
            register("a.Called", called.listener.getLocalPort());
            register("a.Uncalled", uncalled.listener.getLocalPort());
            start();
            Await.until("each is tried", () -> called.accepted.get() > 0 && uncalled.accepted.get() > 0);

            assertThat(call("a.Called").status()).isEqualTo(503);
            Await.until("what is called is tried again and again", () -> called.accepted.get() > 5);

            assertThat(uncalled.accepted).hasValue(1);
            assertThat(lines).noneMatch(line -> line.contains(":" + uncalled.listener.getLocalPort()));
            assertThat(lines).anyMatch(line -> line.contains(":" + called.listener.getLocalPort()));
            assertThat(call("a.Uncalled").status()).isEqualTo(503);
            Await.until("it is tried again", () -> uncalled.accepted.get() > 2);
        }
    }

    @Test
    void theFirstCallOfAServiceWaitsForTheConnection() throws Exception {
        int port;
        try (ClosedDoor before = new ClosedDoor()) {
            port = before.listener.getLocalPort();
            register("a.B", port);
            start();
            Await.until("it is tried", () -> before.accepted.get() > 0);
        }
        try (ProviderPeer provider = new ProviderPeer(180, 4096, port)) {
            Thread answering = new Thread(() -> {
                try {
                    provider.answer(provider.nextRequest(), 0, Flags.TEXT, "yes");
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            answering.start();

            assertThat(call("a.B").text()).isEqualTo("yes");
            answering.join();
        }
    }

    @Test
    void aThousandEndpointsOfAServiceThatNobodyCallsAreFewLines() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            register("a.Uncalled", "127.0.1.1", 1 + i);
        }
        start();
        Await.until("the list is loaded", () -> call("a.Unknown").text().contains("never registered"));

        assertThat(lines).hasSizeLessThan(10);
    }
}
