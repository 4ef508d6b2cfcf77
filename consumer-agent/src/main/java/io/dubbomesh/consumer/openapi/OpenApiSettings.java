package io.dubbomesh.consumer.openapi;

/**
 * What documents are made of beside the descriptions of services.
 *
 * @param maxTimeoutMs of a request
 * @param authenticated whether requests need a token
 * @param file          what the operator has written about services
 */
public record OpenApiSettings(long maxTimeoutMs, boolean authenticated, DescriptionFile file) {}
