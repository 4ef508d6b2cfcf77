package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.definition.ClassFile.Member;
import io.dubbomesh.testsupport.Selection;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A class file must be read as the JDK's reflection describes the class. */
class ClassFileTest {
    private static byte[] bytes(Class<?> type) throws IOException {
        String path = '/' + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(path)) {
            return in.readAllBytes();
        }
    }

    private static String generic(Type type) throws MalformedDefinitionException {
        return SourceName.read(type.getTypeName(), UnaryOperator.identity());
    }

    /** Every type variable in scope, mapped to itself. */
    private static Map<String, String> variables(AnnotatedElement from) {
        Map<String, String> variables = new HashMap<>();
        AnnotatedElement scope = from;
        while (scope != null) {
            if (scope instanceof GenericDeclaration generic) {
                for (TypeVariable<?> variable : generic.getTypeParameters()) {
                    variables.put(variable.getName(), variable.getName());
                }
            }
            if (scope instanceof Executable executable) {
                scope = executable.getDeclaringClass();
            } else if (scope instanceof Field field) {
                scope = field.getDeclaringClass();
            } else {
                Class<?> type = (Class<?>) scope;
                Executable around =
                        type.getEnclosingMethod() != null ? type.getEnclosingMethod() : type.getEnclosingConstructor();
                scope = around != null ? around : type.getEnclosingClass();
            }
        }
        return variables;
    }

    private static ClassSignature signature(Member member, AnnotatedElement scope) throws MalformedDefinitionException {
        String text = member.signature() == null ? member.descriptor() : member.signature();
        return new ClassSignature(text, variables(scope), (name, className, arguments) -> {});
    }

    private static void compare(Class<?> type) throws IOException, MalformedDefinitionException {
        ClassFile file = ClassFile.parse(bytes(type), type.getName());

        assertThat(file.name()).isEqualTo(type.getName());
        assertThat(file.is(ClassFile.INTERFACE)).isEqualTo(type.isInterface());
        assertThat(file.is(ClassFile.ENUM)).isEqualTo((type.getModifiers() & ClassFile.ENUM) != 0);
        assertThat(file.interfaces())
                .isEqualTo(
                        Arrays.stream(type.getInterfaces()).map(Class::getName).toList());
        if (!type.isInterface()) {
            assertThat(file.superName()).isEqualTo(type.getSuperclass().getName());
        }

        Map<String, String> fields = new TreeMap<>();
        Map<String, String> expectedFields = new TreeMap<>();
        for (Field field : type.getDeclaredFields()) {
            expectedFields.put(field.getName(), field.getModifiers() + " " + generic(field.getGenericType()));
        }
        for (Member field : file.fields()) {
            fields.put(
                    field.name(), field.access() + " " + signature(field, type).type());
        }
        assertThat(fields).as(type.getName()).isEqualTo(expectedFields);

        List<String> methods = new ArrayList<>();
        List<String> expectedMethods = new ArrayList<>();
        Map<String, Method> byDescriptor = new HashMap<>();
        for (Method method : type.getDeclaredMethods()) {
            String descriptor = java.lang.invoke.MethodType.methodType(
                            method.getReturnType(), method.getParameterTypes())
                    .toMethodDescriptorString();
            byDescriptor.put(method.getName() + descriptor, method);
            List<String> types = new ArrayList<>();
            for (Type parameter : method.getGenericParameterTypes()) {
                types.add(generic(parameter));
            }
            types.add(generic(method.getGenericReturnType()));
            expectedMethods.add(method.getModifiers() + " " + method.getName() + types);
        }
        for (Member member : file.methods()) {
            Method method = byDescriptor.get(member.name() + member.descriptor());
            if (method != null) {
                ClassSignature signature = signature(member, method);
                signature.parameters();
                methods.add(member.access() + " " + member.name() + signature.method());
            } else {
                assertThat(member.name()).as(type.getName()).isIn("<init>", "<clinit>");
            }
        }
        assertThat(methods).as(type.getName()).containsExactlyInAnyOrderElementsOf(expectedMethods);
    }

    @Test
    void theClassesOfJavaUtilAndJavaTimeAreReadAsReflectionHasThem() throws Exception {
        int compared = 0;
        for (String folder : List.of("java/util", "java/time")) {
            Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
            List<Path> files;
            try (Stream<Path> found = Files.walk(root.resolve(folder))) {
                files = found.filter(path -> path.toString().endsWith(".class")).toList();
            }
            for (Path file : files) {
                String path = root.relativize(file).toString();
                String name =
                        path.substring(0, path.length() - ".class".length()).replace('/', '.');
                compare(Class.forName(name, false, null));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(1000);
    }

    @Test
    void everyTruncationIsMalformed() throws Exception {
        byte[] whole = bytes(TypeDefinition.class);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatExceptionOfType(MalformedDefinitionException.class)
                    .as("%d bytes", length)
                    .isThrownBy(() -> ClassFile.parse(part, "a.B"))
                    .withMessageStartingWith("class a.B: malformed class file: ");
        }
    }

    @Test
    void everyChangedByteIsReadOrMalformed() throws Exception {
        byte[] whole = bytes(TypeDefinition.class);
        for (int i = 0; i < whole.length; i++) {
            for (int value : Selection.isAll() ? new int[] {0, 1, 0x7f, 0xff} : new int[] {i % 2 == 0 ? 0 : 0xff}) {
                byte[] changed = whole.clone();
                changed[i] = (byte) value;
                try {
                    ClassDefinitions.of("a.B", new ClassHierarchy(name -> name.equals("a.B") ? changed : null));
                } catch (MalformedDefinitionException e) {
                    assertThat(e).hasMessageMatching("(class|signature): ?.*|class .*: .*");
                }
            }
        }
    }
}
