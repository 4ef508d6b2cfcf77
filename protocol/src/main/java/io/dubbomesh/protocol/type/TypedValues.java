package io.dubbomesh.protocol.type;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.ValueWriter;

import java.io.IOException;

/**
 * Converts JSON to values of declared types, token by token. A value that does not fit is refused with a BAD_ARGUMENT that names the path,
 * the value and the type. Owned by one event loop.
 */
final class TypedValues {
    private static final int MAX_NAME = 200;
    /** The member that names the class of an object, in JSON and in the results of generic calls. */
    private static final String CLASS = "class";

    private final JavaTypes types;
    private final ValuePath path;
    private final boolean generic;

    private ValueWriter out;
    private JsonParser json;

    /** @param generic whether the provider converts what is not native, from maps, lists and scalars with all digits */
    TypedValues(JavaTypes types, ValuePath path, boolean generic) {
        this.types = types;
        this.path = path;
        this.generic = generic;
    }

    /** Writes the value whose first token is the parser's current one, up to its last token. */
    void write(ValueWriter out, JavaType type, JsonParser json) throws IOException, CallException {
        this.out = out;
        this.json = json;
        write(type, true);
    }

    /** @param declared whether the reader knows the type from a declaration, as it does of a field and not of a list's elements */
    private void write(JavaType type, boolean declared) throws IOException, CallException {
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
                            isReadAsDeclared(type, declared) ? null : ReaderTypes.ofArray(type), type.element(), true);
                case LIST ->
                    writeList(
                            isReadAsDeclared(type, declared) ? null : ReaderTypes.ofList(type), type.element(), false);
                case MAP -> writeMap(type, declared);
                case OBJECT -> token == JsonToken.START_OBJECT && writeObject(type);
                case ANY -> copy(generic);
                case UNKNOWN -> copy(true);
                default -> ScalarJson.write(out, type, json);
            };
        } catch (IllegalArgumentException e) {
            throw new CallException(Outcome.BAD_ARGUMENT, path + ": " + e.getMessage());
        }
        if (!fits) {
            throw refused(type);
        }
    }

    /** Whether it is written without a type; a value that the provider converts must have none, since its parts have other types before. */
    private boolean isReadAsDeclared(JavaType type, boolean declared) {
        return declared || isMadeByProvider(type);
    }

    private boolean isMadeByProvider(JavaType type) {
        return generic && !types.isNative(type);
    }

    private boolean writeList(String hessianType, JavaType element, boolean declared)
            throws IOException, CallException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return false;
        }
        int begin = out.beginList(hessianType);
        int length = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            path.push(length++);
            write(element, declared);
            path.pop();
        }
        out.endList(begin, length);
        return true;
    }

    /** An object whose members' names are the keys as text, or a list of pairs with keys of any type. */
    private boolean writeMap(JavaType type, boolean declared) throws IOException, CallException {
        boolean pairs = json.currentToken() == JsonToken.START_ARRAY;
        if (!pairs && json.currentToken() != JsonToken.START_OBJECT) {
            return false;
        }
        String className = isReadAsDeclared(type, declared) ? null : ReaderTypes.ofMap(type);
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
            path.push(name);
            writeKey(type.key(), name);
            json.nextToken();
            write(type.element(), false);
            path.pop();
        }
    }

    private void writeKey(JavaType type, String text) throws CallException {
        boolean asItIs = type.kind() == JavaType.Kind.STRING
                || type.kind() == JavaType.Kind.ANY
                || type.kind() == JavaType.Kind.UNKNOWN;
        if (asItIs) {
            out.writeKey(text);
            return;
        }
        out.beginKey();
        if (!ScalarJson.writeKey(out, type, text)) {
            throw refused("key " + Quoted.text(text), type.name());
        }
        out.endKey();
    }

    private void writePairs(JavaType type) throws IOException, CallException {
        int index = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            path.push(index++);
            boolean pair = json.currentToken() == JsonToken.START_ARRAY && json.nextToken() != JsonToken.END_ARRAY;
            if (pair) {
                out.beginKey();
                write(type.key(), false);
                out.endKey();
                pair = json.nextToken() != JsonToken.END_ARRAY;
            }
            if (pair) {
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
        JavaType type = declared;
        json.nextToken();
        if (json.currentToken() == JsonToken.FIELD_NAME
                && json.currentName().equals(CLASS)
                && !declared.fields().containsKey(CLASS)) {
            json.nextToken();
            type = named(declared);
            json.nextToken();
        }
        beginObject(type);
        for (; json.currentToken() != JsonToken.END_OBJECT; json.nextToken()) {
            String name = json.currentName();
            JavaType field = type.fields().get(name);
            path.push(name);
            if (field == null) {
                throw refused(
                        "unknown field",
                        "one of " + String.join(", ", type.fields().keySet()));
            }
            out.writeKey(name);
            json.nextToken();
            write(field, true);
            path.pop();
        }
        out.endMap();
        return true;
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

    /** The class that the object names: it must be defined by the service, or it could be any class. */
    private JavaType named(JavaType declared) throws IOException, CallException {
        String name = json.currentToken() == JsonToken.VALUE_STRING ? json.getText() : "";
        JavaType type = name.equals(declared.className()) ? declared : types.definedClass(name);
        // A subclass has all fields of its superclass; nothing else is known of subclasses.
        boolean fits = type != null
                && type.fields().keySet().containsAll(declared.fields().keySet())
                && (generic || types.isNative(type));
        if (!fits) {
            path.push(CLASS);
            throw refused(describe(), "a class of the service whose fields are all known, as " + declared.className());
        }
        return type;
    }

    private boolean copy(boolean digits) throws IOException {
        if (digits) {
            JsonValues.copyDigits(json, out);
        } else {
            JsonValues.copy(json, out);
        }
        return true;
    }

    private CallException refused(JavaType type) throws IOException {
        String constants = type.kind() == JavaType.Kind.ENUM
                ? ", one of " + String.join(", ", type.definition().constants())
                : "";
        return refused(describe(), type.name() + constants);
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
