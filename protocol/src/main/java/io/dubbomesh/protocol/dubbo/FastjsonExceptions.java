package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Thrown;
import io.dubbomesh.protocol.fastjson.FastjsonScanner;
import io.dubbomesh.protocol.fastjson.FastjsonToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads exceptions of the service: class, message, own fields, causes and stack, in any order of the properties. Owned
 * by one event loop.
 */
final class FastjsonExceptions {
    private static final String THROWABLE = "java.lang.Throwable";

    private final FastjsonScanner scanner = new FastjsonScanner();
    private final FastjsonToJson values;
    private final ReadingTime time;

    FastjsonExceptions(ReadingTime time) {
        values = new FastjsonToJson(ExceptionProperties.MAX_LENGTH, time);
        this.time = time;
    }

    /** The fields of one object. */
    private record Level(Thrown thrown, List<Thrown> causes, List<String> stack, String original) {}

    /** Reads the exception that is all of {@code in[offset, offset + length)}, and writes the document about it. */
    Outcome read(ByteBuf in, int offset, int length, ResponseBody body) throws MalformedValueException {
        scanner.begin(in, offset, length);
        values.begin(in, offset, length);
        if (scanner.peek() != '{') {
            throw new MalformedValueException("exception that is not an object");
        }
        Level level = readLevel(ResponseBody.MAX_CAUSES, body.wantsStack());
        if (!scanner.isAtEnd()) {
            throw scanner.malformed("not exactly one value");
        }
        return body.exceptionOfGenericCall(level.thrown, level.causes, level.stack, level.original);
    }

    private Level readLevel(int maxCauses, boolean wantsStack) throws MalformedValueException {
        ExceptionFields fields = new ExceptionFields(time);
        fields.begin(THROWABLE);
        List<Thrown> causes = new ArrayList<>();
        List<String> stack = List.of();
        for (boolean more = false; nextName(more); more = true) {
            String name = scanner.readString();
            scanner.expect(':');
            switch (name) {
                case "@type" -> fields.className(readText());
                case "message" -> fields.message(readText());
                case "exceptionClass" -> fields.namedClass(readText());
                case "exceptionMessage" -> fields.namedMessage(readText());
                case "cause" -> readCause(maxCauses, causes);
                case "stackTrace" -> stack = wantsStack ? readStack() : skipped(stack);
                default -> {
                    int value = scanner.position();
                    scanner.skipValue();
                    if (ExceptionProperties.isProperty(name)) {
                        fields.properties().add(name, out -> values.writePart(value, out, ClassNames.OMIT));
                    }
                }
            }
        }
        return new Level(fields.thrown(), causes, stack, fields.original());
    }

    /** Goes to the name of an object's next property, or behind the object. */
    private boolean nextName(boolean more) throws MalformedValueException {
        if (!more) {
            scanner.expect('{');
        }
        if (scanner.skip('}')) {
            return false;
        }
        if (more) {
            scanner.expect(',');
        }
        return true;
    }

    private String readText() throws MalformedValueException {
        if (scanner.peek() == '"') {
            return scanner.readString();
        }
        scanner.skipValue();
        return null;
    }

    private void readCause(int maxCauses, List<Thrown> causes) throws MalformedValueException {
        // There is one, so that those of all levels are not too many.
        if (scanner.peek() != '{' || maxCauses == 0 || !causes.isEmpty() || scanner.isReference()) {
            scanner.skipValue();
            return;
        }
        Level level = readLevel(maxCauses - 1, false);
        causes.add(level.thrown);
        causes.addAll(level.causes);
    }

    private List<String> skipped(List<String> stack) throws MalformedValueException {
        scanner.skipValue();
        return stack;
    }

    private List<String> readStack() throws MalformedValueException {
        List<String> frames = new ArrayList<>();
        if (scanner.peek() != '[') {
            scanner.skipValue();
            return frames;
        }
        scanner.expect('[');
        for (boolean more = false; !scanner.skip(']'); more = true) {
            if (more) {
                scanner.expect(',');
            }
            if (scanner.peek() == '{' && frames.size() < ResponseBody.MAX_FRAMES) {
                frames.add(readFrame());
            } else {
                scanner.skipValue();
            }
        }
        return frames;
    }

    /** As {@link StackTraceElement} writes it, without its module. */
    private String readFrame() throws MalformedValueException {
        String type = null;
        String method = null;
        String file = null;
        int line = -1;
        for (boolean more = false; nextName(more); more = true) {
            String name = scanner.readString();
            scanner.expect(':');
            switch (name) {
                case "className" -> type = readText();
                case "methodName" -> method = readText();
                case "fileName" -> file = readText();
                case "lineNumber" -> line = scanner.readInt();
                default -> scanner.skipValue();
            }
        }
        return new StackTraceElement(String.valueOf(type), String.valueOf(method), file, line).toString();
    }
}
