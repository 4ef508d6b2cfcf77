package io.dubbomesh.provider.admin;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.admin.AdminApi;
import io.dubbomesh.runtime.admin.AdminException;
import io.dubbomesh.runtime.admin.AdminRequest;
import io.dubbomesh.runtime.admin.ProcessState;
import io.dubbomesh.runtime.admin.Readiness;
import io.dubbomesh.transport.metrics.FailureReport;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/** The part of the admin interface that only provider agents have; docs/operate/admin.md describes each document. */
public final class ProviderApi {
    private final ProviderControl agent;

    private record State(
            String agent,
            String role,
            ProcessState process,
            boolean ready,
            String readiness,
            boolean draining,
            String listening,
            String registry,
            boolean registered,
            String address,
            int weight,
            String provider,
            String providerProtocol,
            boolean providerSilent,
            String servicesKnown,
            int limit,
            int callsInService,
            int callsWaiting,
            int eventLoops,
            int providerConnections,
            int links,
            long memoryHeldBytes,
            long memoryBudgetBytes) {}

    /** @param methods how many are known; null if none of them is */
    private record ServiceView(String service, String version, String group, boolean offered, Integer methods) {}

    private record Services(List<ServiceView> services) {}

    /** Returns the agent as an endpoint, with the names that the document of a consumer agent has. */
    /** @param zone null for none */
    private record EndpointView(
            String id,
            int weight,
            int limit,
            String zone,
            boolean listed,
            int callsInFlight,
            Collection<String> services) {}

    private record Endpoints(List<EndpointView> endpoints) {}

    private record ChangedWeight(String id, int weight, int previousWeight) {}

    private record Drain(boolean draining, int callsInFlight, int links) {}

    public ProviderApi(ProviderControl agent) {
        this.agent = agent;
    }

    public void addTo(AdminApi api) {
        api.get("/state", request -> state())
                .get("/services", request -> services())
                .get("/endpoints", request -> endpoints())
                .get("/endpoints/{id}", request -> endpoint(request.name()))
                .put("/endpoints/{id}/weight", this::changeWeight)
                .get("/failures", request -> FailureReport.of(agent.failures(), System.currentTimeMillis()))
                .drain(agent::drain, request -> drain());
    }

    private State state() throws TimeoutException {
        List<ProviderLoopState> loops = agent.loops();
        Readiness readiness = agent.readiness();
        Registration registration = agent.registration();
        return new State(
                AgentRole.PROVIDER.program(),
                AgentRole.PROVIDER.type(),
                ProcessState.now(),
                readiness.isReady(),
                readiness.text(),
                agent.isDraining(),
                agent.listening(),
                agent.registry(),
                registration.registered(),
                address(registration),
                registration.weight(),
                agent.provider(),
                agent.providerProtocol(),
                loops.stream().anyMatch(ProviderLoopState::silent),
                agent.servicesSource(),
                agent.limit(),
                agent.callsInService(),
                agent.callsWaiting(),
                loops.size(),
                (int) loops.stream().filter(ProviderLoopState::connected).count(),
                loops.stream().mapToInt(ProviderLoopState::links).sum(),
                loops.stream().mapToLong(ProviderLoopState::memoryHeldBytes).sum(),
                loops.stream().mapToLong(ProviderLoopState::memoryBudgetBytes).sum());
    }

    /** Returns null if it is not known, which it is when the agent has reached its registry. */
    private static String address(Registration registration) {
        return registration.address() == null ? null : registration.address().toString();
    }

    private Services services() {
        List<ServiceView> views = new ArrayList<>();
        new TreeMap<>(agent.services())
                .forEach((service, variants) -> variants.forEach(variant -> views.add(service(service, variant))));
        return new Services(views);
    }

    private ServiceView service(String service, Variant variant) {
        ServiceDefinition definition =
                agent.definitions().definition(new MethodName(service, "", "", variant.version(), variant.group()));
        return new ServiceView(
                service,
                variant.version(),
                variant.group(),
                agent.offered().getOrDefault(service, List.of()).contains(variant),
                definition == null ? null : definition.methods().size());
    }

    private Endpoints endpoints() {
        String address = address(agent.registration());
        return new Endpoints(address == null ? List.of() : List.of(self(address)));
    }

    private EndpointView self(String address) {
        return new EndpointView(
                address,
                agent.registration().weight(),
                agent.limit(),
                agent.zone().isEmpty() ? null : agent.zone(),
                agent.registration().registered(),
                agent.callsInService(),
                agent.offered().keySet().stream().sorted().toList());
    }

    private EndpointView endpoint(String id) throws AdminException {
        String address = address(agent.registration());
        if (!id.equals(address)) {
            throw AdminException.notFound("endpoint " + PrintableText.brief(id) + " (expected: this agent's own, "
                    + (address == null ? "which is not known before the registry is reached" : address)
                    + "; a consumer agent has all)");
        }
        return self(address);
    }

    private ChangedWeight changeWeight(AdminRequest request) throws AdminException {
        int weight = request.integer("weight", 0, Endpoint.MAX_WEIGHT);
        EndpointView endpoint = endpoint(request.name());
        agent.registration().changeWeight(weight);
        return new ChangedWeight(endpoint.id(), weight, endpoint.weight());
    }

    private Drain drain() throws TimeoutException {
        return new Drain(
                agent.isDraining(),
                agent.callsInService() + agent.callsWaiting(),
                agent.loops().stream().mapToInt(ProviderLoopState::links).sum());
    }
}
