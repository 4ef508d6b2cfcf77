package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.etcd.client.KeyValue;
import io.dubbomesh.registry.etcd.client.RangeRequest;
import io.dubbomesh.registry.etcd.client.RangeResponse;
import io.dubbomesh.registry.etcd.client.ResponseHeader;
import io.dubbomesh.registry.etcd.client.WatchRequest;
import io.dubbomesh.registry.etcd.client.WatchResponse;
import io.dubbomesh.registry.etcd.layout.EtcdLayout;
import io.dubbomesh.registry.etcd.layout.EtcdRange;
import io.dubbomesh.registry.follow.DirectoryFollower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Keeps a directory equal to the keys in etcd: loads the whole list, watches from that revision
 * on, and at any irregularity starts again with another connection. Changes that follow each other closely make one
 * directory.
 *
 * <p>While etcd is away, the directory stays as it is. A list that is loaded again replaces it, unless it comes from an
 * etcd that has lost its data, which shows by a revision or an election term smaller than before: then the endpoints
 * that are missing in it stay for the time of one lease, in which every running agent has registered again.
 */
final class EtcdDirectoryWatch {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_PAGE = 512;

    private final EtcdMembers members;
    private final EtcdTimes times;
    private final DirectoryFollower follower;
    private final EtcdSessions sessions;
    private final EtcdLayout entries;

    private long revision;
    private long term;
    /** The revision as of which the list was read last: a watch may report what is older. */
    private long readRevision;

    /** Null between two sessions: answers of one that has ended do not count. */
    private EtcdSession current;
    /** The reason for which changes may be missed from now on; null while none are. */
    private EtcdFailure failure;
    /** The watches that have answered since the last probe, by their indexes. */
    private final Set<Integer> answered = new HashSet<>();

    /**
     * @param layout is given what wakes the watch: to be run by any thread when {@link EtcdLayout#ask} is to be called
     */
    EtcdDirectoryWatch(
            EtcdMembers members, EtcdTimes times, Function<Runnable, EtcdLayout> layout, Consumer<Directory> listener) {
        this.members = members;
        this.times = times;
        this.follower = new DirectoryFollower("registry-watch", members, this::runSession, listener);
        this.sessions = new EtcdSessions(members, times, follower::consequence);
        this.entries = layout.apply(follower.tasks()::wake);
    }

    DirectoryFollower start() {
        follower.start();
        return follower;
    }

    private long runSession() throws InterruptedException {
        return sessions.run(this::serve);
    }

    private void serve(EtcdSession session) throws EtcdFailure, InterruptedException {
        current = session;
        failure = null;
        answered.clear();
        load(session);
        try {
            follow(session);
        } catch (EtcdFailure e) {
            deliver();
            throw e;
        } finally {
            current = null;
        }
    }

    /** Reads the whole list as of one revision. */
    private void load(EtcdSession session) throws EtcdFailure, InterruptedException {
        Set<String> keys = new HashSet<>();
        ResponseHeader asOf = null;
        for (EtcdRange range : entries.ranges()) {
            ResponseHeader header = load(session, range, asOf == null ? 0 : asOf.revision(), keys);
            asOf = asOf == null ? header : asOf;
        }
        removeMissing(keys, asOf);
        follower.confirm(System.nanoTime());
        entries.ask(System.nanoTime());
        boolean isFirst = follower.delivery().isFirst();
        if (isFirst) {
            follower.awaitFirst(entries::isFirstAnswerAwaited, entries::ask);
        }
        if (sessions.isBack() || isFirst) {
            LOG.info("registry {} found at {}: {} keys", members, session.member(), keys.size());
        }
        deliver();
    }

    /** @param asOfRevision 0 for the present one */
    private ResponseHeader load(EtcdSession session, EtcdRange range, long asOfRevision, Set<String> keys)
            throws EtcdFailure, InterruptedException {
        RangeResponse answer = page(session, range, range.from(), asOfRevision);
        ResponseHeader asOf = answer.header();
        long revisionRead = asOfRevision == 0 ? asOf.revision() : asOfRevision;
        put(answer, keys);
        while (answer.more()) {
            byte[] last = answer.kvs().get(answer.kvs().size() - 1).key();
            // The first key behind it is the same with a zero.
            answer = page(session, range, Arrays.copyOf(last, last.length + 1), revisionRead);
            put(answer, keys);
        }
        return asOf;
    }

    private void put(RangeResponse answer, Set<String> keys) {
        long nowNs = System.nanoTime();
        for (KeyValue entry : answer.kvs()) {
            String key = EtcdSession.text(entry.key());
            if (entries.put(key, entry.value(), nowNs)) {
                keys.add(key);
            }
        }
    }

    /** Reads so many keys that the answer is not longer than gRPC accepts. */
    private RangeResponse page(EtcdSession session, EtcdRange range, byte[] from, long asOfRevision)
            throws EtcdFailure, InterruptedException {
        for (int keys = MAX_PAGE; ; keys /= 8) {
            try {
                RangeRequest request = new RangeRequest(from, range.end(), keys, asOfRevision, range.keysOnly());
                return session.await(session.client().range(request));
            } catch (EtcdFailure e) {
                if (e.kind() != EtcdFailure.Kind.TOO_LARGE || keys == 1) {
                    throw e;
                }
            }
        }
    }

    private void removeMissing(Set<String> keys, ResponseHeader asOf) {
        if (asOf.revision() < revision || asOf.raftTerm() < term) {
            LOG.warn("registry {} lost its data; endpoints missing in it stay for {} s", members, times.leaseSeconds());
            entries.markSuspect(keys, System.nanoTime());
        } else {
            entries.retain(keys, System.nanoTime());
        }
        revision = asOf.revision();
        readRevision = revision;
        term = asOf.raftTerm();
    }

    private void watch(EtcdSession session, List<String> roots) {
        for (int i = 0; i < roots.size(); i++) {
            int root = i;
            String key = roots.get(i);
            session.watch(
                    new WatchRequest(EtcdSession.bytes(key), EtcdRange.endOf(key), revision + 1),
                    follower.tasks(),
                    response -> apply(session, root, response),
                    ended -> failed(session, ended));
        }
    }

    /** Applies every change, until a watch fails, or does not answer from one probe to the next. */
    private void follow(EtcdSession session) throws EtcdFailure, InterruptedException {
        List<String> roots = entries.roots();
        watch(session, roots);
        session.requestProgress();
        long confirmMs = times.confirmMs() + session.timeoutMs() - times.timeoutMs();
        long probeNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(confirmMs);
        while (true) {
            long deliverNs = follower.delivery().nextNs();
            long dueNs = entries.hasChanged() && deliverNs - probeNs < 0 ? deliverNs : probeNs;
            follower.tasks().run(dueNs - System.nanoTime());
            if (failure != null) {
                throw failure;
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
                if (answered.size() < roots.size()) {
                    throw new EtcdFailure(
                            "the watch did not answer within " + confirmMs + " ms", EtcdFailure.Kind.OTHER);
                }
                answered.clear();
                if (entries.pollRoom()) {
                    load(session);
                }
                session.requestProgress();
                probeNs = nowNs + TimeUnit.MILLISECONDS.toNanos(confirmMs);
            }
        }
    }

    private void failed(EtcdSession session, EtcdFailure ended) {
        if (session == current) {
            failure = ended;
        }
    }

    private void apply(EtcdSession session, int root, WatchResponse response) {
        if (session != current || failure != null) {
            return;
        }
        answered.add(root);
        follower.confirm(System.nanoTime());
        long nowNs = System.nanoTime();
        for (WatchResponse.Event event : response.events()) {
            KeyValue entry = event.kv();
            if (entry.modRevision() <= readRevision) {
                continue;
            }
            String key = EtcdSession.text(entry.key());
            if (event.deleted()) {
                entries.delete(key, nowNs);
            } else {
                entries.put(key, entry.value(), nowNs);
            }
        }
        revision = Math.max(revision, response.header().revision());
    }

    private void deliver() {
        follower.delivery().deliver(entries.directory());
    }
}
