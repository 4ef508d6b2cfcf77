package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Agents that are registered, or are to be, while ZooKeeper is away or cannot be reached. */
class ZooKeeperOutageTest extends RegistrationFixture {
    @Test
    void anAgentCutOffForLongerThanItsSessionHasLapsedAndRegistersAgain() throws Exception {
        watch(true);
        try (FaultyProxy proxy = new FaultyProxy(zooKeeper.address().port());
                ZooKeeperRegistry far = open(new HostPort("127.0.0.1", proxy.port()))) {
            Registration registration = registeredAt(far, GREETER);
            awaitEndpoints(ADDRESS + "*3");

            proxy.stall();
            awaitEndpoints();
            assertThat(registration.registered()).isTrue();
            proxy.resume();

            awaitEndpoints(ADDRESS + "*3");
            assertThat(watcher.all()).noneMatch(directory -> directory.isDeregistered(GREETER, ADDRESS));
        }
    }

    @Test
    void anAgentThatDeregistersAfterItsNodeHasLapsedSaysThatItLeaves() throws Exception {
        watch(true);
        try (FaultyProxy proxy = new FaultyProxy(zooKeeper.address().port());
                ZooKeeperRegistry far = open(new HostPort("127.0.0.1", proxy.port()))) {
            Registration registration = registeredAt(far, GREETER);
            awaitEndpoints(ADDRESS + "*3");
            proxy.stall();
            awaitEndpoints();

            CompletableFuture<Void> deregistered = registration.deregister();
            proxy.resume();

            assertThat(deregistered).succeedsWithin(LIMIT);
            Await.until(LIMIT, "deregistered", () -> watcher.newest().isDeregistered(GREETER, ADDRESS));
            assertThat(text(NODE)).isNull();
        }
    }

    @Test
    void anAgentWhoseAddressIsNotKnownIsNotRegisteredAndTriesAgain() throws Exception {
        try (OneConnection way = new OneConnection(zooKeeper.address().port());
                ZooKeeperRegistry far = open(new HostPort("127.0.0.1", way.port()))) {
            Registration registration = far.registration(request(null, GREETER));
            registration.register();

            way.awaitRefusing();
            Await.until(LIMIT, "session given up", way::isClosedByClient);
            assertThat(registration.registered()).isFalse();
            assertThat(registration.address()).isNull();
        }
    }

    /** A way to ZooKeeper that takes one connection only. */
    private static final class OneConnection implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        private final int target;
        private final Thread thread = new Thread(this::run, "one-connection");
        private final CountDownLatch refusing = new CountDownLatch(1);
        private volatile boolean closedByClient;

        OneConnection(int target) throws IOException {
            this.target = target;
            thread.start();
        }

        int port() {
            return server.getLocalPort();
        }

        void awaitRefusing() throws InterruptedException {
            assertThat(refusing.await(10, TimeUnit.SECONDS)).isTrue();
        }

        boolean isClosedByClient() {
            return closedByClient;
        }

        private void run() {
            try (Socket client = server.accept();
                    Socket far = new Socket("127.0.0.1", target)) {
                server.close();
                refusing.countDown();
                Thread back = new Thread(() -> copy(far, client), "one-connection-back");
                back.start();
                copy(client, far);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                closedByClient = true;
            }
        }

        private static void copy(Socket from, Socket to) {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // One of them is closed.
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
