package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.logging.Loggers;
import io.dubbomesh.runtime.settings.Settings;

import java.util.List;
import java.util.Map;

/**
 * The part of the admin interface that every agent has: who may change something, the settings in force, and the levels
 * of the log.
 */
final class ProcessApi {
    private final List<Settings.Effective> settings;

    private record Config(List<Settings.Effective> settings) {}

    /** @param reason why this client may change nothing; null if it may */
    private record Access(boolean changes, String reason) {}

    private record LoggerLevels(List<String> levels, Map<String, String> loggers) {}

    private record LoggerLevel(String name, String level) {}

    ProcessApi(List<Settings.Effective> settings) {
        this.settings = settings;
    }

    void addTo(AdminApi api) {
        api.get("/access", request -> new Access(request.refusal() == null, request.refusal()))
                .get("/config", request -> new Config(settings))
                .get("/loggers", request -> new LoggerLevels(Loggers.LEVELS, Loggers.levels()))
                .get("/loggers/{name}", request -> level(existing(request)))
                .put("/loggers/{name}", ProcessApi::setLevel);
    }

    private static Object setLevel(AdminRequest request) throws AdminException {
        String name = existing(request);
        Object level = request.members().get("level");
        boolean isKnown = level == null ? request.members().containsKey("level") : Loggers.LEVELS.contains(level);
        if (!isKnown) {
            throw AdminException.badRequest("level: " + (level == null ? "not set" : level) + " (expected: one of "
                    + String.join(", ", Loggers.LEVELS) + ", or null for what is configured)");
        }
        Loggers.set(name, (String) level);
        return level(name);
    }

    private static String existing(AdminRequest request) throws AdminException {
        if (!Loggers.exists(request.name())) {
            throw AdminException.notFound("no logger " + request.name() + " (GET /api/v1/loggers lists ours)");
        }
        return request.name();
    }

    private static LoggerLevel level(String name) {
        return new LoggerLevel(name, Loggers.level(name));
    }
}
