package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DirectoryDelivery;
import io.dubbomesh.registry.Registry;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.OptionsUtil;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps a directory equal to the keys in etcd, on a thread of its own: loads the whole list, watches from that revision on, and
 * at any irregularity starts again with another connection. Changes that follow each other closely make one directory.
 *
 * <p>While etcd is away, the directory stays as it is. A list that is loaded again replaces it, unless it comes from an etcd
 * that has lost its data, which shows by a revision or an election term smaller than before: then the endpoints that are
 * missing in it stay for the time of one lease, in which every running agent has registered again.
 */
final class EtcdDirectoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_PAGE = 512;
    private static final ByteSequence AFTER = ByteSequence.from(new byte[1]);

    private final EtcdMembers members;
    private final EtcdTimes times;
    private final DirectoryDelivery delivery;
    private final EtcdSessions sessions;
    private final EtcdLayout entries;
    private final ByteSequence root;
    private final ByteSequence end;
    private final Thread thread;
    private volatile boolean closed;
    /** When etcd last sent something of the list, be it that nothing has changed. */
    private volatile long confirmedNs;

    private volatile boolean everConfirmed;

    private long revision;
    private long term;

    /** A response of the watch, or the reason why there are no more. */
    private record Update(WatchResponse response, String failure) {}

    EtcdDirectoryWatch(EtcdMembers members, EtcdTimes times, EtcdLayout entries, Consumer<Directory> listener) {
        this.members = members;
        this.times = times;
        this.delivery = new DirectoryDelivery(members, listener);
        this.sessions = new EtcdSessions(members, times, "known endpoints stay in use");
        this.entries = entries;
        this.root = EtcdSession.bytes(entries.root());
        this.end = OptionsUtil.prefixEndOf(root);
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
        GetResponse answer = page(session, root, 0);
        Response.Header asOf = answer.getHeader();
        ByteSequence last = put(answer, keys);
        while (answer.isMore()) {
            answer = page(session, last.concat(AFTER), asOf.getRevision());
            last = put(answer, keys);
        }
        forgetMissing(keys, asOf);
        confirmed();
        if (sessions.isBack() || delivery.isFirst()) {
            LOG.info("registry {} found at {}: {} keys", members, session.member(), keys.size());
        }
        deliver();
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
    private GetResponse page(EtcdSession session, ByteSequence from, long asOfRevision)
            throws EtcdFailure, InterruptedException {
        for (int keys = MAX_PAGE; ; keys /= 8) {
            try {
                GetOption option = GetOption.builder()
                        .withRange(end)
                        .withKeysOnly(entries.keysOnly())
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
        term = asOf.getRaftTerm();
    }

    /** Applies every change, until the watch fails, or does not answer from one probe to the next. */
    private void follow(EtcdSession session) throws EtcdFailure, InterruptedException {
        BlockingQueue<Update> updates = new LinkedBlockingQueue<>();
        session.watch(
                entries.root(),
                true,
                revision + 1,
                response -> updates.add(new Update(response, null)),
                failure -> updates.add(new Update(null, failure)));
        session.requestProgress();
        long confirmMs = times.confirmMs() + session.timeoutMs() - times.timeoutMs();
        long probeNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(confirmMs);
        boolean answered = false;
        while (true) {
            long deliverNs = delivery.nextNs();
            long dueNs = entries.hasChanged() && deliverNs - probeNs < 0 ? deliverNs : probeNs;
            Update update = updates.poll(dueNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            answered |= update != null;
            for (; update != null; update = updates.poll()) {
                apply(update);
            }
            long nowNs = System.nanoTime();
            if (nowNs - deliverNs >= 0) {
                entries.expire(nowNs);
                if (entries.hasChanged()) {
                    deliver();
                }
            }
            if (nowNs - probeNs >= 0) {
                if (!answered) {
                    throw new EtcdFailure(
                            "the watch did not answer within " + confirmMs + " ms", EtcdFailure.Kind.OTHER);
                }
                answered = false;
                session.requestProgress();
                probeNs = nowNs + TimeUnit.MILLISECONDS.toNanos(confirmMs);
            }
        }
    }

    private void apply(Update update) throws EtcdFailure {
        if (update.failure() != null) {
            throw new EtcdFailure(update.failure(), EtcdFailure.Kind.OTHER);
        }
        confirmed();
        long nowNs = System.nanoTime();
        for (WatchEvent event : update.response().getEvents()) {
            KeyValue entry = event.getKeyValue();
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
