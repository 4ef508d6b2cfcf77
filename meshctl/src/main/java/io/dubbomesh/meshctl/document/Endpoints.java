package io.dubbomesh.meshctl.document;

import java.util.List;

/** The endpoints that an agent knows. */
public record Endpoints(List<EndpointDocument> endpoints) {}
