package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.UnknownExports;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.rule.ServiceRules;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.registry.thread.Surplus;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The entries of Dubbo providers, as they are put and removed, and the directory made of them. Belongs to one thread.
 *
 * <p>An entry has a key of the registry's own choice: the name of a node, the id of an instance. One that cannot be
 * understood is logged once and leaves the last good one of its key as it was.
 *
 * <p>What it holds and logs is bounded, since any client that may write to the registry decides what stands there.
 */
public final class DubboProviders {
    static final int MAX_ENTRIES = 262_144;
    static final int MAX_ENDPOINTS = 4096;
    static final int MAX_SERVICES = 65_536;
    private static final int MAX_OVERRIDES = 1024;
    /** The most routers of one service: they are evaluated for each call. */
    static final int MAX_ROUTERS = 256;

    private static final int MAX_ROUTERS_CHARACTERS = 262_144;
    private static final int MAX_ROUTERS_VALUES = 4096;
    private static final int LINES_PER_MINUTE = 60;
    private static final int CROWDED_LINES_PER_MINUTE = 10;
    /** Begins the parameters, also where it is escaped, even twice. */
    private static final Pattern QUERY = Pattern.compile("\\?|%(?:25)*3[fF]");

    private static final Pattern AT = Pattern.compile("@|%(?:25)*40");
    private static final List<Escape> ESCAPES = List.of(
            new Escape(AT, "@"),
            new Escape(Pattern.compile("%(?:25)*3[aA]"), ":"),
            new Escape(Pattern.compile("%(?:25)*2[fF]"), "/"));

    private record Escape(Pattern pattern, String character) {}

    /**
     * The time for which an entry that was removed on purpose is remembered: longer than any event loop takes to see a
     * directory.
     */
    static final long DEREGISTERED_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final Map<String, Service> services = new HashMap<>();
    private final Map<String, List<Endpoint>> listed = new HashMap<>();
    private final Map<String, Set<String>> deregistered = new HashMap<>();
    private final Set<String> changed = new HashSet<>();
    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);
    /** One entry that comes and goes would make a line each time. */
    private final LogLimit crowdedLimit = new LogLimit(CROWDED_LINES_PER_MINUTE);

    private final SharedTexts texts = new SharedTexts();
    private final EntryIds ids = new EntryIds();
    /** The number of entries by interface of each address. */
    private final Map<HostPort, Integer> byInterface = new HashMap<>();

    private long interfaceChanges;

    private Function<HostPort, String> instanceAt = address -> null;
    /** The changes of what it returns. */
    private long instanceChanges;
    /** Those by which the directory was made. */
    private long listedInstanceChanges;
    /** The services with entries of several protocols. */
    private final Set<String> mixed = new HashSet<>();

    private final RuleDocuments documents;
    private EndpointProtocol preferred = EndpointProtocol.DUBBO;
    /** The rules by service, for those that have any. */
    private final Map<String, ServiceRules> rules = new HashMap<>();
    /** Whether what {@link #directory} tells of them has changed. */
    private boolean documentsChanged;

    private UnknownExports unknown = UnknownExports.NONE;
    private Set<Endpoint> foreignInstances = Set.of();
    private boolean unknownChanged;

    private final Surplus surplus = new Surplus();
    private int entries;
    /** Whether something of a service went since room was made last. */
    private boolean isAnyRemoved;

    private Directory directory = Directory.of(Map.of());

    /** @param consumer whose calls rules of consumers concern; empty for none of that name */
    public DubboProviders(String consumer) {
        documents = new RuleDocuments(consumer, logLimit);
    }

    /** Sets what {@link Registry#prefer} says; to be called before anything is put. */
    public void prefer(EndpointProtocol protocol) {
        preferred = protocol;
    }

    private static final class Service {
        /** The providers by a digest of the key, which is longer than what is kept of its entry. */
        final Map<UUID, DubboProvider> providers = new HashMap<>();

        final Set<UUID> rejected = new HashSet<>();
        /** The entries of {@link #rejected} that are of instances. */
        final Set<UUID> rejectedInstances = new HashSet<>();
        /** The overrides in the order in which they are applied. */
        List<DubboOverride> overrides = List.of();

        /** The digests of those that were rejected. */
        Set<UUID> rejectedOverrides = Set.of();
        /** The rules of Dubbo 2.6. */
        List<ServiceRules.ForVariant> routers = List.of();

        /** The digests of those that were rejected. */
        Set<UUID> rejectedRouters = Set.of();
        /**
         * Whether any provider has had a tag: calls that demand one must not go to others when the last of them is
         * gone.
         */
        boolean tagged;
        /** The times at which the deregistrations of addresses are removed. */
        final Map<String, Long> deregistrations = new HashMap<>();

        boolean crowded;

        /** Returns whether nothing of it is left, nor was put. */
        boolean isUnused() {
            return providers.isEmpty()
                    && rejected.isEmpty()
                    && overrides.isEmpty()
                    && rejectedOverrides.isEmpty()
                    && routers.isEmpty()
                    && rejectedRouters.isEmpty()
                    && deregistrations.isEmpty();
        }

        boolean hasApplication(String application) {
            return providers.values().stream()
                    .anyMatch(provider -> provider.export().application().equals(application));
        }
    }

    /**
     * Puts the entry that a provider registered by interface: its URL is the key.
     *
     * @param encodedUrl as in {@link DubboUrl#parseEncoded}
     */
    public void put(String service, String encodedUrl, long nowNs) {
        Service known = services.get(service);
        UUID id = ids.of(encodedUrl);
        if (known != null && (known.providers.containsKey(id) || known.rejected.contains(id))) {
            return;
        }
        UrlReader reader = () -> DubboProvider.of(service, DubboUrl.parseEncoded(encodedUrl), "", preferred);
        put(service, encodedUrl, id, reader, false, nowNs);
    }

    /** @param revision as in {@link DubboExport#revision} */
    public void put(String service, String key, DubboUrl url, String revision, long nowNs) {
        UrlReader reader = () -> DubboProvider.of(service, url, revision, preferred);
        put(service, key, ids.of(key), reader, !revision.isEmpty(), nowNs);
    }

    private interface UrlReader {
        DubboProvider read();
    }

    private void put(String name, String key, UUID id, UrlReader reader, boolean ofInstance, long nowNs) {
        Service service = services.get(name);
        boolean known = service != null && (service.providers.containsKey(id) || service.rejected.contains(id));
        if (service == null) {
            makeRoom();
        }
        if (!known && (entries >= MAX_ENTRIES || service == null && services.size() >= MAX_SERVICES)) {
            ignored(nowNs);
            return;
        }
        try {
            if (service == null) {
                EndpointCodec.checkService(name);
                service = new Service();
                services.put(name, service);
                changed.add(name);
            }
            DubboProvider provider = reader.read();
            if (provider == null) {
                remove(name, service, id);
            } else {
                put(name, service, id, texts.sharedBy(provider));
            }
        } catch (RuntimeException e) {
            // No failure of one entry may end the reading of all others.
            reject(name, service, id, key, reason(e), nowNs);
            if (ofInstance && service != null) {
                service.rejectedInstances.add(id);
            }
        }
    }

    private void put(String name, Service service, UUID id, DubboProvider provider) {
        boolean counted = service.rejected.remove(id);
        service.rejectedInstances.remove(id);
        DubboProvider before = service.providers.put(id, provider);
        count(provider, 1);
        count(before, -1);
        if (before == null && !counted) {
            entries++;
        }
        service.deregistrations.remove(provider.id().toString());
        service.tagged |= !provider.export()
                .parameters()
                .getOrDefault(DubboProvider.TAG, "")
                .isEmpty();
        if (!provider.equals(before)) {
            changed.add(name);
        }
    }

    private static String reason(RuntimeException e) {
        return PrintableText.brief(e instanceof IllegalArgumentException ? e.getMessage() : e.toString());
    }

    private void reject(String name, Service service, UUID id, String key, String reason, long nowNs) {
        boolean first = service == null || service.rejected.add(id);
        boolean kept = service != null && service.providers.containsKey(id);
        if (first && service != null && !kept) {
            entries++;
        }
        if (first && logLimit.tryLog(nowNs)) {
            LOG.warn(
                    "provider of {} ignored: {}: {}; {}",
                    PrintableText.brief(name),
                    withoutToken(key),
                    reason,
                    kept ? "the endpoint stays as it was" : "the endpoint is not listed");
        }
    }

    /** Returns the part before the parameters, which may hold a token, without a user and password before the host. */
    private static String withoutToken(String key) {
        String[] parts = QUERY.split(key, 2);
        String place = parts[0];
        for (Escape escape : ESCAPES) {
            place = escape.pattern().matcher(place).replaceAll(escape.character());
        }
        int scheme = place.indexOf("://");
        if (scheme < 0) {
            return PrintableText.brief(place);
        }
        // A question mark may be one of the password.
        boolean isCut = parts.length > 1 && AT.matcher(parts[1]).find() && place.indexOf('/', scheme + 3) < 0;
        String address = isCut ? "..." : place.substring(Math.max(scheme + 3, place.lastIndexOf('@') + 1));
        return PrintableText.brief(place.substring(0, scheme + 3) + address);
    }

    /**
     * Makes room for one more service: names that came and went must not keep others out. Those that go are not listed
     * any more, not even as empty.
     */
    private void makeRoom() {
        if (services.size() < MAX_SERVICES || !isAnyRemoved) {
            return;
        }
        isAnyRemoved = false;
        services.entrySet().removeIf(entry -> {
            boolean unused = entry.getValue().isUnused();
            if (unused) {
                changed.add(entry.getKey());
            }
            return unused;
        });
    }

    private void ignored(long nowNs) {
        if (surplus.markIgnored() && logLimit.tryLog(nowNs)) {
            LOG.warn(
                    "more than {} entries of providers or {} services of Dubbo, the rest is ignored",
                    MAX_ENTRIES,
                    MAX_SERVICES);
        }
    }

    /**
     * Removes an entry that ended while the registry was watched: its provider counts as deregistered, unless it was
     * the last of its service.
     */
    public void remove(String name, String key, long nowNs) {
        Service service = services.get(name);
        DubboProvider removed = service == null ? null : remove(name, service, ids.of(key));
        if (removed != null) {
            deregistered(service, removed, nowNs);
        }
    }

    /**
     * Removes the entries of a service by interface whose keys are not in {@code keys}: it was not seen when and why
     * they ended, so their providers count as lapsed, which says nothing about whether they serve.
     */
    public void retain(String name, Collection<String> keys) {
        for (UUID id : missing(name, keys)) {
            remove(name, services.get(name), id);
        }
    }

    /** Removes an entry that was missing when the registry was read anew; see {@link #retain}. */
    public void lapse(String name, String key) {
        Service service = services.get(name);
        if (service != null) {
            remove(name, service, ids.of(key));
        }
    }

    /**
     * Removes, like {@link #remove}, all entries of a service whose keys are not in {@code keys}, a list that was
     * read because one of them ended.
     */
    public void removeOthers(String name, Collection<String> keys, long nowNs) {
        for (UUID id : missing(name, keys)) {
            DubboProvider removed = remove(name, services.get(name), id);
            if (removed != null) {
                deregistered(services.get(name), removed, nowNs);
            }
        }
    }

    private Set<UUID> missing(String name, Collection<String> keys) {
        Service service = services.get(name);
        if (service == null) {
            return Set.of();
        }
        Set<UUID> missing = new HashSet<>(service.rejected);
        missing.removeAll(service.rejectedInstances);
        service.providers.forEach((id, provider) -> {
            // The others are of instances, which are listed elsewhere.
            if (provider.export().revision().isEmpty()) {
                missing.add(id);
            }
        });
        keys.forEach(key -> missing.remove(ids.of(key)));
        return missing;
    }

    private static void deregistered(Service service, DubboProvider removed, long nowNs) {
        service.deregistrations.put(removed.id().toString(), nowNs + DEREGISTERED_NS);
    }

    private DubboProvider remove(String name, Service service, UUID id) {
        boolean rejected = service.rejected.remove(id);
        service.rejectedInstances.remove(id);
        DubboProvider removed = service.providers.remove(id);
        if (rejected || removed != null) {
            entries--;
            surplus.freed();
            isAnyRemoved = true;
        }
        if (removed != null) {
            changed.add(name);
            count(removed, -1);
        }
        return removed;
    }

    /**
     * Puts all overrides of a service. One that cannot be understood is logged once and left out.
     *
     * @param encodedUrls as in {@link DubboUrl#parseEncoded}
     */
    public void putOverrides(String name, Collection<String> encodedUrls, long nowNs) {
        Service service = services.get(name);
        if (service == null || encodedUrls.isEmpty() && service.overrides.isEmpty()) {
            return;
        }
        List<DubboOverride> overrides = new ArrayList<>();
        Set<UUID> rejected = new HashSet<>();
        for (String encodedUrl : encodedUrls.stream().limit(MAX_OVERRIDES).toList()) {
            try {
                DubboOverride override = DubboOverride.of(DubboUrl.parseEncoded(encodedUrl));
                if (override != null) {
                    overrides.add(override);
                }
            } catch (IllegalArgumentException e) {
                rejected.add(ids.of(encodedUrl));
                if (!service.rejectedOverrides.contains(ids.of(encodedUrl)) && logLimit.tryLog(nowNs)) {
                    LOG.warn("override of {} ignored: {}: {}", name, withoutToken(encodedUrl), reason(e));
                }
            }
        }
        overrides.sort(DubboOverride.ORDER);
        service.overrides = List.copyOf(overrides);
        service.rejectedOverrides = Set.copyOf(rejected);
        changed.add(name);
    }

    /** Puts all rules of a service as Dubbo 2.6 registers them; otherwise as {@link #putOverrides}. */
    public void putRouters(String name, Collection<String> encodedUrls, long nowNs) {
        Service service = services.get(name);
        if (service == null || encodedUrls.isEmpty() && service.routers.isEmpty()) {
            return;
        }
        List<DubboRouter> routers = new ArrayList<>();
        int characters = 0;
        int values = 0;
        Set<UUID> rejected = new HashSet<>();
        for (String encodedUrl : encodedUrls.stream().limit(MAX_OVERRIDES).toList()) {
            try {
                DubboRouter router = DubboRouter.of(name, DubboUrl.parseEncoded(encodedUrl));
                if (router == null) {
                    continue;
                }
                characters += encodedUrl.length();
                values += router.rule().rule().values();
                if (routers.size() == MAX_ROUTERS
                        || characters > MAX_ROUTERS_CHARACTERS
                        || values > MAX_ROUTERS_VALUES) {
                    throw new IllegalArgumentException(
                            "more than " + MAX_ROUTERS + " routers, or too long ones, of one service");
                }
                routers.add(router);
            } catch (IllegalArgumentException e) {
                rejected.add(ids.of(encodedUrl));
                if (!service.rejectedRouters.contains(ids.of(encodedUrl)) && logLimit.tryLog(nowNs)) {
                    LOG.warn("router of {} ignored: {}: {}", name, withoutToken(encodedUrl), reason(e));
                }
            }
        }
        service.routers = routers.stream()
                .sorted(DubboRouter.ORDER)
                .map(DubboRouter::rule)
                .toList();
        service.rejectedRouters = Set.copyOf(rejected);
        changed.add(name);
    }

    /**
     * Puts a rule or an override of Dubbo's configuration centre, of its group {@code dubbo}. One that is not
     * understood is logged once, and the last good one of its key stays in force.
     *
     * @param key as {@code greeter.tag-router}; others than those of rules are passed over
     */
    public void putDocument(String key, String text, long nowNs) {
        if (documents.put(key, text, nowNs)) {
            documentChanged(key);
        }
    }

    /** Returns whether what stands under a key is for {@link #putDocument}. */
    public static boolean isDocument(String key) {
        return RuleKey.parse(key) != null;
    }

    public void removeDocument(String key) {
        if (documents.remove(key)) {
            documentChanged(key);
        }
    }

    /** Removes those whose keys are not in {@code keys}. */
    public void retainDocuments(Collection<String> keys) {
        Set<String> kept = new HashSet<>(keys);
        for (String key : documents.keys()) {
            if (!kept.contains(key)) {
                removeDocument(key);
            }
        }
    }

    private void documentChanged(String key) {
        documentsChanged = true;
        services.forEach((name, service) -> {
            if (documents.isConcerned(key, name, service::hasApplication)) {
                changed.add(name);
            }
        });
    }

    /** Has a service listed even if no provider is registered for it. */
    public void addService(String name) {
        if (services.containsKey(name) || !isService(name)) {
            return;
        }
        makeRoom();
        if (services.size() < MAX_SERVICES) {
            services.put(name, new Service());
            changed.add(name);
        }
    }

    /** Sets what {@link Directory#unknownExports} and {@link Directory#foreignInstances} tell. */
    void setUnknown(UnknownExports exports, Set<Endpoint> foreign) {
        unknownChanged |= !exports.equals(unknown) || !foreign.equals(foreignInstances);
        unknown = exports;
        foreignInstances = foreign;
    }

    /** Returns whether anything was put for the service. */
    public boolean isKnown(String name) {
        return services.containsKey(name);
    }

    private static boolean isService(String name) {
        try {
            EndpointCodec.checkService(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns every service that was put, without those that went to make room. */
    public Set<String> services() {
        return Set.copyOf(services.keySet());
    }

    /** Returns whether a provider at this address is registered by interface. */
    boolean isByInterface(HostPort address) {
        return byInterface.containsKey(address);
    }

    /** Returns a number that is another one after {@link #isByInterface} has changed for any address. */
    long interfaceChanges() {
        return interfaceChanges;
    }

    private void count(DubboProvider provider, int more) {
        if (provider != null && provider.export().revision().isEmpty()) {
            interfaceChanges++;
            byInterface.merge(provider.address(), more, (before, added) -> before + added == 0 ? null : before + added);
        }
    }

    /** Forgets old deregistrations, and logs what was not logged. */
    public void expire(long nowNs) {
        for (Service service : services.values()) {
            isAnyRemoved |= service.deregistrations.values().removeIf(untilNs -> nowNs - untilNs >= 0);
        }
        int leftOut = logLimit.leftOut(nowNs);
        if (leftOut > 0) {
            LOG.warn("{} more lines about malformed or surplus entries were not logged", leftOut);
        }
    }

    /**
     * Returns whether all entries and documents are to be put again, since those that were ignored may have room now.
     * Answers true once.
     */
    public boolean pollRoom() {
        boolean ofDocuments = documents.pollRoom();
        return surplus.pollRoom() || ofDocuments;
    }

    /** Sets what tells the instance at an address, as in {@link OfferedOnce#of}. */
    void setInstances(Function<HostPort, String> instances) {
        instanceAt = instances;
    }

    /** Called when that may tell something else. */
    void instancesChanged() {
        instanceChanges++;
    }

    /** Returns whether {@link #directory} will make a new one. */
    public boolean hasChanged() {
        return !changed.isEmpty() || documentsChanged || unknownChanged || areMixedChanged();
    }

    /** Returns the present directory; the same object as before if nothing changed. */
    public Directory directory() {
        if (hasChanged()) {
            if (areMixedChanged()) {
                changed.addAll(mixed);
            }
            listedInstanceChanges = instanceChanges;
            changed.forEach(this::list);
            changed.clear();
            documentsChanged = false;
            unknownChanged = false;
            directory = Directory.of(listed, deregistered)
                    .withRules(rules, documents.reports())
                    .withUnknown(unknown, foreignInstances);
        }
        return directory;
    }

    private boolean areMixedChanged() {
        return instanceChanges != listedInstanceChanges && !mixed.isEmpty();
    }

    private void list(String name) {
        Service service = services.get(name);
        if (service != null && ProviderEndpoints.isMixed(service.providers.values())) {
            mixed.add(name);
        } else {
            mixed.remove(name);
        }
        if (service == null) {
            listed.remove(name);
            rules.remove(name);
            deregistered.remove(name);
            return;
        }
        Set<String> applications = new HashSet<>();
        service.providers
                .values()
                .forEach(provider -> applications.add(provider.export().application()));
        List<Endpoint> endpoints = ProviderEndpoints.of(
                name,
                service.providers.values(),
                service.overrides,
                documents.overridesOf(name, applications),
                preferred,
                instanceAt);
        if (endpoints.size() > MAX_ENDPOINTS) {
            endpoints = endpoints.subList(0, MAX_ENDPOINTS);
            if (!service.crowded && crowdedLimit.tryLog(System.nanoTime())) {
                LOG.warn("{}: more than {} endpoints, the rest is ignored", name, MAX_ENDPOINTS);
            }
            service.crowded = true;
        } else {
            service.crowded = false;
        }
        if (!endpoints.equals(listed.get(name))) {
            listed.put(name, List.copyOf(endpoints));
        }
        listRules(name, service, endpoints);
        Set<String> left = new HashSet<>(service.deregistrations.keySet());
        endpoints.forEach(endpoint -> left.remove(endpoint.address()));
        if (left.isEmpty() || endpoints.stream().allMatch(endpoint -> endpoint.weight() == 0)) {
            deregistered.remove(name);
        } else {
            deregistered.put(name, Set.copyOf(left));
        }
    }

    private void listRules(String name, Service service, List<Endpoint> endpoints) {
        ServiceRules now = documents.rulesOf(name, endpoints, service.tagged, service.routers);
        if (now == null) {
            rules.remove(name);
        } else if (!now.equals(rules.get(name))) {
            rules.put(name, now);
        }
    }
}
