package io.dubbomesh.meshctl.document;

/** The level of a logger. */
public record LoggerLevel(String name, String level) {}
