package io.dubbomesh.acceptance;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** ZooKeeper's server in the JVM of the tests. It keeps its port and its data when it is stopped and started again. */
final class RealZooKeeper implements AutoCloseable {
    /** Sessions live for 2 to 20 of them. */
    private static final int TICK_MS = 500;

    private static final int CONNECTIONS = 100;
    private static final int CLIENT_SESSION_MS = 10_000;

    private final Path data;
    private int port;
    private NIOServerCnxnFactory server;

    private RealZooKeeper(Path data) {
        this.data = data;
    }

    static RealZooKeeper start(Path data) throws IOException, InterruptedException {
        RealZooKeeper zooKeeper = new RealZooKeeper(data);
        zooKeeper.start();
        return zooKeeper;
    }

    void start() throws IOException, InterruptedException {
        Files.createDirectories(data);
        server = new NIOServerCnxnFactory();
        server.configure(new InetSocketAddress("127.0.0.1", port), CONNECTIONS);
        server.startup(new ZooKeeperServer(data.toFile(), data.toFile(), TICK_MS));
        port = server.getLocalPort();
    }

    void stop() {
        server.shutdown();
    }

    /** As the agents and Dubbo have it in their settings. */
    String uri() {
        return "zookeeper://127.0.0.1:" + port;
    }

    ZooKeeper connect() throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper("127.0.0.1:" + port, CLIENT_SESSION_MS, event -> connected.countDown());
        connected.await();
        return client;
    }

    /** Creates the node, and those above it that are missing. */
    static void create(ZooKeeper client, String path, byte[] value, CreateMode mode)
            throws KeeperException, InterruptedException {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            String above = path.substring(0, slash);
            if (client.exists(above, false) == null) {
                client.create(above, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
        }
        client.create(path, value, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
    }

    @Override
    public void close() {
        stop();
    }
}
