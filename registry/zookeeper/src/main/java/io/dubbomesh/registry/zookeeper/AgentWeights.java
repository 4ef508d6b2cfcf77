package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.zookeeper.session.NodeSession;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperFailure;

/**
 * Changes the weight in nodes of any agent. The agent itself may put a node anew in the same moment, so each change is
 * conditional on the version that was read.
 */
final class AgentWeights {
    private static final int MAX_ROUNDS = 8;

    private AgentWeights() {}

    /** @return whether there is such a node, which has the weight now */
    static boolean change(NodeSession session, String path, int weight) throws ZooKeeperFailure, InterruptedException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            NodeSession.Found found = session.read(path);
            if (found == null) {
                return false;
            }
            if (EndpointCodec.hasWeight(found.value(), weight)
                    || session.set(
                            path,
                            EndpointCodec.replaceWeight(found.value(), weight),
                            found.stat().getVersion())) {
                return true;
            }
        }
        throw new ZooKeeperFailure("the node " + path + " changes all the time", null);
    }
}
