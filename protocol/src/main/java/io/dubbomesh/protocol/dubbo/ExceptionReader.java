package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Thrown;
import io.dubbomesh.protocol.dubbo.exception.ExceptionFields;
import io.dubbomesh.protocol.dubbo.exception.ExceptionProperties;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.CostlyValueException;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.ValueReader;
import io.dubbomesh.protocol.value.ValueReader.Token;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads exceptions of the service: class, message, own fields, causes and stack, in any order of the fields, whether
 * they are there or referred to. Reused; owned by one thread.
 */
final class ExceptionReader {
    private static final String THROWABLE = "java.lang.Throwable";
    private static final int MAX_NAME = 256;
    private static final int NONE = -1;
    /**
     * Causes and frames are read a second time, maybe the same one again and again: after so many bytes of those that
     * are referred to, the rest is left out.
     */
    private static final int MAX_REREADS = 16 << 20;

    private static final int NS_PER_REREAD_BYTE = 5;

    private final ValueReader reader;
    private final ReadingTime time;
    private final ExceptionFields fields;
    private final ValueToJson values;
    private int rereads;

    /** The place of the cause of the exception whose fields are being read; {@link #NONE} if it has no such field. */
    private int cause;

    private int stack;

    ExceptionReader(ValueReader reader) {
        this.reader = reader;
        time = reader.time();
        fields = new ExceptionFields(time);
        values = new ValueToJson(reader, ExceptionProperties.MAX_LENGTH);
    }

    /** Reads a field's value, or skips it. */
    @FunctionalInterface
    private interface FieldReader {
        void read(String name) throws MalformedValueException;
    }

    /** Reads the exception that comes next, and writes the document about it. */
    Outcome read(ResponseBody body) throws MalformedValueException {
        reader.beginValue();
        if (!isObject()) {
            throw new MalformedValueException("exception that is not an object");
        }
        rereads = 0;
        int begin = reader.position();
        Thrown thrown = readLevel();
        String original = fields.original();
        int behind = reader.position();
        int firstStack = stack;
        List<Thrown> causes = readCauses(begin);
        List<String> frames = body.isStackNeeded() && firstStack != NONE ? readStack(firstStack) : List.of();
        reader.seek(behind);
        return body.exceptionOfGenericCall(thrown, causes, frames, original);
    }

    /**
     * Reads the exception that comes next as lines of its stack: the class with the message, the first frames, and the
     * causes without theirs.
     */
    List<String> readLines(int maxFrames) throws MalformedValueException {
        reader.beginValue();
        if (!isObject()) {
            throw new MalformedValueException("exception that is not an object");
        }
        rereads = 0;
        int begin = reader.position();
        List<String> lines = new ArrayList<>(List.of(line(readLevel())));
        int firstStack = stack;
        List<Thrown> causes = readCauses(begin);
        if (firstStack != NONE) {
            readStack(firstStack).stream().limit(maxFrames).forEach(frame -> lines.add("\tat " + frame));
        }
        causes.forEach(each -> lines.add("Caused by: " + line(each)));
        return lines;
    }

    private static String line(Thrown thrown) {
        return thrown.className() + (thrown.message() == null ? "" : ": " + thrown.message());
    }

    private boolean isObject() throws MalformedValueException {
        return reader.peek() == (reader.hasObjects() ? Token.OBJECT : Token.MAP);
    }

    private Thrown readLevel() throws MalformedValueException {
        cause = NONE;
        stack = NONE;
        fields.begin(THROWABLE);
        readFields(this::readField);
        return fields.thrown();
    }

    /** Reads the object that comes next; one that names its class in front names the exception's. */
    private void readFields(FieldReader field) throws MalformedValueException {
        if (reader.peek() == Token.OBJECT) {
            int object = reader.objects().beginObject();
            fields.className(reader.objects().className(object));
            for (String name : reader.objects().fieldNames(object)) {
                field.read(name);
            }
            return;
        }
        fields.className(qualified(reader.className()));
        reader.beginMap();
        for (int i = 0; reader.hasEntry(i); i++) {
            boolean isText = reader.peek() == Token.TEXT;
            String name = isText ? reader.readText(MAX_NAME) : "";
            if (!isText) {
                reader.skip();
            }
            reader.endKey();
            field.read(name);
        }
    }

    /** Fastjson2 shortens the names of the exceptions in java.lang. */
    private static String qualified(String className) {
        return className == null || className.indexOf('.') >= 0 ? className : "java.lang." + className;
    }

    private void readField(String name) throws MalformedValueException {
        reader.peek();
        int value = reader.position();
        switch (name) {
            case "@type" -> fields.className(readText());
            case "detailMessage" -> fields.message(readText());
            case "message" -> fields.otherMessage(readText());
            case "exceptionClass" -> fields.namedClass(readText());
            case "exceptionMessage" -> fields.namedMessage(readText());
            case "cause" -> {
                cause = cause == NONE ? value : cause;
                reader.skip();
            }
            case "stackTrace" -> {
                stack = value;
                reader.skip();
            }
            default -> {
                if (ExceptionProperties.isProperty(name)) {
                    fields.properties().add(name, out -> values.writePart(out, ClassNames.OMIT, DeclaredType.UNKNOWN));
                    reader.seek(value);
                }
                reader.skip();
            }
        }
    }

    private String readText() throws MalformedValueException {
        if (reader.peek() == Token.TEXT) {
            return reader.readText(ResponseBody.MAX_MESSAGE);
        }
        reader.skip();
        return null;
    }

    /**
     * Returns the chain that begins with {@link #cause}. A {@code Throwable} without a cause often refers to itself.
     */
    private List<Thrown> readCauses(int exception) throws MalformedValueException {
        List<Thrown> causes = new ArrayList<>();
        List<Integer> seen = new ArrayList<>(List.of(exception));
        while (cause != NONE && causes.size() < ResponseBody.MAX_CAUSES && rereads < MAX_REREADS) {
            int field = cause;
            boolean isThere = seekTarget(field) && isObject();
            int target = reader.position();
            if (!isThere || seen.contains(target)) {
                break;
            }
            seen.add(target);
            causes.add(readLevel());
            reread(target, field);
        }
        return causes;
    }

    /**
     * Counts the value that begins there as read again.
     *
     * @param at where it stands, or a reference to it
     */
    private void reread(int begin, int at) throws CostlyValueException {
        int bytes = reader.position() - begin;
        rereads += begin == at ? 0 : bytes;
        time.charge((long) bytes * NS_PER_REREAD_BYTE);
    }

    private List<String> readStack(int list) throws MalformedValueException {
        List<String> frames = new ArrayList<>();
        if (!seekTarget(list) || reader.peek() != Token.LIST) {
            return frames;
        }
        int length = reader.beginList();
        for (int i = 0; i < ResponseBody.MAX_FRAMES && rereads < MAX_REREADS && reader.hasElement(i, length); i++) {
            reader.peek();
            int frame = reader.position();
            reader.skip();
            int next = reader.position();
            if (seekTarget(frame) && isObject()) {
                int target = reader.position();
                frames.add(new Frame().read());
                reread(target, frame);
            }
            reader.seek(next);
        }
        return frames;
    }

    /** Goes to a value, or to what it refers to; returns false if that is not to be found. */
    private boolean seekTarget(int position) throws MalformedValueException {
        reader.seek(position);
        if (reader.peek() == Token.REFERENCE) {
            try {
                reader.seek(reader.readReference());
            } catch (CostlyValueException e) {
                throw e;
            } catch (MalformedValueException e) {
                return false;
            }
        }
        reader.peek();
        return true;
    }

    /** A frame of the stack. */
    private final class Frame {
        private String type;
        private String method;
        private String file;
        private int line = NONE;

        /** Reads a frame and returns it as {@link StackTraceElement} writes it, without its module. */
        String read() throws MalformedValueException {
            readFields(this::readField);
            return new StackTraceElement(String.valueOf(type), String.valueOf(method), file, line).toString();
        }

        private void readField(String name) throws MalformedValueException {
            switch (name) {
                case "declaringClass", "className" -> type = readText();
                case "methodName" -> method = readText();
                case "fileName" -> file = readText();
                case "lineNumber" -> {
                    if (reader.peek() == Token.WHOLE) {
                        line = (int) reader.readWhole();
                    } else {
                        reader.skip();
                    }
                }
                default -> reader.skip();
            }
        }
    }
}
