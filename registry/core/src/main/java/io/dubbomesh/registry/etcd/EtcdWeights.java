package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.etcd.client.KeyValue;
import io.dubbomesh.registry.etcd.client.RangeRequest;
import io.dubbomesh.registry.etcd.client.TxnRequest;

import java.util.List;

/**
 * Changes the weight in keys of any agent. A key stays under its lease, so that it still ends with its agent; the agent
 * itself may put it anew in the same moment, so each put is conditional on the key being as it was read.
 */
final class EtcdWeights {
    private static final int MAX_ROUNDS = 8;

    private EtcdWeights() {}

    /** @return how many of the keys there are, and have the weight now */
    static int change(EtcdSession session, List<String> keys, int weight) throws EtcdFailure, InterruptedException {
        int changed = 0;
        for (String key : keys) {
            changed += change(session, EtcdSession.bytes(key), weight) ? 1 : 0;
        }
        return changed;
    }

    private static boolean change(EtcdSession session, byte[] key, int weight)
            throws EtcdFailure, InterruptedException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            List<KeyValue> found = session.await(session.client().range(RangeRequest.of(key, 0)))
                    .kvs();
            if (found.isEmpty()) {
                return false;
            }
            KeyValue known = found.get(0);
            byte[] value = known.value();
            if (EndpointCodec.hasWeight(value, weight)
                    || put(session, known, EndpointCodec.replaceWeight(value, weight))) {
                return true;
            }
        }
        throw new EtcdFailure("the key " + EtcdSession.text(key) + " changes all the time", EtcdFailure.Kind.OTHER);
    }

    private static boolean put(EtcdSession session, KeyValue known, byte[] value)
            throws EtcdFailure, InterruptedException {
        TxnRequest request = TxnRequest.put(known.key(), known.modRevision(), value, known.lease());
        return session.await(session.client().txn(request)).succeeded();
    }
}
