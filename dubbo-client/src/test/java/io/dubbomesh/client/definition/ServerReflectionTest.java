package io.dubbomesh.client.definition;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.testsupport.Hex;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ServerReflectionTest {
    private static final String V1 = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    private static final String V1_ALPHA = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
    /** An error: not found. */
    private static final byte[] NOT_FOUND = Hex.bytes("3a02 0805");

    private static final FileDescriptorProto TIMES = FileDescriptorProto.newBuilder()
            .setName("times.proto")
            .setPackage("test")
            .addMessageType(DescriptorProto.newBuilder()
                    .setName("Time")
                    .addField(FieldDescriptorProto.newBuilder()
                            .setName("at")
                            .setNumber(1)
                            .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                            .setTypeName(".google.protobuf.Timestamp")))
            .addDependency("google/protobuf/timestamp.proto")
            .build();

    private static final FileDescriptorProto CLOCK = FileDescriptorProto.newBuilder()
            .setName("clock.proto")
            .setPackage("test")
            .addDependency("times.proto")
            .setOptions(com.google.protobuf.DescriptorProtos.FileOptions.newBuilder()
                    .setJavaPackage("com.example"))
            .addService(ServiceDescriptorProto.newBuilder()
                    .setName("Clock")
                    .addMethod(MethodDescriptorProto.newBuilder()
                            .setName("Now")
                            .setInputType("Time")
                            .setOutputType("Time")))
            .build();

    /** The answers by the hexadecimal requests. */
    private final Map<String, byte[]> answers = new HashMap<>();

    private final List<String> paths = new ArrayList<>();
    private String unimplemented = "";

    private ServiceDefinition find(String service) throws IOException {
        return new ServerReflection((path, message) -> {
                    paths.add(path);
                    if (path.equals(unimplemented)) {
                        throw new IOException("grpc-status 12");
                    }
                    return answers.getOrDefault(Hex.of(message), NOT_FOUND);
                })
                .find(service);
    }

    private static byte[] files(FileDescriptorProto... files) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (FileDescriptorProto file : files) {
            writeBytes(list, 0x0a, file.toByteArray());
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        writeBytes(answer, 0x22, list.toByteArray());
        return answer.toByteArray();
    }

    private static void writeBytes(ByteArrayOutputStream out, int tag, byte[] bytes) {
        out.write(tag);
        int length = bytes.length;
        for (; length >= 0x80; length >>>= 7) {
            out.write(length & 0x7f | 0x80);
        }
        out.write(length);
        out.writeBytes(bytes);
    }

    private void answer(String request, byte[] answer) {
        answers.put(request.replace(" ", ""), answer);
    }

    @Test
    void theFileOfTheServiceIsAskedForAndWhatItImports() throws IOException {
        answer("220a" + text("test.Clock"), files(CLOCK));
        answer("1a0b" + text("times.proto"), files(TIMES));

        ServiceDefinition clock = find("test.Clock");

        assertThat(clock.source()).isEqualTo(DefinitionSource.PROVIDER);
        assertThat(clock.methods()).containsExactly(new MethodDefinition("Now", List.of("test.Time"), "test.Time"));
        assertThat(clock.messages().name()).isEqualTo("test.Clock");
        assertThat(paths).containsExactly(V1, V1);
    }

    @Test
    void providersSendImportedFilesToo() throws IOException {
        answer("220a" + text("test.Clock"), files(CLOCK, TIMES));

        assertThat(find("test.Clock").types()).containsOnlyKeys("test.Time");
        assertThat(paths).hasSize(1);
    }

    @Test
    void theOlderVersionIsAskedWhereThereIsNoNewerOne() throws IOException {
        unimplemented = V1;
        answer("220a" + text("test.Clock"), files(CLOCK, TIMES));

        assertThat(find("test.Clock")).isNotNull();
        assertThat(paths).containsExactly(V1, V1_ALPHA);
    }

    @Test
    void theServiceOfAJavaInterfaceIsLookedForByItsSimpleName() throws IOException {
        answer("3a01" + text("*"), Hex.bytes("3219 0a09 0a07" + text("a.Other") + "0a0c 0a0a" + text("test.Clock")));
        answer("220a" + text("test.Clock"), files(CLOCK, TIMES));

        assertThat(find("com.example.Clock").messages().name()).isEqualTo("test.Clock");
        assertThat(find("org.example.Clock")).isNull();
        assertThat(find("com.example.None")).isNull();
    }

    @Test
    void whatIsMalformedOrTooLargeIsRefused() {
        answer("2203" + text("a.B"), Hex.bytes("2205 0a09"));
        assertThatThrownBy(() -> find("a.B"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("server reflection: malformed protobuf: ");
        answer("2203" + text("a.C"), Hex.bytes("2205 0a03 ffffff"));
        assertThatThrownBy(() -> find("a.C")).isInstanceOf(IOException.class);
        FileDescriptorProto[] many = new FileDescriptorProto[501];
        for (int i = 0; i < many.length; i++) {
            many[i] = FileDescriptorProto.newBuilder().setName(i + ".proto").build();
        }
        answer("2203" + text("a.D"), files(many));
        assertThatThrownBy(() -> find("a.D")).hasMessage("server reflection: more than 500 files or 4194304 bytes");
    }

    @Test
    void aProviderWithoutReflectionFails() {
        assertThatThrownBy(() -> new ServerReflection((path, message) -> {
                            throw new IOException("grpc-status 12");
                        })
                        .find("a.B"))
                .hasMessage("grpc-status 12");
    }
}
