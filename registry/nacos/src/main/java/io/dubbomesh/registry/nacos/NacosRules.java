package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.config.listener.AbstractListener;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.metadata.MetadataThreads;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Reads the rules and overrides of Dubbo that concern the services and applications of a directory, and follows them.
 * Nacos does not list configurations, so each key that there may be is asked for, once; Nacos tells of a rule that is
 * written later, until no service has had the key for ten minutes. Belongs to the thread of the watch, which it never
 * blocks.
 */
final class NacosRules implements AutoCloseable {
    /** The group of rules, also where services have another one. */
    private static final String GROUP = "dubbo";

    private static final List<String> OF_SERVICES = List.of(".condition-router", ".configurators");
    private static final String OF_CONSUMERS = ".condition-router";
    /** The last two are refused by name. */
    private static final List<String> OF_APPLICATIONS =
            List.of(".tag-router", OF_CONSUMERS, ".configurators", ".script-router", ".MESHAPPRULE");

    /** The ids that the client of Nacos takes, for Dubbo too. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.:-]{1,256}");

    static final int MAX_KEYS = 16_384;
    private static final int QUESTIONS_AT_ONCE = 4;
    /** The failures in a row that end the questions until {@link #askAgain}. */
    private static final int MAX_FAILURES = 3;

    private static final long ANSWER_MS = 3_000;
    /** The time for which a directory waits for the rules of services that are new in it. */
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(3);
    /** The time for which a key is followed that no service has any more: its providers may only be starting again. */
    private static final long UNUSED_NS = TimeUnit.MINUTES.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final Object registry;
    private final NacosConfiguration configuration;
    private final String consumer;
    private final Executor watchThread;
    private final BiConsumer<String, String> listener;
    private final MetadataThreads threads = new MetadataThreads("registry-rules", QUESTIONS_AT_ONCE);

    private final Map<String, Rule> rules = new HashMap<>();
    private final Map<String, Service> services = new HashMap<>();
    /** The rules without users, the one that has had none for longest first. */
    private final Set<Rule> unused = new LinkedHashSet<>();
    /** The consumer's own; null as long as there was no directory, or for no consumer. */
    private Rule own;

    private final Set<Rule> toAsk = new LinkedHashSet<>();
    private final Set<Rule> failed = new LinkedHashSet<>();
    private int asked;
    private int failures;
    private long awaitedUntilNs = System.nanoTime();
    private boolean failureTold;
    private boolean fullTold;

    private final class Rule extends AbstractListener {
        final String key;
        RuleState state = RuleState.NEW;
        /** Services that have the key. */
        int users;
        /** The time at which its last user was removed. */
        long unusedSinceNs;
        /** Nacos has told of a later value than that which was asked for. */
        boolean isChanged;

        Rule(String key) {
            this.key = key;
        }

        @Override
        public void receiveConfigInfo(String value) {
            watchThread.execute(() -> {
                isChanged = true;
                if (state != RuleState.RELEASED) {
                    listener.accept(key, value);
                }
            });
        }
    }

    private static final class Service {
        List<Endpoint> endpoints = List.of();
        Set<Rule> rules = Set.of();
        /** False if there was no room for some of its rules. */
        boolean isComplete = true;
    }

    /**
     * @param registry    its text is for the log
     * @param consumer    whose calls the rules concern; empty for none of that name
     * @param watchThread runs what it is given on the thread of the watch, in order
     * @param listener    is called on that thread with each key and what stands there now, null for nothing
     */
    NacosRules(
            Object registry,
            NacosConfiguration configuration,
            String consumer,
            Executor watchThread,
            BiConsumer<String, String> listener) {
        this.registry = registry;
        this.configuration = configuration;
        this.consumer = consumer;
        this.watchThread = watchThread;
        this.listener = listener;
    }

    /** Has the rules read of what is new in a directory. */
    void follow(Directory directory, long nowNs) {
        boolean idle = asked == 0 && toAsk.isEmpty();
        if (own == null && !consumer.isEmpty()) {
            own = rule(consumer + OF_CONSUMERS);
            own.users++;
        }
        followServices(directory, nowNs);
        services.entrySet().removeIf(entry -> {
            boolean isGone = directory.endpoints(entry.getKey()) == null;
            if (isGone) {
                release(entry.getValue().rules, nowNs);
            }
            return isGone;
        });
        // Now that those that came have taken the keys that others had too.
        release(nowNs);
        followServices(directory, nowNs);
        if (idle && !toAsk.isEmpty() && failed.isEmpty()) {
            awaitedUntilNs = nowNs + WAIT_NS;
        }
        ask();
    }

    /** Follows the services that are new or have changed, and those for which there was no room and now may be. */
    private void followServices(Directory directory, long nowNs) {
        for (String name : directory.services()) {
            List<Endpoint> endpoints = directory.endpoints(name);
            Service service = services.computeIfAbsent(name, key -> new Service());
            // The same list as long as nothing about the service changed.
            if (service.endpoints != endpoints || !service.isComplete && rules.size() < MAX_KEYS) {
                follow(name, service, endpoints, nowNs);
            }
        }
    }

    private void follow(String name, Service service, List<Endpoint> endpoints, long nowNs) {
        Set<Rule> before = service.rules;
        service.endpoints = endpoints;
        service.rules = new HashSet<>();
        service.isComplete = true;
        for (Endpoint endpoint : endpoints) {
            for (DubboExport export : endpoint.exports()) {
                follow(name, service, export);
            }
        }
        release(before, nowNs);
    }

    private void follow(String name, Service service, DubboExport export) {
        String variant =
                name + ':' + export.variant().version() + ':' + export.variant().group();
        OF_SERVICES.forEach(suffix -> follow(service, variant + suffix));
        if (!export.application().isEmpty()) {
            OF_APPLICATIONS.forEach(suffix -> follow(service, export.application() + suffix));
        }
    }

    private void follow(Service service, String key) {
        Rule rule = rule(key);
        if (rule == null) {
            service.isComplete = false;
        } else if (service.rules.add(rule)) {
            rule.users++;
            unused.remove(rule);
        }
    }

    /** Returns null if there is no room for one more. */
    private Rule rule(String key) {
        Rule known = rules.get(key);
        if (known != null) {
            return known;
        }
        if (rules.size() >= MAX_KEYS) {
            if (!fullTold) {
                LOG.warn("registry {}: more than {} keys of rules of Dubbo, the rest is not read", registry, MAX_KEYS);
            }
            fullTold = true;
            return null;
        }
        Rule rule = new Rule(key);
        rules.put(key, rule);
        if (ID.matcher(id(key)).matches()) {
            toAsk.add(rule);
        }
        return rule;
    }

    private void release(Set<Rule> left, long nowNs) {
        for (Rule rule : left) {
            rule.users--;
            if (rule.users == 0) {
                rule.unusedSinceNs = nowNs;
                unused.add(rule);
            }
        }
    }

    /** Ends to follow what no service has had for long; all that none has when others need the room. */
    private void release(long nowNs) {
        boolean needed = services.values().stream().anyMatch(service -> !service.isComplete);
        for (Iterator<Rule> each = unused.iterator(); each.hasNext(); ) {
            Rule rule = each.next();
            if (!needed && nowNs - rule.unusedSinceNs < UNUSED_NS) {
                return;
            }
            // What is being asked for is released another time.
            if (!rule.state.isAsked()) {
                each.remove();
                release(rule);
            }
        }
    }

    private void release(Rule rule) {
        rules.remove(rule.key);
        toAsk.remove(rule);
        failed.remove(rule);
        if (rule.state == RuleState.FOLLOWED) {
            listener.accept(rule.key, null);
            threads.ask(() -> {
                configuration.release(id(rule.key), GROUP, rule);
                return null;
            });
        }
        rule.state = RuleState.RELEASED;
    }

    /** Replaces what Nacos does not take, as Dubbo does. */
    private static String id(String key) {
        return key.replace("$", "___").replace('/', '-');
    }

    private void ask() {
        while (asked < QUESTIONS_AT_ONCE && failures < MAX_FAILURES && !toAsk.isEmpty()) {
            Rule rule = toAsk.iterator().next();
            toAsk.remove(rule);
            failed.remove(rule);
            rule.state = rule.state.asked();
            asked++;
            threads.ask(() -> configuration.follow(id(rule.key), GROUP, ANSWER_MS, rule))
                    .whenComplete((value, failure) -> watchThread.execute(() -> answered(rule, value, failure)));
        }
    }

    private void answered(Rule rule, String value, Throwable failure) {
        asked--;
        rule.state = failure == null ? RuleState.FOLLOWED : rule.state.failed();
        if (failure != null) {
            failures++;
            failed.add(rule);
            logFailure(failure);
        } else {
            failures = 0;
            if (!rule.isChanged && value != null) {
                listener.accept(rule.key, value);
            }
        }
        ask();
        if (failureTold && asked == 0 && toAsk.isEmpty() && failed.isEmpty()) {
            failureTold = false;
            LOG.info("registry {}: the rules of Dubbo are read again", registry);
        }
    }

    private void logFailure(Throwable failure) {
        if (!failureTold) {
            LOG.warn(
                    "rules of Dubbo are not read: {}; those that are known stay in force",
                    PrintableText.brief(String.valueOf(failure.getMessage())));
        }
        failureTold = true;
    }

    /** Asks for everything anew, to have it told again. */
    void readAgain() {
        rules.values().stream().filter(rule -> rule.state == RuleState.FOLLOWED).forEach(rule -> {
            rule.isChanged = false;
            toAsk.add(rule);
        });
        ask();
    }

    /** Asks for what could not be read. */
    void askAgain() {
        failures = 0;
        toAsk.addAll(failed);
        failed.clear();
        ask();
    }

    /**
     * Returns whether the rules of what was new in a directory are still being read for the first time, and a directory
     * should wait for them.
     */
    boolean isAwaited(long nowNs) {
        return failures == 0 && (asked > 0 || !toAsk.isEmpty()) && nowNs - awaitedUntilNs < 0;
    }

    /** Returns the latest time until which rules are awaited. */
    long awaitedUntilNs() {
        return awaitedUntilNs;
    }

    @Override
    public void close() {
        threads.close();
    }
}
