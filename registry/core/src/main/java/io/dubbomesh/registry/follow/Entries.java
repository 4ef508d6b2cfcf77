package io.dubbomesh.registry.follow;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.registry.thread.Surplus;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * All keys and values below {@code /dubbomesh/}, as they are put and deleted, and the directory made of them. Belongs
 * to one thread. A value that cannot be parsed leaves its endpoint as it was, and is logged once.
 *
 * <p>What it holds and logs is bounded, since any client that may write to the registry decides what stands there.
 */
public final class Entries {
    static final int MAX_ENDPOINTS = 4096;
    static final int MAX_ENTRIES = 65_536;
    static final int LINES_PER_MINUTE = 60;
    private static final int CROWDED_LINES_PER_MINUTE = 10;
    private static final int MAX_MALFORMED = 1_000;
    /**
     * The time for which a key that was deleted on purpose is remembered: longer than any event loop takes to see a
     * directory.
     */
    static final long DEREGISTERED_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final long graceNs;
    private final TreeMap<String, Entry> entries = new TreeMap<>();
    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);
    /** Digests of malformed keys that were logged. */
    private final Set<UUID> malformed = new HashSet<>();
    /** The times at which the deregistrations of addresses are removed, by service and address. */
    private final Map<String, Map<String, Long>> deregistrations = new HashMap<>();

    private final Map<String, List<Endpoint>> services = new HashMap<>();
    private final Map<String, Set<String>> deregistered = new HashMap<>();
    private final Set<String> changed = new HashSet<>();
    private final Set<String> crowded = new HashSet<>();
    /** One entry that comes and goes would make a line each time. */
    private final LogLimit crowdedLimit = new LogLimit(CROWDED_LINES_PER_MINUTE);

    private final Surplus surplus = new Surplus();
    private int suspect;
    private Directory directory = Directory.of(Map.of());

    /** @param graceNs how long {@link #markSuspect} keeps an entry */
    public Entries(long graceNs) {
        this.graceNs = graceNs;
    }

    private static final class Entry {
        final EndpointCodec.Key key;

        Endpoint endpoint;
        boolean leaving;
        String rejected;
        boolean suspect;
        long suspectUntilNs;

        Entry(EndpointCodec.Key key) {
            this.key = key;
        }

        boolean isListed() {
            return endpoint != null && !leaving;
        }
    }

    /** Returns false if it is ignored because there are too many, or because its key is malformed. */
    public boolean put(String key, byte[] value, long nowNs) {
        Entry entry = entries.get(key);
        if (entry == null) {
            if (entries.size() >= MAX_ENTRIES) {
                ignored(nowNs);
                return false;
            }
            EndpointCodec.Key parsed = parse(key, nowNs);
            if (parsed == null) {
                return false;
            }
            entry = new Entry(parsed);
            entries.put(key, entry);
        }
        confirm(entry);
        put(entry, value, nowNs);
        return true;
    }

    private void ignored(long nowNs) {
        if (surplus.markIgnored() && logLimit.tryLog(nowNs)) {
            LOG.warn("more than {} keys below {}, the rest is ignored", MAX_ENTRIES, EndpointCodec.ROOT);
        }
    }

    /** Returns null if it is malformed; it may be as long as a registry allows then, so that it is not kept. */
    private EndpointCodec.Key parse(String key, long nowNs) {
        try {
            return EndpointCodec.parseKey(key);
        } catch (IllegalArgumentException e) {
            if (malformed.size() >= MAX_MALFORMED) {
                malformed.clear();
            }
            if (malformed.add(digest(key)) && logLimit.tryLog(nowNs)) {
                LOG.warn("key {} ignored: {}", PrintableText.brief(key), e.getMessage());
            }
            return null;
        }
    }

    private static UUID digest(String key) {
        return UUID.nameUUIDFromBytes(key.getBytes(UTF_8));
    }

    private void put(Entry entry, byte[] value, long nowNs) {
        try {
            EndpointCodec.Value parsed = EndpointCodec.parseValue(value);
            HostPort address = entry.key.address();
            Endpoint endpoint = new Endpoint(
                    address.host(),
                    address.port(),
                    parsed.weight(),
                    parsed.limit(),
                    parsed.variants(),
                    parsed.provider(),
                    List.of(),
                    parsed.timeouts(),
                    parsed.zone(),
                    parsed.capacity());
            entry.rejected = null;
            if (!parsed.leaving()) {
                removeDeregistration(entry.key.service(), endpoint.address());
            }
            if (parsed.leaving() != entry.leaving || !endpoint.equals(entry.endpoint)) {
                entry.endpoint = endpoint;
                entry.leaving = parsed.leaving();
                changed.add(entry.key.service());
            }
        } catch (IllegalArgumentException e) {
            reject(entry, value, e, nowNs);
        }
    }

    private void removeDeregistration(String service, String address) {
        Map<String, Long> addresses = deregistrations.get(service);
        if (addresses != null && addresses.remove(address) != null && addresses.isEmpty()) {
            deregistrations.remove(service);
        }
    }

    private void reject(Entry entry, byte[] value, IllegalArgumentException reason, long nowNs) {
        String text = EndpointCodec.printable(value);
        if (text.equals(entry.rejected)) {
            return;
        }
        entry.rejected = text;
        if (logLimit.tryLog(nowNs)) {
            LOG.warn(
                    "value of {} ignored: {}: {}; {}",
                    entry.key,
                    text,
                    reason.getMessage(),
                    entry.endpoint == null ? "the endpoint is not listed" : "the endpoint stays as it was");
        }
    }

    public void delete(String key, long nowNs) {
        Entry entry = entries.remove(key);
        if (entry != null) {
            removed(entry, nowNs);
        } else if (!malformed.isEmpty()) {
            malformed.remove(digest(key));
        }
    }

    private void removed(Entry entry, long nowNs) {
        confirm(entry);
        surplus.freed();
        if (entry.endpoint == null) {
            return;
        }
        changed.add(entry.key.service());
        if (entry.leaving) {
            deregistrations
                    .computeIfAbsent(entry.key.service(), service -> new HashMap<>())
                    .put(entry.endpoint.address(), nowNs + DEREGISTERED_NS);
        }
    }

    private void confirm(Entry entry) {
        if (entry.suspect) {
            entry.suspect = false;
            suspect--;
        }
    }

    /** Deletes the entries whose keys are not in {@code keys}, except those in doubt. */
    public void retain(Collection<String> keys, long nowNs) {
        for (String key : missing(keys)) {
            if (!entries.get(key).suspect) {
                delete(key, nowNs);
            }
        }
    }

    /**
     * Keeps the entries whose keys are not in {@code keys} for the grace, unless they are put or deleted before. For a
     * list that proves nothing about the entries that are missing in it, because it comes from a registry that has lost
     * its data.
     */
    public void markSuspect(Collection<String> keys, long nowNs) {
        for (String key : missing(keys)) {
            Entry entry = entries.get(key);
            if (!entry.suspect) {
                entry.suspect = true;
                entry.suspectUntilNs = nowNs + graceNs;
                suspect++;
            }
        }
    }

    /** Returns the keys of the entries; a view. */
    public Set<String> keys() {
        return Collections.unmodifiableSet(entries.keySet());
    }

    private List<String> missing(Collection<String> keys) {
        List<String> missing = new ArrayList<>();
        for (String key : entries.keySet()) {
            if (!keys.contains(key)) {
                missing.add(key);
            }
        }
        return missing;
    }

    /**
     * Deletes the entries that have been in doubt for the grace, forgets old deregistrations, and logs what was not
     * logged.
     */
    public void expire(long nowNs) {
        if (suspect > 0) {
            for (Iterator<Entry> all = entries.values().iterator(); all.hasNext(); ) {
                Entry entry = all.next();
                if (entry.suspect && nowNs - entry.suspectUntilNs >= 0) {
                    all.remove();
                    removed(entry, nowNs);
                }
            }
        }
        deregistrations.values().removeIf(addresses -> {
            addresses.values().removeIf(untilNs -> nowNs - untilNs >= 0);
            return addresses.isEmpty();
        });
        int leftOut = logLimit.leftOut(nowNs);
        if (leftOut > 0) {
            LOG.warn("{} more lines about malformed or surplus entries were not logged", leftOut);
        }
    }

    /**
     * Returns whether all entries are to be put again, since those that were ignored may have room now. Answers true
     * once.
     */
    public boolean pollRoom() {
        return surplus.pollRoom();
    }

    /** Returns whether {@link #directory} will make a new one. */
    public boolean hasChanged() {
        return !changed.isEmpty();
    }

    /** Returns the present directory; the same object as before if nothing changed. */
    public Directory directory() {
        if (!changed.isEmpty()) {
            for (String service : changed) {
                list(service);
            }
            changed.clear();
            directory = Directory.of(services, deregistered);
        }
        return directory;
    }

    private void list(String service) {
        String prefix = EndpointCodec.ROOT + service + '/';
        List<Endpoint> endpoints = new ArrayList<>();
        Set<String> leaving = new HashSet<>();
        boolean surplus = false;
        for (Entry entry : entries.subMap(prefix, prefix + Character.MAX_VALUE).values()) {
            if (entry.leaving) {
                leaving.add(entry.endpoint.address());
            } else if (entry.isListed() && endpoints.size() < MAX_ENDPOINTS) {
                endpoints.add(entry.endpoint);
            } else {
                surplus |= entry.isListed();
            }
        }
        leaving.addAll(deregistrations.getOrDefault(service, Map.of()).keySet());
        if (!leaving.isEmpty()) {
            endpoints.forEach(endpoint -> leaving.remove(endpoint.address()));
        }
        if (endpoints.isEmpty() && services.size() > MAX_ENTRIES) {
            services.remove(service);
        } else {
            services.put(service, List.copyOf(endpoints));
        }
        if (leaving.isEmpty()) {
            deregistered.remove(service);
        } else {
            deregistered.put(service, Set.copyOf(leaving));
        }
        if (!surplus) {
            crowded.remove(service);
        } else if (crowded.add(service) && crowdedLimit.tryLog(System.nanoTime())) {
            LOG.warn("{}: more than {} endpoints, the rest is ignored", service, MAX_ENDPOINTS);
        }
    }
}
