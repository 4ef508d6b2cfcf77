package io.dubbomesh.consumer.admin;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.RuleReport;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.admin.AdminApi;
import io.dubbomesh.runtime.admin.AdminException;
import io.dubbomesh.runtime.admin.AdminRequest;
import io.dubbomesh.runtime.admin.ProcessState;
import io.dubbomesh.runtime.admin.Readiness;
import io.dubbomesh.transport.metrics.FailureReport;

import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The part of the admin interface that only consumer agents have; docs/operate/admin.md describes each document. */
public final class ConsumerApi {
    private final ConsumerControl agent;
    private final CallRelay relay;

    private record State(
            String agent,
            String role,
            ProcessState process,
            boolean ready,
            String readiness,
            boolean draining,
            String listening,
            String registry,
            boolean registryLoaded,
            Double registryAgeSeconds,
            int eventLoops,
            int connections,
            int maxConnections,
            LoopConnections fullestLoop,
            boolean authenticatesCallers,
            long refusedCallers,
            int callsInFlight,
            int callsWaiting,
            long memoryHeldBytes,
            long memoryBudgetBytes,
            int services,
            int endpoints,
            int endpointsWithoutAgent,
            int endpointsAlive,
            int endpointsIdle,
            Collection<RuleReport> rules) {}

    /** The connections of one event loop, each of which has its part of what the agent may have. */
    private record LoopConnections(int connections, int maxConnections) {
        private static LoopConnections fullestOf(List<ConsumerLoopState> loops) {
            return loops.stream()
                    .max(Comparator.comparingInt(ConsumerLoopState::connections))
                    .map(loop -> new LoopConnections(loop.connections(), loop.maxConnections()))
                    .orElse(null);
        }
    }

    /** @param more that were left out; null if none */
    private record Services(Collection<MeshView.ServiceView> services, Integer more) {}

    /** @param more that were left out; null if none */
    private record Endpoints(Collection<MeshView.EndpointView> endpoints, Integer more) {}

    private record ChangedWeight(String id, int weight, int previousWeight) {}

    private record Drain(boolean draining, int callsInFlight, int connections) {}

    public ConsumerApi(ConsumerControl agent) {
        this.agent = agent;
        relay = new CallRelay(agent);
    }

    public void addTo(AdminApi api) {
        api.get("/state", request -> state())
                .get("/services", this::services)
                .get("/services/{service}", relay::describe)
                .get("/services/{service}/openapi", relay::describeInOpenApi)
                .post("/call", relay::call)
                .get("/endpoints", this::endpoints)
                .get("/endpoints/{id}", request -> endpoint(request.name()))
                .put("/endpoints/{id}/weight", this::changeWeight)
                .get("/callers", request -> CallerReport.of(agent.loops(), System.nanoTime()))
                .get("/failures", request -> FailureReport.of(agent.failures(), System.currentTimeMillis()))
                .drain(agent::drain, request -> drain());
    }

    private MeshView view() throws TimeoutException {
        return view(agent.loops());
    }

    private MeshView view(List<ConsumerLoopState> loops) {
        return new MeshView(
                agent.directory(),
                loops.stream().map(ConsumerLoopState::upstream).toList(),
                agent.strategy(),
                agent.recentRates());
    }

    private Services services(AdminRequest request) throws AdminException, TimeoutException {
        MeshView view = view();
        Collection<MeshView.ServiceView> services = view.services(most(request));
        return new Services(services, more(view.serviceCount(), services));
    }

    private Endpoints endpoints(AdminRequest request) throws AdminException, TimeoutException {
        MeshView view = view();
        Collection<MeshView.EndpointView> endpoints = view.endpoints(most(request));
        return new Endpoints(endpoints, more(view.endpointCount(), endpoints));
    }

    private static int most(AdminRequest request) throws AdminException {
        return request.number("most", 1, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    private static Integer more(int all, Collection<?> shown) {
        return all > shown.size() ? all - shown.size() : null;
    }

    private State state() throws TimeoutException {
        List<ConsumerLoopState> loops = agent.loops();
        MeshView view = view(loops);
        Readiness readiness = agent.readiness();
        return new State(
                AgentRole.CONSUMER.program(),
                agent.role().type(),
                ProcessState.now(),
                readiness.isReady(),
                readiness.text(),
                agent.isDraining(),
                agent.listening(),
                agent.registry(),
                agent.directory() != null,
                registryAgeSeconds(),
                loops.size(),
                loops.stream().mapToInt(ConsumerLoopState::connections).sum(),
                loops.stream().mapToInt(ConsumerLoopState::maxConnections).sum(),
                LoopConnections.fullestOf(loops),
                agent.authenticatesCallers(),
                loops.stream().mapToLong(ConsumerLoopState::refusedCallers).sum(),
                loops.stream().mapToInt(loop -> loop.upstream().inFlight()).sum(),
                loops.stream().mapToInt(loop -> loop.upstream().waiting()).sum(),
                loops.stream().mapToLong(ConsumerLoopState::memoryHeldBytes).sum(),
                loops.stream().mapToLong(ConsumerLoopState::memoryBudgetBytes).sum(),
                view.serviceCount(),
                view.endpointCount(),
                view.endpointsWithoutAgent(),
                view.endpointsAlive(),
                view.endpointsIdle(),
                agent.directory() == null ? List.of() : agent.directory().ruleReports());
    }

    /** Returns null before the first list. */
    private Double registryAgeSeconds() {
        long ageNs = agent.registryAgeNs();
        return ageNs < 0 ? null : ageNs / 1e9;
    }

    private MeshView.EndpointView endpoint(String id) throws AdminException, TimeoutException {
        MeshView.EndpointView endpoint = view().endpoint(id);
        if (endpoint == null) {
            throw AdminException.notFound(
                    "no endpoint " + PrintableText.brief(id) + " (GET /api/v1/endpoints lists them)");
        }
        return endpoint;
    }

    private ChangedWeight changeWeight(AdminRequest request) throws AdminException, TimeoutException {
        int weight = request.integer("weight", 0, Endpoint.MAX_WEIGHT);
        MeshView.EndpointView endpoint = endpoint(request.name());
        Directory directory = agent.directory();
        if (!endpoint.listed() || directory == null) {
            throw AdminException.conflict(
                    endpoint.id() + " is not in the registry any more, which is where weights are kept");
        }
        try {
            agent.changeWeight(endpoint.services(), HostPort.parseUri(endpoint.id()), weight);
        } catch (FixedWeightException e) {
            throw AdminException.conflict("the weight was not changed: " + e.getMessage());
        } catch (IOException e) {
            throw AdminException.unavailable("the weight was not changed: " + e.getMessage());
        }
        return new ChangedWeight(endpoint.id(), weight, endpoint.weight());
    }

    private Drain drain() throws TimeoutException {
        List<ConsumerLoopState> loops = agent.loops();
        return new Drain(
                agent.isDraining(),
                loops.stream()
                        .mapToInt(loop ->
                                loop.upstream().inFlight() + loop.upstream().waiting())
                        .sum(),
                loops.stream().mapToInt(ConsumerLoopState::connections).sum());
    }
}
