package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.AgentState;
import io.dubbomesh.meshctl.document.EndpointDocument;
import io.dubbomesh.meshctl.document.Endpoints;
import io.dubbomesh.meshctl.document.Service;
import io.dubbomesh.meshctl.document.ServicesDocument;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.Count;

import java.util.ArrayList;
import java.util.List;

/** The checks of the documents of a consumer agent or a gateway. */
final class ConsumerChecks {
    /**
     * The bound of the registry's age in seconds: while it can be reached, a registry confirms its list every few
     * seconds.
     */
    private static final long MAX_REGISTRY_AGE_S = 30;

    private final AgentClient agent;
    /** Whether it calls providers itself. */
    private final boolean gateway;

    private final List<Finding> findings = new ArrayList<>();

    ConsumerChecks(AgentClient agent, AgentRole role) {
        this.agent = agent;
        gateway = role == AgentRole.GATEWAY;
    }

    List<Finding> check(AgentState state) {
        checkRegistryAge(state);
        checkConnections(state);
        Diagnosis.attempt(
                findings,
                () -> checkEndpoints(agent.get("endpoints", Endpoints.class).endpoints()));
        Diagnosis.attempt(
                findings,
                () -> checkServices(
                        agent.get("services", ServicesDocument.class).services()));
        checkWaiting(state);
        return findings;
    }

    private void checkRegistryAge(AgentState state) {
        if (state.registryAgeSeconds().isEmpty()) {
            // The agent leaves out what it does not know. The registry's port may be open: it may refuse a user.
            findings.add(
                    Finding.fail(
                            "the registry has not told this agent its endpoints since the start",
                            "see the lines about the registry in the agent's log: it may refuse the user, the password or the certificate"));
        }
        long age = state.registryAgeSeconds().orElse(0.0).longValue();
        if (age > MAX_REGISTRY_AGE_S) {
            findings.add(
                    Finding.fail(
                            "the registry has not confirmed the list of endpoints for " + age + " s",
                            "see whether the agent's machine reaches the registry; until then it uses the endpoints that it knows"));
        }
    }

    /** The fullest event loop decides: it refuses clients while others have room. */
    private void checkConnections(AgentState state) {
        AgentState.LoopConnections all = new AgentState.LoopConnections(state.connections(), state.maxConnections());
        AgentState.LoopConnections fullest = state.fullestLoop().orElse(all);
        if (all.isNearlyFull() || fullest.isNearlyFull()) {
            String ofLoop = fullest.equals(all)
                    ? ""
                    : ", " + fullest.connections() + " of " + fullest.maxConnections() + " at one event loop";
            findings.add(Finding.warn(
                    all.connections() + " of " + all.maxConnections() + " connections of clients are open" + ofLoop
                            + ": beyond, clients get 503",
                    "look for the client that opens so many, or raise http.max-connections and -Xmx"));
        }
    }

    private void checkEndpoints(List<EndpointDocument> endpoints) {
        if (endpoints.isEmpty()) {
            findings.add(
                    Finding.fail(
                            "no endpoint is registered",
                            gateway
                                    ? "start the provider with the same registry, or correct the setting registry"
                                    : "start a provider agent with the same registry; meshctl --admin http://HOST:30001 doctor looks at it"));
        }
        for (EndpointDocument endpoint : endpoints) {
            findings.add(check(endpoint, "endpoint " + endpoint.id()));
        }
    }

    private static Finding check(EndpointDocument endpoint, String name) {
        long weight = endpoint.weight().orElse(0L);
        if (!endpoint.notCallable().isEmpty()) {
            return Finding.warn(name + ": " + endpoint.notCallable(), Remedies.FOREIGN_PROTOCOL);
        }
        if (!endpoint.idle() && !endpoint.alive().orElse(false)) {
            String reason = endpoint.reason();
            return Finding.fail(
                    name + " is not connected" + (reason.isEmpty() ? "" : ": " + reason),
                    endpoint.isProvider() ? Remedies.providerConnection(reason) : Remedies.agentConnection(reason));
        }
        if (!endpoint.ejectedFrom().isEmpty()) {
            return Finding.fail(
                    name + " is ejected from " + endpoint.ejections() + ": " + endpoint.ejectionReason(),
                    endpoint.isProvider() ? Remedies.PROVIDER_THERE : Remedies.PROVIDER_BEHIND);
        }
        if (!endpoint.listed()) {
            return Finding.warn(
                    name + " has lapsed from the registry, and still takes calls",
                    endpoint.isProvider()
                            ? "see whether the provider reaches the registry"
                            : "see whether its agent reaches the registry: meshctl --admin http://HOST:30001 doctor");
        }
        if (weight == 0) {
            return Finding.warn(
                    name + " gets no new calls: weight 0",
                    endpoint.isProvider()
                            ? "see its weight, and whether it is disabled, in the registry where it is listed"
                            : "meshctl weight " + endpoint.id() + " 1");
        }
        if (endpoint.idle()) {
            return Finding.ok(name + ": idle, no call needs it now, weight " + weight);
        }
        if (endpoint.callsInFlight() >= endpoint.limit()) {
            return Finding.warn(
                    name + " is full: " + Count.of(endpoint.callsInFlight(), "call") + " in flight, limit "
                            + endpoint.limit(),
                    Remedies.FULL);
        }
        return Finding.ok(name + ": alive, weight " + weight);
    }

    private void checkServices(List<Service> services) {
        for (Service service : services) {
            if (service.endpoints().isEmpty()) {
                findings.add(Finding.warn(
                        "no endpoint serves " + service.service() + " now, though one did",
                        gateway ? "start its provider" : "start its provider and provider agent"));
            }
        }
    }

    private void checkWaiting(AgentState state) {
        if (state.callsWaiting() > 0) {
            findings.add(Finding.warn(state.callsWaiting() + " calls wait for an endpoint with room", Remedies.FULL));
        }
    }
}
