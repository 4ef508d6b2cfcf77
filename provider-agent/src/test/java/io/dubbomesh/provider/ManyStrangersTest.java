package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.MeshConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/** Silent connections, each from another address, and an agent that has the token. */
@Timeout(60)
class ManyStrangersTest {
    private static final int STRANGERS = 5_000;
    private static final int MAX_OPENING = 256;
    private static final String TOKEN = "correct-horse-battery-staple";

    private final AgentFixture mesh;
    private final Queue<Socket> strangers = new ArrayDeque<>();
    private int addresses;

    @TempDir
    private Path directory;

    ManyStrangersTest() throws Exception {
        mesh = new AgentFixture();
    }

    private void start() throws Exception {
        mesh.with("mesh.token-file", Files.writeString(directory.resolve("token"), TOKEN))
                .with("mesh.max-opening", MAX_OPENING)
                // None of them is closed for its silence.
                .with("mesh.heartbeat", "30 s");
        mesh.startAndAccept();
    }

    @AfterEach
    void close() throws Exception {
        for (Socket stranger : strangers) {
            stranger.close();
        }
        mesh.close();
    }

    /** Opens a connection from a network of its own; all of 127.0.0.0/8 is this machine. */
    private void openStranger() throws IOException {
        int number = ++addresses;
        byte[] address = {127, (byte) (1 + number / 200), (byte) (number % 200), 1};
        Socket stranger = new Socket();
        strangers.add(stranger);
        stranger.bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
        try {
            stranger.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), mesh.agent.port()), 10_000);
        } catch (SocketException closed) {
            // For another one, before this method has seen it open.
        }
    }

    private boolean isServed() throws IOException {
        try (MeshConnection agent = mesh.connection()) {
            agent.prove(TOKEN);
            return true;
        } catch (EOFException | SocketException closed) {
            return false;
        }
    }

    @Test
    void aNewAgentIsServedAtOnceBesideThousandsOfSilentConnections() throws Exception {
        start();
        for (int i = 0; i < STRANGERS; i++) {
            openStranger();
        }
        Await.until("no more wait for their HELLO than may", () -> mesh.openLinks() == MAX_OPENING);

        for (int i = 0; i < 20; i++) {
            assertThat(isServed()).isTrue();
        }
        assertThat(mesh.openLinks()).isGreaterThan(MAX_OPENING - 30);
    }

    @Test
    void aNewAgentIsServedWhileConnectionsFromOtherAddressesComeWithoutEnd() throws Exception {
        start();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger opened = new AtomicInteger();
        Thread flood = new Thread(() -> {
            try {
                while (!over.get()) {
                    openStranger();
                    opened.incrementAndGet();
                    if (strangers.size() > STRANGERS) {
                        strangers.remove().close();
                    }
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        flood.start();
        Await.until("the strangers hold all there are", () -> opened.get() > 4 * MAX_OPENING);

        for (int i = 0; i < 20; i++) {
            Await.until(Duration.ofSeconds(2), "the agent is served", this::isServed);
        }
        over.set(true);
        flood.join();
    }
}
