package io.dubbomesh.provider;

import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.discovery.Discovery;
import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.admin.Readiness;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Registers the agent while the provider takes calls, and deregisters it while the provider does not and before the
 * agent stops. Each time the provider begins to take calls it is asked what it exports, and the methods and types of
 * its services are discovered, before the agent registers what is exported, since it may be another version: so the
 * first call is made like all others. What is not exported is asked for again. However often the provider comes and
 * goes, it is asked one thing at a time. Thread-safe: called by one event loop, by the threads of the discovery and by
 * those that start and stop the agent.
 * <pre>
 *   what the provider exports                          what the operator wants
 *   -----------------------------------------------    ------------------------------------
 *   UNKNOWN --what it exports is discovered--> OFFERED  SERVING &lt;--drain, undo--&gt; DRAINING
 *   OFFERED --it takes no calls,                        SERVING, DRAINING --stop--> STOPPING
 *             or exports nothing-----------> UNKNOWN
 * </pre>
 * The agent is registered in OFFERED and SERVING, once it listens. The left states are those of {@link #offered}.
 */
final class RegistrationControl {
    /** The reason for which an agent that goes on takes no calls. */
    static final String DRAINING = "draining, as an operator asked for";

    private static final long FIRST_REPORT_PAUSE_MS = 1_000;
    /** The longest pause between looks for metadata reports that are not there. */
    private static final long LONGEST_REPORT_PAUSE_MS = 300_000;
    /** The first pause between questions that calls give rise to; longer each time that the answer has nothing new. */
    private static final long FIRST_QUESTION_INTERVAL_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long LONGEST_QUESTION_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);
    /** The time between looks whether a question is still under way. */
    private static final long WHILE_ASKED_NS = TimeUnit.SECONDS.toNanos(1);

    /** The mode that the operator wants. */
    private enum Mode {
        SERVING,
        /** No new calls are wanted here, until that is undone. */
        DRAINING,
        STOPPING
    }

    private final OfferedServices services;
    private final Discovery discovery;
    private final BiConsumer<ServiceDefinitions, Map<String, List<Variant>>> listener;
    private final UnreachableProvider unreachable;
    private final Backoff reportPauses = new Backoff(FIRST_REPORT_PAUSE_MS, LONGEST_REPORT_PAUSE_MS);
    private final HostPort provider;
    /** Null until the agent listens. */
    private Registration registration;
    /**
     * The number of times that the provider has begun or ceased to take calls, by which an answer is known to be out of
     * date.
     */
    private int changes;

    /** Counts those that were asked for, by which an answer is known to be out of date. */
    private int reportQuestions;

    private boolean takesCalls;
    /** Calls may give rise to a question from then on. Written under the lock. */
    private volatile long nextQuestionNs;

    private long questionIntervalNs = FIRST_QUESTION_INTERVAL_NS;
    /**
     * Questions and discoveries without a pause that have not ended, be they out of date: each has a thread and
     * connections.
     */
    private int underWay;
    /** Whether the provider has changed since they began, and is asked when they have ended. */
    private boolean asksNext;
    /** The exports that are asked for after a pause; null if none ever were. */
    private CompletableFuture<Exports> laterQuestion;

    private CompletableFuture<ServiceDefinitions> laterDiscovery;
    /** The exports of the provider since the last change; null until they are known. */
    private Map<String, List<Variant>> exported;
    /**
     * The services that the agent is registered for, or was when the provider was lost for a moment; null while it is
     * not.
     */
    private Map<String, List<Variant>> offered;

    private Mode mode = Mode.SERVING;

    /**
     * @param listener is given the methods and types, and what is exported, before the agent registers; may reject them
     *     while the agent stops
     */
    RegistrationControl(
            HostPort provider,
            OfferedServices services,
            Discovery discovery,
            BiConsumer<ServiceDefinitions, Map<String, List<Variant>>> listener) {
        this.provider = provider;
        this.services = services;
        this.discovery = discovery;
        this.listener = listener;
        unreachable = new UnreachableProvider(provider, discovery);
    }

    /** Called when the agent listens: from now on it may be registered. */
    synchronized void open(Registration opened) {
        registration = opened;
        if (offered != null) {
            register();
        }
    }

    /** Called when the provider takes calls now, or no longer. */
    synchronized void providerChanged(boolean now) {
        change();
        reportQuestions++;
        cancel(laterDiscovery);
        takesCalls = now;
        exported = null;
        if (now) {
            unreachable.reached();
            services.providerIsBack();
            questionIntervalNs = FIRST_QUESTION_INTERVAL_NS;
            ask(System.nanoTime());
        } else {
            deregisterOffered();
        }
    }

    private void change() {
        changes++;
        cancel(laterQuestion);
    }

    private static void cancel(CompletableFuture<?> later) {
        if (later != null) {
            later.cancel(false);
        }
    }

    /**
     * Called when the provider has answered a call as if it did not export the service: it may have ceased to, while
     * its connection lives. It is asked again what it exports, and nothing else is done unless that has changed. What
     * services write into their errors can look like that answer, so the provider is asked ever less often while
     * nothing changes. It takes the lock only if it is time to ask.
     */
    void onServiceMissing(long nowNs) {
        if (nowNs - nextQuestionNs > 0) {
            askAgain(nowNs);
        }
    }

    private synchronized void askAgain(long nowNs) {
        if (nowNs - nextQuestionNs <= 0) {
            return;
        }
        if (nowNs - nextQuestionNs > LONGEST_QUESTION_INTERVAL_NS) {
            questionIntervalNs = FIRST_QUESTION_INTERVAL_NS;
        }
        boolean isKnown = exported != null && exported.equals(offered);
        if (isKnown && underWay == 0) {
            change();
            ask(nowNs);
            questionIntervalNs = Math.min(2 * questionIntervalNs, LONGEST_QUESTION_INTERVAL_NS);
        } else {
            nextQuestionNs = nowNs + WHILE_ASKED_NS;
        }
    }

    private void ask(long nowNs) {
        nextQuestionNs = nowNs + questionIntervalNs;
        if (underWay > 0) {
            asksNext = true;
        } else {
            askNow();
        }
    }

    private void askNow() {
        int change = changes;
        underWay++;
        discovery.exports(0).thenAccept(found -> answered(change, found));
    }

    private synchronized void answered(int change, Exports found) {
        ended();
        exportsFound(change, found);
    }

    private void ended() {
        underWay--;
        if (asksNext && underWay == 0) {
            asksNext = false;
            if (takesCalls && mode != Mode.STOPPING) {
                askNow();
            }
        }
    }

    /** See {@link io.dubbomesh.client.connection.UpstreamListener#attemptFailed}. */
    void attemptFailed(boolean accepted, String how) {
        unreachable.attemptFailed(accepted, how);
    }

    private void askLater(long pauseMs) {
        int change = changes;
        laterQuestion = discovery.exports(pauseMs);
        laterQuestion.thenAccept(found -> exportsFound(change, found));
    }

    private synchronized void exportsFound(int change, Exports found) {
        if (change != changes || mode == Mode.STOPPING) {
            return;
        }
        Map<String, List<Variant>> now = services.update(found);
        if (now != null) {
            offer(change, now);
        }
        long pauseMs = services.nextQuestionMs();
        if (pauseMs >= 0) {
            askLater(pauseMs);
        }
    }

    private void offer(int change, Map<String, List<Variant>> now) {
        if (!now.equals(exported)) {
            questionIntervalNs = FIRST_QUESTION_INTERVAL_NS;
        }
        if (now.isEmpty()) {
            exported = now;
            deregisterOffered();
        } else if (!now.equals(exported)) {
            exported = now;
            underWay++;
            discovery.definitions(0).thenAccept(definitions -> discovered(change, definitions));
        }
    }

    private synchronized void discovered(int change, ServiceDefinitions definitions) {
        ended();
        if (change != changes) {
            return;
        }
        try {
            listener.accept(definitions, exported);
        } catch (RejectedExecutionException e) {
            return;
        }
        reportPauses.reset();
        awaitReports(definitions);
        if (!exported.isEmpty() && !exported.equals(offered)) {
            offered = exported;
            register();
        }
    }

    /**
     * Discovers again until no metadata report can still come: applications of Dubbo write them some time after they
     * export a service.
     */
    private void awaitReports(ServiceDefinitions found) {
        int number = ++reportQuestions;
        cancel(laterDiscovery);
        if (!found.areFinal()) {
            laterDiscovery = discovery.definitions(reportPauses.nextMs());
            laterDiscovery.thenAccept(later -> reported(number, found, later));
        }
    }

    private synchronized void reported(int number, ServiceDefinitions before, ServiceDefinitions later) {
        if (number != reportQuestions || exported == null || mode == Mode.STOPPING) {
            return;
        }
        ServiceDefinitions now = later.or(before);
        try {
            if (!now.areThoseOf(before)) {
                listener.accept(now, exported);
            }
        } catch (RejectedExecutionException e) {
            return;
        }
        awaitReports(now);
    }

    private void register() {
        if (registration != null && mode == Mode.SERVING) {
            registration.select(offered);
            registration.register();
        }
    }

    private void deregisterOffered() {
        if (offered == null) {
            return;
        }
        offered = null;
        if (registration != null && mode != Mode.STOPPING) {
            registration.deregister();
        }
    }

    /** Deregisters for all states of the provider, or registers again. */
    synchronized void drain(boolean now) {
        if (mode == Mode.STOPPING) {
            return;
        }
        mode = now ? Mode.DRAINING : Mode.SERVING;
        if (registration == null || offered == null) {
            return;
        }
        if (now) {
            registration.deregister();
        } else {
            register();
        }
    }

    synchronized boolean isDraining() {
        return mode == Mode.DRAINING;
    }

    /** Returns what is registered unless the agent drains; empty for nothing. */
    synchronized Map<String, List<Variant>> offered() {
        return offered == null ? Map.of() : offered;
    }

    /** Returns how the services are known; empty if they are not yet. */
    synchronized String source() {
        return services.source();
    }

    /** Deregisters for good; completes once no entry is left. */
    synchronized CompletableFuture<Void> stop() {
        mode = Mode.STOPPING;
        return registration.deregister();
    }

    /** Returns whether calls should be sent here now. */
    synchronized Readiness readiness() {
        if (mode == Mode.STOPPING) {
            return Readiness.notReady("shutting down");
        }
        if (mode == Mode.DRAINING) {
            return Readiness.notReady(DRAINING);
        }
        if (!takesCalls) {
            String reason = unreachable.reason();
            return Readiness.notReady(
                    "provider " + provider + " takes no calls" + (reason == null ? "" : ": " + reason));
        }
        String complaint = services.problem();
        if (exported != null && exported.isEmpty()) {
            return Readiness.notReady(complaint);
        }
        if (offered == null) {
            return Readiness.notReady(
                    complaint.isEmpty() ? "provider " + provider + " is being asked what it exports" : complaint);
        }
        if (registration == null || !registration.registered()) {
            return Readiness.notReady("not registered yet");
        }
        return complaint.isEmpty() ? Readiness.ready() : Readiness.readyWithNote(complaint);
    }
}
