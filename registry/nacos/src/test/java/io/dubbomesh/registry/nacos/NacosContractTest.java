package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.naming.pojo.Instance;
import io.dubbomesh.registry.DirectoryContract;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.metadata.MetadataSource;

import java.util.Map;
import java.util.TreeMap;

class NacosContractTest extends DirectoryContract {
    private final FakeNaming nacos = new FakeNaming();
    private final Map<Integer, Instance> instances = new TreeMap<>();

    @Override
    protected Registry open() {
        return new NacosRegistry(
                NacosUri.parse("nacos://192.0.2.1"),
                nacos::client,
                nacos::configuration,
                MetadataSource.NONE,
                NacosRegistryTest.QUICK);
    }

    @Override
    protected void put(int x) {
        instances.put(x, FakeNaming.instance("192.0.2." + x, "version", "1.0"));
        publish();
    }

    @Override
    protected void delete(int x) {
        instances.remove(x);
        publish();
    }

    private void publish() {
        nacos.set(NacosRegistryTest.NAME, instances.values().toArray(new Instance[0]));
    }

    @Override
    protected void stop() {
        nacos.away(true);
    }

    @Override
    protected void start() {
        nacos.away(false);
    }

    @Override
    protected String endpoint(int x) {
        return "192.0.2." + x + ":20880*100";
    }
}
