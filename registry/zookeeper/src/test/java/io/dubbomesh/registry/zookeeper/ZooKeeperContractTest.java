package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.RegistrationContract;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class ZooKeeperContractTest extends RegistrationContract {
    @TempDir
    private Path folder;

    private TestZooKeeper zooKeeper;
    private ZooKeeperOperator operator;

    @Override
    protected void closeStore() throws Exception {
        operator.raw().close(100);
        zooKeeper.close();
    }

    @Override
    protected Registry open() throws Exception {
        if (zooKeeper == null) {
            zooKeeper = new TestZooKeeper(folder);
            operator = zooKeeper.connect();
        }
        return RegistrationFixture.open(zooKeeper.address());
    }

    private static String node(int x) {
        return node(GREETER, x);
    }

    private static String node(String service, int x) {
        return "/dubbomesh/" + service + "/192.0.2." + x + ":30000";
    }

    @Override
    protected void put(int x) throws Exception {
        operator.create(node(x), "", CreateMode.PERSISTENT);
    }

    @Override
    protected void delete(int x) throws Exception {
        operator.delete(node(x));
    }

    @Override
    protected void writeEntry(String value) throws Exception {
        Await.until("the node is there", () -> {
            try {
                operator.set(node(7), value);
                return true;
            } catch (KeeperException.NoNodeException e) {
                return false;
            }
        });
    }

    @Override
    protected void stop() {
        zooKeeper.stop();
    }

    @Override
    protected void start() throws Exception {
        zooKeeper.start();
        // The session of before may have expired.
        operator.raw().close(100);
        operator = zooKeeper.connect();
    }

    @Override
    protected void loseData() throws Exception {
        stop();
        zooKeeper.forget();
        start();
    }

    @Override
    protected long owner(String service) throws Exception {
        Stat stat = operator.raw().exists(node(service, 7), false);
        return stat == null ? 0 : stat.getEphemeralOwner();
    }

    @Override
    protected String name() {
        return "registry zookeeper://127.0.0.1:";
    }

    @Override
    protected String noEntry(HostPort address) {
        return "zookeeper://" + zooKeeper.address() + " has no node of a provider agent at " + address
                + "; set the weight of a Dubbo provider with Dubbo's own override";
    }
}
