package io.dubbomesh.runtime.tracing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A span. An event loop fills it in and hands it to {@link Tracing#ended}, after which nothing changes it; the thread
 * that sends spans writes it.
 */
public final class RecordedSpan {
    public enum Kind {
        /** A span whose parent is in another process. */
        SERVER,
        /** A span whose parent is in this process. */
        CLIENT
    }

    final Kind kind;
    final String name;
    final long traceIdHigh;
    final long traceIdLow;
    final long id;
    /** 0 for the first span of a trace. */
    final long parentId;
    /** Names and values, in turn; a value is a String or a Long. */
    final List<Object> attributes = new ArrayList<>(16);

    long startNs;
    long endNs;
    boolean failed;

    /** @param parentId 0 if it is the first span of its trace */
    public RecordedSpan(Kind kind, String name, long traceIdHigh, long traceIdLow, long id, long parentId) {
        this.kind = kind;
        this.name = name;
        this.traceIdHigh = traceIdHigh;
        this.traceIdLow = traceIdLow;
        this.id = id;
        this.parentId = parentId;
    }

    /** Returns an id of a span, or half of one of a trace: never 0. Guessing one gains nothing. */
    public static long newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long id = random.nextLong();
        while (id == 0) {
            id = random.nextLong();
        }
        return id;
    }

    /** Sets begin and end, both by {@link System#nanoTime}. */
    public RecordedSpan time(long fromNs, long toNs) {
        startNs = fromNs;
        endNs = toNs;
        return this;
    }

    public RecordedSpan attribute(String key, String value) {
        attributes.add(key);
        attributes.add(value);
        return this;
    }

    public RecordedSpan attribute(String key, long value) {
        attributes.add(key);
        attributes.add(value);
        return this;
    }

    /** Marks the span as failed; {@code type} is one of a few. */
    public RecordedSpan failed(String type) {
        failed = true;
        return attribute("error.type", type);
    }
}
