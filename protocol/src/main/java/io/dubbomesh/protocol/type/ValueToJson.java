package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.type.JavaType.Kind;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.CostlyValueException;
import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ObjectReader;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.ValueReader;
import io.netty.buffer.ByteBuf;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes the values of any format as JSON in one pass, with the declared type beside the bytes: the JSON of a value is
 * a function of the value and its Java type. No graph of objects is built, no class is loaded.
 *
 * <ul>
 *   <li>Objects have no class name unless {@link ClassNames} says otherwise. A field has the name that its class gives
 *       it, and a null field is there, if the class is known.
 *   <li>An enum constant is its name. Where the class is not known, an object whose only field is {@code name} counts
 *       as one if that could be the name of a constant: such bytes do not tell.
 *   <li>Dates and times are ISO 8601, those that are instants in UTC; binary data is base64; NaN and the infinities are
 *       strings.
 *   <li>A map whose keys are not all text (or enum constants) becomes a list of {@code [key, value]} pairs.
 *   <li>A referenced value is written again in the place of the reference; a value that contains itself is an error.
 *   <li>What has lost its value on the way, as an object of the JDK of which its properties are left, is an error.
 * </ul>
 *
 * What is written again by reference, and the text in total, are bounded. Reused; owned by one thread.
 */
public final class ValueToJson {
    private static final String CLASS = "class";
    private static final String JDK = "java.";
    private static final int MAX_NAME = 1024;
    /** The time of looking up the name of a field, for each char, and of making an object's table of fields. */
    private static final int NS_PER_CHAR = 5;

    private static final int NS_PER_FIELD = 10;
    /** The time of writing the number of a bit. */
    private static final int NS_PER_BIT = 15;

    private static final int FIRST_CLASSES = 16;
    /** A larger table is not kept for the next value. */
    private static final int MAX_KEPT_CLASSES = 1024;

    private final ValueReader reader;
    private final JsonWriter json;
    private final ScalarToJson scalars;
    private final ReadingTime time;

    private ClassNames classNames;
    private JavaTypes types;
    /** The classes by their number; null until the type of an object is asked for. */
    private ObjectClass[] objectClasses = new ObjectClass[FIRST_CLASSES];

    /**
     * The class of objects.
     *
     * @param declared where the last of them is
     * @param type     that it has there; null if it is not known
     * @param fields   the types of its fields, in the order of an object's values; null if they are not known
     */
    private record ObjectClass(String name, JavaType declared, JavaType type, JavaType[] fields) {}

    /** @param maxOutput no value may become longer than this, in bytes */
    public ValueToJson(ValueReader reader, int maxOutput) {
        this.reader = reader;
        time = reader.time();
        json = new JsonWriter(maxOutput, time);
        scalars = new ScalarToJson(reader, json);
    }

    /** Appends the next value as JSON; after a failure, the caller removes what was written. */
    public void writeJson(ByteBuf out, ClassNames classNames, DeclaredType declared) throws MalformedValueException {
        reader.beginValue();
        writePart(out, classNames, declared);
    }

    /** Writes a value of which no type is known. */
    public void writeJson(ByteBuf out, ClassNames classNames) throws MalformedValueException {
        writeJson(out, classNames, DeclaredType.UNKNOWN);
    }

    /** Writes a value like {@link #writeJson}, but a string without quotes and escapes. */
    public void writeText(ByteBuf out, ClassNames classNames, DeclaredType declared) throws MalformedValueException {
        reader.beginValue();
        write(out, classNames, declared, true);
    }

    /** Writes, like {@link #writeJson}, a part of the value that {@link ValueReader#beginValue} has begun. */
    public void writePart(ByteBuf out, ClassNames classNames, DeclaredType declared) throws MalformedValueException {
        write(out, classNames, declared, false);
    }

    private void write(ByteBuf out, ClassNames names, DeclaredType declared, boolean bare)
            throws MalformedValueException {
        classNames = names;
        types = declared.types();
        if (objectClasses.length > MAX_KEPT_CLASSES) {
            objectClasses = new ObjectClass[FIRST_CLASSES];
        } else if (types.areClassesKnown()) {
            Arrays.fill(objectClasses, null);
        }
        json.begin(out, bare);
        writeValue(declared.type());
        json.end();
    }

    private void writeValue(JavaType type) throws MalformedValueException {
        JavaType declared = held(type);
        ValueReader.Token token = reader.peek();
        switch (token) {
            case LIST -> writeList(declared);
            case MAP -> {
                if (declared != type && declared.kind().isText() && !classNames.isOfGenericCall()) {
                    throw reader.malformed("a " + type.className() + ", whose fields are not its value");
                }
                writeMap(declared);
            }
            case OBJECT -> writeObject(declared);
            case WRAPPER -> writeWrapper(declared);
            case BITS -> writeBits();
            case ENTRIES -> writeEntries(declared);
            case REFERENCE -> writeReference(declared);
            default -> scalars.write(token, declared);
        }
    }

    /**
     * Returns the type of the value that stands for one of this type. A BitSet may be bytes, and what it holds are
     * none.
     */
    private static JavaType held(JavaType type) {
        JavaType held = type;
        while (held.kind() == Kind.OPTIONAL
                || held.kind() == Kind.HOLDER && !held.className().equals(ScalarToJson.BIT_SET)) {
            held = held.element();
        }
        return held;
    }

    private void writeReference(JavaType declared) throws MalformedValueException {
        int target = reader.readReference();
        json.requireNotOpen(target);
        int resume = reader.position();
        reader.seek(target);
        json.beginReference();
        writeValue(declared);
        json.endReference(reader.position() - target);
        reader.seek(resume);
    }

    private void writeList(JavaType declared) throws MalformedValueException {
        if (declared.kind() == Kind.BYTES || declared.kind() == Kind.CHARS) {
            scalars.writeArray(declared.kind());
            return;
        }
        JavaType element = element(declared);
        json.open(reader.position());
        json.beginArray();
        int list = reader.beginList();
        for (int i = 0; reader.hasElement(i, list); i++) {
            writeValue(element);
        }
        json.endArray();
        json.close();
    }

    private static JavaType element(JavaType declared) {
        return declared.element() == null ? JavaTypes.ANY : declared.element();
    }

    private static JavaType key(JavaType declared) {
        return declared.key() == null ? JavaTypes.ANY : declared.key();
    }

    private void writeWrapper(JavaType declared) throws MalformedValueException {
        json.open(reader.position());
        int wrapper = reader.objects().beginWrapper();
        writeValue(declared);
        reader.objects().endWrapper(wrapper);
        json.close();
    }

    private void writeBits() throws MalformedValueException {
        json.open(reader.position());
        int wrapper = reader.objects().beginWrapper();
        json.beginArray();
        int list = reader.beginList();
        for (int i = 0; reader.hasElement(i, list); i++) {
            long word = reader.readWhole();
            time.charge((long) Long.bitCount(word) * NS_PER_BIT);
            for (; word != 0; word &= word - 1) {
                json.writeLong((long) i * Long.SIZE + Long.numberOfTrailingZeros(word));
            }
        }
        json.endArray();
        reader.objects().endWrapper(wrapper);
        json.close();
    }

    // --- maps ---

    private void writeMap(JavaType declared) throws MalformedValueException {
        String named = reader.className();
        boolean isTyped = named != null;
        if (reader.writeTime(named == null ? declared.className() : named, json)) {
            return;
        }
        if (named == null && mayNameClass(declared)) {
            named = findClassEntry();
        }
        JavaType type = named == null ? declared : resolve(declared, named);
        if (type != null && type.kind() == Kind.OBJECT && types.areClassesKnown()) {
            writeFieldsByName(type, named);
            return;
        }
        int begin = reader.position();
        json.open(begin);
        reader.beginMap();
        int object = json.beginObject();
        if (classNames == ClassNames.WRITE && isTyped && isShown(named)) {
            writeClass(named);
        }
        writeEntries(declared, begin, object);
        json.close();
    }

    /** Maps and the exceptions of the JDK name a class too; maps are not objects for a caller. */
    private static boolean isShown(String className) {
        return className.indexOf('.') >= 0 && !className.startsWith("java.util.");
    }

    private void writeClass(String className) throws MalformedValueException {
        json.writeText(CLASS);
        json.endKey();
        json.writeText(className);
    }

    private void writeEntries(JavaType declared, int begin, int object) throws MalformedValueException {
        JavaType key = key(declared);
        JavaType value = element(declared);
        String ofClass = null;
        int members = 0;
        for (int i = 0; reader.hasEntry(i); i++) {
            String named = classNames == ClassNames.REMOVE ? readClassEntry() : null;
            if (named != null) {
                ofClass = named;
                continue;
            }
            if (!writeKey(key)) {
                json.chargeReread(reader.position() - begin);
                reader.seek(begin);
                json.restartAsArray(object);
                writePairs(key, value);
                return;
            }
            reader.endKey();
            json.endKey();
            writeValue(value);
            members++;
        }
        json.endObject();
        if (ofClass != null) {
            requireValue(ofClass, members);
        }
    }

    /** Reads an entry with the key {@code class} and a text, if it comes next; returns the text, or null. */
    private String readClassEntry() throws MalformedValueException {
        int entry = reader.position();
        if (reader.peek() == ValueReader.Token.TEXT && reader.isText(CLASS)) {
            reader.skip();
            reader.endKey();
            if (reader.peek() == ValueReader.Token.TEXT) {
                return reader.readText(MAX_NAME);
            }
            reader.seek(entry);
        }
        return null;
    }

    /**
     * Dubbo's generic call makes a map of every object's properties. Some objects have none that tell their value.
     *
     * @param members properties besides the class
     */
    private void requireValue(String className, int members) throws MalformedValueException {
        boolean isOfJdk = className.startsWith(JDK);
        if (isOfJdk && !isBean(className) || members == 0 && className.indexOf('.') > 0) {
            throw new MalformedValueException("of a " + className + " in its result, Dubbo's generic call sends "
                    + (members == 0 ? "nothing but the class" : "properties and not the value")
                    + (types.areClassesKnown()
                            ? ""
                            : "; with the class files of the service (dubbo.api.jars), calls need not be generic"));
        }
    }

    /** Returns whether the properties of a class of the JDK are its value. */
    private static boolean isBean(String className) {
        return className.startsWith("java.util.AbstractMap$Simple")
                || className.endsWith("Exception")
                || className.endsWith("Error")
                || className.equals("java.lang.StackTraceElement");
    }

    /** Writes the entries of a map as elements of the array that was begun. */
    private void writePairs(JavaType key, JavaType value) throws MalformedValueException {
        reader.beginMap();
        for (int i = 0; reader.hasEntry(i); i++) {
            json.beginArray();
            writeValue(key);
            reader.endKey();
            writeValue(value);
            json.endArray();
        }
        json.endArray();
    }

    /** Writes a key that can be written as text; if it cannot, nothing is written. */
    private boolean writeKey(JavaType type) throws MalformedValueException {
        JavaType declared = held(type);
        ValueReader.Token token = reader.peek();
        switch (token) {
            case OBJECT -> {
                return writeConstantKey(declared);
            }
            case WRAPPER -> {
                int begin = reader.position();
                int wrapper = reader.objects().beginWrapper();
                if (reader.peek() != ValueReader.Token.TEXT) {
                    reader.seek(begin);
                    return false;
                }
                reader.writeScalar(json);
                reader.objects().endWrapper(wrapper);
                return true;
            }
            case REFERENCE -> {
                int target = reader.readReference();
                int resume = reader.position();
                reader.seek(target);
                boolean written = reader.peek() != ValueReader.Token.REFERENCE && writeKey(declared);
                json.chargeReread(reader.position() - target);
                reader.seek(resume);
                return written;
            }
            default -> {
                if (!scalars.isText(token, declared)) {
                    return false;
                }
                scalars.write(token, declared);
                return true;
            }
        }
    }

    private boolean writeConstantKey(JavaType declared) throws MalformedValueException {
        int begin = reader.position();
        int object = reader.objects().beginObject();
        if (isConstant(typeOf(object, declared), object)) {
            reader.writeScalar(json);
            return true;
        }
        reader.seek(begin);
        return false;
    }

    /** Writes the entries of an object that stands for a map. */
    private void writeEntries(JavaType declared) throws MalformedValueException {
        int begin = reader.position();
        json.open(begin);
        int[] lists = reader.objects().readEntries();
        int end = reader.position();
        // Before its parts, which may have others in them.
        json.chargeReread(end - begin);
        int object = json.beginObject();
        if (writeEntries(declared, lists, false)) {
            json.endObject();
        } else {
            json.chargeReread(end - begin);
            json.restartAsArray(object);
            writeEntries(declared, lists, true);
            json.endArray();
        }
        reader.seek(end);
        json.close();
    }

    /** @return false if they are to be pairs */
    private boolean writeEntries(JavaType declared, int[] lists, boolean pairs) throws MalformedValueException {
        int keys = beginList(lists[0]);
        int nextKey = reader.position();
        int values = beginList(lists[1]);
        int nextValue = reader.position();
        for (int i = 0; ; i++) {
            reader.seek(nextKey);
            boolean more = reader.hasElement(i, keys);
            if (more && pairs) {
                json.beginArray();
                writeValue(key(declared));
            } else if (more) {
                if (!writeKey(key(declared))) {
                    return false;
                }
                json.endKey();
            }
            nextKey = reader.position();
            reader.seek(nextValue);
            if (more != reader.hasElement(i, values)) {
                throw reader.malformed("keys and values that are not as many");
            }
            if (!more) {
                return true;
            }
            writeValue(element(declared));
            nextValue = reader.position();
            if (pairs) {
                json.endArray();
            }
        }
    }

    private int beginList(int position) throws MalformedValueException {
        reader.seek(position);
        if (reader.peek() == ValueReader.Token.REFERENCE) {
            reader.seek(reader.readReference());
            reader.peek();
        }
        return reader.beginList();
    }

    // --- objects ---

    /** Returns whether a map may be the fields of an object, with the name of its class as one of the entries. */
    private boolean mayNameClass(JavaType declared) {
        return declared.kind() == Kind.OBJECT
                || declared.kind() == Kind.INTERFACE
                || classNames.isOfGenericCall() && types.areClassesKnown() && declared.kind() != Kind.MAP;
    }

    /** Returns the text with the key {@code class} in the map that comes next; null if there is none. */
    private String findClassEntry() throws MalformedValueException {
        int begin = reader.position();
        String found = null;
        reader.beginMap();
        for (int i = 0; found == null && reader.hasEntry(i); i++) {
            found = readClassEntry();
            if (found == null) {
                reader.skip();
                reader.endKey();
                reader.skip();
            }
        }
        json.chargeReread(reader.position() - begin);
        reader.seek(begin);
        reader.peek();
        return found;
    }

    /**
     * Returns the class of this name where another one is declared. If it is not known, it is the declared class, whose
     * fields it has beside others; null if that is none.
     */
    private JavaType resolve(JavaType declared, String className) throws CostlyValueException {
        if (className.equals(declared.className())) {
            return declared.kind() == Kind.UNKNOWN ? null : declared;
        }
        boolean isDeclared = declared.kind() == Kind.OBJECT || declared.kind() == Kind.INTERFACE;
        if (isDeclared) {
            time.charge((long) declared.fields().size() * NS_PER_FIELD);
        }
        JavaType type = isDeclared ? types.subclass(declared, className) : null;
        if (type == null) {
            type = types.definedClass(className);
        }
        return type == null && declared.kind() == Kind.OBJECT ? declared : type;
    }

    /** @param named the class that the value names, which may be a subclass that is not known; or null */
    private void writeFieldsByName(JavaType type, String named) throws MalformedValueException {
        Map<String, JavaType> fields = type.fields();
        time.charge((long) fields.size() * NS_PER_FIELD);
        json.open(reader.position());
        reader.beginMap();
        json.beginObject();
        String className = named == null && isClassOf(type) ? type.className() : named;
        if (classNames.areWritten() && className != null) {
            writeClass(className);
        }
        List<String> names = type.fieldNames();
        boolean[] written = new boolean[names.size()];
        // Generic calls send what getters compute too.
        boolean isExact = classNames.isOfGenericCall() && type.className().equals(named);
        int known = 0;
        int unknown = 0;
        for (int i = 0; reader.hasEntry(i); i++) {
            if (reader.peek() != ValueReader.Token.TEXT) {
                throw reader.malformed("the name of a field that is no text");
            }
            String spelling = reader.readText(MAX_NAME);
            time.charge((long) spelling.length() * NS_PER_CHAR);
            reader.endKey();
            int field = type.indexOf(spelling);
            if (field < 0 ? isExact || isOfNoValue(spelling) : written[field]) {
                reader.skip();
                continue;
            }
            String name = field < 0 ? spelling : names.get(field);
            if (field < 0) {
                unknown++;
            } else {
                known++;
                written[field] = true;
            }
            json.writeText(name);
            json.endKey();
            writeValue(field < 0 ? JavaTypes.ANY : fields.get(name));
        }
        if (known == 0 && unknown > 0 && named == null) {
            throw reader.malformed("an object without any field of " + type.className());
        }
        if (!classNames.isOfGenericCall()) {
            writeAbsent(type, written);
        } else if (!fields.isEmpty()) {
            requireValue(type.className(), known + unknown);
        }
        json.endObject();
        json.close();
    }

    /** Returns whether a field says nothing of the value: its class, or the object around an inner class. */
    private static boolean isOfNoValue(String field) {
        return field.equals(CLASS) || field.startsWith(ObjectReader.OUTER_OBJECT);
    }

    /** Returns whether a value that names no class is of this declared one, and of no subclass. */
    private boolean isClassOf(JavaType type) {
        return reader.namesClasses()
                || type.definition().subclasses() != null
                        && type.definition().subclasses().isEmpty();
    }

    /** Writes the fields that a serialization leaves out since they have never been set. */
    private void writeAbsent(JavaType type, boolean[] written) throws MalformedValueException {
        for (int field = 0; field < written.length; field++) {
            if (!written[field] && type.isDefaultWhereAbsent(field)) {
                String name = type.fieldNames().get(field);
                json.writeText(name);
                json.endKey();
                scalars.writeDefault(type.fields().get(name));
            }
        }
    }

    private void writeObject(JavaType declared) throws MalformedValueException {
        json.open(reader.position());
        int object = reader.objects().beginObject();
        JavaType type = typeOf(object, declared);
        if (isConstant(type, object)) {
            reader.writeScalar(json);
        } else {
            writeFields(object, type == null ? null : objectClasses[object].fields);
        }
        json.close();
    }

    /** Returns the class of an object; null if it is not known. */
    private JavaType typeOf(int object, JavaType declared) throws MalformedValueException {
        if (!types.areClassesKnown()) {
            return null;
        }
        if (object >= objectClasses.length) {
            objectClasses = Arrays.copyOf(objectClasses, Math.max(object + 1, 2 * objectClasses.length));
        }
        ObjectClass known = objectClasses[object];
        if (known == null || known.declared != declared) {
            String name = known == null ? reader.objects().className(object) : known.name;
            JavaType type = resolve(declared, name);
            boolean hasFields = type != null && type.kind() == Kind.OBJECT;
            known = new ObjectClass(name, declared, type, hasFields ? fieldTypes(object, type) : null);
            objectClasses[object] = known;
        }
        return known.type;
    }

    private JavaType[] fieldTypes(int object, JavaType type) throws MalformedValueException {
        List<String> names = reader.objects().fieldNames(object);
        JavaType[] fields = new JavaType[names.size()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = type.fields().getOrDefault(names.get(i), JavaTypes.ANY);
        }
        return fields;
    }

    /** Returns whether an object that was begun is a constant of an enum. */
    private boolean isConstant(JavaType type, int object) throws MalformedValueException {
        if (!reader.objects().hasOnlyName(object) || reader.peek() != ValueReader.Token.TEXT) {
            return false;
        }
        return type == null ? scalars.isIdentifier() : type.kind() == Kind.ENUM;
    }

    /** @param types of the fields; null if they are not known */
    private void writeFields(int object, JavaType[] types) throws MalformedValueException {
        ObjectReader objects = reader.objects();
        json.beginObject();
        if (classNames.areWritten()) {
            writeClass(objects.className(object));
        }
        boolean[] hidden = objects.hiddenFields(object);
        int name = objects.beginFieldNames(object);
        for (int i = 0, count = objects.fieldCount(object); i < count; i++) {
            if (hidden != null && hidden[i]) {
                name = objects.skipFieldName(name);
                reader.skip();
            } else {
                name = objects.writeFieldName(name, json);
                writeValue(types == null ? JavaTypes.ANY : types[i]);
            }
        }
        json.endObject();
    }
}
