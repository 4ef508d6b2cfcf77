package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Appends values in Hessian 2, each in its shortest form. Lists have their length, since hessian-lite does not read
 * others. Only a BigDecimal or a BigInteger is written with an allocation. Reused from stream to stream; owned by one
 * event loop, and its caller releases the buffer.
 */
public final class HessianWriter implements ValueWriter {
    private static final String BIG_DECIMAL = "java.math.BigDecimal";
    private static final String CALENDAR = "com.alibaba.com.caucho.hessian.io.CalendarHandle";
    private static final String[] VALUE = {"value"};
    private static final String[] NAME = {"name"};

    private ByteBuf out;
    /** The classes that are defined in this stream, by their numbers, and the fields of each. */
    private final List<String> classNames = new ArrayList<>();

    private final List<String[]> classFields = new ArrayList<>();
    /** The types of lists and maps that were named in this stream, by their numbers. */
    private final List<String> types = new ArrayList<>();

    /** The records that have begun and not ended, outermost first. */
    private final List<OpenRecord> openRecords = new ArrayList<>();

    /** The values of an inner record are moved once for each record around it, on the event loop. */
    private static final long MAX_MOVED = 64L << 20;

    private long moved;

    private int begun;

    /**
     * A record whose components are not all written.
     *
     * @param begin where its first value is, and its definition will be
     */
    private record OpenRecord(int begin, int definition) {}

    /** Begins a new stream: no class is defined in it yet. */
    @Override
    public HessianWriter reset(ByteBuf out) {
        this.out = out;
        classNames.clear();
        classFields.clear();
        types.clear();
        openRecords.clear();
        moved = 0;
        begun = 0;
        return this;
    }

    @Override
    public void writeNull() {
        out.writeByte('N');
    }

    @Override
    public void writeBoolean(boolean value) {
        out.writeByte(value ? 'T' : 'F');
    }

    @Override
    public void writeInt(int value) {
        writeInt(out, value);
    }

    static void writeInt(ByteBuf out, int value) {
        if (-0x10 <= value && value <= 0x2f) {
            out.writeByte(HessianTag.INT_1_ZERO + value);
        } else if (-0x800 <= value && value <= 0x7ff) {
            out.writeShort((HessianTag.INT_2_ZERO << 8) + value);
        } else if (-0x40000 <= value && value <= 0x3ffff) {
            out.writeMedium((HessianTag.INT_3_ZERO << 16) + value);
        } else {
            out.writeByte('I').writeInt(value);
        }
    }

    @Override
    public void writeLong(long value) {
        if (-8 <= value && value <= 15) {
            out.writeByte(HessianTag.LONG_1_ZERO + (int) value);
        } else if (-0x800 <= value && value <= 0x7ff) {
            out.writeShort((HessianTag.LONG_2_ZERO << 8) + (int) value);
        } else if (-0x40000 <= value && value <= 0x3ffff) {
            out.writeMedium((HessianTag.LONG_3_ZERO << 16) + (int) value);
        } else if (value == (int) value) {
            out.writeByte(HessianTag.LONG_4).writeInt((int) value);
        } else {
            out.writeByte('L').writeLong(value);
        }
    }

    @Override
    public void writeDouble(double value) {
        int whole = (int) value;
        // -0.0 does not count as a whole number: its sign would be lost.
        if (whole == value && Double.doubleToRawLongBits(value) != Long.MIN_VALUE) {
            if (whole == 0 || whole == 1) {
                out.writeByte(HessianTag.DOUBLE_ZERO + whole);
                return;
            }
            if (whole == (byte) whole) {
                out.writeByte(HessianTag.DOUBLE_BYTE).writeByte(whole);
                return;
            }
            if (whole == (short) whole) {
                out.writeByte(HessianTag.DOUBLE_SHORT).writeShort(whole);
                return;
            }
        }
        int mills = (int) (value * 1000);
        // Readers multiply by 0.001, which is not always what was divided: 9 mills make 0.009000000000000001.
        if (mills != 0 && 0.001 * mills == value) {
            out.writeByte(HessianTag.DOUBLE_MILL).writeInt(mills);
        } else {
            out.writeByte('D').writeDouble(value);
        }
    }

    @Override
    public void writeDate(long epochMs) {
        long minutes = epochMs / 60_000;
        if (minutes * 60_000 == epochMs && minutes == (int) minutes) {
            out.writeByte(HessianTag.DATE_MINUTES).writeInt((int) minutes);
        } else {
            out.writeByte(HessianTag.DATE).writeLong(epochMs);
        }
    }

    /**
     * A subclass as hessian-lite does: an object whose one field {@code value} is the moment; a Calendar in an object
     * of its own class.
     */
    @Override
    public void writeDate(String className, long epochMs) {
        if (className.endsWith("Calendar")) {
            beginObject(CALENDAR, "date", "type");
            writeDate(epochMs);
            // That of the reader's time zone.
            writeNull();
            return;
        }
        if (!className.equals("java.util.Date")) {
            beginObject(className, VALUE);
        }
        writeDate(epochMs);
    }

    @Override
    public void writeString(CharSequence value) {
        HessianText.write(out, value);
    }

    @Override
    public void writeUtf8(ByteBuf in, int offset, int length) throws MalformedValueException {
        HessianText.writeUtf8(out, in, offset, length);
    }

    @Override
    public void writeBinary(byte[] value) {
        HessianBinary.write(out, value);
    }

    /** Writes the bytes {@code in[offset, offset + length)}. */
    public void writeBinary(ByteBuf in, int offset, int length) {
        HessianBinary.write(out, in, offset, length);
    }

    /** Begins an untyped list of {@code length} values; it needs no end. */
    public void beginList(int length) {
        begun++;
        if (length <= HessianTag.MAX_SHORT_LIST) {
            out.writeByte(HessianTag.SHORT_LIST + length);
        } else {
            out.writeByte('X');
            writeInt(length);
        }
    }

    /** Begins a list of {@code length} values with a type; it needs no end. */
    public void beginList(String type, int length) {
        begun++;
        if (length <= HessianTag.MAX_SHORT_LIST) {
            out.writeByte(HessianTag.SHORT_TYPED_LIST + length);
            writeType(type);
        } else {
            out.writeByte('V');
            writeType(type);
            writeInt(length);
        }
    }

    /** Begins a list; its length gets five bytes, to be set by {@link #endList}. */
    @Override
    public int beginList(String type) {
        begun++;
        if (type == null) {
            out.writeByte('X');
        } else {
            out.writeByte('V');
            writeType(type);
        }
        int length = out.writerIndex() + 1;
        out.writeByte('I').writeInt(0);
        return length;
    }

    @Override
    public void endList(int begin, int length) {
        out.setInt(begin, length);
    }

    /** Writes a type: its name, or its number if it was named before. */
    private void writeType(String className) {
        String type = className.charAt(0) == '[' ? arrayType(className) : className;
        int number = types.indexOf(type);
        if (number >= 0) {
            writeInt(number);
        } else {
            types.add(type);
            writeString(type);
        }
    }

    /** Hessian has names of its own for the classes that it knows. */
    private static String arrayType(String className) {
        int component = className.lastIndexOf('[') + 1;
        String type = switch (className.substring(component)) {
            case "java.lang.String" -> "string";
            case "java.lang.Object" -> "object";
            case "java.util.Date" -> "date";
            default -> null;
        };
        return type == null ? className : className.substring(0, component) + type;
    }

    @Override
    public void beginMap() {
        begun++;
        out.writeByte('H');
    }

    /** Begins a map with the name of the class as its type, since the fields are not known in advance. */
    @Override
    public void beginMap(String className) {
        begun++;
        out.writeByte('M');
        writeType(className);
    }

    @Override
    public void writeKey(CharSequence key) {
        writeString(key);
    }

    @Override
    public void endMap() {
        out.writeByte('Z');
    }

    /** Writes an object of which as many versions of hessian-lite as possible make the value, and none another one. */
    @Override
    public void writeText(String className, String text) {
        JdkValueWriter.writeText(this, className, text);
    }

    @Override
    public void writeEnum(String className, String constant) {
        beginObject(className, NAME);
        writeString(constant);
    }

    /** Writes an object of a class of its own for the value, as hessian-lite does. */
    @Override
    public void writeTime(Object value) {
        JdkValueWriter.writeTime(this, value);
    }

    /** Writes an object whose one field {@code value} is the decimal text, as hessian-lite does. */
    @Override
    public void writeBigDecimal(BigDecimal value) {
        beginObject(BIG_DECIMAL, VALUE);
        writeString(value.toString());
    }

    /**
     * Writes an object as hessian-lite does, without the fields that {@code BigInteger} computes itself and that differ
     * from JDK to JDK.
     */
    @Override
    public void writeBigInteger(BigInteger value) {
        JdkValueWriter.writeBigInteger(this, value);
    }

    /**
     * Begins an object, whose fields' values follow in this order and that needs no end; defines its class if
     * necessary.
     */
    public void beginObject(String className, String... fields) {
        begun++;
        writeObjectTag(definition(className, fields));
    }

    private void writeObjectTag(int definition) {
        if (definition <= HessianTag.MAX_SHORT_OBJECT) {
            out.writeByte(HessianTag.OBJECT + definition);
        } else {
            out.writeByte('O');
            writeInt(definition);
        }
    }

    /**
     * Begins an object: hessian-lite makes no record of a map. Its definition has a number now, and is put before its
     * values when it ends.
     */
    @Override
    public void beginRecord(String className) {
        begun++;
        openRecords.add(new OpenRecord(out.writerIndex(), classNames.size()));
        classNames.add(className);
        // Only this record is of this definition.
        classFields.add(null);
    }

    @Override
    public void writeComponentName(String name) {}

    @Override
    public void endRecord(List<String> componentNames) {
        OpenRecord record = openRecords.remove(openRecords.size() - 1);
        int length = out.writerIndex() - record.begin;
        moved += length;
        if (moved > MAX_MOVED) {
            throw new IllegalArgumentException("records within records, too long for their depth");
        }
        byte[] values = ByteBufUtil.getBytes(out, record.begin, length);
        out.writerIndex(record.begin);
        writeDefinition(classNames.get(record.definition), componentNames);
        writeObjectTag(record.definition);
        out.writeBytes(values);
    }

    private int definition(String className, String[] fields) {
        for (int i = 0; i < classNames.size(); i++) {
            if (classNames.get(i).equals(className) && Arrays.equals(classFields.get(i), fields)) {
                return i;
            }
        }
        classNames.add(className);
        classFields.add(fields);
        writeDefinition(className, Arrays.asList(fields));
        return classNames.size() - 1;
    }

    private void writeDefinition(String className, List<String> fields) {
        out.writeByte('C');
        writeString(className);
        writeInt(fields.size());
        for (String field : fields) {
            writeString(field);
        }
    }

    /**
     * Returns the number of lists, maps and objects that have begun in this stream; the next one's number for {@link
     * #writeReference}.
     */
    public int begun() {
        return begun;
    }

    /** Refers to a list, map or object that has begun earlier in this stream. */
    public void writeReference(int number) {
        out.writeByte('Q');
        writeInt(number);
    }
}
