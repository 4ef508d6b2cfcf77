package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.ValueReader;
import io.netty.buffer.ByteBuf;

/**
 * The values of a {@link JsonbReader}. Objects are maps, whose keys are the names of fields; a class in front of a
 * value belongs to it.
 */
public final class JsonbValues implements ValueReader {
    private static final int NONE = -1;

    private final JsonbReader reader;
    private final JsonbCursor cursor;
    private final JsonbReferences references;

    /** The name of the class in front of the value at {@link #typed}; {@link #NONE} if there is none. */
    private int type = NONE;
    /** The position of the value that {@link #peek} has found a class in front of, and of that class. */
    private int typed = NONE;

    private int typedBegin;
    /** The position of the name that was read last as the key of a map. */
    private int key = NONE;

    public JsonbValues(JsonbReader reader) {
        this.reader = reader;
        cursor = reader.cursor;
        references = new JsonbReferences(reader);
    }

    @Override
    public void reset(ByteBuf in, int offset, int length) {
        reader.reset(in, offset, length);
        typed = NONE;
    }

    @Override
    public boolean isAtEnd() {
        return reader.isAtEnd();
    }

    @Override
    public Token peek() throws MalformedValueException {
        if (cursor.at != typed) {
            typed = NONE;
            if (cursor.peek() == JsonbType.TYPED) {
                typedBegin = cursor.at;
                type = reader.readType();
                typed = cursor.at;
            }
        }
        return switch (cursor.peek()) {
            case NULL -> Token.NULL;
            case BOOLEAN -> Token.BOOLEAN;
            case WHOLE -> Token.WHOLE;
            case DOUBLE -> Token.DOUBLE;
            case FLOAT, BIG_INTEGER, DECIMAL -> Token.NUMBER;
            case STRING, CHAR, SYMBOL -> Token.TEXT;
            case BINARY -> Token.BINARY;
            case TIME -> Token.TIME;
            case LIST -> Token.LIST;
            case MAP -> Token.MAP;
            case REFERENCE -> Token.REFERENCE;
            default -> throw malformed(cursor.peek() + " where a value is expected");
        };
    }

    @Override
    public int position() {
        return cursor.at == typed ? typedBegin : cursor.at;
    }

    @Override
    public void seek(int position) {
        typed = NONE;
        cursor.at = position;
    }

    @Override
    public void beginValue() {
        typed = NONE;
        references.reset(cursor.at);
    }

    @Override
    public void skip() throws MalformedValueException {
        if (cursor.peek() == JsonbType.SYMBOL) {
            reader.readFieldName();
        } else {
            reader.skip();
        }
    }

    @Override
    public String className() throws MalformedValueException {
        return cursor.at == typed ? reader.name(type) : null;
    }

    @Override
    public void writeScalar(JsonWriter json) throws MalformedValueException {
        switch (peek()) {
            case NULL -> {
                cursor.readNull();
                json.writeNull();
            }
            case BOOLEAN -> json.writeBoolean(cursor.readBoolean());
            case WHOLE -> json.writeLong(cursor.readWhole());
            case DOUBLE -> json.writeDouble(cursor.readDouble());
            case NUMBER -> writeNumber(json);
            case TEXT -> writeText(json);
            case BINARY -> {
                int begin = cursor.readBinary();
                json.beginBinary();
                json.appendBinary(cursor.in, begin, cursor.at - begin);
                json.endBinary();
            }
            default -> json.writeText(JsonbTime.read(reader));
        }
    }

    private void writeNumber(JsonWriter json) throws MalformedValueException {
        switch (cursor.peek()) {
            case FLOAT -> json.writeFloat(cursor.readFloat());
            case BIG_INTEGER -> json.writeBigInteger(cursor.readBigInteger());
            default -> json.writeBigDecimal(cursor.readDecimal());
        }
    }

    private void writeText(JsonWriter json) throws MalformedValueException {
        if (cursor.peek() == JsonbType.CHAR) {
            json.writeText(String.valueOf(cursor.readChar()));
            return;
        }
        int resume = beginText();
        json.beginString();
        reader.copyString(json.out(), json.escapes(), json.limit());
        json.endString();
        endText(resume);
    }

    /** Goes to the string that a name or its number stands for; returns where the value ends, unless at its own end. */
    private int beginText() throws MalformedValueException {
        key = cursor.at;
        if (cursor.peek() != JsonbType.SYMBOL) {
            return NONE;
        }
        key = reader.readFieldName();
        int resume = cursor.at;
        cursor.at = key;
        return resume;
    }

    private void endText(int resume) {
        cursor.at = resume == NONE ? cursor.at : resume;
    }

    @Override
    public long readWhole() throws MalformedValueException {
        peek();
        return cursor.readWhole();
    }

    @Override
    public double readDouble() throws MalformedValueException {
        return cursor.readDouble();
    }

    @Override
    public String readText(int maxChars) throws MalformedValueException {
        peek();
        if (cursor.peek() == JsonbType.CHAR) {
            return String.valueOf(cursor.readChar());
        }
        int resume = beginText();
        String text = resume == NONE ? reader.readString() : reader.name(cursor.at);
        endText(resume);
        return text;
    }

    @Override
    public String readTime(JsonWriter json) throws MalformedValueException {
        return JsonbTime.read(reader);
    }

    @Override
    public void copyText(ByteBuf out) throws MalformedValueException {
        peek();
        int resume = beginText();
        reader.copyString(out, false, Integer.MAX_VALUE);
        endText(resume);
    }

    @Override
    public void copyBinary(ByteBuf out) throws MalformedValueException {
        int begin = cursor.readBinary();
        out.writeBytes(cursor.in, begin, cursor.at - begin);
    }

    @Override
    public boolean isText(String ascii) throws MalformedValueException {
        if (cursor.peek() == JsonbType.CHAR) {
            return false;
        }
        int begin = cursor.at;
        int name = key;
        beginText();
        boolean equal = reader.isString(cursor.at, ascii);
        cursor.at = begin;
        key = name;
        return equal;
    }

    @Override
    public int beginList() throws MalformedValueException {
        peek();
        return reader.beginList();
    }

    @Override
    public boolean hasElement(int index, int list) {
        return index < list;
    }

    @Override
    public void beginMap() throws MalformedValueException {
        peek();
        reader.beginMap();
    }

    @Override
    public boolean hasEntry(int index) throws MalformedValueException {
        return !reader.readEnd();
    }

    @Override
    public boolean writeTime(String className, JsonWriter json) throws MalformedValueException {
        String time = JsonbTime.readFields(reader, className);
        if (time != null) {
            json.writeText(time);
        }
        return time != null;
    }

    @Override
    public int readReference() throws MalformedValueException {
        int field = key;
        int target = references.read();
        skipNull(field);
        return target;
    }

    /**
     * The code that fastjson2 generates for a class writes null after a field that is a reference, with the same name.
     */
    private void skipNull(int field) throws MalformedValueException {
        int resume = cursor.at;
        if (cursor.at < cursor.end && cursor.peek() == JsonbType.SYMBOL) {
            int name = reader.readFieldName();
            if (cursor.peek() == JsonbType.NULL && name == field) {
                cursor.readNull();
                return;
            }
        }
        cursor.at = resume;
    }

    @Override
    public ReadingTime time() {
        return reader.time;
    }

    @Override
    public MalformedValueException malformed(String detail) {
        return cursor.malformed(detail);
    }
}
