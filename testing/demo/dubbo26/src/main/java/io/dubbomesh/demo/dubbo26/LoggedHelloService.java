package io.dubbomesh.demo.dubbo26;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import com.alibaba.dubbo.performance.demo.provider.IHelloService;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs each call as the provider of 2018 did, {@code NUMBER_HASH} as a line on standard output and in the file
 * {@code provider.log}, both written before the call continues.
 */
final class LoggedHelloService implements IHelloService {
    private final IHelloService service;
    private final Logger log;
    private final AtomicLong calls = new AtomicLong();

    LoggedHelloService(IHelloService service, Path directory) {
        this.service = service;
        log = log(directory.resolve("provider.log"));
    }

    /** The root logger writes it to standard output too. */
    private static Logger log(Path file) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level [%thread] %logger{0}: %msg%n");
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.start();
        Logger log = context.getLogger(LoggedHelloService.class);
        log.setLevel(Level.INFO);
        log.addAppender(appender);
        return log;
    }

    @Override
    public int hash(String text) {
        log.info("{}_{}", calls.incrementAndGet(), text.hashCode());
        return service.hash(text);
    }
}
