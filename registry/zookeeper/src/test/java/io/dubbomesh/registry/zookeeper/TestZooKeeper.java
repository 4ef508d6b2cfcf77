package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.registry.zookeeper.session.Ensemble;
import io.dubbomesh.runtime.HostPort;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import static java.nio.charset.StandardCharsets.UTF_8;

/** ZooKeeper's own server in this process, which can be stopped and started again at its port. */
final class TestZooKeeper implements AutoCloseable {
    private static final int TICK_MS = 100;

    private final Path folder;
    private int port;
    private int life;
    private NIOServerCnxnFactory server;

    TestZooKeeper(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        start();
    }

    void start() throws IOException, InterruptedException {
        File data = Files.createDirectories(folder.resolve("data-" + life)).toFile();
        server = new NIOServerCnxnFactory();
        server.configure(new InetSocketAddress("127.0.0.1", port), 1000);
        server.startup(new ZooKeeperServer(data, data, TICK_MS));
        port = server.getLocalPort();
    }

    void stop() {
        server.shutdown();
    }

    /** What was stored is gone at the next start. */
    void forget() {
        life++;
    }

    HostPort address() {
        return new HostPort("127.0.0.1", port);
    }

    Ensemble ensemble() {
        return ensemble(address());
    }

    static Ensemble ensemble(HostPort address) {
        return new Ensemble(List.of(address), AccessFiles.none("zookeeper"));
    }

    Client connect() throws IOException, InterruptedException {
        return new Client(address().toString());
    }

    @Override
    public void close() {
        stop();
    }

    /** Registers as a Dubbo provider does. */
    static final class Client {
        private final ZooKeeper zooKeeper;

        Client(String address) throws IOException, InterruptedException {
            CountDownLatch connected = new CountDownLatch(1);
            zooKeeper = new ZooKeeper(address, 2_000, event -> connected.countDown());
            connected.await();
        }

        void register(String service, String url) throws KeeperException, InterruptedException {
            create("/dubbo/" + service + "/providers/" + URLEncoder.encode(url, UTF_8), "", CreateMode.EPHEMERAL);
        }

        void unregister(String service, String url) throws KeeperException, InterruptedException {
            zooKeeper.delete("/dubbo/" + service + "/providers/" + URLEncoder.encode(url, UTF_8), -1);
        }

        /** With the nodes above it. */
        void create(String path, String value, CreateMode mode) throws KeeperException, InterruptedException {
            for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
                createNode(path.substring(0, slash), "", CreateMode.PERSISTENT);
            }
            createNode(path, value, mode);
        }

        private void createNode(String path, String value, CreateMode mode)
                throws KeeperException, InterruptedException {
            try {
                zooKeeper.create(path, value.getBytes(UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
            } catch (KeeperException.NodeExistsException e) {
                if (mode == CreateMode.EPHEMERAL) {
                    throw e;
                }
            }
        }

        void set(String path, String value) throws KeeperException, InterruptedException {
            zooKeeper.setData(path, value.getBytes(UTF_8), -1);
        }

        void delete(String path) throws KeeperException, InterruptedException {
            zooKeeper.delete(path, -1);
        }

        ZooKeeper raw() {
            return zooKeeper;
        }
    }
}
