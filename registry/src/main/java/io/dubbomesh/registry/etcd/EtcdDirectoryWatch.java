package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.Entries;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.PrintableText;
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
 * Keeps a directory equal to what stands in etcd, on a thread of its own: loads the whole list, watches from there on, and at
 * any irregularity starts anew with another connection.
 *
 * <p>While etcd is away, what is known stays. A list loaded anew is the truth, unless it comes from a database that has lost
 * its data, which shows by a revision or an election term smaller than before: then whoever is missing in it stays in the
 * directory for one lease's time, in which every agent alive has registered again.
 */
final class EtcdDirectoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_PAGE = 512;
    private static final ByteSequence AFTER = ByteSequence.from(new byte[1]);
    private static final ByteSequence END = OptionsUtil.prefixEndOf(EtcdSession.bytes(EndpointCodec.ROOT));

    private final EtcdMembers members;
    private final EtcdTimes times;
    private final Consumer<Directory> listener;
    private final Entries entries;
    private final Thread thread;
    private volatile boolean closed;

    private Directory delivered;
    private boolean away;
    private long revision;
    private long term;

    EtcdDirectoryWatch(EtcdMembers members, EtcdTimes times, Consumer<Directory> listener) {
        this.members = members;
        this.times = times;
        this.listener = listener;
        this.entries = new Entries(TimeUnit.SECONDS.toNanos(times.leaseSeconds()));
        this.thread = new Thread(this::run, "registry-watch");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        Backoff backoff = new Backoff(times.retryMinMs(), times.retryMaxMs());
        try {
            while (!closed) {
                long startedNs = System.nanoTime();
                try (EtcdSession session = members.next()) {
                    load(session);
                    follow(session);
                } catch (EtcdFailure e) {
                    away(e.getMessage(), null);
                } catch (RuntimeException e) {
                    away(e.toString(), e);
                }
                if (System.nanoTime() - startedNs > TimeUnit.MILLISECONDS.toNanos(2 * times.timeoutMs())) {
                    backoff.reset();
                }
                Thread.sleep(backoff.nextMs());
            }
        } catch (InterruptedException e) {
            LOG.debug("registry {}: watch closed", members);
        }
    }

    private void away(String reason, RuntimeException unexpected) {
        if (!away) {
            away = true;
            LOG.warn(
                    "registry {} is away: {}; the endpoints known stay",
                    members,
                    PrintableText.brief(reason),
                    unexpected);
        }
    }

    /** Reads the whole list as of one revision. */
    private void load(EtcdSession session) throws EtcdFailure, InterruptedException {
        Set<String> keys = new HashSet<>();
        GetResponse answer = page(session, EtcdSession.bytes(EndpointCodec.ROOT), 0);
        Response.Header asOf = answer.getHeader();
        ByteSequence last = put(answer, keys);
        while (answer.isMore()) {
            answer = page(session, last.concat(AFTER), asOf.getRevision());
            last = put(answer, keys);
        }
        forgetMissing(keys, asOf);
        if (away || delivered == null) {
            away = false;
            LOG.info("registry {} found at {}: {} keys", members, session.member(), keys.size());
        }
        deliver();
    }

    private ByteSequence put(GetResponse answer, Set<String> keys) {
        ByteSequence last = null;
        for (KeyValue entry : answer.getKvs()) {
            last = entry.getKey();
            String key = EtcdSession.text(last);
            keys.add(key);
            entries.put(key, entry.getValue().getBytes());
        }
        return last;
    }

    /** A few keys at a time, fewer when their values are so long that the answer exceeds what gRPC accepts. */
    private GetResponse page(EtcdSession session, ByteSequence from, long asOfRevision)
            throws EtcdFailure, InterruptedException {
        for (int keys = MAX_PAGE; ; keys /= 8) {
            try {
                GetOption option = GetOption.builder()
                        .withRange(END)
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
            LOG.warn("registry {} lost its data; who is missing stays for {} s", members, times.leaseSeconds());
            entries.doubt(keys, System.nanoTime());
        } else {
            entries.retain(keys);
        }
        revision = asOf.getRevision();
        term = asOf.getRaftTerm();
    }

    /** Takes part in every change, until the watch ends or does not answer from one probe to the next. */
    private void follow(EtcdSession session) throws EtcdFailure, InterruptedException {
        BlockingQueue<Object> inbox = new LinkedBlockingQueue<>();
        session.watch(EndpointCodec.ROOT, true, revision + 1, inbox::add, inbox::add);
        session.requestProgress();
        long confirmMs = times.confirmMs() + session.patienceMs() - times.timeoutMs();
        long probeNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(confirmMs);
        boolean heard = false;
        while (true) {
            Object message = inbox.poll(probeNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            heard |= message != null;
            for (; message != null; message = inbox.poll()) {
                apply(message);
            }
            long nowNs = System.nanoTime();
            entries.expire(nowNs);
            deliver();
            if (nowNs - probeNs >= 0) {
                if (!heard) {
                    throw new EtcdFailure("watch silent for " + confirmMs + " ms", EtcdFailure.Kind.OTHER);
                }
                heard = false;
                session.requestProgress();
                probeNs = nowNs + TimeUnit.MILLISECONDS.toNanos(confirmMs);
            }
        }
    }

    private void apply(Object message) throws EtcdFailure {
        if (message instanceof String) {
            throw new EtcdFailure((String) message, EtcdFailure.Kind.OTHER);
        }
        WatchResponse response = (WatchResponse) message;
        for (WatchEvent event : response.getEvents()) {
            KeyValue entry = event.getKeyValue();
            String key = EtcdSession.text(entry.getKey());
            if (event.getEventType() == WatchEvent.EventType.PUT) {
                entries.put(key, entry.getValue().getBytes());
            } else {
                entries.delete(key);
            }
        }
        revision = Math.max(revision, response.getHeader().getRevision());
    }

    private void deliver() {
        Directory directory = entries.directory();
        if (directory != delivered) {
            delivered = directory;
            try {
                listener.accept(directory);
            } catch (RuntimeException e) {
                LOG.error("registry {}: the listener failed", members, e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
