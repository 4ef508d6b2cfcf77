package io.dubbomesh.registry;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All keys and values below {@code /dubbomesh/}, as they are put and deleted, and the directory made of them. Belongs to one
 * thread. A value that cannot be parsed leaves its endpoint as it was, and is logged once.
 */
public final class Entries {
    static final int MAX_ENDPOINTS = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final long graceNs;
    private final TreeMap<String, Entry> entries = new TreeMap<>();
    private final Map<String, List<Endpoint>> services = new HashMap<>();
    private final Set<String> changed = new HashSet<>();
    private final Set<String> crowded = new HashSet<>();
    private Directory directory = Directory.of(Map.of());

    /** @param graceNs how long {@link #doubt} keeps an entry */
    public Entries(long graceNs) {
        this.graceNs = graceNs;
    }

    private static final class Entry {
        final EndpointCodec.Key key;
        Endpoint endpoint;
        String rejected;
        boolean doubtful;
        long doubtedUntilNs;

        Entry(EndpointCodec.Key key) {
            this.key = key;
        }
    }

    public void put(String key, byte[] value) {
        Entry entry = entries.computeIfAbsent(key, Entries::entry);
        entry.doubtful = false;
        if (entry.key == null) {
            return;
        }
        try {
            EndpointCodec.Value parsed = EndpointCodec.parseValue(value);
            HostPort address = entry.key.address();
            Endpoint endpoint =
                    new Endpoint(address.host(), address.port(), parsed.weight(), parsed.limit(), parsed.variants());
            entry.rejected = null;
            if (!endpoint.equals(entry.endpoint)) {
                LOG.info(
                        "{} {} {}, weight {}",
                        entry.key.service(),
                        address,
                        entry.endpoint == null ? "joined" : "changed",
                        endpoint.weight());
                entry.endpoint = endpoint;
                changed.add(entry.key.service());
            }
        } catch (IllegalArgumentException e) {
            reject(entry, value, e);
        }
    }

    private static Entry entry(String key) {
        try {
            return new Entry(EndpointCodec.parseKey(key));
        } catch (IllegalArgumentException e) {
            LOG.warn("key {} ignored: {}", PrintableText.brief(key), e.getMessage());
            return new Entry(null);
        }
    }

    private static void reject(Entry entry, byte[] value, IllegalArgumentException reason) {
        String text = EndpointCodec.printable(value);
        if (!text.equals(entry.rejected)) {
            entry.rejected = text;
            LOG.warn(
                    "value of {} ignored: {}: {}; {}",
                    entry.key,
                    text,
                    reason.getMessage(),
                    entry.endpoint == null ? "the endpoint is not listed" : "the endpoint stays as it was");
        }
    }

    public void delete(String key) {
        Entry entry = entries.remove(key);
        if (entry != null) {
            gone(entry, "left");
        }
    }

    private void gone(Entry entry, String how) {
        if (entry.endpoint != null) {
            LOG.info("{} {} {}", entry.key.service(), entry.key.address(), how);
            changed.add(entry.key.service());
        }
    }

    /** Deletes the entries whose keys are not in {@code keys}, except those in doubt. */
    public void retain(Collection<String> keys) {
        for (String key : missing(keys)) {
            if (!entries.get(key).doubtful) {
                delete(key);
            }
        }
    }

    /**
     * Keeps the entries whose keys are not in {@code keys} for the grace, unless they are put or deleted before. For a list that
     * proves nothing about the entries that are missing in it, because it comes from a registry that has lost its data.
     */
    public void doubt(Collection<String> keys, long nowNs) {
        for (String key : missing(keys)) {
            Entry entry = entries.get(key);
            if (!entry.doubtful) {
                entry.doubtful = true;
                entry.doubtedUntilNs = nowNs + graceNs;
            }
        }
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

    /** Deletes the entries that have been in doubt for the grace. */
    public void expire(long nowNs) {
        for (Iterator<Entry> all = entries.values().iterator(); all.hasNext(); ) {
            Entry entry = all.next();
            if (entry.doubtful && nowNs - entry.doubtedUntilNs >= 0) {
                all.remove();
                gone(entry, "was not registered again");
            }
        }
    }

    /** The present directory; the same object as before if nothing changed. */
    public Directory directory() {
        if (!changed.isEmpty()) {
            for (String service : changed) {
                services.put(service, endpoints(service));
            }
            changed.clear();
            directory = Directory.of(services);
        }
        return directory;
    }

    private List<Endpoint> endpoints(String service) {
        String prefix = EndpointCodec.ROOT + service + '/';
        List<Endpoint> endpoints = new ArrayList<>();
        for (Entry entry : entries.subMap(prefix, prefix + Character.MAX_VALUE).values()) {
            if (entry.endpoint != null && endpoints.size() < MAX_ENDPOINTS) {
                endpoints.add(entry.endpoint);
            } else if (entry.endpoint != null) {
                if (crowded.add(service)) {
                    LOG.warn("{}: more than {} endpoints, the rest is ignored", service, MAX_ENDPOINTS);
                }
                return List.copyOf(endpoints);
            }
        }
        crowded.remove(service);
        return List.copyOf(endpoints);
    }
}
