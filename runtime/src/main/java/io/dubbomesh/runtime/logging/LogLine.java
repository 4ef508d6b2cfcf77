package io.dubbomesh.runtime.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import io.dubbomesh.runtime.PrintableText;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * {@code 2026-11-20T10:15:30.123+01:00 WARN [loop-1] Registry: message}: one line for each event, followed by the stack
 * trace, whose lines begin with a tab. Messages, also those of exceptions, may quote clients and providers, so they are
 * escaped and cannot forge a line.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSxxx").withZone(ZoneId.systemDefault());
    private static final int MAX_FRAMES = 40;
    private static final int MAX_CAUSES = 8;

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(160);
        TIME.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
        String level = event.getLevel().toString();
        line.append(' ').append(level).append(level.length() == 4 ? "  [" : " [");
        line.append(event.getThreadName()).append("] ");
        String logger = event.getLoggerName();
        line.append(logger, logger.lastIndexOf('.') + 1, logger.length()).append(": ");
        PrintableText.append(line, String.valueOf(event.getFormattedMessage()));
        line.append('\n');
        IThrowableProxy thrown = event.getThrowableProxy();
        for (int causes = 0; thrown != null && causes <= MAX_CAUSES; causes++) {
            append(line, causes == 0 ? "\t" : "\tcaused by ", thrown);
            thrown = thrown.getCause();
        }
        return line.toString();
    }

    private static void append(StringBuilder line, String introduction, IThrowableProxy thrown) {
        line.append(introduction).append(thrown.getClassName());
        if (thrown.getMessage() != null) {
            PrintableText.append(line.append(": "), thrown.getMessage());
        }
        line.append('\n');
        StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
        int ownFrames = frames == null ? 0 : frames.length - thrown.getCommonFrames();
        for (int i = 0; i < Math.min(ownFrames, MAX_FRAMES); i++) {
            line.append("\t\t").append(frames[i].getSTEAsString()).append('\n');
        }
    }
}
