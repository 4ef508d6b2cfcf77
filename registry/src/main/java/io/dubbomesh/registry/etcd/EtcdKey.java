package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Variant;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
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
    private boolean written;
    private boolean listed;

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

    /** Whether this agent has ever put it; a value from before is not an operator's change. */
    boolean written() {
        return written;
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

    /** Whether something changed at {@code eventRevision} that is not known yet. */
    boolean isNews(long eventRevision) {
        return eventRevision > asOfRevision;
    }

    /** @param found null if there is no such key */
    void found(KeyValue found, long asOf) {
        asOfRevision = asOf;
        revision = found == null ? 0 : found.getModRevision();
        lease = found == null ? 0 : found.getLease();
        value = found == null ? new byte[0] : found.getValue().getBytes();
    }

    /** Puts it, if it still is as known; returns whether it was. */
    boolean put(EtcdSession session, ByteSequence newValue, long newLease) throws EtcdFailure, InterruptedException {
        boolean done = write(session, newValue, newLease);
        listed |= done;
        return done;
    }

    /** As {@link #put}, with a value that says that the agent leaves. */
    boolean putLeaving(EtcdSession session, ByteSequence newValue, long newLease)
            throws EtcdFailure, InterruptedException {
        boolean done = write(session, newValue, newLease);
        listed &= !done;
        return done;
    }

    private boolean write(EtcdSession session, ByteSequence newValue, long newLease)
            throws EtcdFailure, InterruptedException {
        PutOption option = PutOption.builder().withLeaseId(newLease).build();
        TxnResponse answer = ifUnchanged(session, Op.put(bytes, newValue, option));
        if (answer.isSucceeded()) {
            asOfRevision = answer.getHeader().getRevision();
            revision = asOfRevision;
            lease = newLease;
            value = newValue.getBytes();
            written = true;
        }
        return answer.isSucceeded();
    }

    /** Deletes it, if it still is as known; returns whether it was. */
    boolean delete(EtcdSession session) throws EtcdFailure, InterruptedException {
        TxnResponse answer = ifUnchanged(session, Op.delete(bytes, DeleteOption.DEFAULT));
        if (answer.isSucceeded()) {
            found(null, answer.getHeader().getRevision());
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
            List<KeyValue> kvs = answer.getGetResponses().get(0).getKvs();
            found(kvs.isEmpty() ? null : kvs.get(0), answer.getHeader().getRevision());
        }
        return answer;
    }
}
