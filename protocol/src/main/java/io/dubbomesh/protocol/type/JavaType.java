package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A Java type: what is needed to write values of it. Made by {@link JavaTypes}; immutable from then on.
 */
public final class JavaType {
    /** The classes and interfaces of collections that a list of Hessian is of if nothing else is declared. */
    private static final Set<String> LISTS = Set.of(
            "java.util.List",
            "java.util.Collection",
            "java.lang.Iterable",
            "java.util.ArrayList",
            "java.util.AbstractList");

    private static final Set<String> MAPS = Set.of("java.util.Map", "java.util.HashMap", "java.util.AbstractMap");

    /** The kind of a value in JSON and for a writer. */
    public enum Kind {
        STRING,
        CHAR,
        BOOLEAN,
        BYTE,
        SHORT,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        BIG_INTEGER,
        BIG_DECIMAL,
        /** A {@link java.util.Date}, one of its subclasses in {@code java.sql}, or a {@link java.util.Calendar}. */
        DATE,
        /** One of {@link TimeText}. */
        TIME,
        /** One of {@link JdkText}. */
        TEXT,
        ENUM,
        BYTES,
        CHARS,
        ARRAY,
        /** A collection, also one that only extends or implements such. */
        LIST,
        /** Likewise. */
        MAP,
        /** One value or none of the element's type: {@link java.util.Optional} and the like. */
        OPTIONAL,
        /** A class of the JDK that stands for the one value of the element's type in it, as an AtomicInteger. */
        HOLDER,
        /** A class whose fields are known; abstract only if subclasses are known. */
        OBJECT,
        /** An interface of which classes are known that implement it. */
        INTERFACE,
        ANY,
        /** A class of which nothing is known: only the provider can make one, from any JSON. */
        UNKNOWN;

        private static final int MAX_NUMBER = 1_000;

        /** Returns whether a form has it as plain text only, and not as JSON. */
        boolean isText() {
            return switch (this) {
                case STRING, CHAR, BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, BIG_INTEGER, BIG_DECIMAL -> true;
                default -> false;
            };
        }

        /** Returns the number that a value of this kind becomes; null if it is none. */
        BigDecimal number(String text) {
            try {
                return switch (this) {
                    case BYTE, SHORT, INT, LONG, BIG_INTEGER, BIG_DECIMAL ->
                        text.length() > MAX_NUMBER ? null : new BigDecimal(text);
                    case FLOAT -> BigDecimal.valueOf(Float.parseFloat(text));
                    case DOUBLE -> BigDecimal.valueOf(Double.parseDouble(text));
                    default -> null;
                };
            } catch (NumberFormatException e) {
                return null;
            }
        }

        boolean isWhole() {
            return switch (this) {
                case BYTE, SHORT, INT, LONG, BIG_INTEGER -> true;
                default -> false;
            };
        }
    }

    private final Kind kind;
    private final String name;
    private final String className;
    private final boolean primitive;
    private final JavaType key;
    private final JavaType element;
    private final TypeDefinition definition;
    /** The fields of {@link Kind#OBJECT} and {@link Kind#INTERFACE}, null until it is linked; null for all others. */
    private Map<String, JavaType> fields;

    private List<String> fieldNames;
    /** The names of fields by other names that stand for them. */
    private Map<String, String> spellings;

    /** The name with type arguments. */
    private String use;

    /** The places of the fields, by all names that stand for them. */
    private Map<String, Integer> places;

    /** The names of subclasses, by those without type arguments. */
    private Map<String, String> subclasses;

    private int[] assignedFields;
    private boolean isGeneric;

    private JavaType(
            Kind kind,
            String name,
            String className,
            boolean primitive,
            JavaType key,
            JavaType element,
            TypeDefinition definition) {
        this.kind = kind;
        this.name = name;
        this.className = className;
        this.primitive = primitive;
        this.key = key;
        this.element = element;
        this.definition = definition;
    }

    /**
     * Returns whether a reader of Hessian makes a value of this type of what is written, without knowing the type. What
     * is in the fields of an object it reads by their types.
     */
    boolean isReadAsWritten() {
        return switch (kind) {
            case BYTE, SHORT, FLOAT, CHAR, CHARS, ARRAY -> false;
            case LIST -> LISTS.contains(className) && element.isReadAsWritten();
            case MAP -> MAPS.contains(className) && key.isReadAsWritten() && element.isReadAsWritten();
            default -> true;
        };
    }

    static JavaType scalar(Kind kind, String className, boolean primitive) {
        return new JavaType(kind, className, className, primitive, null, null, null);
    }

    /** Returns an {@link Kind#ANY} of unknown meaning. */
    static JavaType variable(String name) {
        return new JavaType(Kind.ANY, name, "java.lang.Object", false, null, null, null);
    }

    static JavaType array(JavaType component) {
        String name = component.name + "[]";
        Kind kind = switch (component.kind) {
            case BYTE -> component.primitive ? Kind.BYTES : Kind.ARRAY;
            case CHAR -> component.primitive ? Kind.CHARS : Kind.ARRAY;
            default -> Kind.ARRAY;
        };
        return new JavaType(kind, name, component.className + "[]", false, null, component, null);
    }

    static JavaType list(String name, String className, JavaType element) {
        return new JavaType(Kind.LIST, name, className, false, null, element, null);
    }

    /** Returns an {@link Kind#OPTIONAL} or {@link Kind#HOLDER}. */
    static JavaType holder(Kind kind, String name, String className, JavaType element) {
        return new JavaType(kind, name, className, false, null, element, null);
    }

    /** Returns a class that extends or implements a collection or a map. */
    static JavaType container(JavaType supertype, String name, TypeDefinition definition) {
        return new JavaType(
                supertype.kind, name, definition.name(), false, supertype.key, supertype.element, definition);
    }

    static JavaType map(String name, String className, JavaType key, JavaType value) {
        return new JavaType(Kind.MAP, name, className, false, key, value, null);
    }

    /** @param name with type arguments */
    static JavaType defined(Kind kind, String name, String className, TypeDefinition definition) {
        JavaType type = new JavaType(kind, definition.name(), className, false, null, null, definition);
        type.isGeneric = !name.equals(className);
        type.use = name;
        return type;
    }

    void link(Map<String, JavaType> ofFields) {
        fields = ofFields;
        fieldNames = List.copyOf(ofFields.keySet());
        isGeneric |= ofFields.values().stream().anyMatch(JavaType::hasVariable);
        spellings = FieldSpellings.of(ofFields, definition.facts().properties());
        subclasses = new HashMap<>();
        if (definition.subclasses() != null) {
            definition.subclasses().forEach(name -> subclasses.putIfAbsent(MethodDefinition.erased(name), name));
        }
        places = new HashMap<>();
        fieldNames.forEach(field -> places.put(field, places.size()));
        assignedFields = definition.facts().assigned().stream()
                .mapToInt(this::indexOf)
                .filter(field -> field >= 0)
                .sorted()
                .toArray();
        spellings.forEach((spelling, field) -> places.put(spelling, places.get(field)));
    }

    /** Returns whether it is a type variable of unknown meaning, as in a report. */
    public boolean isVariable() {
        return kind == Kind.ANY && !name.equals(className);
    }

    private boolean hasVariable() {
        return isVariable() || key != null && key.hasVariable() || element != null && element.hasVariable();
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the name as Java source has it, with type arguments where they are known. */
    String name() {
        return name;
    }

    /** Returns the name by which a class of the service is used: with type arguments where it is used with such. */
    public String use() {
        return use == null ? name : use;
    }

    /** Returns the name without type arguments. */
    public String className() {
        return className;
    }

    /** Returns whether null is refused. */
    public boolean isPrimitive() {
        return primitive;
    }

    /** Returns the type of the keys of a {@link Kind#MAP}. */
    public JavaType key() {
        return key;
    }

    /**
     * Returns the type of the elements of an array or {@link Kind#LIST}, of the values of a {@link Kind#MAP}, or of the
     * value of an {@link Kind#OPTIONAL} or {@link Kind#HOLDER}.
     */
    public JavaType element() {
        return element;
    }

    /**
     * Returns the definition of an {@link Kind#ENUM}, {@link Kind#OBJECT} or {@link Kind#INTERFACE}, and of a {@link
     * Kind#LIST} or {@link Kind#MAP} that is no class of the JDK.
     */
    public TypeDefinition definition() {
        return definition;
    }

    /** Returns the fields of an {@link Kind#OBJECT}. */
    public Map<String, JavaType> fields() {
        return fields;
    }

    /** Returns the names of the {@link #fields}, in order. */
    List<String> fieldNames() {
        return fieldNames;
    }

    /** Returns the place of the field that is meant by this name; -1 if there is none. */
    int indexOf(String spelling) {
        return places.getOrDefault(spelling, -1);
    }

    /**
     * Returns the name of the field that is meant by this name: its own, or else that of the property which its getter
     * and its setter make of it; null if there is none.
     */
    String field(String spelling) {
        return fields.containsKey(spelling) ? spelling : spellings.get(spelling);
    }

    /** Returns the subclass of this name with its type arguments, which values do not name; null if there is none. */
    String subclass(String withoutArguments) {
        return subclasses.get(withoutArguments);
    }

    /** Returns the names of fields by the other names that an argument may have for them. */
    public Map<String, String> spellings() {
        return spellings;
    }

    /** Returns the places of the fields to which the class's constructor assigns a value. */
    int[] assignedFields() {
        return assignedFields;
    }

    /** Returns whether a field that a serialization leaves out has the value that it has before a constructor runs. */
    boolean isDefaultWhereAbsent(int field) {
        // Neither subclasses nor initial values are known of reports.
        return definition.subclasses() != null && !definition.facts().assigned().contains(fieldNames.get(field));
    }

    /** Returns whether it is a class with type arguments or variables, which the class's name alone does not tell. */
    boolean isGeneric() {
        return isGeneric;
    }

    boolean isRecord() {
        return definition != null && definition.kind() == TypeDefinition.Kind.RECORD;
    }

    /**
     * Returns whether the class of an {@link Kind#OBJECT} declares the field with a class, and not as a type variable.
     */
    boolean declares(String field) {
        return !definition.variableFields().contains(field);
    }

    /**
     * Returns the class that the class of an {@link Kind#OBJECT} declares the field with: of a type variable, the
     * bound.
     */
    String declaredClass(String field) {
        String bound = definition.facts().bounds().get(field);
        return bound == null ? fields.get(field).className() : bound;
    }

    @Override
    public String toString() {
        return name;
    }
}
