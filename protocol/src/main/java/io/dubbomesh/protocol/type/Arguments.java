package io.dubbomesh.protocol.type;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The arguments of a method's calls, checked against their types and written one after the other. Owned by one event
 * loop.
 */
public final class Arguments {
    private static final int MAX_JSON_MESSAGE = 200;
    private static final int MAX_VALUE = 400;

    /** Null if any number of any type is accepted. */
    private final JavaType[] types;
    /**
     * Whether the method declares the parameter with its class, by which the provider reads it, and not as a type
     * variable.
     */
    private final boolean[] readerKnows;

    private final ValuePath path = new ValuePath();
    private final boolean areNative;
    private final TypedValues values;

    private final JavaTypes known;

    private Arguments(JavaTypes known, JavaType[] types, boolean[] readerKnows, Receiver receiver) {
        this.types = types;
        this.readerKnows = readerKnows;
        this.known = known;
        boolean allNative = types != null;
        for (int i = 0; allNative && i < types.length; i++) {
            allNative = known.isNative(types[i]) && (readerKnows[i] || JavaTypes.isNativeUndeclared(types[i]));
        }
        areNative = allNative;
        values = new TypedValues(known, path, receiver);
    }

    /**
     * Arguments of these types.
     *
     * @param names as Java source has them, see {@link ServiceDefinition}
     * @param known definitions by the name of the class
     */
    public static Arguments of(List<String> names, Map<String, TypeDefinition> known) {
        return of(names, TypeNames.erased(names), known);
    }

    /**
     * As above, of a method that declares type variables.
     *
     * @param erased the classes that the compiler made of the declared types
     */
    public static Arguments of(List<String> names, List<String> erased, Map<String, TypeDefinition> known) {
        JavaTypes types = new JavaTypes(known);
        boolean[] readerKnows = new boolean[names.size()];
        for (int i = 0; i < readerKnows.length; i++) {
            readerKnows[i] = MethodDefinition.erased(names.get(i)).equals(erased.get(i));
        }
        return new Arguments(types, types.all(names).toArray(JavaType[]::new), readerKnows, Receiver.METHOD);
    }

    /** Any number of arguments, each of the type that its JSON suggests; not for forms. */
    public static Arguments untyped() {
        return new Arguments(new JavaTypes(Map.of()), null, null, Receiver.CONVERTER);
    }

    /**
     * The same for {@code $invoke} of a service that is implemented generically: nobody converts them, and none names a
     * class.
     */
    public Arguments unconverted() {
        return new Arguments(known, types, readerKnows, Receiver.GENERIC_SERVICE);
    }

    /** The same for a generic call: the provider converts each to what its method declares. */
    public Arguments converted() {
        return new Arguments(known, types, readerKnows, Receiver.CONVERTER);
    }

    /**
     * The same for a generic call of which the provider may not have the classes: objects are maps that name their
     * classes.
     */
    public Arguments asMaps() {
        return new Arguments(known, types, readerKnows, Receiver.CONVERTER_OF_MAPS);
    }

    /** Whether classes of the service are known. */
    public boolean knowClasses() {
        return known.knowClasses();
    }

    /** Whether one of these types is a collection or a map, or an array of such, without type arguments. */
    public static boolean haveBareCollections(List<String> names) {
        return names.stream().anyMatch(JavaTypes::isBareCollection);
    }

    /** Whether a provider can read each of them as what its method declares, without {@code $invoke}. */
    public boolean areNative() {
        return areNative;
    }

    /**
     * Writes arguments that are a 32-bit length and UTF-8 text each.
     *
     * @return how many
     * @throws CallException      BAD_ARGUMENT, naming position, wanted type and value, or BAD_REQUEST
     * @throws NotNativeException if a value needs a generic call, and these are not its arguments
     */
    public int writeForm(ValueWriter out, ByteBuf in, int offset, int length) throws CallException {
        int end = offset + length;
        int at = offset;
        int count = 0;
        while (at < end) {
            int textLength = end - at < Integer.BYTES ? -1 : in.getInt(at);
            at += Integer.BYTES;
            if (textLength < 0 || textLength > end - at) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: a length reaches beyond the body");
            }
            if (types != null && count < types.length) {
                writeText(out, count, in, at, textLength);
            }
            at += textLength;
            count++;
        }
        requireCount(count);
        return count;
    }

    private void requireCount(int count) throws CallException {
        int expected = types == null ? 0 : types.length;
        if (count != expected) {
            throw new CallException(Outcome.BAD_REQUEST, "arguments: " + count + " (expected: " + expected + ")");
        }
    }

    private void writeText(ValueWriter out, int index, ByteBuf in, int offset, int length) throws CallException {
        JavaType type = types[index];
        try {
            if (type.kind() == JavaType.Kind.STRING) {
                out.writeUtf8(in, offset, length);
                return;
            }
            Utf8.require(in, offset, length);
        } catch (MalformedValueException e) {
            throw refused(index, "text that is not UTF-8", type.name());
        }
        boolean fits;
        String expected = null;
        if (type.kind().isText()) {
            fits = writeScalar(out, type, index, in.toString(offset, length, UTF_8));
        } else if (isPlainText(type, in, offset, length)) {
            fits = values.writeText(out, type, in.toString(offset, length, UTF_8));
            expected = ScalarJson.expected(type);
        } else {
            fits = writeJsonText(out, type, index, in, offset, length);
            expected = type.name() + " as JSON";
        }
        if (!fits) {
            String value = Quoted.text(in.toString(offset, Math.min(length, MAX_VALUE), UTF_8));
            throw refused(index, value, expected == null ? type.name() : expected);
        }
    }

    /** Whether it is a date, a time, a text or a constant without the quotes that it has in JSON. */
    private static boolean isPlainText(JavaType type, ByteBuf in, int offset, int length) {
        return switch (type.kind()) {
            case DATE, TIME, TEXT, ENUM -> length > 0 && !mayBeJson(in.toString(offset, length, UTF_8));
            default -> false;
        };
    }

    private static boolean mayBeJson(String text) {
        return text.equals("null") || "\"{[ ".indexOf(text.charAt(0)) >= 0 || isWhole(text);
    }

    private static boolean isWhole(String text) {
        int begin = text.charAt(0) == '-' ? 1 : 0;
        for (int i = begin; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.length() > begin;
    }

    private static boolean writeScalar(ValueWriter out, JavaType type, int index, String text) throws CallException {
        try {
            return ScalarText.write(out, type.kind(), text);
        } catch (IllegalArgumentException e) {
            throw new CallException(Outcome.BAD_ARGUMENT, "args[" + index + "]: " + e.getMessage());
        }
    }

    private boolean writeJsonText(ValueWriter out, JavaType type, int index, ByteBuf in, int offset, int length)
            throws CallException {
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            if (json.nextToken() == null) {
                return false;
            }
            writeJson(out, type, index, json);
            return json.nextToken() == null;
        } catch (JsonProcessingException e) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
    }

    private void writeJson(ValueWriter out, JavaType type, int index, JsonParser json)
            throws IOException, CallException {
        path.clear();
        path.push(index);
        values.write(out, type, readerKnows[index], json);
    }

    /**
     * Writes arguments that one JSON array holds.
     *
     * @return how many
     * @throws CallException      BAD_ARGUMENT, naming path, wanted type and value, or BAD_REQUEST
     * @throws NotNativeException if a value needs a generic call, and these are not its arguments
     */
    public int writeJson(ValueWriter out, ByteBuf in, int offset, int length) throws CallException {
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: not a JSON array");
            }
            int count = 0;
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (types == null) {
                    copy(out, count, json);
                } else if (count < types.length) {
                    writeJson(out, types[count], count, json);
                } else {
                    json.skipChildren();
                }
                count++;
            }
            if (json.nextToken() != null) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: more than one JSON array");
            }
            if (types != null) {
                requireCount(count);
            }
            return count;
        } catch (JsonProcessingException e) {
            String reason = Quoted.plain(e.getOriginalMessage(), MAX_JSON_MESSAGE);
            throw new CallException(Outcome.BAD_REQUEST, "arguments: malformed JSON: " + reason);
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
    }

    private static void copy(ValueWriter out, int index, JsonParser json) throws IOException, CallException {
        try {
            JsonValues.copyWithoutClasses(json, out);
        } catch (IllegalArgumentException e) {
            throw new CallException(Outcome.BAD_ARGUMENT, "args[" + index + "]: " + e.getMessage());
        }
    }

    private static CallException refused(int index, String value, String expected) {
        return new CallException(
                Outcome.BAD_ARGUMENT, "args[" + index + "]: " + value + " (expected: " + expected + ")");
    }
}
