package io.dubbomesh.registry.nacos;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.RegistryKind;
import io.dubbomesh.registry.metadata.MetadataSource;

import java.time.Duration;

/** {@code nacos://host:8848}. */
public final class NacosKind implements RegistryKind {
    /** Made by ServiceLoader. */
    public NacosKind() {}

    @Override
    public String prefix() {
        return NacosUri.PREFIX;
    }

    @Override
    public String form() {
        return NacosUri.FORM;
    }

    @Override
    public Registry open(String uri, Duration lease, MetadataSource metadata) {
        NacosUri parsed = NacosUri.parse(uri);
        return new NacosRegistry(
                parsed,
                () -> NacosConnection.open(parsed),
                () -> NacosConnection.openConfiguration(parsed),
                metadata,
                NacosTimes.DEFAULT);
    }
}
