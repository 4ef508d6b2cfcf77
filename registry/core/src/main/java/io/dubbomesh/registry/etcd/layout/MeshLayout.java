package io.dubbomesh.registry.etcd.layout;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.follow.Entries;

import java.util.List;
import java.util.Set;

/** The layout of provider agents: {@code /dubbomesh/{interface}/{host}:{port}}. */
public final class MeshLayout implements EtcdLayout {
    private final Entries entries;

    public MeshLayout(long graceNs) {
        entries = new Entries(graceNs);
    }

    @Override
    public List<String> roots() {
        return List.of(EndpointCodec.ROOT);
    }

    @Override
    public List<EtcdRange> ranges() {
        return List.of(EtcdRange.of(EndpointCodec.ROOT, false));
    }

    @Override
    public boolean put(String key, byte[] value, long nowNs) {
        return entries.put(key, value, nowNs);
    }

    @Override
    public void delete(String key, long nowNs) {
        entries.delete(key, nowNs);
    }

    @Override
    public void retain(Set<String> keys, long nowNs) {
        entries.retain(keys, nowNs);
    }

    @Override
    public void markSuspect(Set<String> keys, long nowNs) {
        entries.markSuspect(keys, nowNs);
    }

    @Override
    public boolean pollRoom() {
        return entries.pollRoom();
    }

    @Override
    public void expire(long nowNs) {
        entries.expire(nowNs);
    }

    @Override
    public boolean hasChanged() {
        return entries.hasChanged();
    }

    @Override
    public Directory directory() {
        return entries.directory();
    }
}
