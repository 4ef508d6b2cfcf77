package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.Arrays;

/**
 * The names of fields as JSON, which are copied from the second object of a class on, since a list of objects repeats
 * them. Reused from stream to stream; owned by one event loop.
 */
final class FieldNames {
    private static final int MAX_KEPT = 64 * 1024;
    private static final int MAX_NAME = 1024;
    private static final int INITIAL_TABLE = 16;

    /** States of a class whose names are not kept. */
    private static final int UNSEEN = 0;

    private static final int SEEN = -1;
    private static final int TOO_LONG = -2;

    private final HessianReader reader;
    /** The names: for each field a 16-bit length, and a comma, the name in quotes and a colon. */
    private final ByteBuf kept = Unpooled.buffer(1024);

    private int[] table = new int[INITIAL_TABLE];

    FieldNames(HessianReader reader) {
        this.reader = reader;
    }

    void reset() {
        if (!kept.isReadable()) {
            return;
        }
        kept.clear();
        if (table.length > HessianReader.MAX_KEPT_TABLE) {
            table = new int[INITIAL_TABLE];
        } else {
            Arrays.fill(table, UNSEEN);
        }
    }

    /**
     * Returns what {@link #write} takes for the first name of an object's class, or a negative number if they are not
     * kept.
     */
    int begin(int definition) throws MalformedValueException {
        if (definition >= table.length) {
            table = Arrays.copyOf(table, Math.max(definition + 1, table.length * 2));
        }
        if (!kept.isReadable()) {
            // Nothing may be kept at 0, which means UNSEEN.
            kept.writeByte(0);
        }
        int known = table[definition];
        if (known == UNSEEN) {
            table[definition] = SEEN;
        } else if (known == SEEN) {
            table[definition] = keep(definition);
        }
        return known == UNSEEN ? SEEN : table[definition];
    }

    private int keep(int definition) throws MalformedValueException {
        int begin = kept.writerIndex();
        int resume = reader.position();
        int name = reader.classes.firstFieldOf(definition);
        for (int i = reader.classes.fieldCount(definition); i > 0; i--) {
            reader.seek(name);
            reader.skip();
            if (reader.position() - name > MAX_NAME || kept.writerIndex() > MAX_KEPT) {
                kept.writerIndex(begin);
                reader.seek(resume);
                return TOO_LONG;
            }
            reader.seek(name);
            int text = kept.writerIndex() + Short.BYTES;
            kept.writeShort(0).writeByte(',').writeByte('"');
            reader.chunks.copyString(kept, true, Integer.MAX_VALUE);
            kept.writeByte('"').writeByte(':');
            kept.setShort(text - Short.BYTES, kept.writerIndex() - text);
            name = reader.position();
        }
        reader.seek(resume);
        return begin;
    }

    /** Writes the name at {@code at} with its colon; returns where the next name is. */
    int write(JsonWriter json, int at) {
        int length = kept.getUnsignedShort(at);
        int text = at + Short.BYTES;
        json.writeName(kept, text, length);
        return text + length;
    }
}
