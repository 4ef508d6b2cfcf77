package io.dubbomesh.testsupport.zookeeper;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

import java.io.IOException;
import java.net.URLEncoder;
import java.util.concurrent.CountDownLatch;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A client of ZooKeeper that does what an operator does by hand, and registers as a Dubbo provider does. */
public final class ZooKeeperOperator implements AutoCloseable {
    private static final int TO_CLOSE_MS = 1_000;
    private static final int TRIES = 5;

    private final ZooKeeper client;

    /** Returns when it has a session. */
    public ZooKeeperOperator(String address, int sessionMs) throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        client = new ZooKeeper(address, sessionMs, event -> connected.countDown());
        connected.await();
    }

    /** Returns ZooKeeper's own client. */
    public ZooKeeper raw() {
        return client;
    }

    public void register(String service, String url) throws KeeperException, InterruptedException {
        create(providerNode("/dubbo", service, url), "", CreateMode.EPHEMERAL);
    }

    public void unregister(String service, String url) throws KeeperException, InterruptedException {
        delete(providerNode("/dubbo", service, url));
    }

    /** Returns the node of a provider, as Dubbo names it. */
    public static String providerNode(String root, String service, String url) {
        return root + "/" + service + "/providers/" + URLEncoder.encode(url, UTF_8);
    }

    /** Creates a node, and those above it that are missing; one that is there and stays is left as it is. */
    public void create(String path, String value, CreateMode mode) throws KeeperException, InterruptedException {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            createNode(path.substring(0, slash), "", CreateMode.PERSISTENT);
        }
        createNode(path, value, mode);
    }

    private void createNode(String path, String value, CreateMode mode) throws KeeperException, InterruptedException {
        connected(() -> {
            try {
                client.create(path, value.getBytes(UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
            } catch (KeeperException.NodeExistsException e) {
                if (mode == CreateMode.EPHEMERAL && !isOwn(path)) {
                    throw e;
                }
            }
        });
    }

    private boolean isOwn(String path) throws KeeperException, InterruptedException {
        Stat stat = client.exists(path, false);
        return stat != null && stat.getEphemeralOwner() == client.getSessionId();
    }

    public void set(String path, String value) throws KeeperException, InterruptedException {
        connected(() -> client.setData(path, value.getBytes(UTF_8), -1));
    }

    public void delete(String path) throws KeeperException, InterruptedException {
        client.delete(path, -1);
    }

    private interface Request {
        void send() throws KeeperException, InterruptedException;
    }

    /** Sends a request again after a break of the connection, which the client makes anew by itself. */
    private static void connected(Request request) throws KeeperException, InterruptedException {
        for (int left = TRIES - 1; ; left--) {
            try {
                request.send();
                return;
            } catch (KeeperException.ConnectionLossException e) {
                if (left == 0) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            client.close(TO_CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
