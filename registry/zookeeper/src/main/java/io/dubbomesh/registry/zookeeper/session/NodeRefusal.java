package io.dubbomesh.registry.zookeeper.session;

/** ZooKeeper refuses what was asked of one node; the session and its other nodes are as before. */
public final class NodeRefusal extends ZooKeeperFailure {
    private static final long serialVersionUID = 1;

    public NodeRefusal(String message) {
        super(message, null);
    }

    @Override
    public boolean isOfOneEntry() {
        return true;
    }
}
