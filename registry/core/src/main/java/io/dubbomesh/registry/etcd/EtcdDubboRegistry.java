package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.etcd.layout.DubboLayout;
import io.dubbomesh.registry.follow.Followers;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Dubbo's own registry in etcd, in which providers without an agent register: it is only read. */
public final class EtcdDubboRegistry implements Registry {
    private final List<HostPort> members;
    private final EtcdAccess access;
    private final String root;
    private final EtcdTimes times;
    private final MetadataSource metadata;
    private final EtcdMetadataReport metadataReport;
    private final Followers watches = new Followers();
    private volatile String consumer = "";
    private volatile EndpointProtocol preferred = EndpointProtocol.DUBBO;

    /**
     * @param root  what keys begin with, a slash at both ends: {@code /dubbo/}
     * @param lease how long providers that are missing after etcd has lost its data are kept
     * @param metadata where the metadata of instances of applications is looked for
     */
    public EtcdDubboRegistry(
            List<HostPort> members, EtcdAccess access, String root, Duration lease, MetadataSource metadata) {
        this.members = members;
        this.access = access;
        this.root = root;
        this.times = EtcdTimes.of(lease);
        this.metadata = metadata;
        this.metadataReport = new EtcdMetadataReport(new EtcdMembers(members, access, times.timeoutMs()), root);
    }

    @Override
    public boolean registers() {
        return false;
    }

    @Override
    public void followRulesOf(String application) {
        consumer = application;
    }

    @Override
    public void prefer(EndpointProtocol protocol) {
        preferred = protocol;
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        String rulesOf = consumer;
        EndpointProtocol listedBy = preferred;
        EtcdDirectoryWatch watch = new EtcdDirectoryWatch(
                new EtcdMembers(members, access, times.timeoutMs()),
                times,
                wake -> new DubboLayout(root, TimeUnit.SECONDS.toNanos(times.leaseSeconds()), metadata, rulesOf, wake)
                        .prefer(listedBy),
                listener);
        watches.add(watch.start());
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        throw new IllegalArgumentException("etcd+dubbo registers nothing (expected: another registry, such as etcd)");
    }

    @Override
    public List<MetadataReport> metadataReports() {
        return List.of(metadataReport);
    }

    @Override
    public long ageNs() {
        return watches.ageNs();
    }

    @Override
    public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
        throw new FixedWeightException(
                "what Dubbo providers register in etcd is not changed; set an override in Dubbo's admin");
    }

    @Override
    public void close() {
        watches.close();
        metadataReport.close();
    }
}
