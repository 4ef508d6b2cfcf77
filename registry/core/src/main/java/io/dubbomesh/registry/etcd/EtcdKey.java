package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Variant;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;

import java.util.List;
import java.util.Map;

/**
 * One of an agent's own keys, that of a service: its name, and what etcd holds there as far as is known. Belongs to one
 * thread.
 */
final class EtcdKey {
    /** Of changes that others made while the agent was cut off. */
    private static final int MAX_STEPS = 32;

    private final String service;
    private final String name;
    private final ByteSequence bytes;
    private List<Variant> variants;
    private boolean selected = true;

    // The revision of etcd as of which the rest is known.
    private long asOfRevision;
    // The revision of the key itself, 0 if there is none.
    private long revision;
    private long lease;
    private byte[] value = {};
    private boolean settled;
    private boolean listed;
    /** A put whose answer has not come, until it is known whether etcd has executed it; otherwise null. */
    private Put unanswered;

    /** @param known the revision of the key that etcd compares before it puts */
    private record Put(ByteSequence value, long lease, boolean leaving, long known) {
        boolean isIn(KeyValue kv) {
            return kv.getLease() == lease && kv.getValue().equals(value);
        }

        boolean isBefore(KeyValue kv) {
            return kv.getModRevision() > known;
        }
    }

    EtcdKey(String service, String name, List<Variant> variants) {
        this.service = service;
        this.name = name;
        this.bytes = EtcdSession.bytes(name);
        this.variants = variants;
    }

    String service() {
        return service;
    }

    String name() {
        return name;
    }

    ByteSequence bytes() {
        return bytes;
    }

    /** @param services those that are to be registered; without this one the key is to be deleted */
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
        return revision != 0;
    }

    long lease() {
        return lease;
    }

    byte[] value() {
        return value;
    }

    /**
     * Whether etcd has held what this agent wants since it started, and since its weight was changed here: only what
     * comes after that is somebody's change, whose weight the agent adopts.
     */
    boolean settled() {
        return settled;
    }

    /** It holds what the agent wants. */
    void settle() {
        settled = true;
    }

    /** The weight was changed at this agent, after all that etcd holds or has been sent. */
    void weightChanged() {
        settled = false;
        unanswered = null;
    }

    /**
     * Whether consumer agents may still use the endpoint, even if the key has lapsed since: this agent has put the key,
     * and has not said since then that it leaves.
     */
    boolean listed() {
        return listed;
    }

    /** The address belongs to another agent now. */
    void takenOver() {
        listed = false;
    }

    boolean holds(ByteSequence expected, long expectedLease) {
        return present() && lease == expectedLease && ByteSequence.from(value).equals(expected);
    }

    /** The revision of etcd as of which it is known. */
    long asOfRevision() {
        return asOfRevision;
    }

    /** Whether something changed at {@code eventRevision} that is not known yet. */
    boolean isNews(long eventRevision) {
        return eventRevision > asOfRevision;
    }

    /** Asks etcd for it. */
    void read(EtcdSession session) throws EtcdFailure, InterruptedException {
        GetResponse answer = session.await(session.kv().get(bytes));
        found(session, answer.getKvs(), answer.getHeader().getRevision());
    }

    /**
     * Called for each change that is news, in their order.
     *
     * @param changed null if the key was deleted
     */
    void changed(KeyValue changed, long asOf) {
        know(changed, asOf);
        if (unanswered != null && changed != null) {
            Put put = unanswered;
            unanswered = null;
            if (put.isIn(changed)) {
                executed(put);
            }
        }
    }

    private void found(EtcdSession session, List<KeyValue> kvs, long asOf) throws EtcdFailure, InterruptedException {
        KeyValue found = kvs.isEmpty() ? null : kvs.get(0);
        know(found, asOf);
        if (unanswered != null && found != null && unanswered.isBefore(found)) {
            Put put = unanswered;
            if (wasExecuted(session, put, found)) {
                executed(put);
            }
            unanswered = null;
        }
    }

    /**
     * Whether the put is among the changes that led to what was found: it shows in no other way whether somebody has
     * changed what this agent put or what had been there before. Of changes that etcd has compacted, and of very many,
     * the newest holds.
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

    /** What the key was until it became {@code state}; null if it was not there. */
    private KeyValue before(EtcdSession session, KeyValue state) throws EtcdFailure, InterruptedException {
        GetOption option =
                GetOption.builder().withRevision(state.getModRevision() - 1).build();
        List<KeyValue> kvs = session.await(session.kv().get(bytes, option)).getKvs();
        return kvs.isEmpty() ? null : kvs.get(0);
    }

    private void know(KeyValue found, long asOf) {
        asOfRevision = asOf;
        revision = found == null ? 0 : found.getModRevision();
        lease = found == null ? 0 : found.getLease();
        value = found == null ? new byte[0] : found.getValue().getBytes();
    }

    private void executed(Put put) {
        settled = true;
        listed = !put.leaving();
    }

    /** Puts it, if it still is as known; returns whether it was. */
    boolean put(EtcdSession session, ByteSequence newValue, long newLease) throws EtcdFailure, InterruptedException {
        return write(session, new Put(newValue, newLease, false, revision));
    }

    /** As {@link #put}, with a value that says that the agent leaves. */
    boolean putLeaving(EtcdSession session, ByteSequence newValue, long newLease)
            throws EtcdFailure, InterruptedException {
        return write(session, new Put(newValue, newLease, true, revision));
    }

    private boolean write(EtcdSession session, Put put) throws EtcdFailure, InterruptedException {
        PutOption option = PutOption.builder().withLeaseId(put.lease()).build();
        TxnResponse answer;
        try {
            answer = ifUnchanged(session, Op.put(bytes, put.value(), option));
        } catch (EtcdFailure e) {
            if (e.kind() == EtcdFailure.Kind.OTHER) {
                unanswered = put;
                listed |= !put.leaving();
            }
            throw e;
        }
        if (answer.isSucceeded()) {
            unanswered = null;
            asOfRevision = answer.getHeader().getRevision();
            revision = asOfRevision;
            lease = put.lease();
            value = put.value().getBytes();
            executed(put);
        }
        return answer.isSucceeded();
    }

    /** Deletes it, if it still is as known; returns whether it was. */
    boolean delete(EtcdSession session) throws EtcdFailure, InterruptedException {
        TxnResponse answer = ifUnchanged(session, Op.delete(bytes, DeleteOption.DEFAULT));
        if (answer.isSucceeded()) {
            know(null, answer.getHeader().getRevision());
        }
        return answer.isSucceeded();
    }

    private TxnResponse ifUnchanged(EtcdSession session, Op op) throws EtcdFailure, InterruptedException {
        TxnResponse answer = session.await(session.kv()
                .txn()
                .If(new Cmp(bytes, Cmp.Op.EQUAL, CmpTarget.modRevision(revision)))
                .Then(op)
                .Else(Op.get(bytes, GetOption.DEFAULT))
                .commit());
        if (!answer.isSucceeded()) {
            found(
                    session,
                    answer.getGetResponses().get(0).getKvs(),
                    answer.getHeader().getRevision());
        }
        return answer;
    }
}
