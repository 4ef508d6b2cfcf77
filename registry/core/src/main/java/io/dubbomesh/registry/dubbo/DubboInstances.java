package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.UnknownExports;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.registry.thread.Surplus;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The instances of applications that registered once and not for each service, and the entries made of them with the
 * metadata of their revision. The metadata is looked for where the instance says that it is, the registry's own
 * metadata centre or elsewhere: once for each revision, and again after a pause as long as it is not found, each time
 * with another instance that may tell it. An instance that is registered by interface too needs none. Belongs to the
 * registry's thread.
 */
public final class DubboInstances {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int MAX_INSTANCES = 65_536;
    private static final int MAX_KEY_LENGTH = 1024;
    private static final int LINES_PER_MINUTE = 60;
    /** Lines that are remembered so that they are not logged again. */
    private static final int MAX_TOLD = 1_000;
    /** Revisions whose metadata is asked for at once: each answer may be large. */
    private static final int MAX_ASKED = 16;
    /** The most metadata of all revisions, as it is written; in memory it is a few times that. */
    private static final long MAX_HELD_CHARACTERS = 32 << 20;
    /** The instances of a revision that are asked one after the other before the first pause. */
    private static final int TRIES = 3;

    private static final long MIN_PAUSE_MS = 1_000;
    private static final long MAX_PAUSE_MS = 60_000;
    /** An instance may register long before its metadata service answers; one that never answers is asked rarely. */
    private static final int PAUSES_OF_TIME = 100;
    /** Questions about revisions that were not found take the time of so many at once; others may be asked beside. */
    private static final int REPEATED_AT_ONCE = 4;
    /** The cost of a question that is refused at once, in milliseconds. */
    private static final long MIN_QUESTION_MS = 200;

    /** The revision of an application that exports nothing. */
    private static final String NOTHING = "0";

    private final DubboProviders providers;
    private final MetadataSource centre;
    private final MetadataSource others;
    private final Runnable wake;
    private final int maxEntries;

    private final Map<String, Listed> instances = new HashMap<>();
    /** The revisions by application and revision, as long as an instance has one. */
    private final Map<String, Revision> revisions = new HashMap<>();
    /** The revisions that may be due. */
    private final Set<Revision> toAsk = new LinkedHashSet<>();
    /** The revisions that were put and of which it is not decided whether they are to be asked for. */
    private final Set<Revision> put = new LinkedHashSet<>();
    /** The revisions that are to be asked for: what their instances export is not known. */
    private final Set<Revision> missing = new LinkedHashSet<>();

    /** Whether what {@link #reportMissing} makes may be another than before. */
    private boolean isMissingChanged;
    /** The instances at their addresses. Null until they are asked for. */
    private Map<HostPort, String> byAddress;
    /** {@link DubboProviders#interfaceChanges} at that time. */
    private long seenInterfaceChanges;

    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final Set<String> logged = new HashSet<>();
    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);
    private long heldCharacters;
    /** Revisions that are being asked for. */
    private int asked;

    private final Surplus ignored = new Surplus();
    private int entries;
    /** Instances without entries because there were too many; listed when there is room. */
    private final Set<String> surplus = new LinkedHashSet<>();

    /**
     * An instance.
     *
     * @param addresses at which it listens
     * @param foreign   as in {@link DubboInstance#foreignOnly}
     * @param services  of the entries made of it, by their keys
     */
    private record Listed(
            DubboInstance instance, List<HostPort> addresses, Endpoint foreign, Map<String, String> services) {
        Listed(DubboInstance instance) {
            this(instance, instance.addresses(), instance.foreignOnly(), Map.of());
        }

        Listed with(Map<String, String> made) {
            return new Listed(instance, addresses, foreign, made);
        }
    }

    private static final class Revision {
        final String application;
        final String name;
        final Set<String> instances = new HashSet<>();
        /** The instances of which no entries were made; they are asked in turns. */
        final Set<String> waiting = new LinkedHashSet<>();

        /** The time at which it was asked for first. */
        long firstAskedNs;
        /** The time at which it was asked for first since the last pause. */
        long askedNs;
        /** Null if it has not been found, or is too much to be held. */
        DubboMetadata metadata;

        int characters;
        boolean isAsked;
        /** Instances that could not tell it since the last pause. */
        int failures;

        boolean isPaused;
        long pausedUntilNs;
        /** The reason for which it is not known. */
        String reason = "it is being asked";
        /** Whether it was asked for without success at least until the first pause. */
        boolean isMissed;

        Revision(DubboInstance instance) {
            application = instance.application();
            name = instance.revision();
        }

        @Override
        public String toString() {
            return application + '/' + name;
        }
    }

    /**
     * @param centre the registry's own, which needs no service; called by its thread
     * @param others where else to look
     * @param wake   is run by any thread when {@link #ask} is to be called soon
     */
    public DubboInstances(DubboProviders providers, MetadataSource centre, MetadataSource others, Runnable wake) {
        this(providers, centre, others, wake, DubboProviders.MAX_ENTRIES);
    }

    DubboInstances(
            DubboProviders providers, MetadataSource centre, MetadataSource others, Runnable wake, int maxEntries) {
        this.maxEntries = maxEntries;
        this.providers = providers;
        this.centre = centre;
        this.others = others;
        this.wake = wake;
        providers.setInstances(this::instanceAt);
    }

    private String instanceAt(HostPort address) {
        if (byAddress == null) {
            byAddress = new HashMap<>();
            for (Listed listed : instances.values()) {
                String instance = listed.instance().address().toString();
                listed.addresses().forEach(each -> byAddress.put(each, instance));
            }
        }
        return byAddress.get(address);
    }

    private void instancesChanged() {
        isMissingChanged = true;
        byAddress = null;
        providers.instancesChanged();
    }

    /** Returns the keys that were put. */
    public Set<String> keys() {
        return Set.copyOf(instances.keySet());
    }

    /** @param key of the registry's own choice */
    public void put(String key, DubboInstance instance) {
        if (key.length() > MAX_KEY_LENGTH) {
            reject(
                    key,
                    "a key of " + key.length() + " characters (expected: at most " + MAX_KEY_LENGTH + ")",
                    "the instance is not listed");
            return;
        }
        Listed before = instances.get(key);
        if (before == null && instances.size() >= MAX_INSTANCES) {
            reject("of " + instance.application(), "more than " + MAX_INSTANCES + " instances", "the rest is ignored");
            ignored.markIgnored();
            return;
        }
        if (before != null && before.instance().equals(instance)) {
            return;
        }
        instancesChanged();
        Listed now = new Listed(instance);
        instances.put(key, before == null ? now : now.with(before.services()));
        if (before != null && !name(before.instance()).equals(name(instance))) {
            removeInstance(key, before.instance());
        }
        if (instance.revision().equals(NOTHING)) {
            list(key, new DubboMetadata(instance.application(), NOTHING, List.of(), List.of()));
            return;
        }
        Revision revision = revisions.computeIfAbsent(name(instance), name -> new Revision(instance));
        revision.instances.add(key);
        if (revision.metadata != null) {
            list(key, revision.metadata);
        } else {
            revision.waiting.add(key);
            // This one may tell it.
            revision.isPaused = false;
            put.add(revision);
            toAsk.add(revision);
        }
    }

    private static String name(DubboInstance instance) {
        return instance.application() + '/' + instance.revision();
    }

    private void removeInstance(String key, DubboInstance instance) {
        Revision revision = revisions.get(name(instance));
        if (revision != null && revision.instances.remove(key)) {
            revision.waiting.remove(key);
            if (revision.waiting.isEmpty()) {
                missing.remove(revision);
            }
            if (revision.instances.isEmpty()) {
                heldCharacters -= revision.characters;
                revisions.remove(name(instance));
                toAsk.remove(revision);
                put.remove(revision);
            }
        }
    }

    /** Removes an instance that ended while the registry was watched; see {@link DubboProviders#remove}. */
    public void remove(String key, long nowNs) {
        removed(key).forEach((entry, service) -> providers.remove(service, entry, nowNs));
    }

    /** Removes an instance that was missing when the registry was read anew; see {@link DubboProviders#retain}. */
    public void lapse(String key) {
        removed(key).forEach((entry, service) -> providers.lapse(service, entry));
    }

    /** Returns the entries made of it, by key with their services. */
    private Map<String, String> removed(String key) {
        Listed gone = instances.remove(key);
        if (gone == null) {
            return Map.of();
        }
        instancesChanged();
        ignored.freed();
        removeInstance(key, gone.instance());
        surplus.remove(key);
        entries -= gone.services().size();
        return gone.services();
    }

    private void list(String key, DubboMetadata exported) {
        Listed before = instances.get(key);
        long nowNs = System.nanoTime();
        Map<String, String> services = new HashMap<>();
        if (entries - before.services().size() + exported.services().size() > maxEntries) {
            reject(
                    "of " + before.instance().application(),
                    "more than " + maxEntries + " services of instances",
                    "the rest is ignored");
            surplus.add(key);
            return;
        }
        surplus.remove(key);
        try {
            for (DubboUrl url : before.instance().urls(exported)) {
                String service = url.parameter("interface");
                String entry = String.join(
                        "\n", key, service, url.parameter("version"), url.parameter("group"), url.toString());
                services.put(entry, service);
                providers.put(service, entry, url, before.instance().revision(), nowNs);
            }
        } catch (IllegalArgumentException e) {
            reject(key, e.getMessage(), "the instance stays as it was");
            return;
        }
        before.services().forEach((entry, service) -> {
            if (!services.containsKey(entry)) {
                providers.remove(service, entry, nowNs);
            }
        });
        entries += services.size() - before.services().size();
        instances.put(key, before.with(services));
    }

    /**
     * Returns whether all instances are to be put again, since those that were ignored may have room now. True only
     * once.
     */
    public boolean pollRoom() {
        return ignored.pollRoom();
    }

    /** Returns whether a revision is being asked for of which nothing is known, not even that it is not found. */
    public boolean isFirstAnswerAwaited() {
        return revisions.values().stream()
                .anyMatch(revision -> !revision.isMissed && (revision.isAsked || toAsk.contains(revision)));
    }

    /**
     * Takes answers, and asks for what was put or could not be told since the last call. To be called when all
     * instances of the moment were put.
     */
    public void ask(long nowNs) {
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
        }
        put.forEach(this::nextAble);
        put.clear();
        Iterator<Revision> due = toAsk.iterator();
        while (asked < MAX_ASKED && due.hasNext()) {
            Revision revision = due.next();
            due.remove();
            ask(revision, nowNs);
        }
        if (isMissingChanged || seenInterfaceChanges != providers.interfaceChanges()) {
            isMissingChanged = false;
            seenInterfaceChanges = providers.interfaceChanges();
            reportMissing();
        }
    }

    /**
     * Reports the instances whose metadata is missing; those that were asked in vain and register foreign protocols
     * alone are not waited for.
     */
    private void reportMissing() {
        int unknown = 0;
        List<String> examples = new ArrayList<>();
        Set<Endpoint> foreign = new HashSet<>();
        for (Revision revision : missing) {
            if (revision.isMissed && isForeign(revision)) {
                revision.waiting.stream()
                        .map(instances::get)
                        .filter(listed -> !isByInterface(listed))
                        .forEach(listed -> foreign.add(listed.foreign()));
            } else if (unknown++ < UnknownExports.MAX_EXAMPLES) {
                examples.add(PrintableText.brief(revision.application) + ": " + PrintableText.of(revision.reason));
            }
        }
        providers.setUnknown(new UnknownExports(unknown, examples), foreign);
    }

    private boolean isForeign(Revision revision) {
        return revision.waiting.stream().allMatch(key -> instances.get(key).foreign() != null);
    }

    /** Asks again for all that is not known. */
    public void askAgain(long nowNs) {
        listSurplus();
        revisions.values().stream()
                .filter(revision -> !revision.waiting.isEmpty())
                .forEach(toAsk::add);
        ask(nowNs);
        int leftOut = logLimit.leftOut(nowNs);
        if (leftOut > 0) {
            LOG.warn("{} more lines about malformed or surplus entries were not logged", leftOut);
        }
    }

    private void listSurplus() {
        for (String key : List.copyOf(surplus)) {
            if (entries >= maxEntries) {
                return;
            }
            surplus.remove(key);
            Revision revision = revisions.get(name(instances.get(key).instance()));
            if (revision.metadata != null) {
                list(key, revision.metadata);
            } else {
                revision.waiting.add(key);
                isMissingChanged = true;
            }
        }
    }

    private void ask(Revision revision, long nowNs) {
        String key = nextAble(revision);
        if (key == null || revision.isAsked || revision.isPaused && nowNs - revision.pausedUntilNs < 0) {
            return;
        }
        revision.isPaused = false;
        revision.isAsked = true;
        asked++;
        if (revision.failures == 0) {
            revision.askedNs = nowNs;
        }
        if (!revision.isMissed) {
            revision.firstAskedNs = nowNs;
        }
        ask(revision, key, instances.get(key).instance());
    }

    /**
     * Returns the next instance of it that is to be asked; null if none is, since their services are listed by
     * interface.
     */
    private String nextAble(Revision revision) {
        for (String key : revision.waiting) {
            if (!isByInterface(instances.get(key))) {
                isMissingChanged |= missing.add(revision);
                return key;
            }
        }
        isMissingChanged |= missing.remove(revision);
        return null;
    }

    private boolean isByInterface(Listed listed) {
        return listed.addresses().stream().anyMatch(providers::isByInterface);
    }

    private void ask(Revision revision, String key, DubboInstance instance) {
        MetadataServiceAddress service;
        try {
            service = instance.metadataService();
        } catch (RuntimeException e) {
            // After any failure its place among those that are asked for must become free again.
            String reason = e instanceof IllegalArgumentException ? e.getMessage() : e.toString();
            reject(key, reason, "it is not asked for its metadata");
            service = null;
        }
        ask(revision, key, service);
    }

    /**
     * Asks where the instance says that its metadata is, and then elsewhere: it may have been moved, or be told in both
     * ways.
     */
    private void ask(Revision revision, String key, MetadataServiceAddress service) {
        boolean isRemote = service == null;
        ask(isRemote ? centre : others, revision, service, (json, failure) -> {
            if (json != null) {
                answered(revision, key, service, json, null);
            } else {
                ask(
                        isRemote ? others : centre,
                        revision,
                        service,
                        (other, otherFailure) ->
                                answered(revision, key, service, other, failure == null ? otherFailure : failure));
            }
        });
    }

    /** @param taken by the registry's thread: JSON, or why there is none, or neither */
    private void ask(
            MetadataSource source,
            Revision revision,
            MetadataServiceAddress service,
            BiConsumer<String, Throwable> taken) {
        find(source, revision, service).whenComplete((json, failure) -> {
            answers.add(() -> taken.accept(json, failure));
            wake.run();
        });
    }

    private static CompletableFuture<String> find(
            MetadataSource source, Revision revision, MetadataServiceAddress service) {
        try {
            return source.find(revision.application, revision.name, service);
        } catch (Throwable e) {
            // After any failure its place among those that are asked for must become free again.
            FatalErrors.check(e);
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answered(
            Revision revision, String key, MetadataServiceAddress service, String json, Throwable failure) {
        revision.isAsked = false;
        asked--;
        if (json == null) {
            failed(revision, key, reason(failure));
            return;
        }
        try {
            DubboMetadata read = DubboMetadata.parse(json);
            if (!read.revision().isEmpty() && !read.revision().equals(revision.name)) {
                failed(revision, key, "its metadata is that of revision " + read.revision());
                return;
            }
            found(revision, read, json.length());
            read.refused()
                    .forEach(reason -> reject("of " + revision.application, reason, "this service is not listed"));
        } catch (IllegalArgumentException e) {
            failed(revision, key, e.getMessage());
        }
    }

    private void found(Revision revision, DubboMetadata metadata, int characters) {
        isMissingChanged = true;
        revision.failures = 0;
        revision.isMissed = false;
        missing.remove(revision);
        List.copyOf(revision.waiting).forEach(key -> list(key, metadata));
        revision.waiting.clear();
        // What is too much is asked for again for each instance that comes; one that no instance has any more is not to
        // be found again.
        boolean isHad = revisions.get(revision.toString()) == revision;
        if (isHad && heldCharacters - revision.characters + characters <= MAX_HELD_CHARACTERS) {
            heldCharacters += characters - revision.characters;
            revision.characters = characters;
            revision.metadata = metadata;
        }
    }

    private static String reason(Throwable failure) {
        if (failure == null) {
            return "its metadata is not there";
        }
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause().getMessage()
                : failure.getMessage();
    }

    private void failed(Revision revision, String key, String reason) {
        // Another one's turn.
        if (revision.waiting.remove(key)) {
            revision.waiting.add(key);
        }
        long able = revision.waiting.stream()
                .filter(waiting -> !isByInterface(instances.get(waiting)))
                .limit(TRIES)
                .count();
        if (++revision.failures < able) {
            toAsk.add(revision);
            return;
        }
        isMissingChanged = true;
        revision.failures = 0;
        revision.isMissed = true;
        revision.reason = reason;
        pause(revision, System.nanoTime());
        // The directory tells of foreign ones.
        if (able > 0 && !isForeign(revision)) {
            reject(revision.toString(), reason, "its services are not listed by instance until its metadata is found");
        }
    }

    private void pause(Revision revision, long nowNs) {
        long tookMs = Math.max(MIN_QUESTION_MS, TimeUnit.NANOSECONDS.toMillis(nowNs - revision.askedNs));
        long missedMs = TimeUnit.NANOSECONDS.toMillis(nowNs - revision.firstAskedNs);
        long pauseMs = Math.max(missedMs / PAUSES_OF_TIME, missing.size() * tookMs / REPEATED_AT_ONCE);
        pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, pauseMs));
        revision.isPaused = true;
        revision.pausedUntilNs = nowNs + TimeUnit.MILLISECONDS.toNanos(pauseMs);
        CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS).execute(() -> {
            answers.add(() -> resume(revision));
            wake.run();
        });
    }

    private void resume(Revision revision) {
        if (revisions.get(revision.toString()) == revision && !revision.waiting.isEmpty()) {
            toAsk.add(revision);
        }
    }

    /** Returns the characters of the metadata of all revisions, as it is written. */
    long heldCharacters() {
        return heldCharacters;
    }

    /** Logs once that something of an instance is not understood. */
    public void reject(String what, String reason, String consequence) {
        String named = PrintableText.brief(what);
        // Each of several addresses has its own.
        String shown = PrintableText.of(String.valueOf(reason));
        if (logged.size() >= MAX_TOLD) {
            logged.clear();
        }
        if (!logged.contains(named + shown) && logLimit.tryLog(System.nanoTime())) {
            logged.add(named + shown);
            LOG.warn("instance {} ignored: {}; {}", named, shown, consequence);
        }
    }
}
