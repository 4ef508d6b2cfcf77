package io.dubbomesh.provider;

import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.connection.ProtocolChoice;
import io.dubbomesh.client.definition.DefinitionCache;
import io.dubbomesh.client.definition.ReportedDefinitions;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.discovery.Discovery;
import io.dubbomesh.client.discovery.ExportHints;
import io.dubbomesh.client.discovery.ProviderDiscovery;
import io.dubbomesh.client.discovery.QosHints;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.client.token.ServiceTokenFile;
import io.dubbomesh.client.token.ServiceTokens;
import io.dubbomesh.provider.ProviderSettings.RegistrationSettings;
import io.dubbomesh.provider.ProviderSettings.ServerSettings;
import io.dubbomesh.provider.admin.ProviderApi;
import io.dubbomesh.provider.admin.ProviderControl;
import io.dubbomesh.provider.admin.ProviderLoopState;
import io.dubbomesh.provider.mesh.LinkLimit;
import io.dubbomesh.provider.mesh.RefusedConnection;
import io.dubbomesh.provider.mesh.RefusedLinks;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.runtime.admin.AdminServer;
import io.dubbomesh.runtime.admin.Readiness;
import io.dubbomesh.runtime.history.HistoryRecorder;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.runtime.otlp.OtlpExporter;
import io.dubbomesh.runtime.process.Agent;
import io.dubbomesh.runtime.process.AgentProcess;
import io.dubbomesh.runtime.process.CommandLine;
import io.dubbomesh.runtime.process.StartException;
import io.dubbomesh.runtime.prometheus.MetricsPage;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.runtime.tracing.Tracing;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.loop.ListenException;
import io.dubbomesh.transport.loop.PerLoop;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.metrics.AgentMetrics;
import io.dubbomesh.transport.metrics.Failure;
import io.dubbomesh.transport.tls.TlsAcceptor;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** The provider agent: takes calls from consumer agents, and registers while the provider takes calls. */
public final class ProviderAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderAgent.class);

    private static final String NAME = AgentRole.PROVIDER.program();
    /** The time to deregister at the end, even if the grace is over; the process is given a second. */
    private static final long DEREGISTER_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** The time to deregister after a start that failed, for a registry that is away. */
    private static final long FAILED_START_NS = TimeUnit.SECONDS.toNanos(5);

    /** Refused connections that may be open until their peers have read the reason. */
    private static final int MAX_REFUSED = 64;

    private final ProviderSettings settings;
    private final ServiceLimit limit;
    private final LinkLimit connections;
    private final ProtocolChoice protocols;
    private final ProviderTls providerTls;
    private final RegistrationControl registrationControl;
    private volatile ServiceDefinitions definitions = ServiceDefinitions.NONE;
    // What is opened, in this order, and closed; each is null until then.

    /** Stays null for plain TCP. */
    private TlsAcceptor tls;

    /** Stays null where consumer agents need no token. */
    private MeshTokenFile meshTokens;

    /** Stays null where no spans are recorded. */
    private Tracing tracing;

    private EventLoops eventLoops;
    private PerLoop<ProviderLoop> loops;
    /** Stays null where no file has the tokens. */
    private ServiceTokenFile tokenFile;

    private final Registry registry;
    /** Stays null where metadata reports are in the same one, or are not read. */
    private Registry metadataRegistry;

    private Channel listener;
    private AdminServer admin;
    private Registration registration;
    private HistoryRecorder history;
    /** Stays null unless the weight is automatic. */
    private CapacityMeter capacity;
    /** Stays null where nothing is pushed. */
    private OtlpExporter exporter;

    public static void main(String[] args) {
        CommandLine.refuse(args);
        AgentProcess.run(ProviderSettings.REFERENCE, ProviderSettings::from, settings -> NAME, ProviderAgent::new);
    }

    /**
     * Refuses the settings that a start would refuse, with the files that they name, without starting anything.
     *
     * @throws SettingsException with a line for each wrong setting
     */
    public static void check(Map<String, String> properties, Map<String, String> environment) {
        Settings settings = Settings.of(ProviderSettings.REFERENCE, properties, environment);
        AgentProcess.check(settings, ProviderSettings::read, read -> checkFiles(settings, read));
    }

    private static void checkFiles(Settings settings, ProviderSettings read) {
        TlsAcceptor.check(settings, read.tls());
        ProviderTls.check(settings, read.providerTls());
        MeshTokenFile.check(settings, read.mesh().tokens());
        ServiceTokenFile.check(settings, read.tokens().file());
    }

    /**
     * Starts; when it returns, the port is open, and the agent registers as soon as the provider accepts.
     *
     * @throws SettingsException if a setting is wrong
     * @throws StartException    if a port cannot be had
     */
    public ProviderAgent(Settings settings) throws StartException {
        this(ProviderSettings.from(settings));
    }

    ProviderAgent(ProviderSettings settings) throws StartException {
        this.settings = settings;
        limit = new ServiceLimit(settings.limit());
        connections = new LinkLimit(settings.mesh().maxConnections(), MAX_REFUSED);
        protocols = settings.protocol().choice();
        providerTls = ProviderTls.open(settings.providerTls());
        HostPort provider = settings.dubbo().provider();
        registry = openRegistry(settings.registration().registry());
        Discovery discovery = new ProviderDiscovery(
                provider,
                settings.dubbo().serialization(),
                settings.followsExports() ? null : settings.services(),
                settings.discovery(),
                settings.dubbo().check(),
                protocols,
                providerTls.connector(false),
                new ReportedDefinitions(metadataReports(), cache()),
                hints(provider));
        OfferedServices offered = settings.followsExports()
                ? new ExportedServices(provider, settings.exportsIntervalMs())
                : new ListedServices(provider, settings.services());
        registrationControl = new RegistrationControl(provider, offered, discovery, this::define);
        try {
            open();
        } catch (StartException | RuntimeException | Error e) {
            close(System.nanoTime() + FAILED_START_NS);
            throw e;
        }
        LOG.info(
                "{} listening on {}, provider {}, limit {}, registry {}",
                AgentRole.PROVIDER.title(),
                listener.localAddress(),
                settings.dubbo().provider(),
                settings.limit().isLearnt() ? "learnt" : settings.limit().calls(),
                settings.registration().registry());
    }

    private List<ExportHints> hints(HostPort provider) {
        List<ExportHints> hints = new ArrayList<>();
        if (settings.qosPort() > 0) {
            hints.add(new QosHints(
                    new HostPort(provider.host(), settings.qosPort()),
                    settings.discovery().timeoutMs()));
        }
        String host = settings.registration().host();
        hints.add(new RegistryHints("the registry", registry, provider, host));
        if (metadataRegistry != null) {
            hints.add(new RegistryHints("the registry of the metadata", metadataRegistry, provider, host));
        }
        return hints;
    }

    private List<MetadataReport> metadataReports() {
        String metadata = settings.registration().metadata();
        if (metadata == null) {
            return List.of();
        }
        if (!metadata.isEmpty()) {
            metadataRegistry = usable(() -> RegistryUri.open(metadata));
        }
        return (metadataRegistry == null ? registry : metadataRegistry).metadataReports();
    }

    private DefinitionCache cache() {
        return settings.discovery().cache() == null
                ? null
                : new DefinitionCache(settings.discovery().cache());
    }

    private void open() throws StartException {
        tls = settings.tls() == null ? null : usable(() -> TlsAcceptor.ofLinks(settings.tls()));
        meshTokens = settings.mesh().tokens() == null
                ? null
                : MeshTokenFile.open(settings.mesh().tokens());
        tracing = Tracing.start(settings.tracing(), settings.otlp().serviceName(NAME));
        eventLoops = new EventLoops(NAME, settings.io().threads(), settings.io().transport());
        // Before the provider and the registry are asked, so that a port in use is reported at once.
        listener = bind(settings.server());
        admin = AdminServer.bind(settings.admin(), registrationControl::readiness);
        loops = new PerLoop<>(eventLoops);
        SharedEvents events = new SharedEvents();
        loops.create((eventLoop, index) -> new ProviderLoop(
                eventLoop,
                index,
                eventLoops,
                settings,
                limit,
                connections,
                meshTokens,
                events,
                protocols,
                providerTls,
                tracing,
                registrationControl));
        useTokens();
        // The connection of the first loop also shows whether the provider takes calls. What it exports is asked for
        // beside the rest of the start.
        ProviderLoop first = loops.all().get(0);
        first.execute(first.upstream()::open);
        warnOfWhatOthersReach();
        registration = usable(this::newRegistration);
        admin.handle(MetricsPage.PATH, new MetricsPage(this::samples));
        exporter = OtlpExporter.start(settings.otlp(), settings.otlp().serviceName(NAME), this::samples);
        new ProviderApi(new Control()).addTo(admin.api());
        history =
                HistoryRecorder.start("dubbomesh_provider_", this::callSamples).addTo(admin.api());
        if (settings.registration().weight().isAutomatic()) {
            capacity = CapacityMeter.start(loops, limit, registration);
        }
        EventLoops.accept(listener);
        registrationControl.open(registration);
        admin.accept();
    }

    private static Registry openRegistry(String uri) {
        Registry opened = usable(() -> RegistryUri.open(uri));
        if (!opened.registers()) {
            opened.close();
            throw new SettingsException("registry: " + uri
                    + " (expected: one in which provider agents register, as etcd; this one is for consumer agents)");
        }
        return opened;
    }

    /** Opens something as a setting says; the setting is wrong if that fails. */
    private static <T> T usable(Supplier<T> opened) {
        try {
            return opened.get();
        } catch (IllegalArgumentException e) {
            throw new SettingsException(e.getMessage());
        }
    }

    private void useTokens() {
        Path file = settings.tokens().file();
        if (file == null) {
            use(settings.tokens().tokens());
        } else {
            tokenFile = ServiceTokenFile.open(file, this::use);
        }
    }

    private void use(ServiceTokens tokens) {
        loops.execute(loop -> loop.use(tokens));
    }

    private void define(ServiceDefinitions discovered, Map<String, List<Variant>> exported) {
        definitions = discovered;
        ServedServices served = settings.followsExports()
                ? ServedServices.of(exported)
                : settings.services().exporting(exported);
        loops.execute(loop -> loop.define(discovered, served));
    }

    private Channel bind(ServerSettings server) throws StartException {
        try {
            return eventLoops.bind(
                    new InetSocketAddress(server.host(), server.port()),
                    settings.io().sockets(),
                    new Accepted());
        } catch (ListenException e) {
            throw StartException.cannotListen("server", server.host(), server.port(), e.getCause());
        }
    }

    /** An operator who has set mesh.open for one network may have forgotten it in another. */
    private void warnOfWhatOthersReach() {
        InetSocketAddress address = (InetSocketAddress) listener.localAddress();
        if (tls == null && meshTokens == null && !address.getAddress().isLoopbackAddress()) {
            LOG.warn(
                    "whoever reaches {} may call every service of this agent: set mesh.token-file or mesh.tls.cert, .key and .ca,"
                            + " or server.host to an address of loopback",
                    new HostPort(settings.server().host(), address.getPort()));
        }
    }

    private Registration newRegistration() {
        RegistrationSettings registered = settings.registration();
        return registry.registration(new RegistrationRequest(
                registered.host(),
                registered.port() == 0 ? port() : registered.port(),
                registered.weight().weight(),
                settings.limit().calls(),
                settings.services().variants(),
                settings.services().timeouts(),
                settings.dubbo().provider(),
                registered.zone()));
    }

    private MetricSamples samples() throws TimeoutException {
        MetricSamples samples = AgentMetrics.of(NAME, loops.ask(ProviderLoop::samples));
        ProviderMetrics.add(samples, limit);
        ProviderMetrics.add(samples, tls);
        ProviderMetrics.add(samples, registration);
        Tracing.add(samples, tracing);
        return samples;
    }

    private MetricSamples callSamples() throws TimeoutException {
        MetricSamples samples = new MetricSamples();
        loops.ask(ProviderLoop::callSamples).forEach(samples::addAll);
        return samples;
    }

    /** Returns the port that is listened on. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public int adminPort() {
        return admin.port();
    }

    Readiness readiness() {
        return registrationControl.readiness();
    }

    /** Returns why no calls should be sent here now, null if they may. */
    String unreadiness() {
        Readiness now = readiness();
        return now.isReady() ? null : now.text();
    }

    /** Returns the number of links that are open. */
    int connections() {
        return connections.open();
    }

    ServiceLimit limit() {
        return limit;
    }

    List<ProviderLoop> loops() {
        return loops.all();
    }

    /**
     * Deregisters, tells the consumer agents, and ends when they have their answers or {@code graceNanos} have passed.
     */
    @Override
    public void stop(long graceNanos) {
        long deadlineNs = System.nanoTime() + graceNanos;
        LOG.info("stopping");
        // First the registry, so that no other agent connects now; but a registry that is away must not use up the
        // grace.
        await(registrationControl.stop(), Math.min(graceNanos / 4, TimeUnit.SECONDS.toNanos(1)));
        listener.close();
        CompletableFuture<?>[] drained =
                loops.all().stream().map(ProviderLoop::drain).toArray(CompletableFuture<?>[]::new);
        if (!await(CompletableFuture.allOf(drained), deadlineNs - System.nanoTime())) {
            LOG.warn("the grace is over, {} calls are still in service", limit.inService());
        }
        close(deadlineNs);
        LOG.info("stopped");
    }

    /**
     * Closes what is open, at the end or after a start that failed; waits for the registry until the deadline and a
     * little longer.
     */
    private void close(long deadlineNs) {
        // Beside the rest, since each may wait two seconds for a registry that is away.
        CompletableFuture<Void> left = CompletableFuture.runAsync(() -> {
            close(registration);
            close(registry);
            close(metadataRegistry);
        });
        if (listener != null) {
            listener.close();
        }
        close(history);
        close(capacity);
        if (loops != null) {
            loops.run(ProviderLoop::close);
        }
        close(tokenFile);
        close(eventLoops);
        close(tls);
        close(providerTls);
        close(meshTokens);
        close(exporter);
        close(tracing);
        close(admin);
        await(left, Math.max(deadlineNs - System.nanoTime(), DEREGISTER_NS));
    }

    private static void close(AutoCloseable opened) {
        if (opened == null) {
            return;
        }
        try {
            opened.close();
        } catch (Exception e) {
            LOG.warn("closing {}", opened.getClass().getSimpleName(), e);
        }
    }

    /** Returns false if it did not complete in time. */
    private static boolean await(CompletableFuture<Void> future, long waitNs) {
        try {
            future.get(Math.max(0, waitNs), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException | CancellationException e) {
            return false;
        } catch (ExecutionException e) {
            LOG.warn("leaving the registry: {}", String.valueOf(e.getCause()));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The control of this agent, for the threads of the admin server. */
    private final class Control implements ProviderControl {
        @Override
        public String listening() {
            return HostPort.of((InetSocketAddress) listener.localAddress()).toString();
        }

        @Override
        public String registry() {
            return settings.registration().registry();
        }

        @Override
        public String zone() {
            return settings.registration().zone();
        }

        @Override
        public String provider() {
            return settings.dubbo().provider().toString();
        }

        @Override
        public String providerProtocol() {
            return protocols.current().label();
        }

        @Override
        public Registration registration() {
            return registration;
        }

        @Override
        public Readiness readiness() {
            return registrationControl.readiness();
        }

        @Override
        public int limit() {
            return limit.advertised();
        }

        @Override
        public int callsInService() {
            return limit.inService();
        }

        @Override
        public int callsWaiting() {
            return limit.waiting();
        }

        @Override
        public List<ProviderLoopState> loops() throws TimeoutException {
            return loops.ask(ProviderLoop::state);
        }

        @Override
        public List<List<Failure>> failures() throws TimeoutException {
            return loops.ask(ProviderLoop::failures);
        }

        @Override
        public Map<String, List<Variant>> services() {
            return settings.followsExports()
                    ? registrationControl.offered()
                    : settings.services().variants();
        }

        @Override
        public Map<String, List<Variant>> offered() {
            return registrationControl.offered();
        }

        @Override
        public ServiceDefinitions definitions() {
            return definitions;
        }

        @Override
        public String servicesSource() {
            return registrationControl.source();
        }

        @Override
        public boolean isDraining() {
            return registrationControl.isDraining();
        }

        @Override
        public void drain(boolean now) {
            registrationControl.drain(now);
            loops.all().forEach(loop -> loop.pause(now ? RegistrationControl.DRAINING : null));
        }
    }

    @ChannelHandler.Sharable
    private final class Accepted extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            eventLoops.removeWhenClosed(channel);
            LinkLimit.Admission admission = connections.opened(System.nanoTime());
            channel.closeFuture().addListener(closed -> connections.closed(admission));
            ProviderLoop loop = loops.current();
            boolean accepted = admission == LinkLimit.Admission.ACCEPT;
            if (!accepted) {
                loop.links().countRefusal(RefusedLinks.Reason.MAX_CONNECTIONS);
            } else if (!loop.links().accept(channel)) {
                return;
            }
            if (admission == LinkLimit.Admission.CLOSE) {
                channel.close();
                return;
            }
            if (tls != null && tls.accept(channel, loop.memory()) == null) {
                return;
            }
            channel.pipeline().addLast(accepted ? loop.newLink() : refused(channel, admission));
        }

        private ChannelHandler refused(Channel channel, LinkLimit.Admission admission) {
            if (admission == LinkLimit.Admission.REFUSE_AND_LOG) {
                LOG.warn(
                        "{}: refusing the one from {} and further ones", connections.reason(), channel.remoteAddress());
            }
            return new RefusedConnection(
                    connections.reason(), 2 * settings.mesh().heartbeatMs());
        }
    }
}
