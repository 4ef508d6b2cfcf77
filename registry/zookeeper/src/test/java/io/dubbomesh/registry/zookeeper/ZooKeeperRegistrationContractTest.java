package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.RegistrationContract;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.zookeeper.ZooKeeperOperator;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

class ZooKeeperRegistrationContractTest extends RegistrationContract {
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

    @Override
    protected void deleteEntry() throws Exception {
        operator.delete(RegistrationFixture.NODE);
    }

    @Override
    protected void writeEntry(String value) throws Exception {
        Await.until("the node is there", () -> operator.raw().exists(RegistrationFixture.NODE, false) != null);
        operator.set(RegistrationFixture.NODE, value);
    }

    @Override
    protected void loseData() throws Exception {
        zooKeeper.stop();
        zooKeeper.forget();
        zooKeeper.start();
        // The session of before may have expired.
        operator.raw().close(100);
        operator = zooKeeper.connect();
    }
}
