package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.constraint.Annotation;
import io.dubbomesh.protocol.constraint.AnnotationReader;
import io.dubbomesh.protocol.constraint.DeclaredConstraints;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The declarations in a class file (JVMS, chapter 4) what the code of its methods uses, and the annotations of Bean
 * Validation on fields, methods and parameters; everything else is skipped.
 *
 * @param name       of this class, and so of the others: the binary name, {@code a.B$C}
 * @param superName  null for {@code java.lang.Object} alone
 * @param signature  null where there is no type variable or type argument
 * @param isForJson  whether it mentions annotations by which a library reads and writes it otherwise than by its fields
 */
record ClassFile(
        int access,
        String name,
        String superName,
        List<String> interfaces,
        String signature,
        List<Member> fields,
        List<Member> methods,
        boolean isForJson) {
    static final int PUBLIC = 0x0001;
    static final int PRIVATE = 0x0002;
    static final int STATIC = 0x0008;
    static final int FINAL = 0x0010;
    static final int TRANSIENT = 0x0080;
    static final int INTERFACE = 0x0200;
    static final int ABSTRACT = 0x0400;
    static final int SYNTHETIC = 0x1000;
    static final int ENUM = 0x4000;

    private static final String ENUM_CLASS = "java.lang.Enum";
    private static final String RECORD_CLASS = "java.lang.Record";

    private static final Pattern ANNOTATIONS = Pattern.compile(
            "Lcom/(alibaba/fastjson2?/annotation|fasterxml/jackson/annotation|google/gson/annotations)/");

    private static final int MAGIC = 0xcafebabe;

    private static final int UTF8 = 1;
    private static final int INTEGER = 3;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    /** The stack's size, that of the variables, and the length, of an attribute Code. */
    private static final int CODE_HEADER = 2 * Short.BYTES + Integer.BYTES;
    /** An entry of the table of exceptions that are caught. */
    private static final int EXCEPTION_LENGTH = 4 * Short.BYTES;

    private static final int CLASS = 7;

    /** In annotations of types: the type of a field, and a step into a type argument. */
    private static final int FIELD_TARGET = 0x13;

    private static final int TYPE_ARGUMENT = 3;
    private static final int STEP_LENGTH = 2;

    /** A field or a method. */
    record Member(int access, String name, String descriptor, Attributes attributes) {
        boolean is(int flags) {
            return (access & flags) != 0;
        }

        /** Returns null if the descriptor is enough. */
        String signature() {
            return attributes.signature;
        }

        MethodCode code() {
            return attributes.code;
        }

        /** Returns those of Bean Validation. */
        List<Annotation> annotations() {
            return attributes.annotations;
        }

        /** Returns those of the elements of a field's list or array, or of the values of its map. */
        List<Annotation> elementAnnotations() {
            return attributes.elementAnnotations;
        }

        /** Returns whether it is the constructor without parameters. */
        boolean isConstructor() {
            return name.equals("<init>") && descriptor.equals("()V");
        }

        /**
         * Returns the names of a method's parameters; empty unless all are known.
         *
         * @param types of the parameters, without type arguments
         */
        List<String> parameterNames(List<String> types) {
            List<String> declared = attributes.parameterNames;
            if (declared.size() == types.size() && areDistinct(declared)) {
                return declared;
            }
            List<String> names = new ArrayList<>();
            int slot = is(STATIC) ? 0 : 1;
            for (String type : types) {
                names.add(attributes.variables.getOrDefault(slot, ""));
                slot += type.equals("long") || type.equals("double") ? 2 : 1;
            }
            return areDistinct(names) ? names : List.of();
        }

        private static boolean areDistinct(List<String> names) {
            return !names.contains("") && new HashSet<>(names).size() == names.size();
        }

        /** Returns the annotations of the parameters; empty unless there is a list for each of so many. */
        List<List<Annotation>> parameterAnnotations(int parameters) {
            return attributes.parameterAnnotations.size() == parameters ? attributes.parameterAnnotations : List.of();
        }
    }

    /**
     * The attributes of a class, a field or a method.
     *
     * @param signature      null if the descriptor is enough
     * @param parameterNames of a method that was compiled with the names of its parameters; empty where there is none
     * @param variables      the names of the variables of a method's code that are there from its beginning, by their
     *     places
     * @param annotations    of Bean Validation; with {@code @Valid} of the elements, which has the same meaning
     */
    private record Attributes(
            String signature,
            MethodCode code,
            List<String> parameterNames,
            Map<Integer, String> variables,
            List<Annotation> annotations,
            List<Annotation> elementAnnotations,
            List<List<Annotation>> parameterAnnotations) {}

    boolean is(int flags) {
        return (access & flags) != 0;
    }

    /** Returns whether it declares constants; the class of a constant that has a body is none. */
    boolean isEnum() {
        return ENUM_CLASS.equals(superName);
    }

    boolean isRecord() {
        return RECORD_CLASS.equals(superName);
    }

    /** @throws MalformedDefinitionException naming {@code origin}, if these bytes are no class file */
    static ClassFile parse(byte[] bytes, String origin) throws MalformedDefinitionException {
        return parse(bytes, origin, true);
    }

    /** Parses a class like {@link #parse}, without members and signature. */
    static ClassFile parseDeclaration(byte[] bytes, String origin) throws MalformedDefinitionException {
        return parse(bytes, origin, false);
    }

    private static ClassFile parse(byte[] bytes, String origin, boolean whole) throws MalformedDefinitionException {
        try {
            return new ByteReader(bytes).classFile(whole);
        } catch (IOException e) {
            String reason = e.getMessage() == null ? "ends too early" : e.getMessage();
            throw new MalformedDefinitionException("class " + origin + ": malformed class file: " + reason);
        }
    }

    /** All reading is bounded by the end of the bytes. */
    private static final class ByteReader {
        private final byte[] bytes;
        private final DataInputStream in;
        /** The offsets of the texts; most are never read. */
        private int[] texts;

        private int[] classes;
        /** The offsets of references to fields and methods, and of names with their types. */
        private int[] references;

        /** The offsets of whole numbers. */
        private int[] numbers;

        private final AnnotationReader annotations;

        ByteReader(byte[] bytes) {
            this.bytes = bytes;
            in = new DataInputStream(new ByteArrayInputStream(bytes));
            annotations = new AnnotationReader(in, new AnnotationReader.Constants() {
                @Override
                public String text(int index) throws IOException {
                    return ByteReader.this.text(index);
                }

                @Override
                public long number(int index) throws IOException {
                    return numberConstant(index);
                }
            });
        }

        ClassFile classFile(boolean whole) throws IOException {
            if (in.readInt() != MAGIC) {
                throw new IOException("no magic number");
            }
            skip(2 * Short.BYTES);
            constants();
            int access = in.readUnsignedShort();
            String name = className();
            String superName = className();
            List<String> interfaces = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                interfaces.add(className());
            }
            List<Member> fields = whole ? members() : List.of();
            List<Member> methods = whole ? members() : List.of();
            String signature = whole ? attributes("").signature : null;
            if (name == null || superName == null && !name.equals("java.lang.Object") || interfaces.contains(null)) {
                throw new IOException("a class without a name");
            }
            return new ClassFile(access, name, superName, interfaces, signature, fields, methods, mentionsAnnotation());
        }

        private void constants() throws IOException {
            int count = in.readUnsignedShort();
            texts = new int[count];
            classes = new int[count];
            references = new int[count];
            numbers = new int[count];
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case UTF8 -> {
                        texts[i] = position();
                        skip(in.readUnsignedShort());
                    }
                    case CLASS -> classes[i] = in.readUnsignedShort();
                    // The constants String, MethodType, Module and Package.
                    case 8, 16, 19, 20 -> skip(2);
                    // MethodHandle.
                    case 15 -> skip(3);
                    // The references to members, and NameAndType.
                    case 9, 10, 11, 12 -> {
                        references[i] = position();
                        skip(4);
                    }
                    case INTEGER -> {
                        numbers[i] = position();
                        skip(4);
                    }
                    // Float, and the dynamic ones.
                    case 4, 17, 18 -> skip(4);
                    case LONG, DOUBLE -> {
                        numbers[i] = tag == LONG ? position() : 0;
                        skip(8);
                        // They take two numbers.
                        i++;
                    }
                    default -> throw new IOException("constant of type " + tag);
                }
            }
        }

        /** fastjson2 follows those of Jackson and Gson too. */
        private boolean mentionsAnnotation() throws IOException {
            for (int text : texts) {
                if (text > 0
                        && bytes[text + Short.BYTES] == 'L'
                        && ANNOTATIONS.matcher(textAt(text)).lookingAt()) {
                    return true;
                }
            }
            return false;
        }

        private List<Member> members() throws IOException {
            List<Member> members = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                int access = in.readUnsignedShort();
                String name = text();
                String descriptor = text();
                members.add(new Member(access, name, descriptor, attributes(descriptor)));
            }
            return members;
        }

        /** @param descriptor of the field or method that has them */
        private Attributes attributes(String descriptor) throws IOException {
            String signature = null;
            MethodCode code = MethodCode.NONE;
            Map<Integer, String> variables = Map.of();
            List<String> parameterNames = List.of();
            List<Annotation> ofMember = new ArrayList<>();
            List<Annotation> ofElements = new ArrayList<>();
            List<List<Annotation>> ofParameters = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                String attribute = text();
                int length = in.readInt();
                int end = position() + length;
                switch (attribute) {
                    case "Signature" -> signature = text();
                    case "Code" -> {
                        code = code(length);
                        variables = variables(end);
                    }
                    case "MethodParameters" -> parameterNames = parameterNames();
                    case "RuntimeVisibleAnnotations" -> ofMember.addAll(annotations.readAll());
                    case "RuntimeVisibleParameterAnnotations" -> {
                        for (int parameters = in.readUnsignedByte(); parameters > 0; parameters--) {
                            ofParameters.add(new ArrayList<>(annotations.readAll()));
                        }
                    }
                    case "RuntimeVisibleTypeAnnotations" -> addOfElements(descriptor, ofMember, ofElements);
                    default -> {}
                }
                skip(end - position());
            }
            return new Attributes(signature, code, parameterNames, variables, ofMember, ofElements, ofParameters);
        }

        /**
         * Reads annotations of types: adds those of the elements of a field's list, or of the values of its map. One by
         * which they are to be validated means the same as one of the field itself.
         */
        private void addOfElements(String descriptor, List<Annotation> ofField, List<Annotation> ofElements)
                throws IOException {
            int last = descriptor.endsWith("Map;") ? 1 : 0;
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                int target = in.readUnsignedByte();
                skip(target == FIELD_TARGET ? 0 : targetLength(target));
                int steps = in.readUnsignedByte();
                boolean isOfElement = target == FIELD_TARGET && steps == 1;
                if (isOfElement) {
                    isOfElement = in.readUnsignedByte() == TYPE_ARGUMENT & in.readUnsignedByte() == last;
                } else {
                    skip(steps * STEP_LENGTH);
                }
                Annotation annotation = annotations.read();
                if (isOfElement && annotation != null) {
                    (DeclaredConstraints.isValid(annotation) ? ofField : ofElements).add(annotation);
                }
            }
        }

        /** Returns the bytes of what says which type of a declaration is annotated (JVMS 4.7.20.1). */
        private static int targetLength(int target) {
            return switch (target) {
                // A type parameter, a parameter.
                case 0x00, 0x01, 0x16 -> 1;
                // A superclass, a bound, an exception.
                case 0x10, 0x11, 0x12, 0x17 -> 2;
                default -> 0;
            };
        }

        private MethodCode code(int attributeLength) throws IOException {
            skip(2 * Short.BYTES);
            int length = in.readInt();
            int begin = position();
            skip(length);
            if (length > attributeLength - CODE_HEADER) {
                throw new IOException("code of " + length + " bytes");
            }
            return MethodCode.read(bytes, begin, length, this::reference);
        }

        /**
         * Reads what is behind the code, for the variables that are there from its beginning.
         *
         * @param end of the attribute Code
         */
        private Map<Integer, String> variables(int end) throws IOException {
            if (position() == end) {
                return Map.of();
            }
            skip(in.readUnsignedShort() * EXCEPTION_LENGTH);
            Map<Integer, String> variables = new HashMap<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                boolean isOfVariables = text().equals("LocalVariableTable");
                int endOfTable = in.readInt() + position();
                for (int entries = isOfVariables ? in.readUnsignedShort() : 0; entries > 0; entries--) {
                    int start = in.readUnsignedShort();
                    skip(Short.BYTES);
                    String name = text();
                    skip(Short.BYTES);
                    int slot = in.readUnsignedShort();
                    if (start == 0) {
                        variables.put(slot, name);
                    }
                }
                skip(endOfTable - position());
            }
            return variables.isEmpty() ? Map.of() : variables;
        }

        private List<String> parameterNames() throws IOException {
            List<String> names = new ArrayList<>();
            for (int left = in.readUnsignedByte(); left > 0; left--) {
                int name = in.readUnsignedShort();
                names.add(name == 0 ? "" : text(name));
                skip(Short.BYTES);
            }
            return names;
        }

        private int position() throws IOException {
            return bytes.length - in.available();
        }

        /** Returns the class, the name and the descriptor of a field or a method. */
        private String[] reference(int index) throws IOException {
            int at = referenceAt(index);
            int nameAndType = referenceAt(number(at + Short.BYTES));
            return new String[] {
                className(number(at)), text(number(nameAndType)), text(number(nameAndType + Short.BYTES))
            };
        }

        private int referenceAt(int index) throws IOException {
            if (index >= references.length || references[index] == 0) {
                throw new IOException("constant " + index + " is no reference");
            }
            return references[index];
        }

        private long numberConstant(int index) throws IOException {
            int at = index < numbers.length ? numbers[index] : 0;
            if (at == 0) {
                throw new IOException("constant " + index + " is not a whole number");
            }
            ByteBuffer value = ByteBuffer.wrap(bytes);
            return bytes[at - 1] == LONG ? value.getLong(at) : value.getInt(at);
        }

        private int number(int at) {
            return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
        }

        private String text() throws IOException {
            return text(in.readUnsignedShort());
        }

        private String text(int index) throws IOException {
            if (index >= texts.length || texts[index] == 0) {
                throw new IOException("constant " + index + " is not text");
            }
            return textAt(texts[index]);
        }

        private String textAt(int begin) throws IOException {
            return new DataInputStream(new ByteArrayInputStream(bytes, begin, bytes.length - begin)).readUTF();
        }

        /** Returns null for index 0. */
        private String className() throws IOException {
            return className(in.readUnsignedShort());
        }

        private String className(int index) throws IOException {
            if (index == 0) {
                return null;
            }
            int name = index < classes.length ? classes[index] : 0;
            if (name >= texts.length || texts[name] == 0) {
                throw new IOException("constant " + index + " is not a class");
            }
            return textAt(texts[name]).replace('/', '.');
        }

        private void skip(int bytes) throws IOException {
            if (bytes < 0 || in.skipBytes(bytes) < bytes) {
                throw new IOException("ends too early");
            }
        }
    }
}
