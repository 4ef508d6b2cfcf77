package io.dubbomesh.chaos.site;

import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;

/** ZooKeeper's own server of one node, as a process that says when it listens. */
public final class ZooKeeperServerProgram {
    /** Of one address: agents, providers and the rows share one. */
    private static final int CONNECTIONS = 1000;

    private ZooKeeperServerProgram() {}

    /** Settings by {@code -Dkey=value}: port, data, tick.ms. */
    public static void main(String[] args) throws IOException, InterruptedException {
        File data = new File(System.getProperty("data"));
        NIOServerCnxnFactory server = new NIOServerCnxnFactory();
        server.configure(new InetSocketAddress(Integer.getInteger("port")), CONNECTIONS);
        server.startup(new ZooKeeperServer(data, data, Integer.getInteger("tick.ms")));
        System.out.println("listening");
        new CountDownLatch(1).await();
    }
}
