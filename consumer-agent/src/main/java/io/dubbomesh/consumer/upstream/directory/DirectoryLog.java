package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.runtime.Count;
import io.dubbomesh.runtime.LogRate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Logs which endpoints the registry lists for the services that are called, one line for each service that has changed
 * since the last {@link #log}; and once, of each provider that no agent can call, why. One for all event loops of an
 * agent.
 */
public final class DirectoryLog {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLog.class);
    private static final int MAX_NAMED = 3;
    private static final int FOREIGN_LINES_PER_MINUTE = 60;

    private final Set<String> called = ConcurrentHashMap.newKeySet();
    private final Map<String, List<Endpoint>> logged = new HashMap<>();
    private final LogRate foreignLimit = new LogRate(FOREIGN_LINES_PER_MINUTE, TimeUnit.MINUTES.toNanos(1));
    /** The addresses of the providers that no agent could call at the last time. */
    private Set<String> foreign = Set.of();
    /** The foreign addresses that were logged. */
    private final Set<String> foreignLogged = new HashSet<>();
    /** Null until it is loaded. */
    private volatile Directory directory;

    /** Logs the endpoints of this service from now on, unless only a client knows its name. Called by any thread. */
    public void called(String service) {
        Directory newest = directory;
        if (newest != null && newest.services().contains(service)) {
            called.add(service);
        }
    }

    /** Takes a new list of the registry. Called by any thread, which walks over all endpoints. */
    public void update(Directory changed) {
        changed.foreign();
        directory = changed;
    }

    /** Logs what has changed since the last time; to be called once a second, always by the same thread. */
    public void log() {
        Directory newest = directory;
        if (newest == null) {
            return;
        }
        logForeign(newest.foreign());
        for (String service : called) {
            List<Endpoint> listed = newest.endpoints(service);
            List<Endpoint> endpoints = listed == null ? List.of() : listed;
            List<Endpoint> before = logged.put(service, endpoints);
            if (before != endpoints) {
                log(newest, service, before, endpoints);
            }
        }
    }

    /**
     * Logs foreign endpoints, with those that were listed the last time: a provider registers one protocol after the
     * other.
     */
    private void logForeign(Map<String, Endpoint> now) {
        for (Map.Entry<String, Endpoint> provider : now.entrySet()) {
            if (!foreign.contains(provider.getKey()) || foreignLogged.contains(provider.getKey())) {
                continue;
            }
            if (!foreignLimit.admits(System.nanoTime())) {
                break;
            }
            foreignLogged.add(provider.getKey());
            LOG.warn(
                    "provider {}; let it register the protocol dubbo or tri too",
                    ForeignProtocol.described(provider.getValue()));
        }
        foreign = now.keySet();
        foreignLogged.retainAll(foreign);
    }

    private static void log(Directory newest, String service, List<Endpoint> before, List<Endpoint> endpoints) {
        String changes = before == null ? described("listed", endpoints) : changes(newest, service, before, endpoints);
        if (!changes.isEmpty()) {
            LOG.info("{}: {}{}", service, Count.of(endpoints.size(), "endpoint"), changes);
        }
    }

    private static String changes(Directory newest, String service, List<Endpoint> before, List<Endpoint> endpoints) {
        Map<String, Endpoint> former = new HashMap<>();
        before.forEach(endpoint -> former.put(endpoint.address(), endpoint));
        List<Endpoint> joined = new ArrayList<>();
        List<Endpoint> changed = new ArrayList<>();
        for (Endpoint endpoint : endpoints) {
            Endpoint same = former.remove(endpoint.address());
            if (same == null) {
                joined.add(endpoint);
            } else if (!same.equals(endpoint)) {
                changed.add(endpoint);
            }
        }
        Set<String> behindAgents = endpoints.stream().map(Endpoint::provider).collect(Collectors.toSet());
        List<Endpoint> behind = new ArrayList<>();
        List<Endpoint> deregistered = new ArrayList<>();
        List<Endpoint> lapsed = new ArrayList<>();
        for (Endpoint endpoint : before) {
            if (!former.containsKey(endpoint.address())) {
                continue;
            }
            if (behindAgents.contains(endpoint.address())) {
                behind.add(endpoint);
            } else if (newest.isDeregistered(service, endpoint.address())) {
                deregistered.add(endpoint);
            } else {
                lapsed.add(endpoint);
            }
        }
        return described("joined", joined)
                + described("changed", changed)
                + described("now behind an agent:", behind)
                + described("deregistered", deregistered)
                + described("lapsed", lapsed);
    }

    private static String described(String what, List<Endpoint> endpoints) {
        if (endpoints.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("; ").append(what);
        for (int i = 0; i < Math.min(MAX_NAMED, endpoints.size()); i++) {
            Endpoint endpoint = endpoints.get(i);
            text.append(i == 0 ? " " : ", ")
                    .append(endpoint.address())
                    .append(" weight ")
                    .append(endpoint.weight());
        }
        if (endpoints.size() > MAX_NAMED) {
            text.append(" and ").append(endpoints.size() - MAX_NAMED).append(" more");
        }
        return text.toString();
    }
}
