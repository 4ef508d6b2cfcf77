package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the exception of a result as the first lines of its stack, for the few that mean a failure before the method
 * was called. Reused; owned by one event loop, which it holds up for some milliseconds at most.
 */
public final class ExceptionLines {
    private static final int MAX_FRAMES = 5;

    private final Map<Serialization, ResultParts> parts = new EnumMap<>(Serialization.class);
    private final Map<Serialization, ExceptionReader> readers = new EnumMap<>(Serialization.class);
    /** The time of one turn is that of one exception. */
    private final ReadingTime time = ReadingTime.ofTurn(() -> ++this.read);

    private long read;

    /** Returns the lines of the exception {@code in[offset, offset + length)}; none if it cannot be read. */
    public List<String> read(Serialization serialization, ByteBuf in, int offset, int length) {
        ResultParts value = parts.computeIfAbsent(serialization, each -> new ResultParts(each, time));
        ExceptionReader reader = readers.computeIfAbsent(serialization, each -> new ExceptionReader(value.values()));
        try {
            time.begin(length);
            value.begin(in, offset, length);
            value.next();
            return reader.readLines(MAX_FRAMES);
        } catch (MalformedValueException e) {
            return List.of();
        }
    }
}
