package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Thrown;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianToJson;
import io.dubbomesh.protocol.hessian.HessianType;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.CostlyValueException;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads exceptions of the service: class, message, own fields, causes and stack, in any order of the fields, whether
 * they are there or referred to. Owned by one event loop.
 */
final class HessianExceptions {
    private static final int MAX_NAME = 256;
    private static final int NONE = -1;
    /**
     * Causes and frames are read a second time, maybe the same one again and again: after so many bytes, the rest is
     * left out.
     */
    private static final int MAX_REREADS = 16 << 20;

    private static final int NS_PER_REREAD_BYTE = 5;

    private final HessianReader reader;
    private final ReadingTime time;
    private final ExceptionFields fields;
    private final HessianToJson values;
    private int rereads;

    HessianExceptions(HessianReader reader, ReadingTime time) {
        this.reader = reader;
        this.time = time;
        fields = new ExceptionFields(time);
        values = new HessianToJson(reader, ExceptionProperties.MAX_LENGTH);
    }

    /** The fields of one object; positions are {@link #NONE} if it has no such field. */
    private record Level(Thrown thrown, int cause, int stack, String original) {}

    /** Reads the exception that comes next, and writes the document about it. */
    Outcome read(ResponseBody body) throws MalformedValueException {
        if (reader.peek() != HessianType.OBJECT) {
            throw new MalformedValueException("exception that is not an object");
        }
        rereads = 0;
        int begin = reader.position();
        Level first = readLevel();
        int behind = reader.position();
        List<Thrown> causes = readCauses(begin, first.cause);
        List<String> stack = body.wantsStack() && first.stack != NONE ? readStack(first.stack) : List.of();
        reader.seek(behind);
        return body.exceptionOfGenericCall(first.thrown, causes, stack, first.original);
    }

    private Level readLevel() throws MalformedValueException {
        int definition = reader.beginObject();
        fields.begin(reader.className(definition, MAX_NAME));
        int cause = NONE;
        int stack = NONE;
        for (String name : reader.fieldNames(definition, MAX_NAME)) {
            HessianType type = reader.peek();
            int value = reader.position();
            switch (name) {
                case "detailMessage" -> fields.message(readText(type));
                case "exceptionClass" -> fields.namedClass(readText(type));
                case "exceptionMessage" -> fields.namedMessage(readText(type));
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
                        fields.properties().add(name, out -> values.writeJson(out, ClassNames.OMIT));
                        reader.seek(value);
                    }
                    reader.skip();
                }
            }
        }
        return new Level(fields.thrown(), cause, stack, fields.original());
    }

    private String readText(HessianType type) throws MalformedValueException {
        if (type == HessianType.STRING) {
            return reader.readString(ResponseBody.MAX_MESSAGE);
        }
        reader.skip();
        return null;
    }

    /** The chain that begins with {@code cause}. A {@code Throwable} without a cause often refers to itself. */
    private List<Thrown> readCauses(int exception, int cause) throws MalformedValueException {
        List<Thrown> causes = new ArrayList<>();
        List<Integer> seen = new ArrayList<>(List.of(exception));
        int next = cause;
        while (next != NONE && causes.size() < ResponseBody.MAX_CAUSES && rereads < MAX_REREADS) {
            seekTarget(next);
            if (reader.peek() != HessianType.OBJECT || seen.contains(reader.position())) {
                break;
            }
            seen.add(reader.position());
            int target = reader.position();
            Level level = readLevel();
            reread(target);
            causes.add(level.thrown);
            next = level.cause;
        }
        return causes;
    }

    /** What begins there was read for the second time at least. */
    private void reread(int begin) throws CostlyValueException {
        int bytes = reader.position() - begin;
        rereads += bytes;
        time.charge((long) bytes * NS_PER_REREAD_BYTE);
    }

    private List<String> readStack(int list) throws MalformedValueException {
        List<String> frames = new ArrayList<>();
        seekTarget(list);
        if (reader.peek() != HessianType.LIST) {
            return frames;
        }
        int length = reader.beginList();
        int most = length < 0 ? ResponseBody.MAX_FRAMES : Math.min(length, ResponseBody.MAX_FRAMES);
        for (int i = 0; i < most && rereads < MAX_REREADS && (length >= 0 || !reader.readEnd()); i++) {
            reader.peek();
            int frame = reader.position();
            reader.skip();
            int next = reader.position();
            seekTarget(frame);
            if (reader.peek() == HessianType.OBJECT) {
                int target = reader.position();
                frames.add(readFrame());
                reread(target);
            }
            reader.seek(next);
        }
        return frames;
    }

    /** As {@link StackTraceElement} writes it, without its module. */
    private String readFrame() throws MalformedValueException {
        String type = null;
        String method = null;
        String file = null;
        int line = NONE;
        for (String name : reader.fieldNames(reader.beginObject(), MAX_NAME)) {
            HessianType found = reader.peek();
            switch (name) {
                case "declaringClass" -> type = readText(found);
                case "methodName" -> method = readText(found);
                case "fileName" -> file = readText(found);
                case "lineNumber" -> {
                    if (found == HessianType.INT) {
                        line = reader.readInt();
                    } else {
                        reader.skip();
                    }
                }
                default -> reader.skip();
            }
        }
        return new StackTraceElement(String.valueOf(type), String.valueOf(method), file, line).toString();
    }

    private void seekTarget(int position) throws MalformedValueException {
        reader.seek(position);
        if (reader.peek() == HessianType.REFERENCE) {
            reader.seek(reader.readReference());
        }
    }
}
