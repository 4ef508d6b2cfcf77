package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.document.EndpointDocument;
import io.dubbomesh.runtime.AgentRole;

/**
 * The places where a call is in each of its stages.
 *
 * @param agent     that took the request
 * @param endpoint  that it sent the call to
 * @param hasNoLink whether the endpoint is a Dubbo provider, which that agent calls itself
 */
record CallPlaces(String agent, String endpoint, boolean hasNoLink) {
    /**
     * @param role   of the agent that took the request; null if its admin port is not known
     * @param id     of the endpoint; null if the call was sent to none
     * @param client of that agent
     */
    static CallPlaces of(AgentRole role, String id, AgentClient client) {
        String kind = role == null || id == null ? "" : kind(id, client);
        String endpoint = switch (kind) {
            case "dubbo", "tri" -> "provider";
            case "mesh" -> AgentRole.PROVIDER.title();
            default -> "endpoint";
        };
        return new CallPlaces(
                "the " + (role == null ? "agent" : role.title()),
                id == null ? "the endpoint" : endpoint + ' ' + id,
                kind.equals("dubbo") || kind.equals("tri"));
    }

    private static String kind(String id, AgentClient client) {
        try {
            return client.get("endpoints/" + AgentClient.encoded(id), EndpointDocument.class)
                    .kind();
        } catch (MeshctlException e) {
            // It may have gone since.
            return "";
        }
    }

    String of(String stage) {
        return switch (stage) {
            case "agent" -> agent;
            case "queue" -> agent + ", until an endpoint has room";
            case "mesh" -> hasNoLink ? agent + ", which converts for " + endpoint : "the link, and " + endpoint;
            case "provider-queue" ->
                hasNoLink ? agent + ", until it has a permit for " + endpoint : endpoint + ", until it has a permit";
            case "provider" -> "the provider, and its connection";
            case "upstream" -> "not told by " + endpoint;
            default -> "";
        };
    }
}
