package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.DubboProviders;
import io.dubbomesh.registry.follow.DirectoryFollower;
import io.dubbomesh.registry.merged.MergedDirectory;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.registry.thread.Outage;
import io.dubbomesh.registry.thread.RegistryContact;
import io.dubbomesh.registry.zookeeper.session.Ensemble;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperFailure;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperSession;
import io.dubbomesh.registry.zookeeper.session.ZooKeeperTimes;
import io.dubbomesh.runtime.Backoff;
import org.apache.zookeeper.WatchedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps a directory equal to what provider agents and Dubbo providers registered in ZooKeeper.
 *
 * <pre>
 *              connected             all read
 *   CONNECTING ---------> READING --------------> FOLLOWING
 *     ^   ^                  |   ^                    |
 *     |   +------------------+   +--------------------+   connected anew
 *     +--- the session expired, with another one -----+
 * </pre>
 *
 * <p>The directory stays as it is while ZooKeeper is away. After every interruption everything is read anew, since
 * watches do not report what happened meanwhile.
 */
final class ZooKeeperWatch {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int TICKS_BEFORE_AWAY = 2;
    private static final String UNREACHABLE = "no member answers";
    /** Checks after which what was refused is asked for again, and then twice as many: everything is read for it. */
    private static final int FIRST_REFUSED_TICKS = 15;

    private static final int LAST_REFUSED_TICKS = 480;

    private final Ensemble ensemble;
    /** The name in the log. */
    private final String name;

    private final ZooKeeperTimes times;
    private final DirectoryFollower follower;
    private final DubboProviders providers;
    private final InterfaceProviders byInterface;
    private final ApplicationProviders byInstance;
    private final ConfigNodes config;
    private final ProviderAgents agents;
    private final MergedDirectory merged = new MergedDirectory();
    private final String root;
    private final RegistryContact contact;
    private final LogLimit faults = new LogLimit(1);

    /** Null between two sessions. */
    private volatile ZooKeeperSession current;

    /** The directories of the agents and of the providers. */
    private List<Directory> delivered = List.of();

    /** The time at which everything was read for the first time; null before. */
    private Long readNs;

    private boolean keepsMissing;
    private long keepMissingUntilNs;
    private boolean readsAgain;
    private boolean asking;
    /** Checks from one reading in which something was refused to the next, and those since then. */
    private int refusedTicks;

    private int ticks;
    /** The time at which the session was last found connected, or was opened. */
    private long connectedNs;

    /**
     * @param metadata where the metadata of instances is looked for that is not in ZooKeeper
     * @param consumer whose calls rules of consumers concern; empty for none of that name
     */
    ZooKeeperWatch(
            Ensemble ensemble,
            String root,
            ZooKeeperTimes times,
            MetadataSource metadata,
            String consumer,
            Consumer<Directory> listener) {
        this(ensemble, root, times, metadata, consumer, true, listener);
    }

    /** @param reportsAll false to take ZooKeeper for one that is older than 3.6 */
    ZooKeeperWatch(
            Ensemble ensemble,
            String root,
            ZooKeeperTimes times,
            MetadataSource metadata,
            String consumer,
            boolean reportsAll,
            Consumer<Directory> listener) {
        this.ensemble = ensemble;
        this.name = "zookeeper://" + ensemble;
        this.root = root;
        this.times = times;
        this.follower = new DirectoryFollower("registry-watch", name, this::runSession, listener);
        this.providers = new DubboProviders(consumer);
        this.byInterface = new InterfaceProviders(root, providers, reportsAll, this::lostData, () -> readsAgain = true);
        this.byInstance = new ApplicationProviders(
                instancesRoot(root), root + "/metadata", providers, metadata, this::metadataFound);
        this.config = new ConfigNodes(root, providers);
        this.agents = new ProviderAgents(ZooKeeperKind.agentsRoot(root), this::lostData);
        this.contact = new RegistryContact(
                name,
                new Outage(TICKS_BEFORE_AWAY, TimeUnit.MILLISECONDS.toNanos(TICKS_BEFORE_AWAY * times.confirmMs())),
                new Backoff(times.retryMinMs(), times.retryMaxMs()),
                follower::consequence);
    }

    /** Sets what {@link Registry#prefer} says; to be called before {@link #start}. */
    ZooKeeperWatch prefer(EndpointProtocol protocol) {
        providers.prefer(protocol);
        return this;
    }

    DirectoryFollower start() {
        follower.start();
        return follower;
    }

    /** Returns the root of Dubbo's instances: beside its own root, unless the root is another than its default. */
    private static String instancesRoot(String root) {
        return root.equals(ZooKeeperKind.ROOT) ? "/services" : root;
    }

    private long runSession() throws InterruptedException {
        // The session calls back on this thread alone, from its run(), when the variable is set.
        ZooKeeperSession[] session = new ZooKeeperSession[1];
        try (ZooKeeperSession opened = new ZooKeeperSession(ensemble, times, event -> changed(session[0], event))) {
            session[0] = opened;
            current = opened;
            asking = false;
            ticks = 0;
            refusedTicks = FIRST_REFUSED_TICKS;
            connectedNs = System.nanoTime();
            follow(opened);
        } catch (ZooKeeperFailure e) {
            contact.failed(e.getMessage());
        } catch (RuntimeException e) {
            contact.failed(e);
        } finally {
            current = null;
        }
        return contact.pauseMs();
    }

    /** Called by any thread. */
    private void metadataFound() {
        ZooKeeperSession session = current;
        if (session != null) {
            session.wake();
        }
    }

    private void changed(ZooKeeperSession session, WatchedEvent event) {
        byInterface.changed(session, event);
        byInstance.changed(event);
        config.changed(session, event);
        agents.changed(session, event);
    }

    private void read(ZooKeeperSession session) {
        byInterface.read(session);
        byInstance.read(session, byInterface.reportsAll());
        config.read(session, byInterface.reportsAll());
        agents.read(session, byInterface.reportsAll());
    }

    private boolean isRead() {
        return byInterface.isRead() && byInstance.isRead() && config.isRead() && agents.isRead();
    }

    /** Returns by a failure only. */
    private void follow(ZooKeeperSession session) throws ZooKeeperFailure, InterruptedException {
        long confirmIntervalNs = TimeUnit.MILLISECONDS.toNanos(times.confirmMs());
        long batchNs = TimeUnit.MILLISECONDS.toNanos(times.batchMs());
        long confirmNs = System.nanoTime() + confirmIntervalNs;
        boolean waitsForBatch = false;
        long deliverNs = 0;
        while (true) {
            boolean complete = !follower.delivery().isFirst();
            long nowNs = System.nanoTime();
            long dueNs = waitsForBatch && deliverNs - confirmNs < 0 ? deliverNs : confirmNs;
            if (!complete && readNs != null && isRead() && readNs + DirectoryFollower.FIRST_WAIT_NS - dueNs < 0) {
                dueNs = readNs + DirectoryFollower.FIRST_WAIT_NS;
            }
            session.run(dueNs - nowNs);
            nowNs = System.nanoTime();
            if (session.isConnectedAnew() || readsAgain) {
                readsAgain = false;
                hasOtherUser(session, nowNs);
                read(session);
            }
            if (isRead()) {
                byInstance.ask(nowNs);
                readNs = readNs == null ? nowNs : readNs;
            }
            if (!complete && isRead() && isMetadataRead(nowNs)) {
                deliver();
            } else if (complete && !waitsForBatch && (providers.hasChanged() || agents.hasChanged())) {
                waitsForBatch = true;
                deliverNs = nowNs + batchNs;
            } else if (waitsForBatch && nowNs - deliverNs >= 0) {
                waitsForBatch = false;
                deliver();
            }
            if (nowNs - confirmNs >= 0) {
                confirmNs = nowNs + confirmIntervalNs;
                check(session, nowNs);
            }
        }
    }

    /**
     * Returns whether the first directory need not wait any longer: instances may be unreachable, and the
     * services of the others can be called.
     */
    private boolean isMetadataRead(long nowNs) {
        return !byInstance.isFirstAnswerAwaited() || nowNs - readNs >= DirectoryFollower.FIRST_WAIT_NS;
    }

    private void check(ZooKeeperSession session, long nowNs) throws ZooKeeperFailure {
        providers.expire(nowNs);
        agents.expire(nowNs);
        if (isRead()) {
            byInstance.askAgain(nowNs);
        }
        if (!session.isConnected()) {
            asking = false;
            if (nowNs - connectedNs >= TimeUnit.MILLISECONDS.toNanos(times.sessionMs())) {
                // It has expired, and a ZooKeeper that was emptied would refuse it for ever.
                throw new ZooKeeperFailure(UNREACHABLE, null);
            }
            contact.failed(UNREACHABLE);
            return;
        }
        connectedNs = nowNs;
        RuntimeException thrown = session.thrown();
        if (thrown != null && faults.tryLog(nowNs)) {
            LOG.error("registry {}: something in it cannot be taken", name, thrown);
        }
        if (thrown != null
                || pollRoom()
                || byInterface.hasFailed()
                || byInstance.hasFailed()
                || config.hasFailed()
                || agents.hasFailed()) {
            read(session);
        } else if (keepsMissing && nowNs - keepMissingUntilNs >= 0) {
            keepMissing(false);
            read(session);
        } else if (hasOtherUser(session, nowNs)) {
            refusedTicks = FIRST_REFUSED_TICKS;
            readWhatWasRefused(session);
        } else if (session.isRefused() && ++ticks >= refusedTicks) {
            refusedTicks = Math.min(2 * refusedTicks, LAST_REFUSED_TICKS);
            readWhatWasRefused(session);
        }
        if (!asking) {
            asking = true;
            session.exists(root, false, (code, stat) -> {
                asking = false;
                switch (code) {
                    case OK, NONODE -> confirmed();
                    case NOAUTH -> session.refuse();
                    default -> LOG.debug("registry {}: {}", name, code);
                }
            });
        }
    }

    /** Returns whether what was ignored for want of room is to be read again. */
    private boolean pollRoom() {
        boolean ofInstances = byInstance.pollRoom();
        boolean ofAgents = agents.pollRoom();
        return providers.pollRoom() || ofInstances || ofAgents;
    }

    private void readWhatWasRefused(ZooKeeperSession session) {
        ticks = 0;
        session.clearRefusals();
        read(session);
    }

    /**
     * Returns whether the file of the user has changed; ZooKeeper knows the new one then. As long as it cannot be used,
     * the last one goes on.
     */
    private boolean hasOtherUser(ZooKeeperSession session, long nowNs) {
        try {
            return session.updateUser();
        } catch (ZooKeeperFailure e) {
            if (faults.tryLog(nowNs)) {
                LOG.warn("registry {}: {}; what was read before holds", name, e.getMessage());
            }
            return false;
        }
    }

    private void confirmed() {
        contact.resetPause();
        if (contact.answered()) {
            LOG.info("registry {} is back", name);
        }
        if (isRead()) {
            follower.confirm(System.nanoTime());
        }
    }

    private void lostData() {
        // Both roots tell it.
        if (!keepsMissing) {
            LOG.warn(
                    "registry {} lost its data; endpoints missing in it stay for {} s",
                    name,
                    TimeUnit.MILLISECONDS.toSeconds(times.graceMs()));
        }
        keepMissingUntilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(times.graceMs());
        keepMissing(true);
    }

    private void keepMissing(boolean keep) {
        keepsMissing = keep;
        byInterface.keepMissing(keep);
        byInstance.keepMissing(keep);
        config.keepMissing(keep);
        agents.keepMissing(keep);
    }

    private void deliver() {
        if (!follower.isConfirmed()) {
            confirmed();
        }
        List<Directory> parts = List.of(agents.directory(), providers.directory());
        if (delivered.isEmpty() || parts.get(0) != delivered.get(0) || parts.get(1) != delivered.get(1)) {
            delivered = parts;
            follower.delivery().deliver(merged.of(parts));
        }
    }
}
