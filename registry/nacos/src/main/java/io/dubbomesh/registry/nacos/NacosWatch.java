package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.naming.NamingService;
import com.alibaba.nacos.api.naming.pojo.Instance;
import com.alibaba.nacos.api.naming.pojo.ListView;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DirectoryDelivery;
import io.dubbomesh.registry.MetadataSource;
import io.dubbomesh.registry.Outage;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.Count;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.SocketFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps a directory equal to what Dubbo providers registered in Nacos, on a thread of its own: lists the names of
 * services every few seconds, subscribes to those that are new, and takes what Nacos pushes. What is new is delivered
 * with the rules that concern it. While Nacos is away the directory stays as it is; its client connects and subscribes
 * again by itself.
 */
final class NacosWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int PAGE = 500;
    /** Names that are read at most, of consumers and others too: far more than are subscribed to. */
    private static final int MAX_LISTED = 1 << 20;

    private static final long CLOSE_TIMEOUT_MS = 2_000;
    /** How long the first directory waits for the metadata of instances. */
    private static final long FIRST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final long NEVER_NS = TimeUnit.HOURS.toNanos(1);

    private final NacosUri uri;
    private final Callable<NamingService> connector;
    private final NacosTimes times;
    private final DirectoryDelivery delivery;
    private final Thread thread;
    /** What other threads have learnt. */
    private final BlockingQueue<Runnable> updates = new LinkedBlockingQueue<>();

    private final NacosServices services;
    private final NacosRules rules;
    private final NacosSubscriptions subscriptions;
    private final Backoff backoff;
    private final Outage outage = new Outage(1, 0);
    private volatile boolean closed;
    /** When Nacos last listed the names of its services. */
    private volatile long confirmedNs;

    private volatile boolean everConfirmed;
    private NamingService naming;
    /** Since {@link #recoveredNs}, until what was kept is removed. */
    private boolean isRecovering;
    /** When Nacos answered again after an outage. */
    private long recoveredNs;
    /** There is a directory that is not delivered yet. */
    private boolean isPostponed;
    /**
     * @param centre where the metadata of instances is looked for first
     * @param others where it is looked for then
     * @param configuration that has the rules
     * @param consumer whose calls they concern; empty for none of that name
     */
    NacosWatch(
            NacosUri uri,
            Callable<NamingService> connector,
            MetadataSource centre,
            MetadataSource others,
            NacosConfiguration configuration,
            String consumer,
            NacosTimes times,
            Consumer<Directory> listener) {
        this.uri = uri;
        this.services = new NacosServices(centre, others, consumer, () -> updates.add(() -> {}));
        this.subscriptions =
                new NacosSubscriptions(uri, services, (name, instances) -> updates.add(() -> apply(name, instances)));
        this.rules = new NacosRules(
                uri,
                configuration,
                consumer,
                updates::add,
                (key, text) -> services.setRule(key, text, System.nanoTime()));
        this.connector = connector;
        this.times = times;
        this.delivery = new DirectoryDelivery(uri, listener);
        this.backoff = new Backoff(times.retryMinMs(), times.retryMaxMs());
        this.thread = new Thread(this::run, "registry-nacos");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                long pauseMs = list();
                followSafely(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs));
            }
        } catch (InterruptedException e) {
            LOG.debug("registry {}: watch closed", uri);
        } finally {
            shutDown();
        }
    }

    /** Subscribes to what is new; returns milliseconds until the next time. */
    private long list() throws InterruptedException {
        try {
            if (naming == null) {
                naming = connector.call();
            }
            Set<String> names = names();
            subscriptions.add(naming, names, () -> closed);
            subscriptions.forgetMissing(naming, names, giveUpNs(), System.nanoTime());
            confirmedNs = System.nanoTime();
            boolean wasAway = outage.end();
            if (wasAway && everConfirmed) {
                isRecovering = true;
                recoveredNs = confirmedNs;
            }
            everConfirmed = true;
            backoff.reset();
            if (wasAway || delivery.isFirst()) {
                LOG.info("registry {} found: {}", uri, Count.of(subscriptions.count(), "service"));
            }
            if (services.takeRoom()) {
                subscriptions.readAgain(naming, keepsMissing(confirmedNs), confirmedNs);
                rules.readAgain();
            }
            services.askAgain(confirmedNs);
            rules.askAgain();
            if (delivery.isFirst()) {
                awaitMetadata();
            }
            deliver();
            return times.listMs();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (closed) {
                throw new InterruptedException();
            }
            failed(e);
            return backoff.nextMs();
        }
    }

    /**
     * The first directory has what is known after a moment: instances may be unreachable, and the services of the
     * others can be called.
     */
    private void awaitMetadata() throws InterruptedException {
        long untilNs = System.nanoTime() + FIRST_WAIT_NS;
        while (services.isFirstAnswerAwaited() && System.nanoTime() - untilNs < 0) {
            Runnable update = updates.poll(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (update != null) {
                update.run();
            }
            services.ask(System.nanoTime());
        }
    }

    private void failed(Exception failure) {
        String reason = text(failure);
        String line = outage.failed(reason, System.nanoTime());
        if (line == null) {
            LOG.debug("registry {}: {}", uri, reason, failure);
        } else {
            LOG.warn("registry {} {}; {}", uri, line, Outage.consequence(delivery.hasEndpoints()));
        }
    }

    static String text(Exception failure) {
        String text = failure instanceof NacosException nacos ? String.valueOf(nacos.getErrMsg()) : failure.toString();
        return PrintableText.brief(SocketFailure.reason(text));
    }

    private Set<String> names() throws NacosException {
        Set<String> names = new HashSet<>();
        for (int page = 1; ; page++) {
            ListView<String> view = naming.getServicesOfServer(page, PAGE, uri.group());
            boolean more = names.addAll(view.getData());
            if (!more || page * PAGE >= view.getCount() || names.size() >= MAX_LISTED) {
                return names;
            }
        }
    }

    private void followSafely(long untilNs) throws InterruptedException {
        try {
            follow(untilNs);
        } catch (RuntimeException e) {
            LOG.error("registry {}: the directory cannot be made", uri, e);
            TimeUnit.MILLISECONDS.sleep(backoff.nextMs());
        }
    }

    /** Applies what is pushed, until then. */
    private void follow(long untilNs) throws InterruptedException {
        while (!closed) {
            long nowNs = System.nanoTime();
            if (nowNs - untilNs >= 0) {
                return;
            }
            long dueNs = dueNs();
            Runnable update =
                    updates.poll(Math.max(0, (dueNs - untilNs < 0 ? dueNs : untilNs) - nowNs), TimeUnit.NANOSECONDS);
            for (; update != null; update = updates.poll()) {
                update.run();
            }
            nowNs = System.nanoTime();
            services.ask(nowNs);
            endRecovery(nowNs);
            services.expire(nowNs);
            if (nowNs - dueNs() >= 0) {
                deliver();
            }
        }
    }

    /** When a directory is to be made next; far away if nothing has changed. */
    private long dueNs() {
        long nowNs = System.nanoTime();
        if (isPostponed && rules.isAwaited(nowNs)) {
            return rules.awaitedUntilNs();
        }
        return everConfirmed && (services.hasChanged() || isPostponed) ? delivery.nextNs() : nowNs + NEVER_NS;
    }

    private void apply(String name, List<Instance> instances) {
        long nowNs = System.nanoTime();
        subscriptions.apply(name, instances, keepsMissing(nowNs), nowNs);
    }

    /** A Nacos that was started anew knows only the instances that have registered again. */
    private boolean keepsMissing(long nowNs) {
        return outage.isFailing() || isRecovering && nowNs - recoveredNs < giveUpNs();
    }

    private long giveUpNs() {
        return TimeUnit.MILLISECONDS.toNanos(times.giveUpMs());
    }

    private void endRecovery(long nowNs) {
        if (!isRecovering || keepsMissing(nowNs)) {
            return;
        }
        isRecovering = false;
        subscriptions.lapseMissing();
    }

    private void deliver() {
        if (!everConfirmed) {
            return;
        }
        Directory directory = services.directory();
        long nowNs = System.nanoTime();
        rules.follow(directory, nowNs);
        isPostponed = rules.isAwaited(nowNs);
        if (!isPostponed) {
            delivery.deliver(directory);
        }
    }

    long ageNs() {
        return everConfirmed ? System.nanoTime() - confirmedNs : -1;
    }

    private void shutDown() {
        rules.close();
        if (naming != null) {
            NacosConnection.close(naming);
        }
    }

    /** Waits a little for the client to end, since the process may end next. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
