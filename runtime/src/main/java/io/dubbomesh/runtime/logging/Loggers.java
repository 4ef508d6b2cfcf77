package io.dubbomesh.runtime.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.LoggerFactory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The levels of the loggers of this process, which can be changed while it runs. A logger without a level has that of
 * its parent.
 */
public final class Loggers {
    /** The levels that can be set, in lower case as in the setting {@code logs.level}. */
    public static final List<String> LEVELS = List.of("off", "error", "warn", "info", "debug", "trace");

    /** The name of the logger above all others. */
    public static final String ROOT = org.slf4j.Logger.ROOT_LOGGER_NAME;

    /** The name of the logger above all of ours. */
    public static final String OURS = Logging.OURS;

    private Loggers() {}

    /** Returns the level in force of each logger that has one of its own, and of each of ours. */
    public static Map<String, String> levels() {
        Map<String, String> levels = new LinkedHashMap<>();
        for (Logger logger : context().getLoggerList()) {
            if (logger.getLevel() != null || logger.getName().startsWith(Logging.OURS)) {
                levels.put(logger.getName(), text(logger.getEffectiveLevel()));
            }
        }
        return levels;
    }

    /** Returns whether there is such a logger: loggers of any other name would only take memory. */
    public static boolean exists(String name) {
        return context().exists(name) != null;
    }

    /** Returns the level in force of a logger that exists. */
    public static String level(String name) {
        return text(context().getLogger(name).getEffectiveLevel());
    }

    /**
     * Changes a level, until the end of the process.
     *
     * @param name  of a logger that exists
     * @param level one of {@link #LEVELS}; null: what is configured, for most loggers the level of their parent
     */
    public static void set(String name, String level) {
        if (level != null && !LEVELS.contains(level)) {
            throw new IllegalArgumentException(level);
        }
        LoggerContext context = context();
        context.getLogger(name).setLevel(level == null ? Logging.configured(context, name) : Level.toLevel(level));
    }

    private static String text(Level level) {
        return level.toString().toLowerCase(Locale.ROOT);
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
