package io.dubbomesh.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Records what a logger and those below it log, from its creation until the test ends
 * ({@code @RegisterExtension} at a field of the test) or it is closed. Any thread may log and read.
 */
public final class RecordedLog implements AfterEachCallback, AutoCloseable {
    private record Line(Level level, String text) {}

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(new Line(event.getLevel(), event.getFormattedMessage()));
        }
    };

    /** Records the logger that is named after a class. */
    public RecordedLog(Class<?> named) {
        this(named.getName());
    }

    public RecordedLog(String logger) {
        this.logger = (Logger) LoggerFactory.getLogger(logger);
        appender.start();
        this.logger.addAppender(appender);
    }

    /** The lines without time, level, and stack trace, the oldest first. */
    public List<String> lines() {
        return lines.stream().map(Line::text).toList();
    }

    public List<String> lines(Level level) {
        return where(line -> line.level() == level);
    }

    /** Returns the lines of WARN and ERROR. */
    public List<String> warnings() {
        return where(line -> line.level().isGreaterOrEqual(Level.WARN));
    }

    private List<String> where(Predicate<Line> condition) {
        return lines.stream().filter(condition).map(Line::text).toList();
    }

    public void clear() {
        lines.clear();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
