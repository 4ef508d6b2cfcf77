package io.dubbomesh.protocol.definition;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The declarations in a class file (JVMS, chapter 4) and what the code of its methods uses; annotations and everything
 * else are skipped.
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
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    /** The stack's size, that of the variables, and the length, of an attribute Code. */
    private static final int CODE_HEADER = 2 * Short.BYTES + Integer.BYTES;

    private static final int CLASS = 7;

    /**
     * A field or a method.
     *
     * @param signature null if the descriptor is enough
     */
    record Member(int access, String name, String descriptor, String signature, MethodCode code) {
        boolean is(int flags) {
            return (access & flags) != 0;
        }

        /** Returns whether it is the constructor without parameters. */
        boolean isConstructor() {
            return name.equals("<init>") && descriptor.equals("()V");
        }
    }

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

        private MethodCode code;

        ByteReader(byte[] bytes) {
            this.bytes = bytes;
            in = new DataInputStream(new ByteArrayInputStream(bytes));
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
            String signature = whole ? signature() : null;
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
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case UTF8 -> {
                        texts[i] = bytes.length - in.available();
                        skip(in.readUnsignedShort());
                    }
                    case CLASS -> classes[i] = in.readUnsignedShort();
                    // Of String, MethodType, Module and Package.
                    case 8, 16, 19, 20 -> skip(2);
                    // MethodHandle.
                    case 15 -> skip(3);
                    // The references to members, and NameAndType.
                    case 9, 10, 11, 12 -> {
                        references[i] = bytes.length - in.available();
                        skip(4);
                    }
                    // Integer, Float, and the dynamic ones.
                    case 3, 4, 17, 18 -> skip(4);
                    case LONG, DOUBLE -> {
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
                String signature = signature();
                members.add(new Member(access, name, descriptor, signature, code));
            }
            return members;
        }

        /** Reads attributes; returns the signature, and leaves the code. */
        private String signature() throws IOException {
            String signature = null;
            code = MethodCode.NONE;
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                String attribute = text();
                int length = in.readInt();
                if (attribute.equals("Signature") && length == Short.BYTES) {
                    signature = text();
                } else if (attribute.equals("Code") && length >= CODE_HEADER) {
                    skip(2 * Short.BYTES);
                    int codeLength = in.readInt();
                    int begin = bytes.length - in.available();
                    skip(length - CODE_HEADER);
                    if (codeLength < 0 || codeLength > length - CODE_HEADER) {
                        throw new IOException("code of " + codeLength + " bytes");
                    }
                    code = MethodCode.read(bytes, begin, codeLength, this::reference);
                } else {
                    skip(length);
                }
            }
            return signature;
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
