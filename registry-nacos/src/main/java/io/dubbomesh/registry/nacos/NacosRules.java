package io.dubbomesh.registry.nacos;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.MetadataThreads;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Reads the rules and overrides of Dubbo that concern the services and applications of a directory, and follows them. Nacos does not list
 * configurations, so each key that there may be is asked for, once; Nacos tells of a rule that is written later. Belongs to the thread of the watch,
 * which it never blocks.
 */
final class NacosRules implements AutoCloseable {
    /** Of rules, whatever the group of services is. */
    private static final String GROUP = "dubbo";

    private static final List<String> OF_SERVICES = List.of(".condition-router", ".configurators");
    private static final String OF_CONSUMERS = ".condition-router";
    /** The last two are refused by name. */
    private static final List<String> OF_APPLICATIONS =
            List.of(".tag-router", OF_CONSUMERS, ".configurators", ".script-router", ".MESHAPPRULE");

    /** What the client of Nacos takes, for Dubbo too. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.:-]{1,256}");

    static final int MAX_KEYS = 16_384;
    private static final int QUESTIONS_AT_ONCE = 4;
    /** So many answers in a row that were failures end the questions until {@link #askAgain}. */
    private static final int MAX_FAILURES = 3;

    private static final long ANSWER_MS = 3_000;
    /** How long a directory waits for the rules of services that are new in it. */
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(3);

    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final Object registry;
    private final NacosConfiguration configuration;
    private final String consumer;
    private final Executor watchThread;
    private final BiConsumer<String, String> listener;
    private final MetadataThreads threads = new MetadataThreads("registry-rules", QUESTIONS_AT_ONCE);

    private final Set<String> keys = new HashSet<>();
    /** The endpoints of each service whose keys are among these. */
    private final Map<String, List<Endpoint>> known = new HashMap<>();

    private final Deque<Rule> toAsk = new ArrayDeque<>();
    private final List<Rule> failed = new ArrayList<>();
    private int asked;
    private int failures;
    private long awaitedUntilNs = System.nanoTime();
    private boolean failureTold;
    private boolean fullTold;

    private static final class Rule {
        final String key;
        /** Nacos has told of a later value than that which was asked for. */
        boolean isChanged;

        Rule(String key) {
            this.key = key;
        }
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
        if (!consumer.isEmpty()) {
            follow(consumer + OF_CONSUMERS);
        }
        for (String service : directory.services()) {
            List<Endpoint> endpoints = directory.endpoints(service);
            // The same list as long as nothing about the service changed.
            if (known.put(service, endpoints) != endpoints) {
                endpoints.forEach(endpoint -> endpoint.exports().forEach(export -> follow(service, export)));
            }
        }
        if (idle && !toAsk.isEmpty() && failed.isEmpty()) {
            awaitedUntilNs = nowNs + WAIT_NS;
        }
        ask();
    }

    private void follow(String service, DubboExport export) {
        String name = service
                + ':'
                + export.variant().version()
                + ':'
                + export.variant().group();
        OF_SERVICES.forEach(suffix -> follow(name + suffix));
        if (!export.application().isEmpty()) {
            OF_APPLICATIONS.forEach(suffix -> follow(export.application() + suffix));
        }
    }

    private void follow(String key) {
        if (keys.contains(key)) {
            return;
        }
        if (keys.size() >= MAX_KEYS) {
            if (!fullTold) {
                LOG.warn("registry {}: more than {} keys of rules of Dubbo, the rest is not read", registry, MAX_KEYS);
            }
            fullTold = true;
            return;
        }
        keys.add(key);
        if (ID.matcher(id(key)).matches()) {
            toAsk.add(new Rule(key));
        }
    }

    /** As Dubbo replaces what Nacos does not take. */
    private static String id(String key) {
        return key.replace("$", "___").replace('/', '-');
    }

    private void ask() {
        while (asked < QUESTIONS_AT_ONCE && failures < MAX_FAILURES && !toAsk.isEmpty()) {
            Rule rule = toAsk.poll();
            asked++;
            threads.ask(() -> configuration.follow(
                            id(rule.key),
                            GROUP,
                            ANSWER_MS,
                            value -> watchThread.execute(() -> {
                                rule.isChanged = true;
                                listener.accept(rule.key, value);
                            })))
                    .whenComplete((value, failure) -> watchThread.execute(() -> answered(rule, value, failure)));
        }
    }

    private void answered(Rule rule, String value, Throwable failure) {
        asked--;
        if (failure != null) {
            failures++;
            failed.add(rule);
            tell(failure);
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

    private void tell(Throwable failure) {
        if (!failureTold) {
            LOG.warn(
                    "rules of Dubbo are not read: {}; those that are known stay in force",
                    PrintableText.brief(String.valueOf(failure.getMessage())));
        }
        failureTold = true;
    }

    /** Asks for what could not be read. */
    void askAgain() {
        failures = 0;
        toAsk.addAll(failed);
        failed.clear();
        ask();
    }

    /** Whether the rules of what was new in a directory are still being read for the first time, and a directory should wait for them. */
    boolean isAwaited(long nowNs) {
        return failures == 0 && (asked > 0 || !toAsk.isEmpty()) && nowNs - awaitedUntilNs < 0;
    }

    /** Until when at the latest. */
    long awaitedUntilNs() {
        return awaitedUntilNs;
    }

    @Override
    public void close() {
        threads.close();
    }
}
