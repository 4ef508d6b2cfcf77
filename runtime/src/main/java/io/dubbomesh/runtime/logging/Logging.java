package io.dubbomesh.runtime.logging;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;

/**
 * The log of a process. Our loggers write from {@code logs.level} on, all others from WARN on, java.util.logging
 * included; the warnings of the clients of ZooKeeper and Nacos and of OpenTelemetry only at level debug or trace. The
 * log goes to standard output or, with {@code logs.dir}, to {@code NAME.log} there, which is renamed to
 * {@code NAME.1.log} and so on when it is full. Two processes with the same name must not share a directory.
 *
 * <p>Before {@link #start}, as in tests, the log goes to standard output without a queue. logback asks this class
 * before it looks for its own files.
 */
@ConfiguratorRank(ConfiguratorRank.FALLBACK + 1)
public final class Logging extends ContextAwareBase implements Configurator {
    static final String OURS = "io.dubbomesh";
    /**
     * The client of ZooKeeper, which logs every attempt that fails, as errors too; our registry says that ZooKeeper is
     * away, and how long.
     */
    private static final String ZOOKEEPER = "org.apache.zookeeper";
    /**
     * The client of Nacos, which logs every attempt that fails, as errors too; our registry says that Nacos is away,
     * and how long.
     */
    private static final String NACOS = "com.alibaba.nacos";
    /**
     * The logger of OpenTelemetry's exporter, which logs every attempt that fails; our tracing says once that the
     * collector is away.
     */
    private static final String OPENTELEMETRY = "io.opentelemetry";

    /**
     * The logger of TLS, which warns of each connection whose peer does not take the farewell of TLS in time, and any
     * peer can do that at any rate.
     */
    private static final String TLS = "io.netty.handler.ssl.SslHandler";

    /** The prefix of the names under which a context keeps the levels that are configured. */
    private static final String CONFIGURED = "configured level of ";

    private static final int QUEUE_SIZE = 4096;
    private static final int FLUSH_MS = 1000;
    /**
     * The time between checks of the size: logback does it so rarely that a burst could make the file far too large.
     */
    private static final int SIZE_CHECK_MS = 100;

    /** Made by logback, which loads this class as a service when the first logger is created. */
    public Logging() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        setUp(context, Level.INFO, console(context));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** @param name of the file, without its ending */
    public static void start(LogSettings settings, String name) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.start();
        Appender<ILoggingEvent> appender =
                settings.directory() == null ? console(context) : file(context, settings, name);
        setUp(context, Level.toLevel(settings.level()), behindQueue(context, appender));
        JdkLogHandler.install();
    }

    /** Writes the queue, for at most a second. Nothing is logged afterwards. */
    public static void stop() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }

    private static void setUp(LoggerContext context, Level level, Appender<ILoggingEvent> appender) {
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        context.addTurboFilter(new FatalErrorFilter());
        boolean quiet = level.isGreaterOrEqual(Level.INFO);
        configure(context, root.getName(), Level.WARN);
        configure(context, OURS, level);
        configure(context, TLS, quiet ? Level.ERROR : Level.WARN);
        configure(context, ZOOKEEPER, quiet ? Level.OFF : Level.WARN);
        configure(context, NACOS, quiet ? Level.OFF : Level.WARN);
        configure(context, OPENTELEMETRY, quiet ? Level.OFF : Level.WARN);
    }

    /** Sets a level which an operator may change for a while, and go back to. */
    private static void configure(LoggerContext context, String name, Level level) {
        context.putObject(CONFIGURED + name, level);
        context.getLogger(name).setLevel(level);
    }

    /** Returns the level that the settings give the logger; null if it has that of its parent. */
    static Level configured(LoggerContext context, String name) {
        return (Level) context.getObject(CONFIGURED + name);
    }

    private static Appender<ILoggingEvent> console(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        return started(context, appender);
    }

    private static Appender<ILoggingEvent> file(LoggerContext context, LogSettings settings, String name) {
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setContext(context);
        appender.setFile(settings.directory().resolve(name + ".log").toString());

        SizeBasedTriggeringPolicy<ILoggingEvent> whenFull = new SizeBasedTriggeringPolicy<>();
        whenFull.setContext(context);
        whenFull.setMaxFileSize(new FileSize(settings.maxFileSize()));
        whenFull.setCheckIncrement(Duration.buildByMilliseconds(SIZE_CHECK_MS));
        whenFull.start();
        appender.setTriggeringPolicy(whenFull);

        FixedWindowRollingPolicy rename = new FixedWindowRollingPolicy();
        rename.setContext(context);
        rename.setParent(appender);
        rename.setMinIndex(1);
        rename.setMaxIndex(settings.maxFiles() - 1);
        rename.setFileNamePattern(settings.directory().resolve(name + ".%i.log").toString());
        rename.start();
        appender.setRollingPolicy(rename);
        return started(context, appender);
    }

    private static Appender<ILoggingEvent> started(
            LoggerContext context, OutputStreamAppender<ILoggingEvent> appender) {
        LogLine layout = new LogLine();
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(layout);
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }

    /** The disk or the reader of standard output may be slow; an event loop must not wait for it. */
    private static Appender<ILoggingEvent> behindQueue(LoggerContext context, Appender<ILoggingEvent> appender) {
        AsyncAppender queue = new AsyncAppender();
        queue.setContext(context);
        queue.setQueueSize(QUEUE_SIZE);
        queue.setDiscardingThreshold(0);
        queue.setNeverBlock(true);
        queue.setMaxFlushTime(FLUSH_MS);
        queue.addAppender(appender);
        queue.start();
        return queue;
    }
}
