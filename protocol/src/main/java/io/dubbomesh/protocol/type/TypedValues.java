package io.dubbomesh.protocol.type;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.ValueWriter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts JSON to values of declared types, token by token. A value that does not fit is refused with a BAD_ARGUMENT
 * that names the path, the value and the type. Owned by one event loop.
 */
final class TypedValues {
    private static final int MAX_NAME = 200;
    private static final String CLASS = JsonValues.CLASS;

    private final JavaTypes types;
    private final ValuePath path;
    private final boolean providerConverts;
    private final boolean convertsMaps;
    private final boolean byInvoke;

    private ValueWriter out;
    private JsonParser json;

    TypedValues(JavaTypes types, ValuePath path, Receiver receiver) {
        this.types = types;
        this.path = path;
        providerConverts = receiver.converts();
        convertsMaps = receiver == Receiver.CONVERTER_OF_MAPS;
        byInvoke = receiver.isCalledByInvoke();
    }

    /**
     * Writes the value whose first token is the parser's current one, up to its last token.
     *
     * @param readerKnows whether the reader knows the type from a declaration
     */
    void write(ValueWriter out, JavaType type, boolean readerKnows, JsonParser json) throws IOException, CallException {
        this.out = out;
        this.json = json;
        if (!readerKnows && type.kind() == JavaType.Kind.OBJECT) {
            requireNamed(type);
        }
        write(type, readerKnows);
    }

    /** Writes a value that is text without quotes, as a key of a map; returns false if it does not fit the type. */
    boolean writeText(ValueWriter out, JavaType type, String text) {
        return type.kind() == JavaType.Kind.ENUM
                ? writeConstant(out, type, text)
                : ScalarJson.writeText(out, type, text);
    }

    /**
     * @param readerKnows whether the reader knows the type from a declaration, as it does of a field and not of a
     *     list's elements
     */
    private void write(JavaType type, boolean readerKnows) throws IOException, CallException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            if (type.isPrimitive()) {
                throw refused(type);
            }
            out.writeNull();
            return;
        }
        boolean fits;
        try {
            fits = switch (type.kind()) {
                case ARRAY ->
                    writeList(
                            isReadAsDeclared(type, readerKnows) ? null : ReaderTypes.ofArray(type),
                            type.element(),
                            true);
                case LIST ->
                    writeList(
                            isReadAsDeclared(type, readerKnows) ? null : ReaderTypes.ofList(type),
                            type.element(),
                            false);
                case MAP -> writeMap(type, readerKnows);
                case OBJECT -> token == JsonToken.START_OBJECT && writeObject(type);
                case INTERFACE -> writeInterface(type);
                case ANY -> writeAny();
                case UNKNOWN -> copy();
                case ENUM -> writeEnum(type);
                default -> ScalarJson.write(out, type, json);
            };
        } catch (IllegalArgumentException e) {
            throw new CallException(Outcome.BAD_ARGUMENT, path + ": " + e.getMessage());
        }
        if (!fits) {
            throw refused(type);
        }
    }

    /**
     * Whether it is written without a type; a value that the provider converts must have none, since its parts have
     * other types before.
     */
    private boolean isReadAsDeclared(JavaType type, boolean readerKnows) {
        return readerKnows || isMadeByProvider(type);
    }

    private boolean isMadeByProvider(JavaType type) {
        return providerConverts && (convertsMaps || !types.isNative(type) || !out.namesClasses());
    }

    private boolean writeList(String className, JavaType element, boolean readerKnows)
            throws IOException, CallException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return false;
        }
        int begin = out.beginList(className);
        int length = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            path.push(length++);
            write(element, readerKnows);
            path.pop();
        }
        out.endList(begin, length);
        return true;
    }

    /** An object whose members' names are the keys as text, or a list of pairs with keys of any type. */
    private boolean writeMap(JavaType type, boolean readerKnows) throws IOException, CallException {
        boolean pairs = json.currentToken() == JsonToken.START_ARRAY;
        if (!pairs && json.currentToken() != JsonToken.START_OBJECT) {
            return false;
        }
        String className = isReadAsDeclared(type, readerKnows) ? null : ReaderTypes.ofMap(type);
        if (className == null) {
            out.beginMap();
        } else {
            out.beginMap(className);
        }
        if (pairs) {
            writePairs(type);
        } else {
            writeMembers(type);
        }
        out.endMap();
        return true;
    }

    private void writeMembers(JavaType type) throws IOException, CallException {
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            requireNoClassName(name);
            path.push(name);
            writeKey(type.key(), name);
            write(type.element(), false);
            path.pop();
        }
    }

    private void writeKey(JavaType type, String text) throws CallException {
        boolean isInterface = type.kind() == JavaType.Kind.INTERFACE;
        if (isInterface && !providerConverts) {
            throw NotNativeException.INSTANCE;
        }
        boolean asItIs = type.kind() == JavaType.Kind.STRING
                || type.kind() == JavaType.Kind.ANY
                || type.kind() == JavaType.Kind.UNKNOWN
                || isInterface;
        if (asItIs) {
            out.writeKey(text);
            return;
        }
        out.beginKey();
        if (!writeText(out, type, text)) {
            throw refused("key " + Quoted.text(text), type.name());
        }
        out.endKey();
    }

    private void writePairs(JavaType type) throws IOException, CallException {
        int index = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            path.push(index++);
            boolean pair = json.currentToken() == JsonToken.START_ARRAY && json.nextToken() != JsonToken.END_ARRAY;
            String key = pair && json.currentToken() == JsonToken.VALUE_STRING ? json.getText() : "";
            if (pair) {
                out.beginKey();
                write(type.key(), false);
                out.endKey();
                pair = json.nextToken() != JsonToken.END_ARRAY;
            }
            if (pair) {
                requireNoClassName(key);
                write(type.element(), false);
                pair = json.nextToken() == JsonToken.END_ARRAY;
            }
            if (!pair) {
                throw refused(describe(), "a pair [key, value] of " + type.name());
            }
            path.pop();
        }
    }

    private boolean writeObject(JavaType declared) throws IOException, CallException {
        json.nextToken();
        if (isName(CLASS) && !declared.fields().containsKey(CLASS)) {
            json.nextToken();
            writeNamed(subclass(declared), declared);
        } else if (declared.definition().isAbstract()) {
            throw refused("{...}", "the first member " + CLASS + ", " + namesFor(declared));
        } else {
            writeFields(declared);
        }
        return true;
    }

    /**
     * An object that names its class; of any other value only the provider can make something, as Dubbo makes a proxy
     * of a map.
     */
    private boolean writeInterface(JavaType declared) throws IOException, CallException {
        boolean atClass = false;
        boolean isObject = json.currentToken() == JsonToken.START_OBJECT;
        if (isObject) {
            json.nextToken();
            atClass = isName(CLASS);
            if (atClass) {
                json.nextToken();
                if (JsonValues.isClassName(json) || types.subclass(declared, json.getText()) != null) {
                    writeNamed(subclass(declared), declared);
                    return true;
                }
            }
        }
        if (!providerConverts) {
            throw NotNativeException.INSTANCE;
        }
        return isObject ? writeMap(atClass) : copy();
    }

    /** A value of no declared class; an object in it may name a class of the service. */
    private boolean writeAny() throws IOException, CallException {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            return writeList(null, JavaTypes.ANY, false);
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return copy();
        }
        json.nextToken();
        boolean atClass = isName(CLASS);
        if (atClass) {
            json.nextToken();
            JavaType type = json.currentToken() == JsonToken.VALUE_STRING ? types.definedClass(json.getText()) : null;
            if (type != null) {
                writeNamed(type, null);
                return true;
            }
        }
        return writeMap(atClass);
    }

    /** @param atClass whether the current token is the value of the first member, {@code class}, and not a name */
    private boolean writeMap(boolean atClass) throws IOException, CallException {
        out.beginMap();
        if (atClass) {
            writeMember(CLASS);
            json.nextToken();
        }
        for (; json.currentToken() != JsonToken.END_OBJECT; json.nextToken()) {
            String name = json.currentName();
            json.nextToken();
            writeMember(name);
        }
        out.endMap();
        return true;
    }

    private void writeMember(String name) throws IOException, CallException {
        requireNoClassName(name);
        out.writeKey(name);
        path.push(name);
        write(JavaTypes.ANY, false);
        path.pop();
    }

    /** @param key of an entry whose value is the current token */
    private void requireNoClassName(String key) throws IOException {
        if (byInvoke && key.equals(CLASS)) {
            JsonValues.requireNoClassName(json);
        }
    }

    private boolean isName(String name) throws IOException {
        return json.currentToken() == JsonToken.FIELD_NAME && json.currentName().equals(name);
    }

    /**
     * The class that the object names: it must be defined by the service and extend the declared one, or it could be
     * any class.
     */
    private JavaType subclass(JavaType declared) throws IOException, CallException {
        JavaType type = json.currentToken() == JsonToken.VALUE_STRING ? types.subclass(declared, json.getText()) : null;
        if (type == null) {
            path.push(CLASS);
            throw refused(describe(), namesFor(declared));
        }
        return type;
    }

    /** Writes the rest of an object whose class's name is the current token. */
    private void writeNamed(JavaType type, JavaType declared) throws IOException, CallException {
        if (type != declared) {
            requireNamed(type);
        }
        json.nextToken();
        if (type.kind() == JavaType.Kind.ENUM) {
            writeNamedConstant(type);
        } else {
            writeFields(type);
        }
    }

    /** Throws unless the reader learns that an object is of this class, and not of that which it expects. */
    private void requireNamed(JavaType type) {
        if (!providerConverts && !(types.isNative(type) && out.namesClasses())) {
            throw NotNativeException.INSTANCE;
        }
    }

    private void writeFields(JavaType type) throws IOException, CallException {
        List<String> components = null;
        if (type.isRecord() && !isMadeByProvider(type)) {
            components = new ArrayList<>();
            out.beginRecord(type.className());
        } else {
            beginObject(type);
        }
        for (; json.currentToken() != JsonToken.END_OBJECT; json.nextToken()) {
            String name = json.currentName();
            JavaType field = type.fields().get(name);
            path.push(name);
            if (field == null) {
                throw refusedField(type, name);
            }
            if (components == null) {
                out.writeKey(name);
            } else {
                out.writeComponentName(name);
                components.add(name);
            }
            json.nextToken();
            requireNoClassName(name);
            write(field, type.declares(name));
            path.pop();
        }
        if (components == null) {
            out.endMap();
        } else {
            out.endRecord(components);
        }
    }

    private CallException refusedField(JavaType type, String name) {
        return name.equals(CLASS)
                ? refused("not the first member", "the class before all fields")
                : refused(
                        "unknown field",
                        "one of " + String.join(", ", type.fields().keySet()));
    }

    private void beginObject(JavaType type) {
        if (!isMadeByProvider(type)) {
            out.beginMap(type.className());
            return;
        }
        out.beginMap();
        if (!type.fields().containsKey(CLASS)) {
            out.writeKey(CLASS);
            out.writeString(type.className());
        }
    }

    /**
     * An enum's constant as an object of its class and its {@code name}, where the declared type does not tell the
     * enum.
     */
    private void writeNamedConstant(JavaType type) throws IOException, CallException {
        boolean hasName = isName("name") && json.nextToken() == JsonToken.VALUE_STRING;
        String constant = hasName ? json.getText() : "";
        if (!type.definition().constants().contains(constant) || json.nextToken() != JsonToken.END_OBJECT) {
            throw refused(
                    "{...}",
                    "the members " + CLASS + " and name, one of "
                            + String.join(", ", type.definition().constants()));
        }
        if (!convertsMaps && out.namesClasses()) {
            out.writeEnum(type.className(), constant);
        } else {
            out.beginMap();
            out.writeKey(CLASS);
            out.writeString(type.className());
            out.writeKey("name");
            out.writeString(constant);
            out.endMap();
        }
    }

    private boolean writeEnum(JavaType type) throws IOException {
        String constant = ScalarJson.constant(json);
        return constant != null && writeConstant(out, type, constant);
    }

    /** The provider that converts maps may not have the enum, or makes the constant of its name. */
    private boolean writeConstant(ValueWriter out, JavaType type, String constant) {
        if (!type.definition().constants().contains(constant)) {
            return false;
        }
        if (convertsMaps) {
            out.writeString(constant);
        } else {
            out.writeEnum(type.className(), constant);
        }
        return true;
    }

    /** The classes that an object of the declared type may name. */
    private static String namesFor(JavaType declared) {
        if (declared.definition().subclasses() == null) {
            return "a class of the service whose fields are all known, as " + declared.className();
        }
        List<String> names = new ArrayList<>();
        if (!declared.definition().isAbstract()) {
            names.add(declared.className());
        }
        declared.definition().subclasses().forEach(name -> names.add(MethodDefinition.erased(name)));
        return "one of " + String.join(", ", names);
    }

    /** Writes what only the provider knows the class of, as its JSON suggests. */
    private boolean copy() throws IOException {
        JsonValues.copyWithoutClasses(json, out);
        return true;
    }

    private CallException refused(JavaType type) throws IOException {
        return refused(describe(), ScalarJson.expected(type));
    }

    private CallException refused(String value, String expected) {
        return new CallException(
                Outcome.BAD_ARGUMENT, path + ": " + value + " (expected: " + Quoted.plain(expected, MAX_NAME) + ")");
    }

    private String describe() throws IOException {
        JsonToken token = json.currentToken();
        if (token.isStructStart() || token.isStructEnd()) {
            return token == JsonToken.START_OBJECT || token == JsonToken.END_OBJECT ? "{...}" : "[...]";
        }
        return token == JsonToken.VALUE_STRING ? Quoted.text(json.getText()) : Quoted.plain(json.getText(), 64);
    }
}
