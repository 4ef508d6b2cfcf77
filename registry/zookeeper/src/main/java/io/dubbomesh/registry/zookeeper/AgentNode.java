package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Variant;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One of an agent's own nodes, that of a service: its path, and what stands there as far as is known. Belongs to one
 * thread.
 */
final class AgentNode {
    private final String service;
    private final String path;
    private List<Variant> variants;
    private boolean selected = true;

    /** Null if there is no such node. */
    private NodeSession.Found found;
    /** Whether {@link #found} has to be read again. */
    private boolean stale = true;

    private boolean written;
    /** Whether nothing was found there because this agent deleted it. */
    private boolean deleted;

    private boolean listed;
    private long leavingEndNs = System.nanoTime();

    /** Whether ZooKeeper refused what was asked last of this node. */
    private boolean refused;
    /** Whether that was to put it, not to take it away. */
    private boolean refusedPut;

    private long refusedEndNs;

    AgentNode(String service, String path, List<Variant> variants) {
        this.service = service;
        this.path = path;
        this.variants = variants;
    }

    String service() {
        return service;
    }

    String path() {
        return path;
    }

    /** @param services those that are to be registered; without this one the node is to be deleted */
    void select(Map<String, List<Variant>> services) {
        selected = services.containsKey(service);
        if (selected) {
            variants = services.get(service);
        }
    }

    /** Whether it is to be there while the agent is registered. */
    boolean selected() {
        return selected;
    }

    /** If it is not selected, those that were the last ones. */
    List<Variant> variants() {
        return variants;
    }

    boolean present() {
        return found != null;
    }

    /** The id of the session whose end deletes it; 0 if none does. */
    long owner() {
        return found == null ? 0 : found.stat().getEphemeralOwner();
    }

    byte[] value() {
        return found.value();
    }

    /** Whether this agent has ever put it; a value from before is not an operator's change. */
    boolean written() {
        return written;
    }

    /**
     * Whether consumer agents may still use the endpoint, even if the node has lapsed since: this agent has put the
     * node, and has not said since then that it leaves.
     */
    boolean listed() {
        return listed;
    }

    /** The address belongs to another agent now. */
    void takenOver() {
        listed = false;
    }

    boolean holds(byte[] expected) {
        return present() && Arrays.equals(found.value(), expected);
    }

    boolean isStale() {
        return stale;
    }

    void changed() {
        stale = true;
    }

    void read(NodeSession session) throws ZooKeeperFailure, InterruptedException {
        found = session.read(path);
        deleted &= found == null;
        stale = false;
    }

    boolean isDeletedByThisAgent() {
        return deleted;
    }

    /** An answer that was lost with the connection may have said that it was put. */
    void isOfThisAgent() {
        written = true;
    }

    /** Puts it, if it still is as known; has to be read again then. */
    void put(NodeSession session, byte[] value) throws ZooKeeperFailure, InterruptedException {
        boolean before = listed;
        listed = true;
        boolean done = false;
        try {
            done = write(session, value);
        } catch (NodeRefusal e) {
            listed = before;
            throw e;
        }
        written |= done;
    }

    /** ZooKeeper refuses to have it put, or taken away; that is not asked again for some time. */
    void refused(boolean put, long endNs) {
        refused = true;
        refusedPut = put;
        refusedEndNs = endNs;
        stale = true;
    }

    void notRefused() {
        refused = false;
    }

    /** The agent has another user, who may be allowed what was refused. */
    void userChanged() {
        refused = false;
        stale = true;
    }

    boolean isRefused() {
        return refused;
    }

    /** Until it may be asked again to put it, or to take it away. */
    long refusedLeftNs(boolean put, long nowNs) {
        return refused && refusedPut == put ? refusedEndNs - nowNs : 0;
    }

    /**
     * Whether it cannot be taken away and nobody calls this agent because of it: somebody else's, or one that the end
     * of the session deletes.
     */
    boolean isGivenUp() {
        return refused && !refusedPut && !listed;
    }

    /** As {@link #put}, with a value that says that the agent leaves: consumer agents get some time to read it. */
    void putLeaving(NodeSession session, byte[] value, long leavingMs) throws ZooKeeperFailure, InterruptedException {
        if (write(session, value)) {
            listed = false;
            leavingEndNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leavingMs);
        }
    }

    /** Until it may be deleted. */
    long leavingLeftNs(long nowNs) {
        return leavingEndNs - nowNs;
    }

    private boolean write(NodeSession session, byte[] value) throws ZooKeeperFailure, InterruptedException {
        stale = true;
        deleted = false;
        if (found == null) {
            return session.create(path, value);
        }
        int version = found.stat().getVersion();
        // The node of another session cannot be made one of this, and would end with the other.
        return owner() == session.id() ? session.set(path, value, version) : session.replace(path, value, version);
    }

    /** Deletes it, if it still is as known; has to be read again then. */
    void delete(NodeSession session) throws ZooKeeperFailure, InterruptedException {
        stale = true;
        deleted = session.delete(path, found.stat().getVersion());
    }
}
