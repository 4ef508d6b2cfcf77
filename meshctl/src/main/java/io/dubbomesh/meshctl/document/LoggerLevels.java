package io.dubbomesh.meshctl.document;

import java.util.Map;

/** The levels of an agent's loggers, by name. */
public record LoggerLevels(Map<String, String> loggers) {}
