package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.zookeeper.session.NodeSession;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperFailure;

import static java.nio.charset.StandardCharsets.UTF_8;

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
            if (weight(found.value()) == weight
                    || session.set(
                            path,
                            withWeight(found.value(), weight).getBytes(UTF_8),
                            found.stat().getVersion())) {
                return true;
            }
        }
        throw new ZooKeeperFailure("the node " + path + " changes all the time", null);
    }

    /** -1 for a value that cannot be understood. */
    private static int weight(byte[] value) {
        try {
            return EndpointCodec.parseValue(value).weight();
        } catch (IllegalArgumentException e) {
            return -1;
        }
    }

    /** A value that cannot be understood is replaced by the weight alone, which is one. */
    private static String withWeight(byte[] value, int weight) {
        try {
            return EndpointCodec.withWeight(value, weight);
        } catch (IllegalArgumentException e) {
            return Integer.toString(weight);
        }
    }
}
