package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.naming.NamingService;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.follow.Followers;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.metadata.MetadataThreads;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Nacos, in which Dubbo providers register: it is only read. */
final class NacosRegistry implements Registry {
    private static final int QUESTIONS_AT_ONCE = 4;
    private static final long METADATA_MS = 3_000;

    private final NacosUri uri;
    private final Callable<NamingService> connector;
    private final NacosTimes times;
    private final MetadataSource metadata;
    private final NacosConfiguration configuration;
    private final NacosMetadataReport metadataReport;
    private final MetadataThreads threads = new MetadataThreads("registry-metadata", QUESTIONS_AT_ONCE);
    private final Followers watches = new Followers();
    private volatile String consumer = "";
    private volatile EndpointProtocol preferred = EndpointProtocol.DUBBO;

    /**
     * @param connector called once by each watch
     * @param configurationConnector called when a configuration is looked for
     * @param metadata where the metadata of instances is looked for that is not there
     */
    NacosRegistry(
            NacosUri uri,
            Callable<NamingService> connector,
            Callable<ConfigService> configurationConnector,
            MetadataSource metadata,
            NacosTimes times) {
        this.uri = uri;
        this.connector = connector;
        this.times = times;
        this.metadata = metadata;
        this.configuration = new NacosConfiguration(uri, configurationConnector);
        this.metadataReport = new NacosMetadataReport(configuration);
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
        NacosWatch watch = new NacosWatch(
                uri,
                connector,
                (application, revision, service) ->
                        threads.ask(() -> metadataReport.applicationMetadata(application, revision, METADATA_MS)),
                metadata,
                configuration,
                consumer,
                times,
                listener);
        watches.add(watch.prefer(preferred).start());
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        throw new IllegalArgumentException("nacos registers nothing (expected: another registry, such as etcd)");
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
        throw new FixedWeightException("what Dubbo providers register in Nacos is not changed");
    }

    @Override
    public void close() {
        watches.close(NacosWatch.CLOSE_TIMEOUT_MS);
        threads.close();
        configuration.close();
    }
}
