package io.dubbomesh.registry.dns;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.follow.DirectoryFollower;
import io.dubbomesh.registry.thread.Outage;
import io.dubbomesh.registry.thread.RegistryContact;
import io.dubbomesh.runtime.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Keeps a directory equal to the addresses behind a name: asks again when the answer's TTL is over.
 *
 * <p>While answers fail, the directory stays as it is. When they find nothing any more, it stays for a while: a server
 * that was started with an empty zone says the same as one whose last provider is gone. An address that is missing
 * among others has deregistered.
 */
final class DnsWatch implements DirectoryFollower.Source {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_ENDPOINTS = 4096;
    private static final long DEREGISTERED_NS = TimeUnit.SECONDS.toNanos(10);
    /**
     * A part of the pause by which it is lengthened at random, so that many agents that started together do not ask
     * together.
     */
    private static final int JITTER = 10;

    private final DnsUri uri;
    private final DnsTimes times;
    private final DirectoryFollower follower;
    private final DnsClient client;
    private final DnsLookup lookup;
    private final RegistryContact contact;

    /** Null until the first answer. */
    private List<DnsAddress> addresses;
    /** The time since which answers find nothing, while {@link #addresses} is held. */
    private long emptySinceNs;

    private boolean holding;
    /** The times at which addresses went away, by host and port as in {@link Endpoint#address}. */
    private final Map<String, Long> deregisteredNs = new HashMap<>();

    DnsWatch(DnsUri uri, DnsTimes times, Consumer<Directory> listener) {
        this.uri = uri;
        this.times = times;
        this.follower = new DirectoryFollower("registry-dns", uri, this, listener);
        this.client = new DnsClient(uri.server(), times);
        this.lookup = new DnsLookup(uri, client);
        this.contact = new RegistryContact(
                uri, new Outage(1, 0), new Backoff(times.retryMinMs(), times.retryMaxMs()), follower::consequence);
    }

    DirectoryFollower start() {
        follower.start();
        return follower;
    }

    @Override
    public long run() throws InterruptedException {
        try {
            // The client belongs to its loop.
            DnsLookup.Found found = CompletableFuture.supplyAsync(lookup::run, client.loop())
                    .thenCompose(running -> running)
                    .get();
            return answered(found, System.nanoTime());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            contact.failed(cause instanceof IOException ? cause.getMessage() : cause.toString());
            return contact.pauseMs();
        }
    }

    private long answered(DnsLookup.Found found, long nowNs) {
        contact.resetPause();
        boolean wasAway = contact.answered();
        if (!found.addresses().isEmpty()) {
            if (wasAway || holding || addresses == null) {
                LOG.info(
                        "registry {} found: {} addresses",
                        uri,
                        found.addresses().size());
            }
            holding = false;
            follower.confirm(nowNs);
            deliver(found.addresses(), nowNs);
            return pauseMs(found.ttlSeconds());
        }
        if (addresses != null && !addresses.isEmpty()) {
            if (!holding) {
                holding = true;
                emptySinceNs = nowNs;
                LOG.warn(
                        "registry {} has no addresses any more; known endpoints stay in use for {} s",
                        uri,
                        TimeUnit.MILLISECONDS.toSeconds(times.holdMs()));
            }
            long leftMs = times.holdMs() - TimeUnit.NANOSECONDS.toMillis(nowNs - emptySinceNs);
            if (leftMs > 0) {
                return Math.min(leftMs, times.emptyMs());
            }
        } else if (addresses == null) {
            LOG.warn("registry {} has no addresses; they are used as soon as there are some", uri);
        }
        holding = false;
        follower.confirm(nowNs);
        deliver(List.of(), nowNs);
        return times.emptyMs();
    }

    private long pauseMs(long ttlSeconds) {
        long ttlMs = times.pauseMs(ttlSeconds);
        return ttlMs + ThreadLocalRandom.current().nextLong(ttlMs / JITTER + 1);
    }

    private void deliver(List<DnsAddress> found, long nowNs) {
        if (found.equals(addresses)) {
            return;
        }
        List<DnsAddress> listed = found.size() > MAX_ENDPOINTS ? found.subList(0, MAX_ENDPOINTS) : found;
        if (listed.size() < found.size()) {
            LOG.warn("{}: more than {} endpoints, the rest is ignored", uri, MAX_ENDPOINTS);
        }
        Map<String, List<Endpoint>> services = new HashMap<>();
        uri.services()
                .keySet()
                .forEach(service -> services.put(
                        service,
                        listed.stream()
                                .map(address -> uri.endpoint(service, address))
                                .collect(Collectors.toUnmodifiableList())));
        Set<String> left = deregistered(listed, nowNs);
        Map<String, Set<String>> deregistered = new HashMap<>();
        if (!left.isEmpty()) {
            services.keySet().forEach(service -> deregistered.put(service, left));
        }
        addresses = found;
        follower.delivery().deliver(Directory.of(services, deregistered));
    }

    /** Returns the addresses that went away lately while others stayed. */
    private Set<String> deregistered(List<DnsAddress> now, long nowNs) {
        deregisteredNs.values().removeIf(sinceNs -> nowNs - sinceNs >= DEREGISTERED_NS);
        if (!now.isEmpty() && addresses != null) {
            addresses.forEach(address -> deregisteredNs.put(address.text(), nowNs));
        }
        now.forEach(address -> deregisteredNs.remove(address.text()));
        return Set.copyOf(deregisteredNs.keySet());
    }

    @Override
    public void end() {
        client.close();
    }
}
