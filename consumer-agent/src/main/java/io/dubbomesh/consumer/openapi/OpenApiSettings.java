package io.dubbomesh.consumer.openapi;

/**
 * What the documents tell of the agent itself.
 *
 * @param maxTimeoutMs of a request
 * @param authenticated whether requests need a token
 */
public record OpenApiSettings(long maxTimeoutMs, boolean authenticated) {}
