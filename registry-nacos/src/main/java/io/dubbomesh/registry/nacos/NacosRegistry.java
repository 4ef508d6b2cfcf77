package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.naming.NamingService;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Nacos, in which Dubbo providers register: it is only read. */
final class NacosRegistry implements Registry {
    private final NacosUri uri;
    private final Callable<NamingService> connector;
    private final NacosTimes times;
    private final List<NacosWatch> watches = new CopyOnWriteArrayList<>();

    /** @param connector called once by each watch */
    NacosRegistry(NacosUri uri, Callable<NamingService> connector, NacosTimes times) {
        this.uri = uri;
        this.connector = connector;
        this.times = times;
    }

    @Override
    public boolean registers() {
        return false;
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        NacosWatch watch = new NacosWatch(uri, connector, times, listener);
        watches.add(watch);
        watch.start();
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        throw new IllegalArgumentException("nacos registers nothing (expected: another registry, such as etcd)");
    }

    @Override
    public long ageNs() {
        return watches.stream().mapToLong(NacosWatch::ageNs).max().orElse(-1);
    }

    @Override
    public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
        throw new IOException("what Dubbo providers register in Nacos is not changed");
    }

    @Override
    public void close() {
        watches.forEach(NacosWatch::close);
    }
}
