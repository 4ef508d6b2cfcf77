package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A ZooKeeper in which Dubbo providers register. */
final class ZooKeeperRegistry implements Registry {
    private final String members;
    private final String root;
    private final ZooKeeperTimes times;
    private final ZooKeeperMetadataReport metadataReport;
    private final List<ZooKeeperWatch> watches = new CopyOnWriteArrayList<>();

    /** @param root the node below which Dubbo registers */
    ZooKeeperRegistry(List<HostPort> members, String root, ZooKeeperTimes times) {
        this.members = members.stream().map(HostPort::toString).collect(Collectors.joining(","));
        this.root = root;
        this.times = times;
        this.metadataReport = new ZooKeeperMetadataReport(this.members, root, times);
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        watches.add(new ZooKeeperWatch(members, root, times, listener));
    }

    @Override
    public boolean registers() {
        return false;
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        throw new IllegalArgumentException(
                "zookeeper://" + members + " (expected: a registry that provider agents can register in)");
    }

    @Override
    public List<MetadataReport> metadataReports() {
        return List.of(metadataReport);
    }

    @Override
    public long ageNs() {
        return watches.stream().mapToLong(ZooKeeperWatch::ageNs).max().orElse(-1);
    }

    /** A weight there is Dubbo's, changed by an override. */
    @Override
    public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
        throw new IOException("zookeeper://" + members + " is read only: set the weight with Dubbo's own override");
    }

    @Override
    public void close() {
        watches.forEach(ZooKeeperWatch::close);
        metadataReport.close();
    }
}
