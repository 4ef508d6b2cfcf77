package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Appends values as Dubbo's serialization fastjson2 reads them: each in JSONB after its length in four bytes. The
 * provider converts an int, a list or a map to what its method declares, down to the fields of its classes; a class has
 * to be named only where no type is declared. Reused from stream to stream; owned by one event loop, and its caller
 * releases the buffer.
 */
public final class JsonbWriter implements ValueWriter {
    private static final String[] PRIMITIVES = {
        "boolean", "Z", "byte", "B", "char", "C", "short", "S", "int", "I", "long", "J", "float", "F", "double", "D"
    };

    /**
     * The classes whose values need their names: without one, the reader takes them for a {@link java.util.Date} or a
     * text.
     */
    private static final Set<String> NAMED = Set.of(
            "java.sql.Timestamp",
            "java.sql.Date",
            "java.sql.Time",
            "java.util.Calendar",
            "java.util.GregorianCalendar",
            "java.util.UUID",
            "java.util.Locale",
            "java.util.Currency",
            "java.net.URI",
            "java.time.Duration",
            "java.time.Period",
            "java.time.ZoneId",
            "java.time.ZoneOffset");

    private ByteBuf out;
    /** The offset of the length of the value that is being written. */
    private int length;

    private int depth;
    /** The classes that are named in this value, by their numbers. */
    private final List<String> types = new ArrayList<>();

    @Override
    public JsonbWriter reset(ByteBuf out) {
        this.out = out;
        depth = 0;
        return this;
    }

    private void begin() {
        if (depth == 0) {
            length = out.writerIndex();
            out.writeInt(0);
            types.clear();
        }
    }

    private void end() {
        if (depth == 0) {
            out.setInt(length, out.writerIndex() - length - Integer.BYTES);
        }
    }

    private void writeTag(int tag) {
        begin();
        out.writeByte(tag);
        end();
    }

    @Override
    public void writeNull() {
        writeTag(JsonbTag.NULL);
    }

    @Override
    public void writeBoolean(boolean value) {
        writeTag(value ? JsonbTag.TRUE : JsonbTag.FALSE);
    }

    @Override
    public void writeInt(int value) {
        begin();
        Scalars.writeInt(out, value);
        end();
    }

    @Override
    public void writeLong(long value) {
        begin();
        Scalars.writeLong(out, value);
        end();
    }

    @Override
    public void writeDouble(double value) {
        begin();
        Scalars.writeDouble(out, value);
        end();
    }

    @Override
    public void writeBigInteger(BigInteger value) {
        begin();
        Scalars.writeBigInteger(out, value);
        end();
    }

    @Override
    public void writeBigDecimal(BigDecimal value) {
        begin();
        Scalars.writeBigDecimal(out, value);
        end();
    }

    @Override
    public void writeString(CharSequence value) {
        begin();
        Scalars.writeString(out, value);
        end();
    }

    @Override
    public void writeUtf8(ByteBuf in, int offset, int length) throws MalformedValueException {
        Utf8.require(in, offset, length);
        begin();
        Scalars.writeUtf8(out, in, offset, length);
        end();
    }

    @Override
    public void writeBinary(byte[] value) {
        begin();
        out.writeByte(JsonbTag.BINARY);
        Scalars.writeInt(out, value.length);
        out.writeBytes(value);
        end();
    }

    @Override
    public void writeDate(long epochMs) {
        begin();
        Scalars.writeDate(out, epochMs);
        end();
    }

    @Override
    public void writeTime(Object value) {
        JsonbTime.write(this, value);
    }

    /** Writes a date, a time, or both, with two bytes for the year and one for each other part, after its tag. */
    void writeParts(int tag, int[] parts, int nano, String zone) {
        begin();
        out.writeByte(tag);
        for (int part : parts) {
            out.writeByte(part);
        }
        if (tag != JsonbTag.LOCAL_DATE) {
            Scalars.writeInt(out, nano);
        }
        if (zone != null) {
            Scalars.writeString(out, zone);
        }
        end();
    }

    void writeInstant(long seconds, int nano) {
        begin();
        out.writeByte(JsonbTag.TIMESTAMP);
        Scalars.writeLong(out, seconds);
        Scalars.writeInt(out, nano);
        end();
    }

    @Override
    public void nameClass(String className) {
        if (NAMED.contains(className)) {
            begin();
            putType(className);
        }
    }

    @Override
    public void writeEnum(String className, String constant) {
        begin();
        putType(className);
        Scalars.writeString(out, constant);
        end();
    }

    @Override
    public int beginList(String type) {
        begin();
        if (type != null) {
            putType(type.charAt(0) == '[' ? arrayName(type) : type);
        }
        depth++;
        out.writeByte(JsonbTag.ARRAY).writeByte(JsonbTag.INT).writeInt(0);
        return out.writerIndex() - Integer.BYTES;
    }

    @Override
    public void endList(int begin, int length) {
        out.setInt(begin, length);
        depth--;
        end();
    }

    /** Returns the name of an array's class: of primitives by their letters, else as it is. */
    private static String arrayName(String type) {
        int component = type.lastIndexOf('[') + 1;
        for (int i = 0; i < PRIMITIVES.length; i += 2) {
            if (type.startsWith(PRIMITIVES[i], component) && type.length() == component + PRIMITIVES[i].length()) {
                return type.substring(0, component) + PRIMITIVES[i + 1];
            }
        }
        return type;
    }

    @Override
    public void beginMap() {
        beginMap(null);
    }

    @Override
    public void beginMap(String className) {
        begin();
        if (className != null) {
            putType(className);
        }
        depth++;
        out.writeByte(JsonbTag.OBJECT);
    }

    /** Names a class by its name and number, or by its number alone if it was named before. */
    private void putType(String name) {
        out.writeByte(JsonbTag.TYPED);
        int number = types.indexOf(name);
        if (number < 0) {
            number = types.size();
            types.add(name);
            Scalars.writeString(out, name);
        }
        Scalars.writeInt(out, number);
    }

    /**
     * @throws IllegalArgumentException if the key is {@code @type}, which fastjson2 reads as the class to instantiate
     */
    @Override
    public void writeKey(CharSequence key) {
        if ("@type".contentEquals(key)) {
            throw new IllegalArgumentException("key \"@type\" cannot be sent by the serialization fastjson2");
        }
        Scalars.writeString(out, key);
    }

    @Override
    public boolean isReadByAnnotations() {
        return true;
    }

    @Override
    public void endMap() {
        out.writeByte(JsonbTag.OBJECT_END);
        depth--;
        end();
    }
}
