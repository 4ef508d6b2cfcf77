package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.keep.AgentEntry;
import io.dubbomesh.registry.zookeeper.session.NodeRefusal;
import io.dubbomesh.registry.zookeeper.session.NodeSession;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperFailure;

import java.util.Arrays;
import java.util.List;

/**
 * One of an agent's own entries in ZooKeeper, an ephemeral node. Each write is conditional on the version of the node
 * that is known, so that no change by an operator is overwritten unseen.
 *
 * <pre>
 *   FRESH --- reported as changed, written, connected anew ---> STALE
 *     ^                                                           |
 *     +------------------------- read ----------------------------+
 * </pre>
 */
final class AgentNode extends AgentEntry {
    private final ZooKeeperEntryStore store;
    private final String path;
    /** Null if there is no such node. */
    private NodeSession.Found found;
    /** Null while what was found is what is there, as far as is known. */
    private Stale stale = new Stale(null, null);

    /**
     * The node has to be read again.
     *
     * @param made what this agent has made of it since it was read; null for nothing
     * @param put  a put whose answer was lost; null for none
     */
    private record Stale(Made made, Put put) {}

    /** @param value null for a node that was deleted */
    private record Made(byte[] value) {}

    private record Put(byte[] value, boolean leaving) {}

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
        if (stale == null) {
            stale = new Stale(null, null);
        }
    }

    @Override
    protected void clearUnanswered() {
        if (stale != null) {
            stale = new Stale(stale.made(), null);
        }
    }

    @Override
    protected boolean refresh() throws ZooKeeperFailure, InterruptedException {
        if (stale == null) {
            return false;
        }
        NodeSession.Found before = found;
        found = store.session().read(path);
        Stale was = stale;
        stale = null;
        if (was.put() != null && isExecuted(before, was.put())) {
            executed(was.put().leaving());
            return !Arrays.equals(value(), was.put().value());
        }
        if (was.made() != null) {
            return !Arrays.equals(value(), was.made().value());
        }
        return !Arrays.equals(value(), before == null ? null : before.value())
                || found != null && owner() != before.stat().getEphemeralOwner();
    }

    /** A put of this agent that came second was refused; of several changes the last ones are of others. */
    private boolean isExecuted(NodeSession.Found before, Put put) {
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
        stale = new Stale(null, null);
        try {
            if (write(store.session(), value)) {
                stale = new Stale(new Made(value), null);
                executed(leaving);
            }
        } catch (NodeRefusal e) {
            throw e;
        } catch (ZooKeeperFailure e) {
            stale = new Stale(null, new Put(value, leaving));
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
        stale = new Stale(null, null);
        if (store.session().delete(path, found.stat().getVersion())) {
            stale = new Stale(new Made(null), null);
        }
    }
}
