package io.dubbomesh.registry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records what the registry logs during a test. */
public final class RecordedLog extends AppenderBase<ILoggingEvent> implements BeforeEachCallback, AfterEachCallback {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Registry.class);
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void beforeEach(ExtensionContext context) {
        start();
        logger.addAppender(this);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        logger.detachAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    public List<String> lines() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    public List<String> warnings() {
        return events.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
