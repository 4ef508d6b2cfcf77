package io.dubbomesh.meshctl.document;

/**
 * A problem document (RFC 9457) of an agent.
 *
 * @param instance names the failure to a client of the front; empty in one of the admin port
 */
public record ProblemDocument(String code, String detail, String instance) {}
