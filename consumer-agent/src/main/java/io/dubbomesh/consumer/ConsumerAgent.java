package io.dubbomesh.consumer;

import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.client.token.ServiceTokenFile;
import io.dubbomesh.client.token.ServiceTokens;
import io.dubbomesh.client.token.TokenSettings;
import io.dubbomesh.consumer.accesslog.AccessLog;
import io.dubbomesh.consumer.accesslog.AccessLogSettings;
import io.dubbomesh.consumer.admin.ConsumerApi;
import io.dubbomesh.consumer.admin.ConsumerControl;
import io.dubbomesh.consumer.admin.ConsumerLoopState;
import io.dubbomesh.consumer.auth.CallerAuth;
import io.dubbomesh.consumer.direct.ApplicationMetadata;
import io.dubbomesh.consumer.direct.DirectLoop;
import io.dubbomesh.consumer.direct.DirectSettings;
import io.dubbomesh.consumer.direct.ProviderLimits;
import io.dubbomesh.consumer.direct.ServiceTypes;
import io.dubbomesh.consumer.mcp.PublishedTools;
import io.dubbomesh.consumer.openapi.DescriptionFile;
import io.dubbomesh.consumer.openapi.Documents;
import io.dubbomesh.consumer.openapi.OpenApiSettings;
import io.dubbomesh.consumer.record.CallRecorder;
import io.dubbomesh.consumer.server.HttpSettings;
import io.dubbomesh.consumer.trace.RequestTracer;
import io.dubbomesh.consumer.trace.TraceSampler;
import io.dubbomesh.consumer.upstream.directory.DirectoryLog;
import io.dubbomesh.consumer.upstream.link.EndpointLoads;
import io.dubbomesh.consumer.upstream.link.LinkOpener;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.loadbalance.hash.HashParameters;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.SilentRegistries;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.registry.merged.ProvidersBehindAgents;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.FileFailure;
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
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.metrics.AgentMetrics;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.Failure;
import io.dubbomesh.transport.tls.TlsAcceptor;
import io.dubbomesh.transport.tls.TlsConnection;
import io.dubbomesh.transport.tls.TlsConnector;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import javax.net.ssl.SSLSocketFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * The consumer agent or gateway: takes HTTP requests of clients and sends them to provider agents or calls providers.
 * Several can run in one JVM.
 */
public final class ConsumerAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerAgent.class);
    /** The name in metrics, which is the same for a gateway. */
    private static final String PROGRAM = AgentRole.CONSUMER.program();
    /** A draining agent that has received no request for so long expects no more of them. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long DRAIN_POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /**
     * The fraction of the grace in which no connection is accepted any more, and no request behind others: the last
     * quarter. So clients which always reconnect, or always have another request on its way, get their last answers
     * too.
     */
    private static final int LAST_CALLS = 4;

    private static final long DIRECTORY_LOG_MS = 1000;

    /** Null for plain TCP. */
    private final TlsConnector tls;
    /** Null for plain HTTP. */
    private final TlsAcceptor https;

    private final ProviderTls providerTls;

    /** Null where no token is used. */
    private final MeshTokenFile meshTokens;

    /** Null where there is none. */
    private final AccessLog accessLog;

    /** Null where callers are not authenticated. */
    private final CallerAuth auth;

    /** Null where none are published. */
    private final PublishedTools tools;

    private final AgentRole role;
    private final EventLoops loops;
    private ServiceTypes types;
    private final Documents documents;
    /** Null where there is none. */
    private ServiceTokenFile tokenFile;

    private final PerLoop<ConsumerLoop> perLoop;

    /** Null where metadata reports are in the registry itself, or are not read. */
    private final Registry metadataRegistry;

    private final ApplicationMetadata applicationMetadata;
    private final Registry registry;
    private final String awaitedRegistries;
    private final ProvidersBehindAgents behind =
            new ProvidersBehindAgents(this::update, GlobalEventExecutor.INSTANCE, TimeUnit.SECONDS.toNanos(1));
    private final DirectoryLog directoryLog = new DirectoryLog();
    private final DirectoryMetrics directoryMetrics;
    private final AdminServer admin;
    private final HistoryRecorder history;
    private final Channel listener;
    /** Null where nothing is pushed. */
    private final OtlpExporter exporter;
    /** Null where no spans are recorded. */
    private final Tracing tracing;

    /** Null until the first one is loaded. */
    private volatile Directory directory;

    private volatile boolean stopping;
    /** An operator has asked for it, and can undo it. */
    private volatile boolean draining;

    public static void main(String[] args) {
        CommandLine.refuse(args);
        AgentProcess.run(
                ConsumerSettings.REFERENCE,
                ConsumerSettings::from,
                settings -> settings.role().program(),
                ConsumerAgent::new);
    }

    /**
     * Refuses the settings that a start would refuse, with the files that they name, without starting anything.
     *
     * @throws SettingsException with a line for each wrong setting
     */
    public static void check(Map<String, String> properties, Map<String, String> environment) {
        Settings settings = Settings.of(ConsumerSettings.REFERENCE, properties, environment);
        AgentProcess.check(settings, ConsumerSettings::read, read -> checkFiles(settings, read));
    }

    private static void checkFiles(Settings settings, ConsumerSettings read) {
        TlsConnector.check(settings, read.sockets().tls());
        TlsAcceptor.check(settings, read.sockets().https());
        ProviderTls.check(settings, read.direct().tls());
        MeshTokenFile.check(settings, read.sockets().tokens());
        CallerAuth.check(settings, read.auth());
        PublishedTools.check(settings, read.mcp());
        DescriptionFile.check(settings, read.descriptions());
        ServiceTokenFile.check(settings, read.direct().tokens().file());
    }

    /**
     * Starts; when it returns, the port is open.
     *
     * @throws SettingsException if a setting is wrong
     * @throws StartException    if a port cannot be had
     */
    public ConsumerAgent(Settings settings) throws Exception {
        this(ConsumerSettings.from(settings));
    }

    private ConsumerAgent(ConsumerSettings settings) throws Exception {
        this(settings, Ticker.systemTicker());
    }

    /** Starts likewise, with the pauses between attempts to fetch keys in the time of {@code ticker}. */
    ConsumerAgent(Settings settings, Ticker ticker) throws Exception {
        this(ConsumerSettings.from(settings), ticker);
    }

    private ConsumerAgent(ConsumerSettings settings, Ticker ticker) throws Exception {
        role = settings.role();
        String metadata = settings.metadata();
        metadataRegistry = metadata == null || metadata.isEmpty() ? null : RegistryUri.open(metadata);
        providerTls = ProviderTls.open(settings.direct().tls());
        applicationMetadata = new ApplicationMetadata(
                settings.direct(),
                providerTls,
                metadataRegistry == null ? List.of() : metadataRegistry.metadataReports());
        awaitedRegistries =
                SilentRegistries.waitsFor(settings.upstream().pools().registries());
        registry = RegistryUri.open(settings.registry(), applicationMetadata);
        directoryMetrics = new DirectoryMetrics(registry);
        documents = new Documents(new OpenApiSettings(
                settings.calls().maxTimeoutMs(),
                settings.auth().isOn(),
                DescriptionFile.open(settings.descriptions()),
                settings.direct().discovery().sources()));
        loops = new EventLoops(
                role.program(),
                settings.sockets().ioThreads(),
                settings.sockets().transport());
        perLoop = new PerLoop<>(loops);
        tracing = Tracing.start(settings.tracing(), settings.otlp().serviceName(role.program()));
        try {
            // Before the registry is asked, so that a port in use is reported at once.
            listener = bind(settings);
            admin = AdminServer.bind(settings.admin(), () -> Readiness.of(unreadiness()));
            tls = settings.sockets().tls() == null
                    ? null
                    : new TlsConnector(settings.sockets().tls());
            https = settings.sockets().https() == null
                    ? null
                    : TlsAcceptor.ofHttp(
                            settings.sockets().https(),
                            answer -> perLoop.current().answerWithoutTls(answer));
            meshTokens = settings.sockets().tokens() == null
                    ? null
                    : MeshTokenFile.open(settings.sockets().tokens());
            accessLog = openAccessLog(settings.accessLog());
            auth = CallerAuth.open(settings.auth(), ticker);
            tools = PublishedTools.open(settings.mcp());
            createLoops(settings);
            useTokens(settings.direct().tokens());
            registry.followRulesOf(settings.upstream().pools().consumer().application());
            registry.prefer(settings.direct().preferred());
            // Before the rest of the start, since the registry takes as long to answer.
            registry.watch(this::listed);
            admin.handle(MetricsPage.PATH, new MetricsPage(this::samples));
            new ConsumerApi(new Control(settings)).addTo(admin.api());
            if (tools != null) {
                tools.addTo(admin.api());
            }
            exporter = OtlpExporter.start(settings.otlp(), settings.otlp().serviceName(role.program()), this::samples);
            history = HistoryRecorder.start("dubbomesh_consumer_", this::callSamples)
                    .addTo(admin.api());
        } catch (Exception e) {
            closeUnstarted();
            throw e;
        }
        PeriodicTask.start(loops.loops().get(0), "log of the directory", DIRECTORY_LOG_MS, directoryLog::log);
        EventLoops.accept(listener);
        admin.accept();
        LOG.info("{} listening on {}, registry {}", role.title(), listener.localAddress(), settings.registry());
        reportConnectionLimit(settings.http());
        warnOfWhatOthersReach(settings);
    }

    /** Logs a limit of connections that is lower than usual because of the heap, or too high for it. */
    private void reportConnectionLimit(HttpSettings http) {
        long heapMib = Runtime.getRuntime().maxMemory() >> 20;
        String clients = https == null ? "clients" : "clients by HTTPS";
        if (http.maxConnections() > http.fittingConnections()) {
            LOG.warn(
                    "http.max-connections: {} {} may need more than the heap of {} MiB, which has room for about {}"
                            + " (expected: a larger -Xmx)",
                    http.maxConnections(),
                    clients,
                    heapMib,
                    http.fittingConnections());
        } else if (http.maxConnections() == http.fittingConnections()) {
            LOG.info(
                    "at most {} {}, for which the heap of {} MiB has room (for more: a larger -Xmx)",
                    http.maxConnections(),
                    clients,
                    heapMib);
        }
    }

    private void warnOfWhatOthersReach(ConsumerSettings settings) {
        InetSocketAddress address = (InetSocketAddress) listener.localAddress();
        if (address.getAddress().isLoopbackAddress()) {
            return;
        }
        HostPort shown = new HostPort(settings.server().host(), address.getPort());
        if (auth != null && settings.sockets().https() == null) {
            LOG.warn(
                    "tokens come to {} in the clear: set http.tls.cert and http.tls.key, or server.host to an address"
                            + " of loopback",
                    shown);
        } else if (auth == null && !settings.sockets().demandsCertificates()) {
            LOG.warn(
                    "whoever reaches {} may call every service: set http.auth, or server.host to an address of"
                            + " loopback",
                    shown);
        }
    }

    private void createLoops(ConsumerSettings settings) {
        Strategy strategy = settings.upstream().strategy();
        HashParameters hash = settings.upstream().hash();
        int loopCount = loops.loops().size();
        // One of 2^63 numbers, so that no two agents have the same; 0 would be none.
        long agentId = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        EndpointLoads loads = new EndpointLoads(loopCount);
        SharedEvents events = new SharedEvents();
        DirectSettings direct = settings.direct();
        ProviderLimits limits = new ProviderLimits(direct);
        types = new ServiceTypes(
                direct,
                providerTls,
                metadataReports(settings.metadata()),
                () -> perLoop.execute(ConsumerLoop::typesFound));
        TypeSources sources = new TypeSources();
        perLoop.create((loop, index) -> new ConsumerLoop(
                new LinkOpener(
                        loops, loop, tls, settings.sockets().links(), meshTokens, agentId, loads, events, behind),
                (eventLoop, turn) ->
                        new DirectLoop(loops, eventLoop, turn, direct, providerTls, limits, types, events, tracing),
                settings,
                auth,
                tools,
                index,
                loopCount,
                size -> strategy.newBalancer(
                        size, index, ThreadLocalRandom.current().nextLong(), hash),
                directoryLog::called,
                sources,
                documents,
                calls -> recorders(settings.sampler(), calls)));
    }

    private void useTokens(TokenSettings settings) {
        if (settings.file() == null) {
            use(settings.tokens());
        } else {
            tokenFile = ServiceTokenFile.open(settings.file(), this::use);
        }
    }

    private void use(ServiceTokens tokens) {
        perLoop.execute(loop -> loop.use(tokens));
    }

    private List<MetadataReport> metadataReports(String metadata) {
        if (metadata == null) {
            return List.of();
        }
        return (metadataRegistry == null ? registry : metadataRegistry).metadataReports();
    }

    /**
     * Returns the recorders of one event loop.
     *
     * @param calls where its calls are counted
     */
    private List<CallRecorder> recorders(TraceSampler sampler, CallMetrics calls) {
        List<CallRecorder> recorders = new ArrayList<>();
        // First, since it may begin the trace that the access log names.
        if (tracing != null) {
            recorders.add(new RequestTracer(tracing, sampler, calls));
        }
        if (accessLog != null) {
            recorders.add(accessLog.newLoop());
        }
        return recorders;
    }

    private static AccessLog openAccessLog(AccessLogSettings settings) throws StartException {
        try {
            return AccessLog.start(settings);
        } catch (IOException e) {
            throw new StartException("access.log: " + settings.file() + " (" + FileFailure.reason(e) + ')', e);
        }
    }

    private Channel bind(ConsumerSettings settings) throws StartException {
        HostPort server = settings.server();
        try {
            return loops.bind(
                    new InetSocketAddress(server.host(), server.port()),
                    settings.sockets().http(),
                    new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            loops.removeWhenClosed(channel);
                            ConsumerLoop loop = perLoop.current();
                            TlsConnection secured = https == null ? null : https.accept(channel, loop.memory());
                            if (https == null || secured != null) {
                                channel.pipeline().addLast(loop.newConnection(secured));
                            }
                        }
                    });
        } catch (ListenException e) {
            throw StartException.cannotListen("server", server.host(), server.port(), e.getCause());
        }
    }

    private void listed(Directory loaded) {
        directoryMetrics.updated(loaded);
        behind.update(loaded);
    }

    /**
     * Passes a directory to all event loops. Called one at a time, by the thread of the registry, or because an agent
     * was lost or found.
     */
    private void update(Directory loaded) {
        directory = loaded;
        directoryLog.update(loaded);
        types.update(loaded);
        perLoop.all().forEach(loop -> loop.offer(loaded));
    }

    private MetricSamples samples() throws TimeoutException {
        MetricSamples samples = AgentMetrics.of(PROGRAM, perLoop.ask(ConsumerLoop::samples));
        directoryMetrics.addTo(samples);
        if (accessLog != null) {
            accessLog.addTo(samples);
        }
        Tracing.add(samples, tracing);
        return samples;
    }

    private MetricSamples callSamples() throws TimeoutException {
        MetricSamples samples = new MetricSamples();
        perLoop.ask(ConsumerLoop::callSamples).forEach(samples::addAll);
        return samples;
    }

    /** Returns the reason for which no call would succeed now, or null. */
    private String unreadiness() {
        if (stopping) {
            return "shutting down";
        }
        if (draining) {
            return "draining, as an operator asked for";
        }
        if (!perLoop.allMatch(ConsumerLoop::isLoaded)) {
            return "the list of providers is not loaded yet: " + awaitedRegistries;
        }
        if (auth != null && auth.awaitsKeys()) {
            return "the keys of http.auth.jwks are not loaded yet";
        }
        return perLoop.allMatch(ConsumerLoop::isWarm) ? null : "the links of links.warm are not open yet";
    }

    /** Returns the port that is listened on. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public int adminPort() {
        return admin.port();
    }

    List<ConsumerLoop> loops() {
        return perLoop.all();
    }

    @Override
    public void stop(long graceNs) {
        long startNs = System.nanoTime();
        stopping = true;
        perLoop.run(loop -> loop.drain(true));
        awaitQuiet(startNs, graceNs - graceNs / LAST_CALLS);
        perLoop.run(ConsumerLoop::closeAfterResponses);
        loops.stopListening(listener);
        awaitQuiet(startNs, graceNs);
        history.close();
        close();
        if (exporter != null) {
            exporter.close();
        }
        admin.close();
    }

    /** Closes what a start had opened that has failed. */
    private void closeUnstarted() {
        close();
        if (admin != null) {
            admin.close();
        }
    }

    /** Closes everything but the admin port. */
    private void close() {
        behind.close();
        perLoop.run(ConsumerLoop::close);
        registry.close();
        applicationMetadata.close();
        if (metadataRegistry != null) {
            metadataRegistry.close();
        }
        if (tokenFile != null) {
            tokenFile.close();
        }
        if (auth != null) {
            auth.close();
        }
        documents.close();
        if (tools != null) {
            tools.close();
        }
        loops.close();
        if (accessLog != null) {
            accessLog.close();
        }
        if (tls != null) {
            tls.close();
        }
        if (https != null) {
            https.close();
        }
        providerTls.close();
        if (meshTokens != null) {
            meshTokens.close();
        }
        if (tracing != null) {
            tracing.close();
        }
    }

    /** The control that the threads of the admin server use. */
    private final class Control implements ConsumerControl {
        private final String registryUri;
        private final String strategy;

        Control(ConsumerSettings settings) {
            registryUri = settings.registry();
            strategy = settings.upstream().strategy().settingName();
        }

        @Override
        public AgentRole role() {
            return role;
        }

        @Override
        public String listening() {
            return HostPort.of((InetSocketAddress) listener.localAddress()).toString();
        }

        @Override
        public SSLSocketFactory tlsClient() {
            return https == null ? null : https.ownClient();
        }

        @Override
        public boolean authenticatesCallers() {
            return auth != null;
        }

        @Override
        public String strategy() {
            return strategy;
        }

        @Override
        public Map<String, Double> recentRates() {
            return history == null ? Map.of() : history.recentRates();
        }

        @Override
        public String registry() {
            return registryUri;
        }

        @Override
        public long registryAgeNs() {
            return registry.ageNs();
        }

        @Override
        public Directory directory() {
            return directory;
        }

        @Override
        public Readiness readiness() {
            return Readiness.of(unreadiness());
        }

        @Override
        public List<ConsumerLoopState> loops() throws TimeoutException {
            return perLoop.ask(ConsumerLoop::state);
        }

        @Override
        public List<List<Failure>> failures() throws TimeoutException {
            return perLoop.ask(ConsumerLoop::failures);
        }

        @Override
        public boolean isDraining() {
            return draining;
        }

        @Override
        public synchronized void drain(boolean now) {
            draining = now;
            perLoop.run(loop -> loop.drain(now || stopping));
        }

        @Override
        public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
            registry.changeWeight(services, endpoint, weight);
        }
    }

    private void awaitQuiet(long startNs, long limitNs) {
        while (System.nanoTime() - startNs < limitNs && !isQuiet()) {
            LockSupport.parkNanos(DRAIN_POLL_NS);
        }
    }

    private boolean isQuiet() {
        boolean mayOpen = https != null && https.hasHandshakes();
        return !mayOpen && perLoop.allMatch(loop -> loop.isQuiet(QUIET_NS));
    }
}
