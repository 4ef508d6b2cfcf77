package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.AgentState;
import io.dubbomesh.meshctl.document.Service;
import io.dubbomesh.meshctl.document.ServicesDocument;
import io.dubbomesh.runtime.Count;

import java.util.ArrayList;
import java.util.List;

/** The checks of the documents of a provider agent. */
final class ProviderChecks {
    private final AgentClient agent;
    private final List<Finding> findings = new ArrayList<>();

    ProviderChecks(AgentClient agent) {
        this.agent = agent;
    }

    List<Finding> check(AgentState state) {
        findings.add(provider(state));
        findings.add(registration(state));
        Diagnosis.attempt(findings, () -> {
            for (Service service : agent.get("services", ServicesDocument.class).services()) {
                // What a provider exports that is away is not known.
                if (state.isProviderConnected() || service.isOffered()) {
                    findings.add(offer(service));
                }
            }
        });
        return findings;
    }

    private static Finding provider(AgentState state) {
        String provider = "provider " + state.provider();
        if (state.providerSilent()) {
            return Finding.fail(
                    provider + " is connected but sends nothing: it is stopped, or in a long collection",
                    "see its process: its state, its garbage collector, a thread dump");
        }
        if (!state.isProviderConnected()) {
            return Finding.fail(
                    provider + " is not connected",
                    "start the provider, or correct dubbo.protocol.host and dubbo.protocol.port");
        }
        if (state.callsInService() >= state.limit()) {
            return Finding.warn(
                    provider + " is full: " + Count.of(state.callsInService(), "call") + " in service, limit "
                            + state.limit(),
                    Remedies.FULL);
        }
        return Finding.ok(provider + " is connected, " + Count.of(state.callsInService(), "call") + " in service");
    }

    private static Finding registration(AgentState state) {
        if (!state.registered()) {
            return Finding.warn(
                    "the agent is not registered, so that consumer agents do not find it",
                    "the checks of the registry and of the provider tell why");
        }
        if (state.weight() == 0) {
            return Finding.warn(
                    "registered as " + state.address() + " with weight 0: it gets no new calls",
                    "meshctl weight " + state.address() + " 1");
        }
        return Finding.ok("registered as " + state.address() + ", weight " + state.weight() + "; "
                + Count.of(state.links(), "link") + " from consumer agents");
    }

    private static Finding offer(Service service) {
        String name = "service " + service.service() + " (version \"" + service.version() + "\", group \""
                + service.group() + "\")";
        if (!service.isOffered()) {
            return Finding.fail(
                    name + " is not offered",
                    "export it in the provider with this version and group, or correct dubbo.services");
        }
        if (service.methods().isEmpty()) {
            return Finding.warn(
                    name
                            + ": its methods and types are not known, so calls without types are converted by the provider",
                    "give the agent the class files of the interface (dubbo.api.jars): Dubbo 3 tells no types");
        }
        return Finding.ok(name + ": offered, " + Count.of(service.methods().get(), "method") + " known");
    }
}
