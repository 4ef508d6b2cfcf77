package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.HostPort;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Leaves out what a process offers by a second protocol: its weight would count twice. Two entries of one version and
 * group are of one process if they stand for one address, or tell the same process of a host, and have started at about
 * the same time. The one of the preferred protocol is used then. Of two at one address that have started apart, the
 * later one is used: the earlier one is what a process has left behind that is gone.
 *
 * <p>A process is known by the instance that listens at its addresses, or by the process id that Dubbo registers up to
 * 3.1; where there is neither, by its application.
 */
final class OfferedOnce {
    /** A process registers what it offers by all protocols one after the other. */
    private static final long ONE_START_MS = TimeUnit.MINUTES.toMillis(1);
    /** The same where nothing but the application is known: another process of it may have started soon after. */
    private static final long APPLICATION_START_MS = TimeUnit.SECONDS.toMillis(10);

    /** A version and group at an address. */
    private record At(HostPort address, Variant variant) {}

    /** A version and group of a process. */
    private record Of(String host, String process, Variant variant) {}

    private final EndpointProtocol preferred;
    /** What the entries of an endpoint tell of its process: it may be registered in several ways. */
    private final Map<EndpointId, Set<String>> processes = new HashMap<>();

    private final Map<At, List<DubboProvider>> byAddress = new HashMap<>();
    /** What is offered by the preferred protocol, by its start. */
    private final Map<Of, NavigableMap<Long, DubboProvider>> offeredByPreferred = new HashMap<>();

    private OfferedOnce(EndpointProtocol preferred) {
        this.preferred = preferred;
    }

    /**
     * @param all        the entries of a service
     * @param entries    of these one of each version and group of each endpoint
     * @param instanceAt returns what names the instance at an address; null if it is not known
     */
    static List<DubboProvider> of(
            Collection<DubboProvider> all,
            Collection<DubboProvider> entries,
            EndpointProtocol preferred,
            Function<HostPort, String> instanceAt) {
        OfferedOnce offered = new OfferedOnce(preferred);
        for (DubboProvider entry : all) {
            offered.addProcess(entry, instanceAt.apply(entry.address()));
        }
        for (DubboProvider entry : all) {
            Set<String> told = offered.processes.get(entry.id());
            if (told.isEmpty()) {
                told.add(entry.process());
            }
        }
        entries.forEach(offered::add);
        return offered.once(entries);
    }

    /** Returns the entries that are used; each tells at what other addresses its process offers the same. */
    private List<DubboProvider> once(Collection<DubboProvider> entries) {
        Map<DubboProvider, Set<HostPort>> others = new IdentityHashMap<>();
        List<DubboProvider> used = new ArrayList<>();
        for (DubboProvider entry : entries) {
            DubboProvider instead = offeredByPreferred(entry);
            if (instead != null) {
                others.computeIfAbsent(instead, of -> new HashSet<>(2)).add(entry.address());
            } else if (!isReplacedAtItsAddress(entry)) {
                used.add(entry);
            }
        }
        used.replaceAll(entry -> others.containsKey(entry) ? entry.alsoAt(others.get(entry)) : entry);
        return used;
    }

    private void addProcess(DubboProvider entry, String instance) {
        Set<String> told = processes.computeIfAbsent(entry.id(), id -> new HashSet<>(2));
        if (instance != null) {
            told.add(instance);
        }
        if (!entry.isApplicationOnly()) {
            told.add(entry.process());
        }
    }

    private void add(DubboProvider entry) {
        Variant variant = entry.export().variant();
        byAddress
                .computeIfAbsent(new At(entry.address(), variant), at -> new ArrayList<>(1))
                .add(entry);
        if (entry.id().protocol() == preferred) {
            for (String process : processes.get(entry.id())) {
                offeredByPreferred
                        .computeIfAbsent(new Of(entry.address().host(), process, variant), of -> new TreeMap<>())
                        .put(entry.startMs(), entry);
            }
        }
    }

    private boolean isReplacedAtItsAddress(DubboProvider entry) {
        return byAddress.get(new At(entry.address(), entry.export().variant())).stream()
                .anyMatch(other -> replaces(other, entry));
    }

    private boolean replaces(DubboProvider other, DubboProvider entry) {
        if (other.id().protocol() == entry.id().protocol()) {
            return false;
        }
        boolean isApart = Math.abs(other.startMs() - entry.startMs()) > ONE_START_MS;
        return isApart ? other.startMs() > entry.startMs() : other.id().protocol() == preferred;
    }

    /** Returns what the process of an entry offers by the preferred protocol instead; null if there is nothing. */
    private DubboProvider offeredByPreferred(DubboProvider entry) {
        if (entry.id().protocol() == preferred) {
            return null;
        }
        for (String process : processes.get(entry.id())) {
            NavigableMap<Long, DubboProvider> starts = offeredByPreferred.get(
                    new Of(entry.address().host(), process, entry.export().variant()));
            boolean isApplicationOnly = entry.isApplicationOnly() && process.equals(entry.process());
            long apartMs = isApplicationOnly ? APPLICATION_START_MS : ONE_START_MS;
            Map.Entry<Long, DubboProvider> nearest = starts == null ? null : nearest(starts, entry.startMs());
            if (nearest != null && Math.abs(nearest.getKey() - entry.startMs()) <= apartMs) {
                return nearest.getValue();
            }
        }
        return null;
    }

    private static Map.Entry<Long, DubboProvider> nearest(NavigableMap<Long, DubboProvider> starts, long startMs) {
        Map.Entry<Long, DubboProvider> before = starts.floorEntry(startMs);
        Map.Entry<Long, DubboProvider> after = starts.ceilingEntry(startMs);
        if (before == null || after == null) {
            return before == null ? after : before;
        }
        return startMs - before.getKey() <= after.getKey() - startMs ? before : after;
    }
}
