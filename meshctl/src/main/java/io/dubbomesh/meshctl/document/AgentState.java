package io.dubbomesh.meshctl.document;

import io.dubbomesh.runtime.AgentRole;

import java.util.Optional;

/**
 * The state of an agent.
 *
 * @param agent              the program
 * @param role               empty for an agent of an older version: see {@link #agentRole}
 * @param registryAgeSeconds since the registry has confirmed its list; empty if it has not told one
 * @param connections        of clients, of a consumer agent
 * @param maxConnections     beyond which its clients are refused; 0 for one of an older version
 * @param fullestLoop        the event loop with the most of them; empty for one of an older version
 * @param callsWaiting       of a consumer agent, for an endpoint with room
 * @param provider           of a provider agent: the address that it calls
 * @param address            under which a provider agent is registered
 * @param links              from consumer agents
 */
public record AgentState(
        String agent,
        String role,
        ProcessState process,
        boolean ready,
        String readiness,
        boolean draining,
        String listening,
        String registry,
        long memoryHeldBytes,
        long memoryBudgetBytes,
        Optional<Double> registryAgeSeconds,
        long connections,
        long maxConnections,
        Optional<LoopConnections> fullestLoop,
        long callsWaiting,
        String provider,
        boolean providerSilent,
        long providerConnections,
        long callsInService,
        long limit,
        boolean registered,
        String address,
        long weight,
        long links) {
    /** The process of an agent; without a version if it is not a release. */
    public record ProcessState(String startedAt, String version) {}

    /** The connections of clients of one event loop, and those beyond which it refuses more. */
    public record LoopConnections(long connections, long maxConnections) {
        /** Returns whether nine tenths are open. */
        public boolean isNearlyFull() {
            return maxConnections > 0 && connections * 10 > maxConnections * 9;
        }
    }

    /** Returns what the agent is. */
    public AgentRole agentRole() {
        AgentRole known = AgentRole.ofType(role);
        if (known != null) {
            return known;
        }
        return AgentRole.PROVIDER.program().equals(agent) ? AgentRole.PROVIDER : AgentRole.CONSUMER;
    }

    /** Returns whether a provider agent is connected to its provider. */
    public boolean isProviderConnected() {
        return providerConnections > 0;
    }
}
