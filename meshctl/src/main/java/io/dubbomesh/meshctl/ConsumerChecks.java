package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.AgentRole;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What {@code meshctl doctor} finds in the documents of a consumer agent or a gateway. */
final class ConsumerChecks {
    /** While it can be reached, a registry confirms its list every few seconds. */
    private static final long MAX_REGISTRY_AGE_S = 30;

    private static final String REGISTRY_AGE = "registryAgeSeconds";

    private final AgentClient agent;
    /** Whether it calls providers itself. */
    private final boolean gateway;

    private final List<Finding> findings = new ArrayList<>();

    ConsumerChecks(AgentClient agent, AgentRole role) {
        this.agent = agent;
        gateway = role == AgentRole.GATEWAY;
    }

    List<Finding> check(Map<?, ?> state) {
        checkRegistryAge(state);
        Diagnosis.attempt(findings, () -> checkEndpoints(AgentCommand.objects(agent.get("endpoints"), "endpoints")));
        Diagnosis.attempt(findings, () -> checkServices(AgentCommand.objects(agent.get("services"), "services")));
        checkWaiting(state);
        return findings;
    }

    private void checkRegistryAge(Map<?, ?> state) {
        if (state.get(REGISTRY_AGE) == null) {
            // The agent leaves out what it does not know. The registry's port may be open: it may refuse a user.
            findings.add(
                    Finding.fail(
                            "the registry has not told this agent its endpoints since the start",
                            "see the lines about the registry in the agent's log: it may refuse the user, the password or the certificate"));
        }
        if (state.get(REGISTRY_AGE) instanceof Number age && age.longValue() > MAX_REGISTRY_AGE_S) {
            findings.add(
                    Finding.fail(
                            "the registry has not confirmed the list of endpoints for " + age.longValue() + " s",
                            "see whether the agent's machine reaches the registry; until then it uses the endpoints that it knows"));
        }
    }

    private void checkEndpoints(List<Map<?, ?>> endpoints) {
        if (endpoints.isEmpty()) {
            findings.add(
                    Finding.fail(
                            "no endpoint is registered",
                            gateway
                                    ? "start the provider with the same registry, or correct the setting registry"
                                    : "start a provider agent with the same registry; meshctl --admin http://HOST:30001 doctor looks at it"));
        }
        for (Map<?, ?> endpoint : endpoints) {
            findings.add(check(endpoint, "endpoint " + endpoint.get("id")));
        }
    }

    /** Whether it has no agent. */
    private static boolean isProvider(Map<?, ?> endpoint) {
        return "dubbo".equals(endpoint.get("kind"));
    }

    private static Finding check(Map<?, ?> endpoint, String name) {
        String ejectedFrom = ListCommand.joined(endpoint.get("ejectedFrom"));
        boolean idle = Boolean.TRUE.equals(endpoint.get("idle"));
        if (endpoint.containsKey("notCallable")) {
            return Finding.warn(name + ": " + AgentCommand.text(endpoint, "notCallable"), Remedies.FOREIGN_PROTOCOL);
        }
        if (!idle && !Boolean.TRUE.equals(endpoint.get("alive"))) {
            String reason = AgentCommand.text(endpoint, "reason");
            return Finding.fail(
                    name + " is not connected" + (reason.isEmpty() ? "" : ": " + reason),
                    isProvider(endpoint) ? Remedies.ofConnectionToProvider(reason) : Remedies.ofConnection(reason));
        }
        if (!ejectedFrom.isEmpty()) {
            return Finding.fail(
                    name + " is ejected from " + ejectedFrom + ": " + AgentCommand.text(endpoint, "ejectionReason"),
                    isProvider(endpoint) ? Remedies.PROVIDER_THERE : Remedies.PROVIDER_BEHIND);
        }
        if (!Boolean.TRUE.equals(endpoint.get("listed"))) {
            return Finding.warn(
                    name + " has lapsed from the registry, and still takes calls",
                    isProvider(endpoint)
                            ? "see whether the provider reaches the registry"
                            : "see whether its agent reaches the registry: meshctl --admin http://HOST:30001 doctor");
        }
        if (Diagnosis.number(endpoint, "weight") == 0) {
            return Finding.warn(
                    name + " gets no new calls: weight 0",
                    isProvider(endpoint)
                            ? "see its weight, and whether it is disabled, in the registry where it is listed"
                            : "meshctl weight " + endpoint.get("id") + " 1");
        }
        if (idle) {
            return Finding.ok(name + ": idle, no call needs it now, weight " + endpoint.get("weight"));
        }
        if (Diagnosis.number(endpoint, "callsInFlight") >= Diagnosis.number(endpoint, "limit")) {
            return Finding.warn(
                    name + " is full: " + Diagnosis.count(endpoint, "callsInFlight", "call") + " in flight, limit "
                            + endpoint.get("limit"),
                    Remedies.FULL);
        }
        return Finding.ok(name + ": alive, weight " + endpoint.get("weight"));
    }

    private void checkServices(List<Map<?, ?>> services) {
        for (Map<?, ?> service : services) {
            if (service.get("endpoints") instanceof List<?> endpoints && endpoints.isEmpty()) {
                findings.add(Finding.warn(
                        "no endpoint serves " + service.get("service") + " now, though one did",
                        gateway ? "start its provider" : "start its provider and provider agent"));
            }
        }
    }

    private void checkWaiting(Map<?, ?> state) {
        if (Diagnosis.number(state, "callsWaiting") > 0) {
            findings.add(
                    Finding.warn(state.get("callsWaiting") + " calls wait for an endpoint with room", Remedies.FULL));
        }
    }
}
