package io.dubbomesh.registry.zookeeper;

/** ZooKeeper refuses what was asked of one node; the session and its other nodes are as before. */
final class NodeRefusal extends ZooKeeperFailure {
    private static final long serialVersionUID = 1;

    NodeRefusal(String message) {
        super(message, null);
    }

    @Override
    public boolean isOfOneEntry() {
        return true;
    }
}
