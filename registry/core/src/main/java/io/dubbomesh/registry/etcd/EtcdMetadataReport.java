package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.etcd.client.KeyValue;
import io.dubbomesh.registry.etcd.client.RangeRequest;
import io.dubbomesh.registry.etcd.layout.EtcdRange;

import java.io.IOException;
import java.util.List;

/**
 * The entries that applications have written of their services below {@code /dubbo/metadata}, as Dubbo's extension for
 * etcd does: types, and not the exports of instances. Its connection is opened by the first question. As hours may pass
 * until the next one, a question that this connection does not answer is asked once more on another.
 */
final class EtcdMetadataReport implements MetadataReport, AutoCloseable {
    private final String root;
    private final EtcdMembers members;
    /** Null as long as nothing has been asked. */
    private EtcdSession session;

    private boolean closed;

    /** @param root what keys begin with, a slash at both ends */
    EtcdMetadataReport(EtcdMembers members, String root) {
        this.root = root;
        this.members = members;
    }

    @Override
    public synchronized String definition(ReportedService service, long timeoutMs) throws IOException {
        String folder = root + service.folder() + '/';
        byte[] key = EtcdSession.bytes(folder + service.application());
        List<KeyValue> found = ask(
                service.application().isEmpty()
                        ? new RangeRequest(key, EtcdRange.endOf(folder), 2, 0, false)
                        : RangeRequest.of(key, 0));
        if (found.size() != 1) {
            return null;
        }
        byte[] value = found.get(0).value();
        if (value.length > MAX_BYTES) {
            throw new IOException(value.length + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        return value.length == 0 ? null : EtcdSession.text(value);
    }

    private List<KeyValue> ask(RangeRequest request) throws IOException {
        if (closed) {
            throw new IOException("the registry is closed");
        }
        boolean isKept = session != null;
        try {
            if (!isKept) {
                session = members.next();
            }
            return session.await(session.client().range(request)).kvs();
        } catch (EtcdFailure e) {
            drop();
            if (isKept) {
                return ask(request);
            }
            throw new IOException(members + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void drop() {
        EtcdSession last = session;
        session = null;
        if (last != null) {
            last.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        drop();
    }
}
