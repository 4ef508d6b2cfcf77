package io.dubbomesh.meshctl;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks at one agent from outside, as {@code meshctl doctor} does: the process, its registry, its port, and what it says of the others. */
final class Diagnosis {
    private static final long CLOCK_TOLERANCE_S = 5;

    private final AgentClient agent;
    private final List<Finding> findings = new ArrayList<>();

    Diagnosis(AgentClient agent) {
        this.agent = agent;
    }

    /** In the order in which one cause may explain those behind it. */
    List<Finding> findings() {
        Map<?, ?> state;
        try {
            checkClock(agent.page("/healthz"));
            state = agent.get("state");
        } catch (MeshctlException e) {
            findings.add(
                    Finding.fail(e.getMessage(), "start the agent, or name its admin port: --admin http://host:port"));
            return findings;
        }
        boolean consumer = "consumer-agent".equals(state.get("agent"));
        findings.add(Finding.ok(state.get("agent") + " at " + agent.admin() + " runs since "
                + ((Map<?, ?>) state.get("process")).get("startedAt")));
        checkVersion((Map<?, ?>) state.get("process"));
        findings.addAll(Surroundings.checkRegistry(AgentCommand.text(state, "registry")));
        findings.add(Surroundings.checkPort(agent.admin().getHost(), AgentCommand.text(state, "listening")));
        checkReadiness(state, consumer);
        checkMemory(state);
        if (consumer) {
            checkEndpoints(AgentCommand.objects(agent.get("endpoints"), "endpoints"));
            checkServices(AgentCommand.objects(agent.get("services"), "services"));
            checkWaiting(state);
        } else {
            checkProvider(state);
            checkOffers(AgentCommand.objects(agent.get("services"), "services"));
        }
        return findings;
    }

    private void checkClock(HttpResponse<String> response) {
        response.headers().firstValue("Date").ifPresent(text -> {
            Instant there = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            long seconds = Duration.between(there, Instant.now()).toSeconds();
            if (Math.abs(seconds) > CLOCK_TOLERANCE_S) {
                findings.add(Finding.warn(
                        "the agent's clock differs from this machine's by " + seconds + " s",
                        "set both clocks by NTP: certificates and the times in logs depend on them"));
            }
        });
    }

    private void checkVersion(Map<?, ?> process) {
        String ours = Diagnosis.class.getPackage().getImplementationVersion();
        Object theirs = process.get("version");
        if (ours != null && theirs != null && !ours.equals(theirs)) {
            findings.add(Finding.warn(
                    "the agent has version " + theirs + ", meshctl " + ours, "use the meshctl of the agent's release"));
        }
    }

    private void checkReadiness(Map<?, ?> state, boolean consumer) {
        String readiness = AgentCommand.text(state, "readiness");
        if (Boolean.TRUE.equals(state.get("draining"))) {
            findings.add(Finding.warn("an operator has it drain", "meshctl drain --undo"));
        } else if (!Boolean.TRUE.equals(state.get("ready"))) {
            findings.add(Finding.fail(
                    "not ready: " + readiness,
                    consumer
                            ? "the checks of the registry and of the endpoints tell why"
                            : "compare dubbo.protocol.host, dubbo.protocol.port and dubbo.services with the provider"));
        } else {
            findings.add(Finding.ok("ready"));
            if (!readiness.equals("ready")) {
                findings.add(Finding.warn(readiness, "compare dubbo.services with what the provider exports"));
            }
        }
    }

    private void checkMemory(Map<?, ?> state) {
        if (number(state, "memoryHeldBytes") > number(state, "memoryBudgetBytes") * 3 / 4) {
            findings.add(Finding.warn(
                    state.get("memoryHeldBytes") + " of " + state.get("memoryBudgetBytes")
                            + " bytes are held for slow peers: large calls are refused",
                    "find the client or the agent that does not read, or raise memory.budget and -Xmx"));
        }
    }

    // --- consumer agents ---

    private void checkEndpoints(List<Map<?, ?>> endpoints) {
        if (endpoints.isEmpty()) {
            findings.add(
                    Finding.fail(
                            "no endpoint is registered",
                            "start a provider agent with the same registry; meshctl --admin http://HOST:30001 doctor looks at it"));
        }
        for (Map<?, ?> endpoint : endpoints) {
            checkEndpoint(endpoint, "endpoint " + endpoint.get("id"));
        }
    }

    private void checkEndpoint(Map<?, ?> endpoint, String name) {
        String ejectedFrom = ListCommand.joined(endpoint.get("ejectedFrom"));
        if (!Boolean.TRUE.equals(endpoint.get("alive"))) {
            String reason = AgentCommand.text(endpoint, "reason");
            findings.add(Finding.fail(
                    name + " is not connected" + (reason.isEmpty() ? "" : ": " + reason), Surroundings.remedy(reason)));
        } else if (!ejectedFrom.isEmpty()) {
            findings.add(Finding.fail(
                    name + " is ejected from " + ejectedFrom + ": its calls fail, wait in vain or are much slower",
                    "look at the provider behind it, and at the agent's log for the reason of the ejection"));
        } else if (!Boolean.TRUE.equals(endpoint.get("listed"))) {
            findings.add(Finding.warn(
                    name + " has lapsed from the registry, and still takes calls",
                    "see whether its agent reaches the registry: meshctl --admin doctor, there"));
        } else if (number(endpoint, "weight") == 0) {
            findings.add(
                    Finding.warn(name + " gets no new calls: weight 0", "meshctl weight " + endpoint.get("id") + " 1"));
        } else if (number(endpoint, "callsInFlight") >= number(endpoint, "limit")) {
            findings.add(
                    Finding.warn(
                            name + " is full: " + endpoint.get("callsInFlight") + " calls, limit "
                                    + endpoint.get("limit"),
                            "the provider is slow or too small: see its threads, add providers, or raise lb.limit with its threads"));
        } else {
            findings.add(Finding.ok(name + ": alive, weight " + endpoint.get("weight")));
        }
    }

    private void checkServices(List<Map<?, ?>> services) {
        for (Map<?, ?> service : services) {
            if (service.get("endpoints") instanceof List<?> endpoints && endpoints.isEmpty()) {
                findings.add(Finding.warn(
                        "no endpoint serves " + service.get("service") + " now, though one did",
                        "start its provider and provider agent"));
            }
        }
    }

    private void checkWaiting(Map<?, ?> state) {
        if (number(state, "callsWaiting") > 0) {
            findings.add(Finding.warn(
                    state.get("callsWaiting") + " calls wait: every endpoint is at its limit",
                    "add providers, or raise lb.limit together with the provider's threads"));
        }
    }

    // --- provider agents ---

    private void checkProvider(Map<?, ?> state) {
        String provider = "provider " + state.get("provider");
        if (Boolean.TRUE.equals(state.get("providerSilent"))) {
            findings.add(Finding.fail(
                    provider + " is connected but sends nothing: it is stopped, or in a long collection",
                    "see its process: its state, its garbage collector, a thread dump"));
        } else if (number(state, "providerConnections") == 0) {
            findings.add(Finding.fail(
                    provider + " is not connected",
                    "start the provider, or correct dubbo.protocol.host and dubbo.protocol.port"));
        } else if (number(state, "callsInService") >= number(state, "limit")) {
            findings.add(
                    Finding.warn(
                            provider + " is full: " + state.get("callsInService") + " calls in service, limit "
                                    + state.get("limit"),
                            "the provider is slow or too small: see its threads, add providers, or raise lb.limit with its threads"));
        } else {
            findings.add(Finding.ok(provider + " is connected, " + state.get("callsInService") + " calls in service"));
        }
    }

    private void checkOffers(List<Map<?, ?>> services) {
        for (Map<?, ?> service : services) {
            String name = "service " + service.get("service") + " (version \"" + service.get("version") + "\", group \""
                    + service.get("group") + "\")";
            if (!Boolean.TRUE.equals(service.get("offered"))) {
                findings.add(Finding.fail(
                        name + " is not offered",
                        "export it in the provider with this version and group, or correct dubbo.services"));
            } else if (!service.containsKey("methods")) {
                findings.add(Finding.warn(
                        name + ": its methods and types are not known, so calls are generic",
                        "give the agent the jar of the interface (dubbo.api.jars): Dubbo 3 tells no types"));
            } else {
                findings.add(Finding.ok(name + ": offered, " + service.get("methods") + " methods known"));
            }
        }
    }

    private static long number(Map<?, ?> document, String member) {
        return document.get(member) instanceof Long number ? number : 0;
    }
}
