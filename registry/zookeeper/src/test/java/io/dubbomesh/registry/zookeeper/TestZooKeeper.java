package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.registry.zookeeper.session.Ensemble;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** ZooKeeper's own server in this process, and the ensemble that agents see. */
final class TestZooKeeper extends LocalZooKeeper {
    private static final int TICK_MS = 100;

    TestZooKeeper(Path folder) throws IOException, InterruptedException {
        super(folder, TICK_MS);
    }

    HostPort address() {
        return new HostPort("127.0.0.1", port());
    }

    Ensemble ensemble() {
        return ensemble(address());
    }

    static Ensemble ensemble(HostPort address) {
        return new Ensemble(List.of(address), AccessFiles.none("zookeeper"));
    }
}
