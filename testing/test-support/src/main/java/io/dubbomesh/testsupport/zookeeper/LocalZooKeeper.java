package io.dubbomesh.testsupport.zookeeper;

import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * ZooKeeper's own server of one node in this JVM. It keeps its port and its data when it is stopped and started again.
 */
public class LocalZooKeeper implements AutoCloseable {
    /** Agents, providers and tests share one address. */
    private static final int CONNECTIONS = 1000;

    private static final int TICK_MS = 500;

    static {
        // No test survives a power failure, and a slow disk would end the short sessions of tests.
        System.setProperty("zookeeper.forceSync", "no");
    }

    private final String host;
    private final Path folder;
    private final int tickMs;
    private int port;
    private int life;
    private NIOServerCnxnFactory server;

    /** Starts it, with its data in this folder. */
    public LocalZooKeeper(Path folder) throws IOException, InterruptedException {
        this(folder, TICK_MS);
    }

    /**
     * Starts it.
     *
     * @param folder has its data
     * @param tickMs sessions live for 2 to 20 of them
     */
    public LocalZooKeeper(Path folder, int tickMs) throws IOException, InterruptedException {
        this("127.0.0.1", 0, folder, tickMs);
    }

    private LocalZooKeeper(String host, int port, Path folder, int tickMs) throws IOException, InterruptedException {
        this.host = host;
        this.port = port;
        this.folder = folder;
        this.tickMs = tickMs;
        start();
    }

    /** Runs it as a process that says when it listens; settings by {@code -Dkey=value}: port, data, tick.ms. */
    public static void main(String[] args) throws IOException, InterruptedException {
        // Hosts reach it by several addresses.
        new LocalZooKeeper(
                "0.0.0.0",
                Integer.getInteger("port"),
                Path.of(System.getProperty("data")),
                Integer.getInteger("tick.ms"));
        System.out.println("listening");
        new CountDownLatch(1).await();
    }

    /** Starts it again, at the same port. */
    public final void start() throws IOException, InterruptedException {
        File data = Files.createDirectories(folder.resolve("data-" + life)).toFile();
        server = new NIOServerCnxnFactory();
        server.configure(new InetSocketAddress(host, port), CONNECTIONS);
        server.startup(new ZooKeeperServer(data, data, tickMs));
        port = server.getLocalPort();
    }

    public void stop() {
        server.shutdown();
    }

    /** Makes the next start one without the data stored so far. */
    public void forget() {
        life++;
    }

    public int port() {
        return port;
    }

    /** Returns its URI as agents and Dubbo have it in their settings. */
    public String uri() {
        return "zookeeper://127.0.0.1:" + port;
    }

    /** Connects a client that the test closes. */
    public ZooKeeperOperator connect() throws IOException, InterruptedException {
        return new ZooKeeperOperator("127.0.0.1:" + port, 20 * tickMs);
    }

    @Override
    public void close() {
        stop();
    }
}
