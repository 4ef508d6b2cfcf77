package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.keep.AgentEntry;
import io.dubbomesh.registry.zookeeper.NodeKnowledge.Made;
import io.dubbomesh.registry.zookeeper.NodeKnowledge.Read;
import io.dubbomesh.registry.zookeeper.NodeKnowledge.Unanswered;
import io.dubbomesh.registry.zookeeper.session.NodeRefusal;
import io.dubbomesh.registry.zookeeper.session.NodeSession;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperFailure;

import java.util.Arrays;
import java.util.List;

/**
 * One of an agent's own entries in ZooKeeper, an ephemeral node. Each write is conditional on the version of the node
 * that is known, so that no change by an operator is overwritten unseen.
 */
final class AgentNode extends AgentEntry {
    private final ZooKeeperEntryStore store;
    private final String path;
    /** Null if there is no such node. */
    private NodeSession.Found found;

    private NodeKnowledge known = Read.STALE;

    AgentNode(ZooKeeperEntryStore store, String service, String path, List<Variant> variants) {
        super(service, variants);
        this.store = store;
        this.path = path;
    }

    @Override
    protected String path() {
        return path;
    }

    @Override
    protected byte[] value() {
        return found == null ? null : found.value();
    }

    /**
     * Returns whether the node is this agent's: in another session it belongs to an agent that has taken this one's
     * place.
     */
    @Override
    protected boolean isOurs() {
        return found != null && (owner() == 0 || store.isOwn(owner()));
    }

    @Override
    protected boolean isHeld() {
        return found != null && owner() == store.session().id();
    }

    /** Returns the id of the session whose end deletes it; 0 if none does. */
    private long owner() {
        return found.stat().getEphemeralOwner();
    }

    /** Called when ZooKeeper has reported a change, or may have missed to. */
    void changed() {
        known = known.changed();
    }

    @Override
    protected void clearUnanswered() {
        known = known.withoutUnanswered();
    }

    @Override
    protected boolean refresh() throws ZooKeeperFailure, InterruptedException {
        if (known == Read.FRESH) {
            return false;
        }
        NodeSession.Found before = found;
        found = store.session().read(path);
        NodeKnowledge was = known;
        known = Read.FRESH;
        if (was instanceof Unanswered put && isExecuted(before, put)) {
            executed(put.leaving());
            return !Arrays.equals(value(), put.value());
        }
        if (was instanceof Made made) {
            return !Arrays.equals(value(), made.value());
        }
        return !Arrays.equals(value(), before == null ? null : before.value())
                || found != null && owner() != before.stat().getEphemeralOwner();
    }

    /** A put of this agent that came second was refused; of several changes the last ones are of others. */
    private boolean isExecuted(NodeSession.Found before, Unanswered put) {
        if (found == null || !store.isOwn(owner())) {
            return false;
        }
        if (before == null || owner() != before.stat().getEphemeralOwner()) {
            return true;
        }
        int changes = found.stat().getVersion() - before.stat().getVersion();
        return changes > 1 || changes == 1 && Arrays.equals(found.value(), put.value());
    }

    @Override
    protected void put(byte[] value, boolean leaving) throws ZooKeeperFailure, InterruptedException {
        known = Read.STALE;
        try {
            if (write(store.session(), value)) {
                known = new Made(value);
                executed(leaving);
            }
        } catch (NodeRefusal e) {
            throw e;
        } catch (ZooKeeperFailure e) {
            known = new Unanswered(value, leaving);
            unanswered(leaving);
            throw e;
        }
    }

    private boolean write(NodeSession session, byte[] value) throws ZooKeeperFailure, InterruptedException {
        if (found == null) {
            return session.create(path, value);
        }
        int version = found.stat().getVersion();
        // The node of another session cannot be made one of this, and would end with the other.
        return isHeld() ? session.set(path, value, version) : session.replace(path, value, version);
    }

    @Override
    protected void delete() throws ZooKeeperFailure, InterruptedException {
        known = Read.STALE;
        if (store.session().delete(path, found.stat().getVersion())) {
            known = new Made(null);
        }
    }
}
