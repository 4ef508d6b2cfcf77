package io.dubbomesh.consumer;

import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.registry.Directory;
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
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** The sidecar of applications that call: HTTP in, mesh out. Several can run in one JVM. */
public final class ConsumerAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerAgent.class);
    /** Once nobody has asked for anything for so long while draining, nobody is expected to. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long DRAIN_POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** The part of the grace in which no connection is taken any more, so that clients that come back for ever have their last answers too. */
    private static final int LAST_CALLS = 4;

    /** Null for plain TCP. */
    private final MeshTls tls;

    private final EventLoops loops;
    private final List<LoopState> states = new ArrayList<>();
    /** Of this agent, hence no static: the state of the loop that runs on the asking thread. */
    private final FastThreadLocal<LoopState> stateOfThread = new FastThreadLocal<>();

    private final Registry registry;
    private final AdminServer admin;
    private final Channel listener;
    private volatile boolean draining;

    public static void main(String[] args) {
        AgentProcess.run("consumer-agent", ConsumerSettings.REFERENCE, ConsumerSettings::from, ConsumerAgent::new);
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
        registry = openRegistry(settings);
        loops = new EventLoops("consumer-agent", settings.ioThreads(), settings.transport());
        try {
            tls = openTls(settings);
            startLoops(settings);
            listener = listen(settings);
            admin = AdminServer.start(settings.adminHost(), settings.adminPort(), this::unreadiness);
        } catch (Exception e) {
            close();
            throw e;
        }
        registry.watch(this::update);
        LOG.info("listening on {}, registry {}", listener.localAddress(), settings.registry());
    }

    private static MeshTls openTls(ConsumerSettings settings) {
        try {
            return settings.tls() == null ? null : MeshTls.connecting(settings.tls());
        } catch (IllegalArgumentException e) {
            throw new SettingsException(e.getMessage());
        }
    }

    private static Registry openRegistry(ConsumerSettings settings) {
        try {
            return RegistryUri.open(settings.registry());
        } catch (IllegalArgumentException e) {
            throw new SettingsException(e.getMessage());
        }
    }

    private void startLoops(ConsumerSettings settings) throws Exception {
        Strategy strategy = settings.strategy();
        for (int i = 0; i < loops.loops().size(); i++) {
            EventLoop eventLoop = loops.loops().get(i);
            int offset = i;
            LoopState state =
                    new LoopState(eventLoop, loops, tls, settings, size -> strategy.newBalancer(size, offset));
            eventLoop.submit(() -> stateOfThread.set(state)).get();
            states.add(state);
        }
    }

    private Channel listen(ConsumerSettings settings) throws StartException {
        try {
            return loops.listen(
                    new InetSocketAddress(settings.host(), settings.port()),
                    settings.httpSockets(),
                    new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            loops.forgetWhenClosed(channel);
                            channel.pipeline().addLast(new HttpConnection(stateOfThread.get()));
                        }
                    });
        } catch (BindException e) {
            throw StartException.cannotListen("server", settings.host(), settings.port(), e.getCause());
        }
    }

    private void update(Directory directory) {
        for (LoopState state : states) {
            state.eventLoop().execute(() -> state.update(directory));
        }
    }

    /** Why no call would succeed now, or null. */
    private String unreadiness() {
        if (draining) {
            return "shutting down";
        }
        return allLoops(LoopState::isReady) ? null : "the list of providers is not loaded yet";
    }

    /** The port that is listened on. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public int adminPort() {
        return admin.port();
    }

    @Override
    public void stop(long graceNs) {
        long startNs = System.nanoTime();
        for (LoopState state : states) {
            state.eventLoop().submit(state::drain).awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
        draining = true;
        awaitQuiet(startNs, graceNs - graceNs / LAST_CALLS);
        loops.stopListening(listener);
        awaitQuiet(startNs, graceNs);
        close();
        admin.close();
    }

    /** Everything but the port for operators, be it all open or what a start got to. */
    private void close() {
        for (LoopState state : states) {
            state.eventLoop().submit(state::close).awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
        registry.close();
        loops.close();
        if (tls != null) {
            tls.close();
        }
    }

    private void awaitQuiet(long startNs, long limitNs) {
        while (System.nanoTime() - startNs < limitNs && !allLoops(state -> state.isQuiet(QUIET_NS))) {
            LockSupport.parkNanos(DRAIN_POLL_NS);
        }
    }

    private boolean allLoops(Predicate<LoopState> condition) {
        for (LoopState state : states) {
            try {
                if (!state.eventLoop().submit(() -> condition.test(state)).get(1, TimeUnit.SECONDS)) {
                    return false;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
                return false;
            }
        }
        return true;
    }
}
