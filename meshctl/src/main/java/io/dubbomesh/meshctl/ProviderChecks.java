package io.dubbomesh.meshctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What {@code meshctl doctor} finds in the documents of a provider agent. */
final class ProviderChecks {
    private final AgentClient agent;
    private final List<Finding> findings = new ArrayList<>();

    ProviderChecks(AgentClient agent) {
        this.agent = agent;
    }

    List<Finding> check(Map<?, ?> state) {
        findings.add(provider(state));
        findings.add(registration(state));
        Diagnosis.attempt(findings, () -> {
            for (Map<?, ?> service : AgentCommand.objects(agent.get("services"), "services")) {
                // Of a provider that is away nobody knows what it exports.
                if (isConnected(state) || isOffered(service)) {
                    findings.add(offer(service));
                }
            }
        });
        return findings;
    }

    private static boolean isConnected(Map<?, ?> state) {
        return Diagnosis.number(state, "providerConnections") > 0;
    }

    private static boolean isOffered(Map<?, ?> service) {
        return Boolean.TRUE.equals(service.get("offered"));
    }

    private static Finding provider(Map<?, ?> state) {
        String provider = "provider " + state.get("provider");
        if (Boolean.TRUE.equals(state.get("providerSilent"))) {
            return Finding.fail(
                    provider + " is connected but sends nothing: it is stopped, or in a long collection",
                    "see its process: its state, its garbage collector, a thread dump");
        }
        if (!isConnected(state)) {
            return Finding.fail(
                    provider + " is not connected",
                    "start the provider, or correct dubbo.protocol.host and dubbo.protocol.port");
        }
        if (Diagnosis.number(state, "callsInService") >= Diagnosis.number(state, "limit")) {
            return Finding.warn(
                    provider + " is full: " + Diagnosis.count(state, "callsInService", "call") + " in service, limit "
                            + state.get("limit"),
                    Remedies.FULL);
        }
        return Finding.ok(
                provider + " is connected, " + Diagnosis.count(state, "callsInService", "call") + " in service");
    }

    private static Finding registration(Map<?, ?> state) {
        if (!Boolean.TRUE.equals(state.get("registered"))) {
            return Finding.warn(
                    "the agent is not registered, so that consumer agents do not find it",
                    "the checks of the registry and of the provider tell why");
        }
        if (Diagnosis.number(state, "weight") == 0) {
            return Finding.warn(
                    "registered as " + state.get("address") + " with weight 0: it gets no new calls",
                    "meshctl weight " + state.get("address") + " 1");
        }
        return Finding.ok("registered as " + state.get("address") + ", weight " + state.get("weight") + "; "
                + Diagnosis.count(state, "links", "link") + " from consumer agents");
    }

    private static Finding offer(Map<?, ?> service) {
        String name = "service " + service.get("service") + " (version \"" + service.get("version") + "\", group \""
                + service.get("group") + "\")";
        if (!isOffered(service)) {
            return Finding.fail(
                    name + " is not offered",
                    "export it in the provider with this version and group, or correct dubbo.services");
        }
        if (!service.containsKey("methods")) {
            return Finding.warn(
                    name
                            + ": its methods and types are not known, so calls without types are converted by the provider",
                    "give the agent the class files of the interface (dubbo.api.jars): Dubbo 3 tells no types");
        }
        return Finding.ok(name + ": offered, " + Diagnosis.count(service, "methods", "method") + " known");
    }
}
