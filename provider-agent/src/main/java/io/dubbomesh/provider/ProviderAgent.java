package io.dubbomesh.provider;

import io.dubbomesh.provider.discovery.MetadataDiscovery;
import io.dubbomesh.provider.discovery.ServiceDefinitions;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.runtime.admin.AdminServer;
import io.dubbomesh.runtime.process.Agent;
import io.dubbomesh.runtime.process.AgentProcess;
import io.dubbomesh.runtime.process.StartException;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.transport.loop.BindException;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.tls.MeshTls;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The sidecar of a Dubbo provider: takes calls from consumer agents, and registers while the provider takes calls. */
public final class ProviderAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderAgent.class);

    /** For the registry to be told at the end, be the grace over or not; the process is given a second. */
    private static final long TO_LEAVE_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Refused connections that may be open until they have heard why. */
    private static final int MAX_REFUSED = 64;

    private final ProviderSettings settings;
    /** Null for plain TCP. */
    private final MeshTls tls;

    private final EventLoops loops;
    private final ServiceLimit limit;
    private final List<LoopState> states = new ArrayList<>();
    /** A field, not a static: several agents can live in one JVM. */
    private final FastThreadLocal<LoopState> state = new FastThreadLocal<>();

    private final ConnectionLimit connections;
    private final RegistrationControl control;
    private final Registry registry;
    private final Channel listener;
    private final AdminServer admin;
    private final Registration registration;

    public static void main(String[] args) {
        AgentProcess.run("provider-agent", ProviderSettings.REFERENCE, ProviderSettings::from, ProviderAgent::new);
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
        limit = new ServiceLimit(settings.limit(), settings.queue());
        connections = new ConnectionLimit(settings.maxConnections(), MAX_REFUSED);
        MetadataDiscovery discovery = new MetadataDiscovery(
                settings.provider(), settings.serialization(), settings.services(), settings.discovery());
        control = new RegistrationControl(settings.provider(), discovery, this::define);
        tls = openTls();
        loops = new EventLoops("provider-agent", settings.threads(), settings.transport());
        List<AutoCloseable> opened = new ArrayList<>(List.of(loops));
        if (tls != null) {
            opened.add(tls);
        }
        try {
            startLoops();
            registry = openRegistry();
            opened.add(0, registry);
            listener = listen();
            admin = AdminServer.start(settings.adminHost(), settings.adminPort(), control::unreadiness);
            opened.add(0, admin);
            registration = register();
        } catch (StartException | RuntimeException e) {
            for (AutoCloseable each : opened) {
                close(each);
            }
            throw e;
        }
        control.open(registration);
        // The connection of the first loop also tells whether the provider is there at all.
        LoopState first = states.get(0);
        first.eventLoop().execute(first.provider()::open);
        LOG.info(
                "listening on {}, provider {}, limit {}, registry {}",
                listener.localAddress(),
                settings.provider(),
                settings.limit(),
                settings.registry());
    }

    private MeshTls openTls() {
        try {
            return settings.tls() == null ? null : MeshTls.accepting(settings.tls());
        } catch (IllegalArgumentException e) {
            throw new SettingsException(e.getMessage());
        }
    }

    private void startLoops() {
        for (EventLoop loop : loops.loops()) {
            LoopState owned = new LoopState(loop, loops, settings, limit, states.isEmpty() ? control : null);
            states.add(owned);
            loop.submit(() -> state.set(owned)).syncUninterruptibly();
        }
    }

    private void define(ServiceDefinitions definitions) {
        for (LoopState owned : states) {
            owned.eventLoop().execute(() -> owned.define(definitions));
        }
    }

    private Registry openRegistry() {
        try {
            return RegistryUri.open(settings.registry());
        } catch (IllegalArgumentException e) {
            throw new SettingsException(e.getMessage());
        }
    }

    private Channel listen() throws StartException {
        try {
            return loops.listen(
                    new InetSocketAddress(settings.serverHost(), settings.serverPort()),
                    settings.sockets(),
                    new Accepted());
        } catch (BindException e) {
            throw StartException.cannotListen("server", settings.serverHost(), settings.serverPort(), e.getCause());
        }
    }

    private Registration register() {
        int port = settings.advertisePort() == 0 ? port() : settings.advertisePort();
        try {
            return registry.registration(new RegistrationRequest(
                    settings.advertiseHost(),
                    port,
                    settings.weight(),
                    settings.limit(),
                    settings.services().variants()));
        } catch (IllegalArgumentException e) {
            throw new SettingsException(e.getMessage());
        }
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            LOG.warn("closing {}", each.getClass().getSimpleName(), e);
        }
    }

    /** The port that is listened on. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public int adminPort() {
        return admin.port();
    }

    /** Why no calls should come here now, null if they may. */
    String unreadiness() {
        return control.unreadiness();
    }

    /** Open mesh connections. */
    int connections() {
        return connections.open();
    }

    ServiceLimit limit() {
        return limit;
    }

    List<LoopState> states() {
        return states;
    }

    /**
     * Leaves the registry, then the consumer agents, and ends when they have what they wait for or {@code graceNanos} have passed.
     */
    @Override
    public void stop(long graceNanos) {
        long deadlineNs = System.nanoTime() + graceNanos;
        LOG.info("stopping");
        // Agents that are not connected yet are to hear of it first; but a registry that is away must not use up the
        // grace.
        await(control.stop(), Math.min(graceNanos / 4, TimeUnit.SECONDS.toNanos(1)));
        listener.close();
        List<CompletableFuture<Void>> drained = new ArrayList<>();
        for (LoopState loop : states) {
            drained.add(loop.drained());
            loop.eventLoop().execute(loop::drain);
        }
        if (!await(
                CompletableFuture.allOf(drained.toArray(CompletableFuture[]::new)), deadlineNs - System.nanoTime())) {
            LOG.warn("the grace is over, {} calls are still in service", limit.inService());
        }
        // Beside the rest, since each may wait two seconds for a registry that is away.
        CompletableFuture<Void> left = CompletableFuture.runAsync(() -> {
            registration.close();
            registry.close();
        });
        for (LoopState loop : states) {
            loop.eventLoop().submit(loop::close).syncUninterruptibly();
        }
        loops.close();
        if (tls != null) {
            tls.close();
        }
        admin.close();
        await(left, Math.max(deadlineNs - System.nanoTime(), TO_LEAVE_NS));
        LOG.info("stopped");
    }

    /** False if it did not complete in time. */
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

    @ChannelHandler.Sharable
    private final class Accepted extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            loops.forgetWhenClosed(channel);
            channel.closeFuture().addListener(closed -> connections.closed());
            ConnectionLimit.Verdict verdict = connections.opened();
            if (verdict == ConnectionLimit.Verdict.CLOSE) {
                channel.close();
                return;
            }
            if (tls != null) {
                tls.accept(channel);
            }
            if (verdict == ConnectionLimit.Verdict.ACCEPT) {
                channel.pipeline().addLast(new MeshServerLink(state.get()));
                return;
            }
            String reason = "more than " + settings.maxConnections() + " connections (mesh.max-connections)";
            if (verdict == ConnectionLimit.Verdict.REFUSE_AND_LOG) {
                LOG.warn("{}: refusing the one from {} and further ones", reason, channel.remoteAddress());
            }
            channel.pipeline().addLast(new RefusedConnection(reason, 2 * settings.heartbeatMs()));
        }
    }
}
