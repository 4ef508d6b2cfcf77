package io.dubbomesh.protocol.type;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedJson;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.value.ArgumentBounds;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Utf8;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
    private static final int MAX_SIGNATURE = 500;

    /** Null if any number of any type is accepted. */
    private final JavaType[] types;
    /** Null likewise. */
    private final MethodDefinition method;

    private final ValuePath path = new ValuePath();
    private final boolean areNative;
    private final TypedValues values;

    private final JavaTypes known;
    /** Whether values that certainly violate constraints are refused. */
    private final boolean validates;

    private Arguments(
            JavaTypes known, JavaType[] types, MethodDefinition method, Receiver receiver, boolean validates) {
        this.validates = validates;
        this.types = types;
        this.method = method;
        this.known = known;
        boolean allNative = types != null;
        for (int i = 0; allNative && i < types.length; i++) {
            allNative = known.isNative(types[i]) && (isDeclared(i) || JavaTypes.isNativeUndeclared(types[i]));
        }
        areNative = allNative;
        values = new TypedValues(known, path, receiver, validates);
    }

    /**
     * Arguments of a method.
     *
     * @param known definitions by the name of the class
     */
    public static Arguments of(MethodDefinition method, Map<String, TypeDefinition> known) {
        return of(method, known, false);
    }

    /** @param validates whether values that certainly violate the constraints of the method are refused */
    public static Arguments of(MethodDefinition method, Map<String, TypeDefinition> known, boolean validates) {
        JavaTypes types = new JavaTypes(known);
        return new Arguments(
                types, types.all(method.parameterTypes()).toArray(JavaType[]::new), method, Receiver.METHOD, validates);
    }

    /** Returns whether the method declares the parameter with its class, and not as a type variable. */
    private boolean isDeclared(int parameter) {
        return types[parameter].className().equals(erased(parameter));
    }

    /** Returns the class by which the provider reads the parameter: of a type variable, the bound. */
    private String erased(int parameter) {
        return method.erasedTypes().get(parameter);
    }

    /** Any number of arguments, each of the type that its JSON suggests; not for forms. */
    public static Arguments untyped() {
        return new Arguments(new JavaTypes(Map.of()), null, null, Receiver.CONVERTER, false);
    }

    /**
     * Returns the same for {@code $invoke} of a service that is implemented generically: they are not converted, and
     * none names a class.
     */
    public Arguments unconverted() {
        return new Arguments(known, types, method, Receiver.GENERIC_SERVICE, validates);
    }

    /** Returns the same for a generic call: the provider converts each to what its method declares. */
    public Arguments converted() {
        return new Arguments(known, types, method, Receiver.CONVERTER, validates);
    }

    /**
     * Returns the same for a generic call in which the provider makes all objects: they are maps that name their
     * classes.
     */
    public Arguments asObjects() {
        return new Arguments(known, types, method, Receiver.CONVERTER_OF_OBJECTS, validates);
    }

    /**
     * Returns the same for a generic call of which the provider may not have the classes: objects are maps that name
     * their classes.
     */
    public Arguments asMaps() {
        return new Arguments(known, types, method, Receiver.CONVERTER_OF_MAPS, validates);
    }

    /** Returns the type of a result, of which as much is known as of these. */
    public DeclaredType declared(String name) {
        return DeclaredType.of(name, known);
    }

    /** Returns whether classes of the service are known. */
    public boolean areClassesKnown() {
        return known.areClassesKnown();
    }

    /** Returns whether one of these types is a collection or a map, or an array of such, without type arguments. */
    public static boolean hasRawCollection(List<String> names) {
        return names.stream().anyMatch(JavaTypes::isBareCollection);
    }

    /** Returns whether a provider can read each of them as what its method declares, without {@code $invoke}. */
    public boolean areNative() {
        return areNative;
    }

    /** Returns whether they are native, and read as the same by a provider that does not look at the method's types. */
    public boolean areReadAsWritten() {
        return areNative && Arrays.stream(types).allMatch(JavaType::isReadAsWritten);
    }

    /**
     * Returns whether a call with these values, which both kinds of arguments take, means this one: no value means a
     * type of the other one instead. Of two that have the same types, which an overridden method of a generic interface
     * has, it is the one whose types are no type variables.
     */
    public boolean isPreferred(Arguments other, List<JsonShape> values) {
        boolean areSame = true;
        for (int i = 0; i < values.size(); i++) {
            switch (Preference.of(types[i], other.types[i], values.get(i))) {
                case FIRST -> areSame = false;
                case SAME -> {}
                case SECOND, UNCLEAR -> {
                    return false;
                }
            }
        }
        return !areSame || areAllDeclared() || !other.areAllDeclared();
    }

    private boolean areAllDeclared() {
        for (int i = 0; i < types.length; i++) {
            if (!isDeclared(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the shapes of the arguments that one JSON array holds. */
    public static List<JsonShape> jsonShapes(ByteBuf in, int offset, int length) throws CallException {
        List<JsonShape> shapes = new ArrayList<>();
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                throw notAnArray();
            }
            while (json.nextToken() != JsonToken.END_ARRAY) {
                shapes.add(JsonShape.read(json));
            }
            if (json.nextToken() != null) {
                throw notOneArray();
            }
            return shapes;
        } catch (JsonProcessingException e) {
            throw malformed(e);
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
    }

    /** Returns the texts in a JSON array; none if it is another value, or has others. */
    public static List<String> texts(ByteBuf in, int offset, int length) {
        List<String> texts = new ArrayList<>();
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            boolean isArray = json.nextToken() == JsonToken.START_ARRAY;
            while (isArray && json.nextToken() == JsonToken.VALUE_STRING) {
                texts.add(json.getText());
            }
            return json.currentToken() == JsonToken.END_ARRAY ? texts : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the shapes of arguments that are a 32-bit length and UTF-8 text each. */
    public static List<JsonShape> formShapes(ByteBuf in, int offset, int length) throws CallException {
        List<JsonShape> shapes = new ArrayList<>();
        int end = offset + length;
        for (int at = offset; at < end; at += in.getInt(at) + Integer.BYTES) {
            requireText(in, at, end);
            shapes.add(JsonShape.TEXT);
        }
        return shapes;
    }

    private static int requireText(ByteBuf in, int at, int end) throws CallException {
        int textLength = end - at < Integer.BYTES ? -1 : in.getInt(at);
        if (textLength < 0 || textLength > end - at - Integer.BYTES) {
            throw new CallException(Outcome.BAD_REQUEST, "arguments: a length reaches beyond the body");
        }
        return textLength;
    }

    /**
     * Writes arguments that are a 32-bit length and UTF-8 text each.
     *
     * @return how many
     * @throws CallException      BAD_ARGUMENT, naming position, wanted type and value, or BAD_REQUEST
     * @throws NotNativeException if a value needs a generic call, and these are not its arguments
     */
    public int writeForm(ValueWriter out, ArgumentBounds bounds, ByteBuf in, int offset, int length)
            throws CallException {
        int end = offset + length;
        int at = offset;
        int count = 0;
        while (at < end) {
            int textLength = requireText(in, at, end);
            at += Integer.BYTES;
            if (types != null && count < types.length) {
                bounds.begin();
                writeText(out, count, in, at, textLength);
                bounds.end();
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
            String signature = types == null ? "" : ": " + Quoted.plain(method.signature(), MAX_SIGNATURE);
            throw new CallException(
                    Outcome.BAD_REQUEST, "arguments: " + count + " (expected: " + expected + signature + ")");
        }
    }

    private void writeText(ValueWriter out, int index, ByteBuf in, int offset, int length) throws CallException {
        JavaType type = types[index];
        if (validates) {
            requireSatisfied(index, in.toString(offset, length, UTF_8));
        }
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
        boolean isJson = false;
        if (type.kind().isText()) {
            fits = writeScalar(out, type, index, in.toString(offset, length, UTF_8));
        } else if (isPlainText(type, in, offset, length)) {
            fits = values.writeText(out, type, in.toString(offset, length, UTF_8));
        } else {
            fits = writeJsonText(out, type, index, in, offset, length);
            isJson = true;
        }
        if (!fits) {
            String value = Quoted.text(in.toString(offset, Math.min(length, MAX_VALUE), UTF_8));
            throw refused(index, value, isJson ? type.name() + " as JSON" : ScalarJson.expected(type));
        }
    }

    /** Checks an argument that is plain text in a form; of others the JSON is checked. */
    private void requireSatisfied(int index, String text) throws CallException {
        if (types[index].kind().isText()) {
            path.clear();
            path.push(index);
            values.requireSatisfied(types[index], method.facts().constraints(index), text);
        }
    }

    /** Returns whether it is a date, a time, a text or a constant without the quotes that it has in JSON. */
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
            values.begin(in, offset, length);
            writeJson(out, type, index, false, json);
            return json.nextToken() == null;
        } catch (JsonProcessingException e) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        } finally {
            values.end();
        }
    }

    private void writeJson(ValueWriter out, JavaType type, int index, boolean byName, JsonParser json)
            throws IOException, CallException {
        path.clear();
        if (byName) {
            path.push(method.facts().names().get(index));
        } else {
            path.push(index);
        }
        values.write(out, type, erased(index), method.facts().constraints(index), json);
    }

    /**
     * Writes arguments that one JSON array holds.
     *
     * @return how many
     * @throws CallException      BAD_ARGUMENT, naming path, wanted type and value, or BAD_REQUEST
     * @throws NotNativeException if a value needs a generic call, and these are not its arguments
     */
    public int writeJson(ValueWriter out, ArgumentBounds bounds, ByteBuf in, int offset, int length)
            throws CallException {
        return writeJson(out, bounds, in, offset, length, false);
    }

    /**
     * Writes the arguments of {@link #namedMethod} that one JSON array holds, and that the caller has sent by name.
     *
     * @return how many
     * @throws CallException      as that of {@link #writeJson}, with the name of the parameter in the path
     * @throws NotNativeException likewise
     */
    public int writeNamed(ValueWriter out, ArgumentBounds bounds, ByteBuf array) throws CallException {
        return writeJson(out, bounds, array, array.readerIndex(), array.readableBytes(), true);
    }

    private int writeJson(ValueWriter out, ArgumentBounds bounds, ByteBuf in, int offset, int length, boolean byName)
            throws CallException {
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            values.begin(in, offset, length);
            return writeJson(out, bounds, json, byName);
        } catch (JsonProcessingException e) {
            throw malformed(e);
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        } finally {
            values.end();
        }
    }

    private int writeJson(ValueWriter out, ArgumentBounds bounds, JsonParser json, boolean byName)
            throws IOException, CallException {
        if (json.nextToken() != JsonToken.START_ARRAY) {
            throw notAnArray();
        }
        int count = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (types == null) {
                bounds.begin();
                copy(out, count, json);
                bounds.end();
            } else if (count < types.length) {
                bounds.begin();
                writeJson(out, types[count], count, byName, json);
                bounds.end();
            } else {
                json.skipChildren();
            }
            count++;
        }
        if (json.nextToken() != null) {
            throw notOneArray();
        }
        if (types != null) {
            requireCount(count);
        }
        return count;
    }

    /** Returns the method, if it has several parameters and their names are known; else null. */
    public MethodDefinition namedMethod() {
        return types != null && types.length > 1 && !method.facts().names().isEmpty() ? method : null;
    }

    private static CallException notAnArray() {
        return new CallException(Outcome.BAD_REQUEST, "arguments: not a JSON array");
    }

    private static CallException notOneArray() {
        return new CallException(Outcome.BAD_REQUEST, "arguments: more than one JSON array");
    }

    /** Returns the refusal of arguments that are no JSON. */
    public static CallException malformed(JsonProcessingException e) {
        String reason = Quoted.plain(MalformedJson.reason(e), MAX_JSON_MESSAGE);
        return new CallException(Outcome.BAD_REQUEST, "arguments: " + reason);
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
