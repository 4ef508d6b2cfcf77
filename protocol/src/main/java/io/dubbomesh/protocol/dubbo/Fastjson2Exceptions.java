package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Thrown;
import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbToJson;
import io.dubbomesh.protocol.jsonb.JsonbType;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads exceptions of the service: class, message, own fields, causes and stack, in any order of the fields. Owned by
 * one event loop.
 */
final class Fastjson2Exceptions {
    private static final String THROWABLE = "java.lang.Throwable";
    private static final int NONE = -1;
    /** Each cause is skipped with the exception that it is in, and read then. */
    private static final int NS_PER_REREAD_BYTE = 5;

    private final JsonbReader reader;
    private final ReadingTime time;
    private final ExceptionFields fields;
    private final JsonbToJson values;

    Fastjson2Exceptions(JsonbReader reader, ReadingTime time) {
        this.reader = reader;
        this.time = time;
        fields = new ExceptionFields(time);
        values = new JsonbToJson(reader, ExceptionProperties.MAX_LENGTH);
    }

    /** The fields of one object; positions are {@link #NONE} if it has no such field. */
    private record Level(Thrown thrown, int cause, int stack, String original) {}

    /** Reads the exception that comes next, and writes the document about it. */
    Outcome read(ResponseBody body) throws MalformedValueException {
        values.begin();
        Level first = readLevel();
        int behind = reader.position();
        List<Thrown> causes = readCauses(first.cause);
        List<String> stack = body.wantsStack() && first.stack != NONE ? readStack(first.stack) : List.of();
        reader.seek(behind);
        return body.exceptionOfGenericCall(first.thrown, causes, stack, first.original);
    }

    private Level readLevel() throws MalformedValueException {
        fields.begin(readClassName());
        int cause = NONE;
        int stack = NONE;
        reader.beginMap();
        while (!reader.readEnd()) {
            String name = reader.name(reader.readFieldName());
            int value = reader.position();
            switch (name) {
                case "detailMessage" -> fields.message(readText());
                case "exceptionClass" -> fields.namedClass(readText());
                case "exceptionMessage" -> fields.namedMessage(readText());
                case "cause" -> {
                    cause = value;
                    reader.skip();
                }
                case "stackTrace" -> {
                    stack = value;
                    reader.skip();
                }
                default -> {
                    if (ExceptionProperties.isProperty(name)) {
                        fields.properties().add(name, out -> values.writePart(out, ClassNames.OMIT));
                        reader.seek(value);
                    }
                    reader.skip();
                }
            }
        }
        return new Level(fields.thrown(), cause, stack, fields.original());
    }

    /** Fastjson2 shortens the names of the exceptions in java.lang. */
    private String readClassName() throws MalformedValueException {
        if (reader.peek() != JsonbType.TYPED) {
            return THROWABLE;
        }
        String name = reader.name(reader.readType());
        return name.indexOf('.') < 0 ? "java.lang." + name : name;
    }

    private String readText() throws MalformedValueException {
        if (reader.peek() == JsonbType.STRING) {
            return reader.readString();
        }
        reader.skip();
        return null;
    }

    /** The chain that begins with {@code cause}; it ends at one that is a reference. */
    private List<Thrown> readCauses(int cause) throws MalformedValueException {
        List<Thrown> causes = new ArrayList<>();
        int next = cause;
        while (next != NONE && causes.size() < ResponseBody.MAX_CAUSES) {
            reader.seek(next);
            if (reader.peek() != JsonbType.TYPED && reader.peek() != JsonbType.MAP) {
                break;
            }
            Level level = readLevel();
            time.charge((long) (reader.position() - next) * NS_PER_REREAD_BYTE);
            causes.add(level.thrown);
            next = level.cause;
        }
        return causes;
    }

    private List<String> readStack(int list) throws MalformedValueException {
        List<String> frames = new ArrayList<>();
        reader.seek(list);
        if (reader.peek() == JsonbType.TYPED) {
            reader.readType();
        }
        if (reader.peek() != JsonbType.LIST) {
            return frames;
        }
        for (int left = Math.min(reader.beginList(), ResponseBody.MAX_FRAMES); left > 0; left--) {
            if (reader.peek() == JsonbType.MAP) {
                frames.add(readFrame());
            } else {
                reader.skip();
            }
        }
        return frames;
    }

    /** As {@link StackTraceElement} writes it, without its module. */
    private String readFrame() throws MalformedValueException {
        String type = null;
        String method = null;
        String file = null;
        int line = NONE;
        reader.beginMap();
        while (!reader.readEnd()) {
            switch (reader.name(reader.readFieldName())) {
                case "className" -> type = readText();
                case "methodName" -> method = readText();
                case "fileName" -> file = readText();
                case "lineNumber" -> line = reader.readInt();
                default -> reader.skip();
            }
        }
        return new StackTraceElement(String.valueOf(type), String.valueOf(method), file, line).toString();
    }
}
