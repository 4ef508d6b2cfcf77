package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.naming.NamingService;
import com.alibaba.nacos.api.naming.pojo.Instance;
import com.alibaba.nacos.api.naming.pojo.ListView;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.follow.DirectoryFollower;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.thread.Outage;
import io.dubbomesh.registry.thread.RegistryContact;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.Count;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.SocketFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps a directory equal to what Dubbo providers registered in Nacos: lists the names of
 * services every few seconds, subscribes to those that are new, and takes what Nacos pushes. What is new is delivered
 * with the rules that concern it. While Nacos is away the directory stays as it is; its client connects and subscribes
 * again by itself.
 */
final class NacosWatch implements DirectoryFollower.Source {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int PAGE = 500;
    /** Names that are read at most, of consumers and others too: far more than are subscribed to. */
    private static final int MAX_LISTED = 1 << 20;

    static final long CLOSE_TIMEOUT_MS = 2_000;
    private static final long NEVER_NS = TimeUnit.HOURS.toNanos(1);

    private final NacosUri uri;
    private final Callable<NamingService> connector;
    private final NacosTimes times;
    private final DirectoryFollower follower;

    private final NacosServices services;
    private final NacosRules rules;
    private final NacosSubscriptions subscriptions;
    private final RegistryContact contact;
    private NamingService naming;
    /** Whether Nacos has answered again, since {@link #recoveredNs}, and what was kept is not removed yet. */
    private boolean isRecovering;
    /** The time at which Nacos answered again after an outage. */
    private long recoveredNs;
    /** Whether there is a directory that is not delivered yet. */
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
        this.follower = new DirectoryFollower("registry-nacos", uri, this, listener);
        this.services = new NacosServices(centre, others, consumer, follower.tasks()::wake);
        this.subscriptions = new NacosSubscriptions(
                uri, services, (name, instances) -> follower.tasks().execute(() -> apply(name, instances)));
        this.rules = new NacosRules(
                uri,
                configuration,
                consumer,
                follower.tasks(),
                (key, text) -> services.setRule(key, text, System.nanoTime()));
        this.connector = connector;
        this.times = times;
        this.contact = new RegistryContact(
                uri, new Outage(1, 0), new Backoff(times.retryMinMs(), times.retryMaxMs()), follower::consequence);
    }

    /** Sets what {@link Registry#prefer} says; to be called before {@link #start}. */
    NacosWatch prefer(EndpointProtocol protocol) {
        services.prefer(protocol);
        return this;
    }

    DirectoryFollower start() {
        follower.start();
        return follower;
    }

    @Override
    public long run() throws InterruptedException {
        long pauseMs = list();
        follow(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs));
        return 0;
    }

    /** Subscribes to what is new; returns milliseconds until the next time. */
    private long list() throws InterruptedException {
        try {
            if (naming == null) {
                naming = connector.call();
            }
            Set<String> names = names();
            subscriptions.add(naming, names, follower::isClosed);
            subscriptions.removeMissing(naming, names, giveUpNs(), System.nanoTime());
            long nowNs = System.nanoTime();
            boolean wasAway = contact.answered();
            if (wasAway && follower.isConfirmed()) {
                isRecovering = true;
                recoveredNs = nowNs;
            }
            follower.confirm(nowNs);
            contact.resetPause();
            boolean isFirst = follower.delivery().isFirst();
            if (wasAway || isFirst) {
                LOG.info("registry {} found: {}", uri, Count.of(subscriptions.count(), "service"));
            }
            if (services.pollRoom()) {
                subscriptions.readAgain(naming, keepsMissing(nowNs), nowNs);
                rules.readAgain();
            }
            services.askAgain(nowNs);
            rules.askAgain();
            if (isFirst) {
                follower.awaitFirst(services::isFirstAnswerAwaited, services::ask);
            }
            deliver();
            return times.listMs();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (follower.isClosed()) {
                throw new InterruptedException();
            }
            contact.failed(text(e));
            return contact.pauseMs();
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

    /** Applies what is pushed, until then. */
    private void follow(long untilNs) throws InterruptedException {
        while (!follower.isClosed()) {
            long nowNs = System.nanoTime();
            if (nowNs - untilNs >= 0) {
                return;
            }
            long dueNs = dueNs();
            follower.tasks().run((dueNs - untilNs < 0 ? dueNs : untilNs) - nowNs);
            nowNs = System.nanoTime();
            services.ask(nowNs);
            endRecovery(nowNs);
            services.expire(nowNs);
            if (nowNs - dueNs() >= 0) {
                deliver();
            }
        }
    }

    /** Returns the time at which a directory is to be made next; far away if nothing has changed. */
    private long dueNs() {
        long nowNs = System.nanoTime();
        if (isPostponed && rules.isAwaited(nowNs)) {
            return rules.awaitedUntilNs();
        }
        return follower.isConfirmed() && (services.hasChanged() || isPostponed)
                ? follower.delivery().nextNs()
                : nowNs + NEVER_NS;
    }

    private void apply(String name, List<Instance> instances) {
        long nowNs = System.nanoTime();
        subscriptions.apply(name, instances, keepsMissing(nowNs), nowNs);
    }

    /** A Nacos that was started anew knows only the instances that have registered again. */
    private boolean keepsMissing(long nowNs) {
        return contact.isFailing() || isRecovering && nowNs - recoveredNs < giveUpNs();
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
        if (!follower.isConfirmed()) {
            return;
        }
        Directory directory = services.directory();
        long nowNs = System.nanoTime();
        rules.follow(directory, nowNs);
        isPostponed = rules.isAwaited(nowNs);
        if (!isPostponed) {
            follower.delivery().deliver(directory);
        }
    }

    @Override
    public void end() {
        rules.close();
        if (naming != null) {
            NacosConnection.close(naming);
        }
    }
}
