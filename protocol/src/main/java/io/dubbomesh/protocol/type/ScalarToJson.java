package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.type.JavaType.Kind;
import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.ValueReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/**
 * Writes scalars as JSON. Where formats differ in how they write a class, as fastjson2 a constant of an enum by its
 * number, the declared type tells what the bytes mean. Owned by a {@link ValueToJson}.
 */
final class ScalarToJson {
    static final String BIT_SET = "java.util.BitSet";

    private static final String OFFSET_TIME = "java.time.OffsetTime";
    private static final String UUID_CLASS = "java.util.UUID";
    private static final int NS_PER_BIT = 15;
    private static final int UUID_LENGTH = 2 * Long.BYTES;
    private static final int MAX_TEXT = 1024;
    /** The time of making an instant of a text, in nanoseconds. */
    private static final int NS_PER_TIME = 1000;

    private final ValueReader reader;
    private final JsonWriter json;
    private final ReadingTime time;

    ScalarToJson(ValueReader reader, JsonWriter json) {
        this.reader = reader;
        this.json = json;
        time = reader.time();
    }

    /** Writes the scalar that comes next, which {@code token} is. */
    void write(ValueReader.Token token, JavaType declared) throws MalformedValueException {
        switch (declared.kind()) {
            case ENUM -> writeConstant(token, declared, declared.definition().constants());
            case DATE -> writeMoment(token);
            case TIME -> writeTime(token, declared.className());
            case TEXT -> writeText(token, declared.className());
            case BYTES -> writeBytes(token);
            case FLOAT -> writeFloat(token);
            case DOUBLE -> writeDouble(token);
            case HOLDER -> writeHolder(token, declared.className());
            case UNKNOWN -> writeUnknown(token, declared);
            default -> reader.writeScalar(json);
        }
    }

    private void writeHolder(ValueReader.Token token, String className) throws MalformedValueException {
        if (token == ValueReader.Token.BINARY && className.equals(BIT_SET)) {
            writeBits();
        } else {
            reader.writeScalar(json);
        }
    }

    private void writeUnknown(ValueReader.Token token, JavaType declared) throws MalformedValueException {
        List<String> constants = JavaTypes.constantsOfJdk(declared.className());
        if (constants == null) {
            reader.writeScalar(json);
        } else {
            writeConstant(token, declared, constants);
        }
    }

    /** The numbers of the bits that are set, as {@link ValueToJson} writes them of words. */
    private void writeBits() throws MalformedValueException {
        ByteBuf bytes = Unpooled.buffer();
        reader.copyBinary(bytes);
        json.beginArray();
        for (int i = 0; i < bytes.readableBytes(); i++) {
            time.charge((long) Byte.SIZE * NS_PER_BIT);
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                if ((bytes.getByte(i) >> bit & 1) != 0) {
                    json.writeLong((long) i * Byte.SIZE + bit);
                }
            }
        }
        json.endArray();
    }

    private void writeConstant(ValueReader.Token token, JavaType declared, List<String> constants)
            throws MalformedValueException {
        if (token != ValueReader.Token.WHOLE) {
            reader.writeScalar(json);
            return;
        }
        long number = reader.readWhole();
        if (number < 0 || number >= constants.size()) {
            throw reader.malformed("constant " + number + " of " + declared.name() + ", which has " + constants.size());
        }
        json.writeText(constants.get((int) number));
    }

    private void writeMoment(ValueReader.Token token) throws MalformedValueException {
        switch (token) {
            case WHOLE -> {
                time.charge(NS_PER_TIME);
                json.writeText(Instant.ofEpochMilli(reader.readWhole()).toString());
            }
            case TIME -> {
                String text = reader.readTime(json);
                json.writeText(text.endsWith("Z") ? text : instant(text));
            }
            case TEXT -> {
                String text = reader.readText(MAX_TEXT);
                time.charge(NS_PER_TIME);
                json.writeText(moment(text));
            }
            default -> reader.writeScalar(json);
        }
    }

    /** A local time is one of the provider's time zone, which is taken for that of this process. */
    private String instant(String text) throws MalformedValueException {
        time.charge(NS_PER_TIME);
        try {
            if (text.indexOf('T') < 0) {
                LocalDateTime local = text.indexOf(':') < 0
                        ? LocalDate.parse(text).atStartOfDay()
                        : LocalTime.parse(text).atDate(LocalDate.EPOCH);
                return localInstant(local).toString();
            }
            boolean hasZone = text.indexOf('+') > 0 || text.lastIndexOf('-') > text.indexOf('T');
            ZonedDateTime moment = hasZone
                    ? ZonedDateTime.parse(text)
                    : LocalDateTime.parse(text).atZone(ZoneId.systemDefault());
            return moment.toInstant().toString();
        } catch (DateTimeException e) {
            throw reader.malformed("no moment: " + e.getMessage());
        }
    }

    private static Instant localInstant(LocalDateTime local) {
        return local.atZone(ZoneId.systemDefault()).toInstant();
    }

    /** Returns a moment, also for a {@code java.sql.Time}, which fastjson2 writes as a time of day. */
    private static String moment(String text) {
        try {
            boolean isTimeOfDay = text.indexOf(':') > 0 && text.indexOf('-') < 0;
            return isTimeOfDay
                    ? localInstant(LocalTime.parse(text).atDate(LocalDate.EPOCH))
                            .toString()
                    : TimeText.moment(text).toString();
        } catch (DateTimeException e) {
            return text;
        }
    }

    private void writeTime(ValueReader.Token token, String className) throws MalformedValueException {
        switch (token) {
            case TIME -> {
                String text = reader.readTime(json);
                // fastjson2 writes it with a date.
                int time = className.equals(OFFSET_TIME) ? text.indexOf('T') + 1 : 0;
                json.writeText(text.substring(time));
            }
            case TEXT -> {
                String text = reader.readText(MAX_TEXT);
                time.charge(NS_PER_TIME);
                Object value = TimeText.parse(className, text.replace(' ', 'T'));
                json.writeText(value == null ? text : value.toString());
            }
            default -> reader.writeScalar(json);
        }
    }

    private void writeText(ValueReader.Token token, String className) throws MalformedValueException {
        if (token != ValueReader.Token.BINARY || !className.equals(UUID_CLASS)) {
            reader.writeScalar(json);
            return;
        }
        ByteBuf bytes = Unpooled.buffer(UUID_LENGTH);
        reader.copyBinary(bytes);
        if (bytes.readableBytes() != UUID_LENGTH) {
            throw reader.malformed("a UUID of " + bytes.readableBytes() + " bytes");
        }
        json.writeText(new UUID(bytes.readLong(), bytes.readLong()).toString());
    }

    /** Formats without binary data have text in its place. */
    private void writeBytes(ValueReader.Token token) throws MalformedValueException {
        if (token != ValueReader.Token.TEXT) {
            reader.writeScalar(json);
            return;
        }
        try {
            ByteBuf bytes = Unpooled.wrappedBuffer(Base64.getDecoder().decode(reader.readText(Integer.MAX_VALUE)));
            json.beginBinary();
            json.appendBinary(bytes, 0, bytes.readableBytes());
            json.endBinary();
        } catch (IllegalArgumentException e) {
            throw reader.malformed("no base64: " + e.getMessage());
        }
    }

    private void writeFloat(ValueReader.Token token) throws MalformedValueException {
        switch (token) {
            case WHOLE -> json.writeFloat(reader.readWhole());
            case DOUBLE -> json.writeFloat((float) reader.readDouble());
            default -> reader.writeScalar(json);
        }
    }

    private void writeDouble(ValueReader.Token token) throws MalformedValueException {
        if (token == ValueReader.Token.WHOLE) {
            json.writeDouble(reader.readWhole());
        } else {
            reader.writeScalar(json);
        }
    }

    /** Returns whether the scalar that comes next is text in JSON, as the key of an object has to be. */
    boolean isText(ValueReader.Token token, JavaType declared) {
        return switch (token) {
            case TEXT -> declared.kind() != Kind.DATE && declared.kind() != Kind.TIME;
            case WHOLE -> declared.kind() == Kind.ENUM;
            case BINARY -> declared.className().equals(UUID_CLASS);
            default -> false;
        };
    }

    /** Returns whether the text that comes next could be the name of a constant. */
    boolean isIdentifier() throws MalformedValueException {
        int begin = reader.position();
        String text = reader.readText(MAX_TEXT);
        reader.seek(begin);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (i == 0 ? !Character.isJavaIdentifierStart(c) : !Character.isJavaIdentifierPart(c)) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Writes a list of bytes or chars as the array that it is. */
    void writeArray(Kind kind) throws MalformedValueException {
        ByteBuf bytes = Unpooled.buffer();
        StringBuilder chars = new StringBuilder();
        int list = reader.beginList();
        for (int i = 0; reader.hasElement(i, list); i++) {
            ValueReader.Token token = reader.peek();
            if (token != (kind == Kind.BYTES ? ValueReader.Token.WHOLE : ValueReader.Token.TEXT)) {
                throw reader.malformed(token + " in an array of " + kind);
            }
            if (kind == Kind.BYTES) {
                bytes.writeByte((int) reader.readWhole());
            } else {
                chars.append(reader.readText(1));
            }
        }
        if (kind == Kind.BYTES) {
            json.beginBinary();
            json.appendBinary(bytes, 0, bytes.readableBytes());
            json.endBinary();
        } else {
            json.writeText(chars.toString());
        }
    }

    /** Writes what a field of this type holds that was never set. */
    void writeDefault(JavaType type) throws MalformedValueException {
        if (!type.isPrimitive()) {
            json.writeNull();
            return;
        }
        switch (type.kind()) {
            case BOOLEAN -> json.writeBoolean(false);
            case CHAR -> json.writeText("\0");
            case FLOAT, DOUBLE -> json.writeDouble(0);
            default -> json.writeLong(0);
        }
    }
}
