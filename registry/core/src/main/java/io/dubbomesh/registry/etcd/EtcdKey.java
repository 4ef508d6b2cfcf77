package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.etcd.client.KeyValue;
import io.dubbomesh.registry.etcd.client.RangeRequest;
import io.dubbomesh.registry.etcd.client.RangeResponse;
import io.dubbomesh.registry.etcd.client.TxnRequest;
import io.dubbomesh.registry.etcd.client.TxnResponse;
import io.dubbomesh.registry.keep.AgentEntry;
import io.dubbomesh.registry.keep.StoreFailure;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * One of an agent's own entries in etcd. Each write is conditional on the key being as it is known. Hence no change by
 * an operator is overwritten unseen, and a write that was given up but reaches etcd late finds another key and does
 * nothing; only a first put may still come after its deletion, and the watch sees that one, so it is deleted again. Of
 * a write whose answer was lost, the key's history tells whether etcd has executed it: a change that came after it
 * holds.
 */
final class EtcdKey extends AgentEntry {
    /** The most changes of others that are read after the agent was cut off. */
    private static final int MAX_STEPS = 32;

    private final EtcdEntryStore store;
    private final String name;
    private final byte[] bytes;

    // The revision of etcd as of which the rest is known.
    private long asOfRevision;
    // The revision of the key itself, 0 if there is none.
    private long revision;
    private long lease;
    /** Null if there is no such key. */
    private byte[] value;
    /** Whether it has changed since {@link #refresh}, other than by this agent. */
    private boolean isChanged;
    /** A put whose answer has not come, until it is known whether etcd has executed it; otherwise null. */
    private Put unansweredPut;

    /** @param known the revision of the key that etcd compares before it puts */
    private record Put(byte[] value, long lease, boolean leaving, long known) {
        boolean isIn(KeyValue kv) {
            return kv.lease() == lease && Arrays.equals(kv.value(), value);
        }

        boolean isBefore(KeyValue kv) {
            return kv.modRevision() > known;
        }
    }

    EtcdKey(EtcdEntryStore store, String service, String name, List<Variant> variants) {
        super(service, variants);
        this.store = store;
        this.name = name;
        this.bytes = EtcdSession.bytes(name);
    }

    @Override
    protected String path() {
        return name;
    }

    @Override
    protected byte[] value() {
        return value;
    }

    /**
     * Returns whether the entry is this agent's: under another lease it belongs to an agent that has taken this one's
     * place.
     */
    @Override
    protected boolean isOurs() {
        return value != null && (lease == 0 || lease == store.lease().id());
    }

    @Override
    protected boolean isHeld() {
        return value != null && store.lease().isHeld() && lease == store.lease().id();
    }

    /** Returns whether etcd says that the lease has no such key, though it was put under it. */
    boolean isMissing(Set<String> attached) {
        return isHeld() && !attached.contains(name);
    }

    @Override
    protected void clearUnanswered() {
        unansweredPut = null;
    }

    /** The watch has reported what there is. */
    @Override
    protected boolean refresh() {
        boolean changed = isChanged;
        isChanged = false;
        return changed;
    }

    /** Returns the revision of etcd as of which it is known. */
    long asOfRevision() {
        return asOfRevision;
    }

    /** Returns whether something changed at {@code eventRevision} that is not known yet. */
    boolean isNews(long eventRevision) {
        return eventRevision > asOfRevision;
    }

    /** Asks etcd for it. */
    void read(EtcdSession session) throws EtcdFailure, InterruptedException {
        RangeResponse answer = session.await(session.client().range(RangeRequest.of(bytes, 0)));
        found(session, answer.kvs(), answer.header().revision());
    }

    /**
     * Called for each change that is news, in their order.
     *
     * @param now null if the key was deleted
     */
    void changed(KeyValue now, long asOf) {
        isChanged = true;
        recordState(now, asOf);
        if (unansweredPut != null && now != null) {
            Put put = unansweredPut;
            unansweredPut = null;
            if (put.isIn(now)) {
                executed(put.leaving());
            }
        }
    }

    private void found(EtcdSession session, List<KeyValue> kvs, long asOf) throws EtcdFailure, InterruptedException {
        KeyValue found = kvs.isEmpty() ? null : kvs.get(0);
        isChanged |= (found == null ? 0 : found.modRevision()) != revision;
        recordState(found, asOf);
        if (unansweredPut != null && found != null && unansweredPut.isBefore(found)) {
            Put put = unansweredPut;
            if (wasExecuted(session, put, found)) {
                executed(put.leaving());
            }
            unansweredPut = null;
        }
    }

    /**
     * Returns whether the put is among the changes that led to what was found: it shows in no other way whether another
     * program has changed what this agent put or what had been there before. Of changes that etcd has compacted, and of
     * very many, the newest holds.
     */
    private boolean wasExecuted(EtcdSession session, Put put, KeyValue found) throws EtcdFailure, InterruptedException {
        KeyValue state = found;
        for (int step = 0; step < MAX_STEPS; step++) {
            if (state == null || !put.isBefore(state)) {
                return false;
            }
            if (put.isIn(state)) {
                return true;
            }
            try {
                state = before(session, state);
            } catch (EtcdFailure e) {
                if (e.kind() != EtcdFailure.Kind.COMPACTED) {
                    throw e;
                }
                return true;
            }
        }
        return true;
    }

    /** Returns the value that the key had until it became {@code state}; null if it was not there. */
    private KeyValue before(EtcdSession session, KeyValue state) throws EtcdFailure, InterruptedException {
        RangeRequest request = RangeRequest.of(bytes, state.modRevision() - 1);
        List<KeyValue> kvs = session.await(session.client().range(request)).kvs();
        return kvs.isEmpty() ? null : kvs.get(0);
    }

    private void recordState(KeyValue found, long asOf) {
        asOfRevision = asOf;
        revision = found == null ? 0 : found.modRevision();
        lease = found == null ? 0 : found.lease();
        value = found == null ? null : found.value();
    }

    @Override
    protected void put(byte[] newValue, boolean leaving) throws StoreFailure, InterruptedException {
        EtcdSession session = store.session();
        try {
            if (!store.lease().isHeld() && (value == null || !leaving)) {
                store.lease().grant(session);
            }
            long under = leaving && value != null ? lease : store.lease().id();
            put(session, new Put(newValue, under, leaving, revision));
        } catch (EtcdFailure e) {
            store.lease().loseOrThrow(e);
        }
    }

    private void put(EtcdSession session, Put put) throws EtcdFailure, InterruptedException {
        TxnResponse answer;
        try {
            answer = ifUnchanged(session, TxnRequest.put(bytes, revision, put.value(), put.lease()));
        } catch (EtcdFailure e) {
            if (e.kind() == EtcdFailure.Kind.OTHER) {
                unansweredPut = put;
                unanswered(put.leaving());
            }
            throw e;
        }
        if (answer.succeeded()) {
            unansweredPut = null;
            asOfRevision = answer.header().revision();
            revision = asOfRevision;
            lease = put.lease();
            value = put.value();
            executed(put.leaving());
        }
    }

    @Override
    protected void delete() throws StoreFailure, InterruptedException {
        try {
            TxnResponse answer = ifUnchanged(store.session(), TxnRequest.delete(bytes, revision));
            if (answer.succeeded()) {
                recordState(null, answer.header().revision());
            }
        } catch (EtcdFailure e) {
            store.lease().loseOrThrow(e);
        }
    }

    private TxnResponse ifUnchanged(EtcdSession session, TxnRequest request) throws EtcdFailure, InterruptedException {
        TxnResponse answer = session.await(session.client().txn(request));
        if (!answer.succeeded()) {
            found(session, answer.found(), answer.header().revision());
        }
        return answer;
    }
}
