package io.dubbomesh.idl;

import io.dubbomesh.protocol.definition.MalformedDefinitionException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The parts of a class file (JVMS, chapter 4) that lead to the descriptors of protobuf: the class itself is not loaded.
 * <pre>
 *  interface Greeter          methods with messages  --> class HelloRequest
 *  class HelloRequest         static field of        --> class GreeterProto
 *  class GreeterProto         String constants of the FileDescriptorProto; getDescriptor() of each import
 * </pre>
 *
 * @param file         the bytes of the {@code FileDescriptorProto} that protoc has written into this class; null where
 *     there are none
 * @param imports      the classes that have the files that this one imports, in order
 * @param messages     the fields that have the descriptors of messages, {@code Outer.internal_static_a_B_descriptor}
 * @param methods      all that are neither static nor private
 * @param serviceName  the constant {@code SERVICE_NAME}, null where there is none
 */
record GeneratedClass(
        byte[] file, List<String> imports, Set<String> messages, List<Method> methods, String serviceName) {
    private static final int MAGIC = 0xcafebabe;
    private static final int STATIC_OR_PRIVATE = 0x000a;

    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int STRING = 8;

    private static final int LDC = 18;
    private static final int LDC_W = 19;
    private static final int TABLESWITCH = 170;
    private static final int LOOKUPSWITCH = 171;
    private static final int GETSTATIC = 178;
    private static final int INVOKESTATIC = 184;
    private static final int ANEWARRAY = 189;
    private static final int WIDE = 196;
    private static final int WIDE_IINC = 132;

    /** The lengths of the instructions by opcode; those of 0 are computed. */
    private static final String LENGTHS = "1".repeat(16) + "23233" + "2".repeat(5) + "1".repeat(28) + "2".repeat(5)
            + "1".repeat(73) + "3" + "1".repeat(20) + "3".repeat(16) + "2" + "00" + "1".repeat(6) + "3".repeat(7) + "55"
            + "323" + "11" + "33" + "11" + "0433" + "55";

    private static final String OWN_PACKAGE = "com/google/protobuf/Descriptors$";
    private static final String BUILD = "internalBuildGeneratedFileFrom";
    private static final String FILE_TYPE = "()L" + OWN_PACKAGE + "FileDescriptor;";
    private static final String MESSAGE_TYPE = "L" + OWN_PACKAGE + "Descriptor;";
    private static final Pattern CLASS_NAME = Pattern.compile("L([^;<>]+)");

    /**
     * A method of an interface.
     *
     * @param type its signature where it has one, else its descriptor (JVMS 4.3.3, 4.7.9.1)
     */
    record Method(String name, String type) {
        /** Returns the classes that its parameters and its result name, with their type arguments. */
        List<String> classes() {
            return CLASS_NAME
                    .matcher(type)
                    .results()
                    .map((MatchResult name) -> name.group(1).replace('/', '.'))
                    .distinct()
                    .toList();
        }
    }

    /** @throws MalformedDefinitionException naming {@code origin}, if these bytes are no class file */
    static GeneratedClass parse(byte[] bytes, String origin) throws MalformedDefinitionException {
        try {
            return new Reader(bytes).read();
        } catch (IOException | IndexOutOfBoundsException e) {
            String reason = e.getMessage() == null || e instanceof IndexOutOfBoundsException
                    ? "ends too early"
                    : e.getMessage();
            throw new MalformedDefinitionException("class " + origin + ": malformed class file: " + reason);
        }
    }

    /** All reading is bounded by the end of the bytes. */
    private static final class Reader {
        private final byte[] bytes;
        private final Set<String> messages = new LinkedHashSet<>();
        private final List<Method> methods = new ArrayList<>();
        private int at;
        /** The offsets of the constants, behind their tags. */
        private int[] constants;

        private byte[] file;
        private List<String> imports = List.of();
        private String serviceName;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        GeneratedClass read() throws IOException {
            if (i4(0) != MAGIC) {
                throw new IOException("no magic number");
            }
            at = 2 * Integer.BYTES;
            readConstants();
            at += 3 * Short.BYTES;
            at += u2(at) * Short.BYTES + Short.BYTES;
            readMembers(false);
            readMembers(true);
            return new GeneratedClass(file, imports, messages, methods, serviceName);
        }

        private void readConstants() throws IOException {
            constants = new int[u2(at)];
            at += Short.BYTES;
            for (int i = 1; i < constants.length; i++) {
                int tag = bytes[at++];
                constants[i] = at;
                switch (tag) {
                    case UTF8 -> at += Short.BYTES + u2(at);
                    case CLASS, STRING, 16, 19, 20 -> at += 2;
                    case 15 -> at += 3;
                    case 3, 4, 9, 10, 11, 12, 17, 18 -> at += 4;
                    // Long and double take two numbers.
                    case 5, 6 -> {
                        at += 8;
                        i++;
                    }
                    default -> throw new IOException("constant of type " + tag);
                }
            }
        }

        private void readMembers(boolean areMethods) throws IOException {
            int count = u2(at);
            at += Short.BYTES;
            for (int i = 0; i < count; i++) {
                int access = u2(at);
                String name = text(u2(at + 2));
                String type = text(u2(at + 4));
                int attributes = u2(at + 6);
                at += 8;
                for (int j = 0; j < attributes; j++) {
                    String attribute = text(u2(at));
                    int length = i4(at + 2);
                    int begin = at + 6;
                    if (length < 0 || length > bytes.length - begin) {
                        throw new IOException("an attribute of " + length + " bytes");
                    }
                    at = begin + length;
                    switch (attribute) {
                        case "Code" -> readCode(begin + 8, i4(begin + 4), at);
                        case "Signature" -> type = text(u2(begin));
                        case "ConstantValue" -> readConstantValue(name, u2(begin));
                        default -> {}
                    }
                }
                if (areMethods && (access & STATIC_OR_PRIVATE) == 0) {
                    methods.add(new Method(name, type));
                }
            }
        }

        private void readConstantValue(String name, int index) throws IOException {
            if (name.equals("SERVICE_NAME") && tag(index) == STRING) {
                serviceName = text(u2(constants[index]));
            }
        }

        /**
         * Follows the instructions in their order. Those that make a file are {@code anewarray String}, an {@code ldc}
         * for each part of its bytes, an {@code invokestatic getDescriptor} for each import, and the call that builds
         * it.
         */
        private void readCode(int begin, int length, int end) throws IOException {
            if (length < 0 || length > end - begin) {
                throw new IOException("code of " + length + " bytes");
            }
            ByteArrayOutputStream parts = null;
            List<String> called = new ArrayList<>();
            for (int pc = begin; pc < begin + length; pc += length(pc, begin)) {
                switch (bytes[pc] & 0xff) {
                    case ANEWARRAY -> {
                        if (className(u2(pc + 1)).equals("java/lang/String")) {
                            parts = new ByteArrayOutputStream();
                            called.clear();
                        }
                    }
                    case LDC -> addPart(parts, bytes[pc + 1] & 0xff);
                    case LDC_W -> addPart(parts, u2(pc + 1));
                    case GETSTATIC -> {
                        String[] field = member(u2(pc + 1));
                        if (field[2].equals(MESSAGE_TYPE)) {
                            messages.add(field[0].replace('/', '.') + '.' + field[1]);
                        }
                    }
                    case INVOKESTATIC -> {
                        String[] method = member(u2(pc + 1));
                        if (method[2].equals(FILE_TYPE) && method[1].equals("getDescriptor")) {
                            called.add(method[0].replace('/', '.'));
                        } else if (method[1].equals(BUILD) && parts != null && file == null) {
                            file = parts.toByteArray();
                            imports = List.copyOf(called);
                        }
                    }
                    default -> {}
                }
            }
        }

        /** Adds the bytes of a String, whose characters are bytes. */
        private void addPart(ByteArrayOutputStream parts, int index) throws IOException {
            if (parts != null && tag(index) == STRING) {
                String part = text(u2(constants[index]));
                for (int i = 0; i < part.length(); i++) {
                    parts.write(part.charAt(i));
                }
            }
        }

        private int length(int pc, int begin) throws IOException {
            int opcode = bytes[pc] & 0xff;
            int length = opcode < LENGTHS.length() ? LENGTHS.charAt(opcode) - '0' : -1;
            int operands = (pc - begin + Integer.BYTES & -Integer.BYTES) + begin;
            long computed = switch (length) {
                case -1 -> throw new IOException("an instruction of type " + opcode);
                case 0 ->
                    switch (opcode) {
                        case TABLESWITCH -> operands - pc + 12L + 4L * ((long) i4(operands + 8) - i4(operands + 4) + 1);
                        case LOOKUPSWITCH -> operands - pc + 8L + 8L * i4(operands + 4);
                        case WIDE -> (bytes[pc + 1] & 0xff) == WIDE_IINC ? 6 : 4;
                        default -> throw new IOException("an instruction of type " + opcode);
                    };
                default -> length;
            };
            if (computed <= 0 || computed > bytes.length - pc) {
                throw new IOException("an instruction of " + computed + " bytes");
            }
            return (int) computed;
        }

        /** Returns the class, the name and the type of a field or a method. */
        private String[] member(int index) throws IOException {
            int reference = constant(index);
            int nameAndType = constant(u2(reference + Short.BYTES));
            return new String[] {className(u2(reference)), text(u2(nameAndType)), text(u2(nameAndType + Short.BYTES))};
        }

        private String className(int index) throws IOException {
            return text(u2(constant(index)));
        }

        private String text(int index) throws IOException {
            if (tag(index) != UTF8) {
                throw new IOException("constant " + index + " is not text");
            }
            int begin = constants[index];
            return new DataInputStream(new ByteArrayInputStream(bytes, begin, bytes.length - begin)).readUTF();
        }

        private int tag(int index) throws IOException {
            return bytes[constant(index) - 1];
        }

        private int constant(int index) throws IOException {
            if (index >= constants.length || constants[index] == 0) {
                throw new IOException("no constant " + index);
            }
            return constants[index];
        }

        private int u2(int offset) {
            return (bytes[offset] & 0xff) << 8 | bytes[offset + 1] & 0xff;
        }

        private int i4(int offset) {
            return u2(offset) << 16 | u2(offset + Short.BYTES);
        }
    }
}
