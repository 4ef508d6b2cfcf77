package io.dubbomesh.runtime.logging;

import org.slf4j.LoggerFactory;

import java.text.MessageFormat;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Passes warnings and errors from java.util.logging (the JDK's HTTP server, clients of registries) to our log. */
final class JdkLogHandler extends Handler {
    private JdkLogHandler() {}

    static void install() {
        LogManager.getLogManager().reset();
        Logger root = Logger.getLogger("");
        root.setLevel(Level.WARNING);
        root.addHandler(new JdkLogHandler());
    }

    @Override
    public void publish(LogRecord record) {
        if (!isLoggable(record)) {
            return;
        }
        String name = record.getLoggerName();
        org.slf4j.Logger logger = LoggerFactory.getLogger(name == null || name.isEmpty() ? "jdk" : name);
        String message = text(record);
        if (record.getLevel().intValue() >= Level.SEVERE.intValue()) {
            logger.error(message, record.getThrown());
        } else if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
            logger.warn(message, record.getThrown());
        }
    }

    private static String text(LogRecord record) {
        String message = String.valueOf(record.getMessage());
        Object[] parameters = record.getParameters();
        if (parameters == null || parameters.length == 0) {
            return message;
        }
        try {
            return MessageFormat.format(message, parameters);
        } catch (IllegalArgumentException e) {
            return message;
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
