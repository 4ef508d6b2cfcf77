package io.dubbomesh.registry.merged;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.address.EndpointProtocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Leaves out of directories the Dubbo providers whose agents are called in their stead. A provider that has registered
 * itself and has an agent would get two shares of the calls, and more of them than it has threads. It is left out of a
 * service while an agent is listed that names it, takes calls and can be reached, and counts as deregistered meanwhile.
 * An agent that was killed stays listed until its lease or session ends, though its provider may serve as before.
 *
 * <p>Used by several threads.
 */
public final class ProvidersBehindAgents {
    private final Consumer<Directory> changed;
    private final Executor worker;
    private final long minPauseNs;
    private volatile long shownNs;
    private final AtomicBoolean isDue = new AtomicBoolean();
    private boolean isClosed;
    /** The lists of the services with agents that name their providers. */
    private Map<String, Shown> shown = Map.of();
    /** Null until there is one. */
    private Directory listed;
    /** The loops that have links, by the addresses of agents. */
    private final Map<String, Loops> loops = new HashMap<>();
    /** The listed agents that name their providers. */
    private volatile Set<String> agents = Set.of();

    /** The event loops that have a link to an agent, and those that cannot connect to it. */
    private static final class Loops {
        final Set<Integer> linked = new HashSet<>();
        final Set<Integer> without = new HashSet<>();
    }

    /**
     * A list and what is made of it.
     *
     * @param without its agents that could not be reached
     */
    private record Shown(List<Endpoint> list, Set<String> without, List<Endpoint> endpoints, Set<String> leftOut) {}

    /**
     * @param changed takes each directory, one at a time
     * @param worker  runs what a lost agent changes, so that event loops go on meanwhile
     * @param minPauseNs between two such changes: links may be lost and found again many times a second
     */
    public ProvidersBehindAgents(Consumer<Directory> changed, Executor worker, long minPauseNs) {
        this.changed = changed;
        this.worker = worker;
        this.minPauseNs = minPauseNs;
        shownNs = System.nanoTime() - minPauseNs;
    }

    /** Takes a new directory of the registry. */
    public synchronized void update(Directory directory) {
        listed = directory;
        show();
    }

    /**
     * Called when an event loop cannot connect to the address of an agent. The agent counts as lost when no loop has a
     * link to it.
     */
    public void lost(String agent, int loop) {
        synchronized (loops) {
            Loops of = loops.computeIfAbsent(agent, key -> new Loops());
            of.linked.remove(loop);
            if (!of.without.add(loop) || !of.linked.isEmpty()) {
                return;
            }
        }
        reachabilityChanged(agent);
    }

    /** Called when an event loop has a link to the agent. */
    public void found(String agent, int loop) {
        synchronized (loops) {
            Loops of = loops.computeIfAbsent(agent, key -> new Loops());
            of.without.remove(loop);
            if (!of.linked.add(loop) || of.linked.size() > 1) {
                return;
            }
        }
        reachabilityChanged(agent);
    }

    /** Called when an event loop has no link to the agent, and does not try to open one. */
    public void removeLoop(String agent, int loop) {
        synchronized (loops) {
            Loops of = loops.get(agent);
            if (of == null || !of.linked.remove(loop) & !of.without.remove(loop)) {
                return;
            }
            if (of.linked.isEmpty() && of.without.isEmpty()) {
                loops.remove(agent);
            }
        }
        reachabilityChanged(agent);
    }

    private void reachabilityChanged(String agent) {
        if (agents.contains(agent) && isDue.compareAndSet(false, true)) {
            long pauseNs = Math.max(0, shownNs + minPauseNs - System.nanoTime());
            Executor due =
                    pauseNs == 0 ? worker : CompletableFuture.delayedExecutor(pauseNs, TimeUnit.NANOSECONDS, worker);
            due.execute(() -> {
                isDue.set(false);
                synchronized (this) {
                    shownNs = System.nanoTime();
                    show();
                }
            });
        }
    }

    /** Hands on no directory from now on. */
    public synchronized void close() {
        isClosed = true;
    }

    private void show() {
        if (isClosed) {
            return;
        }
        Set<String> services = new HashSet<>();
        Set<String> naming = new HashSet<>();
        if (!listed.isOfAnyService()) {
            for (String service : listed.services()) {
                for (Endpoint endpoint : listed.endpoints(service)) {
                    if (namesProvider(endpoint)) {
                        services.add(service);
                        naming.add(endpoint.address());
                    }
                }
            }
        }
        // Before the lost ones are looked at: one that is lost from now on is noticed.
        agents = Set.copyOf(naming);
        Set<String> lost = new HashSet<>();
        synchronized (loops) {
            loops.forEach((agent, of) -> {
                if (of.linked.isEmpty() && !of.without.isEmpty()) {
                    lost.add(agent);
                }
            });
        }
        Map<String, Shown> now = new HashMap<>();
        services.forEach(service -> now.put(service, shown(service, lost)));
        shown = now;
        changed.accept(now.isEmpty() ? listed : with(now));
    }

    private static boolean namesProvider(Endpoint endpoint) {
        return !endpoint.provider().isEmpty() && !endpoint.isDirect();
    }

    private Directory with(Map<String, Shown> now) {
        Map<String, List<Endpoint>> services = new HashMap<>();
        Map<String, Set<String>> deregistered = new HashMap<>();
        for (String service : listed.services()) {
            Shown ofService = now.get(service);
            services.put(service, ofService == null ? listed.endpoints(service) : ofService.endpoints());
            Set<String> gone = new HashSet<>(listed.deregistered(service));
            if (ofService != null) {
                gone.addAll(ofService.leftOut());
            }
            if (!gone.isEmpty()) {
                deregistered.put(service, gone);
            }
        }
        return Directory.of(services, deregistered).withRulesOf(listed);
    }

    private Shown shown(String service, Set<String> lost) {
        List<Endpoint> list = listed.endpoints(service);
        Set<String> without = new HashSet<>();
        for (Endpoint endpoint : list) {
            if (namesProvider(endpoint) && lost.contains(endpoint.address())) {
                without.add(endpoint.address());
            }
        }
        Shown before = shown.get(service);
        return before != null && before.list() == list && before.without().equals(without)
                ? before
                : leaveOut(list, without);
    }

    /** Leaves out what providers export and their agents serve. */
    private static Shown leaveOut(List<Endpoint> list, Set<String> without) {
        Map<String, Endpoint> byAddress = new TreeMap<>();
        list.forEach(endpoint -> byAddress.put(endpoint.address(), endpoint));
        List<String> severalAddresses = list.stream()
                .filter(endpoint -> endpoint.exports().stream().anyMatch(DubboExport::hasOtherAddresses))
                .map(Endpoint::address)
                .toList();
        Set<String> leftOut = new HashSet<>();
        for (Endpoint agent : list) {
            if (!namesProvider(agent) || agent.weight() == 0 || without.contains(agent.address())) {
                continue;
            }
            for (EndpointProtocol protocol : List.of(EndpointProtocol.DUBBO, EndpointProtocol.TRIPLE)) {
                leaveOut(byAddress.get(protocol.text(agent.provider())), export -> true, agent, byAddress, leftOut);
            }
            for (String address : severalAddresses) {
                leaveOut(byAddress.get(address), isAlsoAt(agent), agent, byAddress, leftOut);
            }
        }
        List<Endpoint> left = List.copyOf(byAddress.values());
        return new Shown(list, without, left.equals(list) ? list : left, leftOut);
    }

    /** Tells whether an export is that of the agent's provider at another address than the one that the agent names. */
    private static Predicate<DubboExport> isAlsoAt(Endpoint agent) {
        return export -> export.isAlsoAt(agent.provider());
    }

    /**
     * @param provider of the agent, by one of its protocols; null for none
     * @param isOfAgent tells which of its exports are those of the agent's provider
     */
    private static void leaveOut(
            Endpoint provider,
            Predicate<DubboExport> isOfAgent,
            Endpoint agent,
            Map<String, Endpoint> byAddress,
            Set<String> leftOut) {
        if (provider == null || !provider.isDirect()) {
            return;
        }
        List<DubboExport> others = provider.exports().stream()
                .filter(export -> !isOfAgent.test(export)
                        || !agent.serves(
                                export.variant().version(), export.variant().group()))
                .toList();
        if (others.isEmpty()) {
            byAddress.remove(provider.address());
            leftOut.add(provider.address());
        } else {
            byAddress.put(provider.address(), provider.withExports(others));
        }
    }
}
