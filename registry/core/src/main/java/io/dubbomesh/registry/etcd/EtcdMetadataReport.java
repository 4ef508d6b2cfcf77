package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;

import java.io.IOException;
import java.util.List;

/**
 * The entries that applications have written of their services below {@code /dubbo/metadata}, as Dubbo's extension for
 * etcd does: types, and not the exports of instances. Its connection is opened by the first question, and another one
 * after a question that was not answered.
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
        GetOption option = service.application().isEmpty()
                ? GetOption.builder().isPrefix(true).withLimit(2).build()
                : GetOption.DEFAULT;
        List<KeyValue> found = ask(EtcdSession.bytes(folder + service.application()), option);
        if (found.size() != 1) {
            return null;
        }
        ByteSequence value = found.get(0).getValue();
        if (value.size() > MAX_BYTES) {
            throw new IOException(value.size() + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        return value.size() == 0 ? null : EtcdSession.text(value);
    }

    private List<KeyValue> ask(ByteSequence key, GetOption option) throws IOException {
        if (closed) {
            throw new IOException("the registry is closed");
        }
        try {
            if (session == null) {
                session = members.next();
            }
            return session.await(session.kv().get(key, option)).getKvs();
        } catch (EtcdFailure e) {
            drop();
            throw new IOException(members + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void drop() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        drop();
    }
}
