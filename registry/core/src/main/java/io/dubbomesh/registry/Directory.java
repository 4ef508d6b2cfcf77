package io.dubbomesh.registry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** All services and their endpoints at one moment; immutable. */
public final class Directory {
    private final Listed listed;
    private final Ruled ruled;
    private final Unlisted unlisted;
    /** Null until it is asked for. */
    private volatile Map<String, Endpoint> foreign;
    /** Null until it is asked for. */
    private volatile Map<String, Endpoint> byAddress;
    /** The names of services by their last part in small letters. Null until it is asked for. */
    private volatile Map<String, List<String>> bySimpleName;

    /**
     * The endpoints.
     *
     * @param ofAnyService those of every service; null if each has its own
     */
    private record Listed(
            Map<String, List<Endpoint>> services, Map<String, Set<String>> deregistered, List<Endpoint> ofAnyService) {}

    /** The rules over the endpoints, by service. */
    private record Ruled(Map<String, RoutingRules> rules, List<RuleReport> reports) {
        static final Ruled NONE = new Ruled(Map.of(), List.of());
    }

    /** The registered providers that are not listed, since their services are not known. */
    private record Unlisted(UnknownExports exports, Set<Endpoint> foreignInstances) {
        static final Unlisted NONE = new Unlisted(UnknownExports.NONE, Set.of());
    }

    private Directory(Listed listed, Ruled ruled, Unlisted unlisted) {
        this.listed = listed;
        this.ruled = ruled;
        this.unlisted = unlisted;
    }

    /** @param services the endpoints by service, an empty list for one that was registered before */
    public static Directory of(Map<String, List<Endpoint>> services) {
        return of(services, Map.of());
    }

    /**
     * @param services     the endpoints by service, an empty list for one that was registered before
     * @param deregistered the addresses, by service, for which {@link #isDeregistered} holds
     */
    public static Directory of(Map<String, List<Endpoint>> services, Map<String, Set<String>> deregistered) {
        return new Directory(
                new Listed(Map.copyOf(services), Map.copyOf(deregistered), null), Ruled.NONE, Unlisted.NONE);
    }

    /** Returns a directory with the same endpoints for every service. */
    public static Directory ofAnyService(List<Endpoint> endpoints) {
        return new Directory(new Listed(Map.of(), Map.of(), List.copyOf(endpoints)), Ruled.NONE, Unlisted.NONE);
    }

    /**
     * Returns the same endpoints under rules.
     *
     * @param rulesOf by service, for those that have any
     * @param reports of all rules that stand in the registry, whether they are obeyed or not
     */
    public Directory withRules(Map<String, ? extends RoutingRules> rulesOf, List<RuleReport> reports) {
        return new Directory(listed, new Ruled(Map.copyOf(rulesOf), List.copyOf(reports)), unlisted);
    }

    /**
     * Returns the same endpoints beside what has services that are not known.
     *
     * @param foreign as in {@link #foreignInstances}
     */
    public Directory withUnknown(UnknownExports unknown, Set<Endpoint> foreign) {
        return new Directory(listed, ruled, new Unlisted(unknown, Set.copyOf(foreign)));
    }

    /** Returns the same endpoints under the rules of another, and beside the same unknown ones. */
    public Directory withRulesOf(Directory other) {
        return new Directory(listed, other.ruled, other.unlisted);
    }

    /**
     * Returns the endpoints of the service, ordered by address; null if it was never registered, empty if it is not
     * registered any more. The list is the same object as long as nothing about the service changed.
     */
    public List<Endpoint> endpoints(String service) {
        return listed.ofAnyService() == null ? listed.services().get(service) : listed.ofAnyService();
    }

    /**
     * Returns the rules that decide which endpoints a call of the service may go to; null if there are none. The same
     * object as long as they decide alike.
     */
    public RoutingRules rules(String service) {
        return ruled.rules().get(service);
    }

    /** Returns all rules that stand in the registry, by their keys. */
    public List<RuleReport> ruleReports() {
        return ruled.reports();
    }

    /**
     * Returns the providers that are not listed yet, or cannot be: one of them may have a service that is not listed.
     */
    public UnknownExports unknownExports() {
        return unlisted.exports();
    }

    /**
     * Returns the providers that are registered by instance and speak none of the agents' protocols, and of which
     * nothing else is known: they tell by that protocol alone what they export.
     */
    public Set<Endpoint> foreignInstances() {
        return unlisted.foreignInstances();
    }

    /** Returns the {@link #foreignInstances} by address. */
    public Map<String, Endpoint> foreign() {
        Map<String, Endpoint> made = foreign;
        if (made == null) {
            Map<String, Endpoint> all = new HashMap<>();
            unlisted.foreignInstances().forEach(instance -> all.put(instance.address(), instance));
            made = Collections.unmodifiableMap(all);
            foreign = made;
        }
        return made;
    }

    private void forEachListed(Consumer<Endpoint> consumer) {
        Collection<List<Endpoint>> lists =
                listed.ofAnyService() == null ? listed.services().values() : List.of(listed.ofAnyService());
        lists.forEach(endpoints -> endpoints.forEach(consumer));
    }

    /**
     * Returns whether an endpoint that is not listed any more deregistered on purpose, up to ten seconds ago, or is a
     * provider whose agent is listed. Otherwise its entry lapsed, which says nothing about the agent: it may be cut off
     * from the registry and serve as before.
     *
     * @param address as in {@link Endpoint#address}
     */
    public boolean isDeregistered(String service, String address) {
        Set<String> addresses = listed.deregistered().get(service);
        return addresses != null && addresses.contains(address);
    }

    /** Returns the addresses for which {@link #isDeregistered} holds. */
    public Set<String> deregistered(String service) {
        return listed.deregistered().getOrDefault(service, Set.of());
    }

    /**
     * Returns every endpoint of every service by its address, with the weight of any of its services, and the {@link
     * #foreignInstances}.
     */
    public Map<String, Endpoint> byAddress() {
        Map<String, Endpoint> made = byAddress;
        if (made == null) {
            Map<String, Endpoint> all = new HashMap<>();
            forEachListed(endpoint -> all.putIfAbsent(endpoint.address(), endpoint));
            unlisted.foreignInstances().forEach(instance -> all.putIfAbsent(instance.address(), instance));
            made = Collections.unmodifiableMap(all);
            byAddress = made;
        }
        return made;
    }

    /** Returns the endpoints of {@link #byAddress}. */
    public Collection<Endpoint> all() {
        return byAddress().values();
    }

    /** Returns whether every service has the same endpoints: then {@link #services} is empty. */
    public boolean isOfAnyService() {
        return listed.ofAnyService() != null;
    }

    /** Returns every service that was ever registered. */
    public Set<String> services() {
        return listed.services().keySet();
    }

    /** Returns the registered services that have the same simple name, in any package and capitals, in order. */
    public List<String> namesakes(String service) {
        Map<String, List<String>> made = bySimpleName;
        if (made == null) {
            made = new HashMap<>();
            for (String name : new TreeSet<>(listed.services().keySet())) {
                made.computeIfAbsent(simpleName(name), simple -> new ArrayList<>())
                        .add(name);
            }
            bySimpleName = made;
        }
        return Collections.unmodifiableList(made.getOrDefault(simpleName(service), List.of()));
    }

    private static String simpleName(String service) {
        return service.substring(service.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return listed.ofAnyService() == null
                ? listed.services().toString()
                : listed.ofAnyService().toString();
    }
}
