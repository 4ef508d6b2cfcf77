package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.follow.Followers;
import io.dubbomesh.registry.keep.RegistrationKeeper;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.zookeeper.session.Ensemble;
import io.dubbomesh.registry.zookeeper.session.NodeSession;
import io.dubbomesh.registry.zookeeper.session.RegistrationTimes;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperFailure;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A ZooKeeper in which Dubbo providers register, and provider agents beside them. */
final class ZooKeeperRegistry implements Registry {
    private final Ensemble ensemble;
    private final String root;
    private final String agentsRoot;
    private final ZooKeeperTimes times;
    private final RegistrationTimes registrationTimes;
    private final MetadataSource metadata;
    private final ZooKeeperMetadataReport metadataReport;
    private volatile String consumer = "";
    private volatile EndpointProtocol preferred = EndpointProtocol.DUBBO;
    private final Followers watches = new Followers();
    private final List<RegistrationKeeper> registrations = new CopyOnWriteArrayList<>();

    /**
     * @param root     the node below which Dubbo registers
     * @param metadata where the metadata of instances is looked for that is not there
     */
    ZooKeeperRegistry(
            Ensemble ensemble,
            String root,
            ZooKeeperTimes times,
            RegistrationTimes registrationTimes,
            MetadataSource metadata) {
        this.ensemble = ensemble;
        this.agentsRoot = ZooKeeperKind.agentsRoot(root);
        this.registrationTimes = registrationTimes;
        this.root = root;
        this.times = times;
        this.metadata = metadata;
        this.metadataReport = new ZooKeeperMetadataReport(ensemble, root, times);
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
        watches.add(new ZooKeeperWatch(ensemble, root, times, metadata, consumer, listener)
                .prefer(preferred)
                .start());
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        RegistrationKeeper registration = new RegistrationKeeper(
                tasks -> new ZooKeeperEntryStore(ensemble, agentsRoot, registrationTimes, tasks),
                request,
                registrationTimes.closeMs());
        registrations.add(registration);
        registration.start();
        return registration;
    }

    @Override
    public List<MetadataReport> metadataReports() {
        return List.of(metadataReport);
    }

    @Override
    public long ageNs() {
        return watches.ageNs();
    }

    /** Changes the weight of a provider agent; that of a Dubbo provider is changed by an override. */
    @Override
    public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
        String name = "zookeeper://" + ensemble;
        try (NodeSession session = new NodeSession(ensemble, registrationTimes, path -> {})) {
            session.awaitConnection(registrationTimes.patienceMs());
            int changed = 0;
            for (String service : services) {
                changed += AgentWeights.change(session, agentsRoot + '/' + service + '/' + endpoint, weight) ? 1 : 0;
            }
            if (changed == 0) {
                throw new FixedWeightException(name + " has no node of a provider agent at " + endpoint
                        + "; set the weight of a Dubbo provider with Dubbo's own override");
            }
        } catch (ZooKeeperFailure e) {
            throw new IOException("registry " + name + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public void close() {
        registrations.forEach(RegistrationKeeper::close);
        watches.close();
        metadataReport.close();
    }
}
