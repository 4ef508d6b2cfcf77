package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DirectoryDelivery;
import io.dubbomesh.registry.Outage;
import io.dubbomesh.registry.Registry;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Keeps a directory equal to the keys in etcd, on a thread of its own: loads the whole list, watches from that revision
 * on, and at any irregularity starts again with another connection. Changes that follow each other closely make one
 * directory.
 *
 * <p>While etcd is away, the directory stays as it is. A list that is loaded again replaces it, unless it comes from an
 * etcd that has lost its data, which shows by a revision or an election term smaller than before: then the endpoints
 * that are missing in it stay for the time of one lease, in which every running agent has registered again.
 */
final class EtcdDirectoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_PAGE = 512;
    /** How long the first directory waits for what the keys do not tell. */
    private static final long FIRST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final ByteSequence AFTER = ByteSequence.from(new byte[1]);

    private final EtcdMembers members;
    private final EtcdTimes times;
    private final DirectoryDelivery delivery;
    private final EtcdSessions sessions;
    private final EtcdLayout entries;
    private final Thread thread;
    private volatile boolean closed;
    /** When etcd last sent something of the list, be it that nothing has changed. */
    private volatile long confirmedNs;

    private volatile boolean everConfirmed;

    private long revision;
    private long term;
    /** As of which the list was read last: a watch may tell of what is older. */
    private long readRevision;

    /** Of the present session. */
    private volatile BlockingQueue<Update> updates = new LinkedBlockingQueue<>();

    /**
     * A response of a watch, or the reason why there are no more; or that there are answers of others.
     *
     * @param root which watch, as an index; -1 for none
     */
    private record Update(int root, WatchResponse response, String failure) {
        static final Update ANSWERS = new Update(-1, null, null);
    }

    /**
     * @param layout is given what wakes the watch: to be run by any thread when {@link EtcdLayout#ask} is to be called
     */
    EtcdDirectoryWatch(
            EtcdMembers members, EtcdTimes times, Function<Runnable, EtcdLayout> layout, Consumer<Directory> listener) {
        this.members = members;
        this.times = times;
        this.delivery = new DirectoryDelivery(members, listener);
        this.sessions = new EtcdSessions(members, times, () -> Outage.consequence(delivery.hasEndpoints()));
        this.entries = layout.apply(() -> updates.add(Update.ANSWERS));
        this.thread = new Thread(this::run, "registry-watch");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                Thread.sleep(sessions.run(this::serve));
            }
        } catch (InterruptedException e) {
            LOG.debug("registry {}: watch closed", members);
        }
    }

    private void serve(EtcdSession session) throws EtcdFailure, InterruptedException {
        updates = new LinkedBlockingQueue<>();
        load(session);
        try {
            follow(session);
        } catch (EtcdFailure e) {
            deliver();
            throw e;
        }
    }

    /** Reads the whole list as of one revision. */
    private void load(EtcdSession session) throws EtcdFailure, InterruptedException {
        Set<String> keys = new HashSet<>();
        Response.Header asOf = null;
        for (EtcdRange range : entries.ranges()) {
            Response.Header header = load(session, range, asOf == null ? 0 : asOf.getRevision(), keys);
            asOf = asOf == null ? header : asOf;
        }
        forgetMissing(keys, asOf);
        confirmed();
        entries.ask(System.nanoTime());
        if (delivery.isFirst()) {
            awaitFirstAnswers();
        }
        if (sessions.isBack() || delivery.isFirst()) {
            LOG.info("registry {} found at {}: {} keys", members, session.member(), keys.size());
        }
        deliver();
    }

    /** @param asOfRevision 0 for the present one */
    private Response.Header load(EtcdSession session, EtcdRange range, long asOfRevision, Set<String> keys)
            throws EtcdFailure, InterruptedException {
        GetResponse answer = page(session, range, range.from(), asOfRevision);
        Response.Header asOf = answer.getHeader();
        long revisionRead = asOfRevision == 0 ? asOf.getRevision() : asOfRevision;
        ByteSequence last = put(answer, keys);
        while (answer.isMore()) {
            answer = page(session, range, last.concat(AFTER), revisionRead);
            last = put(answer, keys);
        }
        return asOf;
    }

    private void awaitFirstAnswers() throws InterruptedException {
        long untilNs = System.nanoTime() + FIRST_WAIT_NS;
        while (entries.isFirstAnswerAwaited() && System.nanoTime() - untilNs < 0) {
            updates.poll(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            entries.ask(System.nanoTime());
        }
    }

    private ByteSequence put(GetResponse answer, Set<String> keys) {
        ByteSequence last = null;
        long nowNs = System.nanoTime();
        for (KeyValue entry : answer.getKvs()) {
            last = entry.getKey();
            String key = EtcdSession.text(last);
            if (entries.put(key, entry.getValue().getBytes(), nowNs)) {
                keys.add(key);
            }
        }
        return last;
    }

    /** Reads so many keys that the answer is not longer than gRPC accepts. */
    private GetResponse page(EtcdSession session, EtcdRange range, ByteSequence from, long asOfRevision)
            throws EtcdFailure, InterruptedException {
        for (int keys = MAX_PAGE; ; keys /= 8) {
            try {
                GetOption option = GetOption.builder()
                        .withRange(range.end())
                        .withKeysOnly(range.keysOnly())
                        .withLimit(keys)
                        .withRevision(asOfRevision)
                        .build();
                return session.await(session.kv().get(from, option));
            } catch (EtcdFailure e) {
                if (e.kind() != EtcdFailure.Kind.TOO_LARGE || keys == 1) {
                    throw e;
                }
            }
        }
    }

    private void forgetMissing(Set<String> keys, Response.Header asOf) {
        if (asOf.getRevision() < revision || asOf.getRaftTerm() < term) {
            LOG.warn("registry {} lost its data; endpoints missing in it stay for {} s", members, times.leaseSeconds());
            entries.doubt(keys, System.nanoTime());
        } else {
            entries.retain(keys, System.nanoTime());
        }
        revision = asOf.getRevision();
        readRevision = revision;
        term = asOf.getRaftTerm();
    }

    private void watch(EtcdSession session, List<String> roots) {
        BlockingQueue<Update> ofSession = updates;
        for (int i = 0; i < roots.size(); i++) {
            int root = i;
            session.watch(
                    roots.get(i),
                    true,
                    revision + 1,
                    response -> ofSession.add(new Update(root, response, null)),
                    failure -> ofSession.add(new Update(root, null, failure)));
        }
    }

    /** Applies every change, until a watch fails, or does not answer from one probe to the next. */
    private void follow(EtcdSession session) throws EtcdFailure, InterruptedException {
        List<String> roots = entries.roots();
        watch(session, roots);
        session.requestProgress();
        long confirmMs = times.confirmMs() + session.timeoutMs() - times.timeoutMs();
        long probeNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(confirmMs);
        Set<Integer> answered = new HashSet<>();
        while (true) {
            long deliverNs = delivery.nextNs();
            long dueNs = entries.hasChanged() && deliverNs - probeNs < 0 ? deliverNs : probeNs;
            Update update = updates.poll(dueNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            for (; update != null; update = updates.poll()) {
                apply(update);
                answered.add(update.root());
            }
            long nowNs = System.nanoTime();
            entries.ask(nowNs);
            if (nowNs - deliverNs >= 0) {
                entries.expire(nowNs);
                if (entries.hasChanged()) {
                    deliver();
                }
            }
            if (nowNs - probeNs >= 0) {
                answered.remove(Update.ANSWERS.root());
                if (answered.size() < roots.size()) {
                    throw new EtcdFailure(
                            "the watch did not answer within " + confirmMs + " ms", EtcdFailure.Kind.OTHER);
                }
                answered.clear();
                if (entries.takeRoom()) {
                    load(session);
                }
                session.requestProgress();
                probeNs = nowNs + TimeUnit.MILLISECONDS.toNanos(confirmMs);
            }
        }
    }

    private void apply(Update update) throws EtcdFailure {
        if (update.failure() != null) {
            throw new EtcdFailure(update.failure(), EtcdFailure.Kind.OTHER);
        }
        if (update.response() == null) {
            return;
        }
        confirmed();
        long nowNs = System.nanoTime();
        for (WatchEvent event : update.response().getEvents()) {
            KeyValue entry = event.getKeyValue();
            if (entry.getModRevision() <= readRevision) {
                continue;
            }
            String key = EtcdSession.text(entry.getKey());
            if (event.getEventType() == WatchEvent.EventType.PUT) {
                entries.put(key, entry.getValue().getBytes(), nowNs);
            } else {
                entries.delete(key, nowNs);
            }
        }
        revision = Math.max(revision, update.response().getHeader().getRevision());
    }

    private void confirmed() {
        confirmedNs = System.nanoTime();
        everConfirmed = true;
    }

    long ageNs() {
        return everConfirmed ? System.nanoTime() - confirmedNs : -1;
    }

    private void deliver() {
        delivery.deliver(entries.directory());
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
