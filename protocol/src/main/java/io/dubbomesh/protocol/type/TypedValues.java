package io.dubbomesh.protocol.type;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.constraint.ConstraintCheck;
import io.dubbomesh.protocol.definition.Containers;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.LateClasses;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Converts JSON to values of declared types, token by token. A value that does not fit is refused with a BAD_ARGUMENT
 * that names the path, the value and the type. Owned by one event loop.
 */
final class TypedValues {
    private static final int MAX_NAME = 200;
    private static final String CLASS = JsonValues.CLASS;
    private static final Constraint VALID = new Constraint.Valid();

    private final JavaTypes types;
    private final ValuePath path;
    private final boolean providerConverts;
    private final boolean convertsObjects;
    private final boolean convertsRecords;
    private final boolean byInvoke;
    private final boolean isForGenericService;
    /** Whether values that certainly violate constraints are refused. */
    private final boolean validates;

    private final LateClasses lateClasses = new LateClasses();

    private ValueWriter out;
    private JsonParser json;
    /** The number of objects around the current value that the reader makes, and not the provider that converts. */
    private int nativeObjects;
    /**
     * Whether the reader of fastjson2 knows the classes of elements, and takes none that names its own: in the fields
     * of an object, unless its class has type arguments that no field declares.
     */
    private boolean elementsAreKnown;
    /** Whether the fields of the current value's objects are validated. */
    private boolean validatesFields;
    /** The constraints of the elements of the list or map that is written next. */
    private List<Constraint> ofElements = List.of();
    /** The number of elements or entries of the list or map that was written last. */
    private int lastSize;

    /** @param validates whether values that certainly violate constraints are refused */
    TypedValues(JavaTypes types, ValuePath path, Receiver receiver, boolean validates) {
        this.types = types;
        this.path = path;
        providerConverts = receiver.converts();
        convertsObjects = receiver.convertsObjects();
        convertsRecords = receiver == Receiver.CONVERTER_OF_MAPS;
        byInvoke = receiver.isCalledByInvoke();
        isForGenericService = receiver == Receiver.GENERIC_SERVICE;
        this.validates = validates;
    }

    /** Begins the JSON text with the values that are written next, which is not changed until {@link #end}. */
    void begin(ByteBuf text, int offset, int length) {
        lateClasses.begin(text, offset, length);
    }

    void end() {
        lateClasses.end();
    }

    /**
     * Writes the value whose first token is the parser's current one, up to its last token.
     *
     * @param known the class that the reader knows of the value, from a declaration
     * @param constraints of the parameter
     */
    void write(ValueWriter out, JavaType type, String known, List<Constraint> constraints, JsonParser json)
            throws IOException, CallException {
        this.out = out;
        this.json = json;
        nativeObjects = 0;
        elementsAreKnown = false;
        ofElements = List.of();
        if (!known.equals(type.className()) && type.kind() == JavaType.Kind.OBJECT) {
            requireNamed(type);
        }
        // Dubbo validates all arguments and their elements, and what is in their fields only if it is @Valid.
        validatesFields = validates;
        write(type, known, constraints);
    }

    private void write(JavaType type, String known, List<Constraint> constraints) throws IOException, CallException {
        if (!validates || constraints.isEmpty()) {
            write(type, known);
            return;
        }
        JsonToken token = json.currentToken();
        requireSatisfied(
                token == JsonToken.VALUE_NULL
                        ? ConstraintCheck.ofNull(constraints)
                        : token.isScalarValue() ? violated(type, constraints, json.getText()) : null);
        boolean hasElements = type.kind() == JavaType.Kind.MAP
                || token == JsonToken.START_ARRAY
                        && (type.kind() == JavaType.Kind.LIST || type.kind() == JavaType.Kind.ARRAY);
        ofElements = hasElements && token != JsonToken.VALUE_NULL ? Constraint.ofElements(constraints) : List.of();
        write(type, known);
        if (hasElements && token != JsonToken.VALUE_NULL) {
            boolean mayShrink =
                    type.kind() == JavaType.Kind.MAP || type.className().contains("Set");
            requireSatisfied(
                    ConstraintCheck.ofSize(constraints, lastSize, mayShrink ? Math.min(lastSize, 1) : lastSize));
        }
    }

    /** Checks a value that is plain text. */
    void requireSatisfied(JavaType type, List<Constraint> constraints, String text) throws CallException {
        requireSatisfied(violated(type, constraints, text));
    }

    private static Constraint violated(JavaType type, List<Constraint> constraints, String text) {
        if (type.kind() == JavaType.Kind.STRING) {
            return ConstraintCheck.ofText(constraints, text);
        }
        BigDecimal number = type.kind().number(text);
        return number == null ? null : ConstraintCheck.ofNumber(constraints, number);
    }

    /** @param violated null if no constraint is */
    private void requireSatisfied(Constraint violated) throws CallException {
        if (violated != null) {
            throw new CallException(Outcome.VALIDATION_FAILED, path + ": " + violated.message());
        }
    }

    /** Writes a value that is text without quotes, as a key of a map; returns false if it does not fit the type. */
    boolean writeText(ValueWriter out, JavaType type, String text) {
        return type.kind() == JavaType.Kind.ENUM
                ? writeConstant(out, type, text)
                : ScalarJson.writeText(out, type, text);
    }

    /**
     * @param known the class that the reader knows of the value: that which a field declares, and nothing but Object of
     *     a list's elements
     */
    private void write(JavaType type, String known) throws IOException, CallException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            if (type.isPrimitive()) {
                throw refused(type);
            }
            out.writeNull();
            return;
        }
        if (JavaTypes.isMadeByNobody(type)) {
            throw refused(
                    describe(), "null, since no version of Dubbo makes a " + type.className() + " of what it is sent");
        }
        boolean fits;
        try {
            fits = switch (type.kind()) {
                case ARRAY ->
                    writeList(
                            isMadeByProvider(type) ? null : ReaderTypes.ofArray(type, known),
                            type.element(),
                            type.element().className());
                case LIST ->
                    writeList(
                            isMadeByProvider(type) ? null : ReaderTypes.ofList(type, known),
                            type.element(),
                            ReaderTypes.ANYTHING);
                case MAP -> writeMap(type, known);
                case OBJECT -> token == JsonToken.START_OBJECT && writeObject(type);
                case INTERFACE -> writeInterface(type);
                case ANY -> fitsBound(type, token) && writeAny(type, known);
                case UNKNOWN -> copy();
                case ENUM -> writeEnum(type);
                default -> writeScalar(type, known);
            };
        } catch (IllegalArgumentException e) {
            throw new CallException(Outcome.BAD_ARGUMENT, path + ": " + e.getMessage());
        }
        if (!fits) {
            throw refused(type);
        }
    }

    /** The reader of an element knows no class of it, and makes text or a Date of what has none. */
    private boolean writeScalar(JavaType type, String known) throws IOException {
        nameClass(type, known);
        return ScalarJson.write(out, type, json);
    }

    private void nameClass(JavaType type, String known) {
        if (isConverted() || known.equals(ReaderTypes.ANYTHING) && !elementsAreKnown) {
            out.nameClass(type.className());
        }
    }

    /** Returns whether the provider that converts gets the current value, and not the reader of an object around it. */
    private boolean isConverted() {
        return providerConverts && nativeObjects == 0;
    }

    /** Returns whether such a value can be one of a type that is nothing but a bound of others. */
    private static boolean fitsBound(JavaType type, JsonToken token) {
        return switch (type.className()) {
            case "java.lang.Number" -> token.isNumeric();
            case "java.lang.Comparable" -> token.isScalarValue();
            default -> true;
        };
    }

    /** Then it is written without a type, since its parts have other types before. */
    private boolean isMadeByProvider(JavaType type) {
        boolean isObject = convertsObjects && (convertsRecords || !type.isRecord());
        return isConverted() && (isObject || !types.isNative(type) || !out.namesClasses());
    }

    private boolean writeList(String className, JavaType element, String known) throws IOException, CallException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return false;
        }
        List<Constraint> constraints = takeElementConstraints();
        int begin = out.beginList(className);
        int length = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            path.push(length++);
            write(element, known, constraints);
            path.pop();
        }
        out.endList(begin, length);
        lastSize = length;
        return true;
    }

    /** An object whose members' names are the keys as text, or a list of pairs with keys of any type. */
    private boolean writeMap(JavaType type, String known) throws IOException, CallException {
        boolean pairs = json.currentToken() == JsonToken.START_ARRAY;
        if (!pairs && json.currentToken() != JsonToken.START_OBJECT) {
            return false;
        }
        if (isConverted()) {
            requireConvertible(type, known);
            beginMap(ReaderTypes.ofConvertedMap(type));
        } else {
            beginMap(isMadeByProvider(type) ? null : ReaderTypes.ofMap(type, known));
        }
        if (pairs) {
            writePairs(type);
        } else {
            writeMembers(type);
        }
        out.endMap();
        return true;
    }

    /**
     * Throws for a map of which a generic call makes another thing, or nothing: it takes the second of two type
     * arguments of every map that has any.
     */
    private void requireConvertible(JavaType type, String known) throws CallException {
        if (!known.equals(ReaderTypes.ANYTHING) && !known.equals(type.className()) && !Containers.isMap(known)) {
            throw refusedAsProxy(known);
        }
        if (type.definition() != null && TypeNames.arguments(type.name()).size() == 1) {
            throw refused(
                    "{...}",
                    "null, since a generic call of Dubbo makes no " + type.className()
                            + ", and another part of this call makes it generic");
        }
    }

    private CallException refusedAsProxy(String known) {
        return refused(
                "{...}", "no object: of one for " + known + ", Dubbo's generic call makes a proxy without values");
    }

    private void beginMap(String className) {
        if (className == null) {
            out.beginMap();
        } else {
            out.beginMap(className);
        }
    }

    private void writeMembers(JavaType type) throws IOException, CallException {
        List<Constraint> constraints = takeElementConstraints();
        int size = 0;
        for (; json.nextToken() != JsonToken.END_OBJECT; size++) {
            String name = json.currentName();
            json.nextToken();
            requireNoClassName(name);
            path.push(name);
            writeKey(type.key(), name);
            write(type.element(), ReaderTypes.ANYTHING, constraints);
            path.pop();
        }
        lastSize = size;
    }

    private void writeKey(JavaType type, String text) throws CallException {
        boolean isInterface = type.kind() == JavaType.Kind.INTERFACE;
        if (isInterface && !providerConverts) {
            throw NotNativeException.CONVERTED;
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
        nameClass(type, ReaderTypes.ANYTHING);
        if (!writeText(out, type, text)) {
            throw refused("key " + Quoted.text(text), ScalarJson.expected(type));
        }
        out.endKey();
    }

    private List<Constraint> takeElementConstraints() {
        List<Constraint> taken = ofElements;
        ofElements = List.of();
        return taken;
    }

    private void writePairs(JavaType type) throws IOException, CallException {
        List<Constraint> constraints = takeElementConstraints();
        int index = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            path.push(index++);
            boolean pair = json.currentToken() == JsonToken.START_ARRAY && json.nextToken() != JsonToken.END_ARRAY;
            String key = pair && json.currentToken() == JsonToken.VALUE_STRING ? json.getText() : "";
            if (pair) {
                out.beginKey();
                write(type.key(), ReaderTypes.ANYTHING);
                out.endKey();
                pair = json.nextToken() != JsonToken.END_ARRAY;
            }
            if (pair) {
                requireNoClassName(key);
                write(type.element(), ReaderTypes.ANYTHING, constraints);
                pair = json.nextToken() == JsonToken.END_ARRAY;
            }
            if (!pair) {
                throw refused(describe(), "a pair [key, value] of " + type.name());
            }
            path.pop();
        }
        lastSize = index;
    }

    private boolean writeObject(JavaType declared) throws IOException, CallException {
        json.nextToken();
        if (declared.fields().containsKey(CLASS)) {
            if (declared.definition().isAbstract()) {
                throw refused("{...}", "the member " + CLASS + ", " + namesFor(declared));
            }
            writeFields(declared, elementsAreKnown, false);
            return true;
        }
        if (isName(CLASS)) {
            json.nextToken();
            writeNamed(subclass(declared), declared);
            return true;
        }
        LateClasses.Member late = mayBeOther(declared) ? findLateClass() : null;
        if (late != null) {
            writeLateNamed(subclass(declared, late), declared);
        } else if (declared.definition().isAbstract()) {
            throw refused("{...}", "the member " + CLASS + ", " + namesFor(declared));
        } else {
            writeFields(declared, elementsAreKnown, true);
        }
        return true;
    }

    /** Returns whether an object of the declared class may be of another one; else any member may name it. */
    private static boolean mayBeOther(JavaType declared) {
        Set<String> subclasses = declared.definition().subclasses();
        return subclasses == null
                || !subclasses.isEmpty()
                || declared.definition().isAbstract();
    }

    /**
     * Returns the member of the current object that names its class, if that is not the first one; null if there is
     * none.
     */
    private LateClasses.Member findLateClass() throws IOException {
        return json.currentToken() == JsonToken.FIELD_NAME ? lateClasses.find(json) : null;
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
            } else {
                LateClasses.Member late = findLateClass();
                String name = late == null ? null : late.className();
                if (name != null && (JsonValues.isClassName(name) || types.subclass(declared, name) != null)) {
                    writeLateNamed(subclass(declared, late), declared);
                    return true;
                }
            }
        }
        if (!providerConverts) {
            throw NotNativeException.CONVERTED;
        }
        return isObject ? writeMap(null, atClass) : copy();
    }

    /** Returns the type of the elements of a list for a variable, whose classes are not known either. */
    private static JavaType elementOf(JavaType any) {
        return any.isVariable() ? any : JavaTypes.ANY;
    }

    /** Writes a value of no declared class; an object in it may name a class of the service. */
    private boolean writeAny(JavaType declared, String known) throws IOException, CallException {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            return writeList(ReaderTypes.ofList(known), elementOf(declared), ReaderTypes.ANYTHING);
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
        } else {
            LateClasses.Member late = findLateClass();
            JavaType type = late == null || late.className() == null ? null : types.definedClass(late.className());
            if (type != null) {
                writeLateNamed(type, null);
                return true;
            }
        }
        if (declared.isVariable() && !isForGenericService) {
            throw refused(
                    "{...}",
                    "the member class with a class of the service, since the report of the types does not tell what "
                            + declared.name() + " stands for, or class files in dubbo.api.jars of the agent");
        }
        String className = ReaderTypes.ofMap(known);
        if (className != null && providerConverts && nativeObjects == 0) {
            throw refusedAsProxy(known);
        }
        return writeMap(className, atClass);
    }

    /**
     * @param className null for none
     * @param atClass whether the current token is the value of the first member, {@code class}, and not a name
     */
    private boolean writeMap(String className, boolean atClass) throws IOException, CallException {
        beginMap(className);
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
        write(JavaTypes.ANY, ReaderTypes.ANYTHING);
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
     * Returns the class that the object names: it must be defined by the service and extend the declared one, or it
     * could be any class.
     */
    private JavaType subclass(JavaType declared) throws IOException, CallException {
        JavaType type = json.currentToken() == JsonToken.VALUE_STRING ? types.subclass(declared, json.getText()) : null;
        if (type == null) {
            path.push(CLASS);
            throw refused(describe(), namesFor(declared));
        }
        return type;
    }

    private JavaType subclass(JavaType declared, LateClasses.Member late) throws CallException {
        JavaType type = late.className() == null ? null : types.subclass(declared, late.className());
        if (type == null) {
            path.push(CLASS);
            String value = late.className() == null ? Quoted.plain(late.other(), 64) : Quoted.text(late.className());
            throw refused(value, namesFor(declared));
        }
        return type;
    }

    /** Writes the rest of an object whose class's name is the current token. */
    private void writeNamed(JavaType type, JavaType declared) throws IOException, CallException {
        json.nextToken();
        writeNamed(type, declared, false);
    }

    /** Writes an object whose class a later member than the current one names. */
    private void writeLateNamed(JavaType type, JavaType declared) throws IOException, CallException {
        writeNamed(type, declared, true);
    }

    /** @param isLate whether the member that names the class is to come */
    private void writeNamed(JavaType type, JavaType declared, boolean isLate) throws IOException, CallException {
        if (type != declared) {
            requireTrusted(type);
            requireNamed(type);
        }
        if (type.kind() == JavaType.Kind.ENUM) {
            writeNamedConstant(type, isLate);
        } else {
            writeFields(type, type == declared && elementsAreKnown, isLate);
        }
    }

    /**
     * Throws for a class that is known as a subclass only. The readers of Dubbo 3.2 and later trust the classes that a
     * service's methods mention, and silently take the declared class for another, or a map. What converts generic
     * calls makes it, or says that it must not. It makes no records.
     */
    private void requireTrusted(JavaType type) throws CallException {
        if (!type.isRecord() && !type.definition().isMentioned() && !(convertsObjects && isConverted())) {
            requireObjects("no class that no method of the service mentions");
        }
    }

    /** Throws unless the reader learns that an object is of this class, and not of that which it expects. */
    private void requireNamed(JavaType type) {
        if (!providerConverts && !(types.isNative(type) && out.namesClasses())) {
            throw NotNativeException.CONVERTED;
        }
    }

    /**
     * @param isKnown  whether the reader knows the type arguments, if there are any
     * @param mayName whether a member may name the class, which is this one
     */
    private void writeFields(JavaType type, boolean isKnown, boolean mayName) throws IOException, CallException {
        List<String> components = null;
        boolean isNative = !isMadeByProvider(type);
        if (isNative && !type.isRecord() && isReadByAnnotations(type)) {
            requireObjects("no object whose class has annotations for JSON");
        }
        nativeObjects += isNative ? 1 : 0;
        boolean areKnownAround = elementsAreKnown;
        elementsAreKnown = isKnown || !type.isGeneric();
        if (type.isRecord() && isNative) {
            components = new ArrayList<>();
            out.beginRecord(type.className());
        } else {
            beginObject(type);
        }
        boolean[] given = new boolean[type.fieldNames().size()];
        boolean isClassGiven = !mayName;
        for (; json.currentToken() != JsonToken.END_OBJECT; json.nextToken()) {
            String spelling = json.currentName();
            path.push(spelling);
            int index = type.indexOf(spelling);
            if (index < 0) {
                if (isClassGiven || !spelling.equals(CLASS)) {
                    throw refusedField(type, spelling);
                }
                requireClass(type);
                isClassGiven = true;
                path.pop();
                continue;
            }
            String name = type.fieldNames().get(index);
            if (given[index]) {
                throw refused("the field a second time", "each once, by its name " + name + " or that of its property");
            }
            given[index] = true;
            if (components == null) {
                out.writeKey(name);
            } else {
                out.writeComponentName(name);
                components.add(name);
            }
            json.nextToken();
            requireNoClassName(name);
            writeField(type, name);
            path.pop();
        }
        if (validatesFields) {
            requireGiven(type, given);
        }
        nativeObjects -= isNative ? 1 : 0;
        elementsAreKnown = areKnownAround;
        if (isNative) {
            requireAssigned(type, given);
        }
        if (components == null) {
            out.endMap();
        } else {
            out.endRecord(components);
        }
    }

    /** Reads the member that names the class, which has been looked for where it could be another one. */
    private void requireClass(JavaType type) throws IOException, CallException {
        boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
        if (!isText || !json.getText().equals(type.className())) {
            throw refused(describe(), namesFor(type));
        }
    }

    private void writeField(JavaType type, String name) throws IOException, CallException {
        boolean areValidated = validatesFields;
        List<Constraint> constraints =
                areValidated ? type.definition().facts().constraints().getOrDefault(name, List.of()) : List.of();
        validatesFields = constraints.contains(VALID);
        write(type.fields().get(name), type.declaredClass(name), constraints);
        validatesFields = areValidated;
    }

    /** Throws if a field is missing that is null or zero then, and must not be. */
    private void requireGiven(JavaType type, boolean[] given) throws CallException {
        for (Map.Entry<String, List<Constraint>> constrained :
                type.definition().facts().constraints().entrySet()) {
            String name = constrained.getKey();
            int index = type.indexOf(name);
            boolean isAssigned = type.definition().facts().assigned().contains(name);
            if (index >= 0 && !given[index] && !isAssigned) {
                JavaType field = type.fields().get(name);
                Constraint violated = !field.isPrimitive()
                        ? ConstraintCheck.ofNull(constrained.getValue())
                        : violated(field, constrained.getValue(), "0");
                if (violated != null) {
                    path.push(name);
                    requireSatisfied(violated);
                }
            }
        }
    }

    /**
     * Throws if a field is missing to which the class's constructor assigns a value: the reader of Dubbo 3.3 makes
     * objects without a constructor.
     */
    private void requireAssigned(JavaType type, boolean[] given) throws CallException {
        for (int field : type.assignedFields()) {
            if (!given[field]) {
                requireObjects("also the field " + type.fieldNames().get(field));
            }
        }
    }

    /** @param expected instead of an object that the provider must make, but cannot since it is part of a record */
    private void requireObjects(String expected) throws CallException {
        if (!convertsObjects) {
            throw NotNativeException.AS_OBJECTS;
        }
        throw refused("{...}", expected + ", since it is in a record and no generic call makes records");
    }

    private boolean isReadByAnnotations(JavaType type) {
        return out.isReadByAnnotations() && type.definition().facts().areForJson();
    }

    private CallException refusedField(JavaType type, String name) {
        return name.equals(CLASS)
                ? refused("the class a second time", "once")
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
     * Writes an enum's constant as an object of its class and its {@code name}, where the declared type does not tell
     * the enum.
     */
    private void writeNamedConstant(JavaType type, boolean isLate) throws IOException, CallException {
        boolean hasName = isName("name") && json.nextToken() == JsonToken.VALUE_STRING;
        String constant = hasName ? json.getText() : "";
        json.nextToken();
        if (isLate && isName(CLASS)) {
            json.nextToken();
            json.nextToken();
        }
        if (!type.definition().constants().contains(constant) || json.currentToken() != JsonToken.END_OBJECT) {
            throw refused(
                    "{...}",
                    "the members " + CLASS + " and name, one of "
                            + String.join(", ", type.definition().constants()));
        }
        if (!(convertsObjects && isConverted()) && out.namesClasses()) {
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
        if (convertsObjects && isConverted()) {
            out.writeString(constant);
        } else {
            out.writeEnum(type.className(), constant);
        }
        return true;
    }

    /** Returns the classes that an object of the declared type may name. */
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
