package io.dubbomesh.provider.discovery;

/** A service in one of its variants. */
public record ServiceKey(String service, String version, String group) {}
