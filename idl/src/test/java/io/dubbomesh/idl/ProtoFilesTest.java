package io.dubbomesh.idl;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Empty;
import io.dubbomesh.protocol.MessageMethod;
import io.dubbomesh.protocol.MessageService;
import io.dubbomesh.protocol.definition.ClassDefinitions.ClassFiles;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProtoFilesTest {
    /** The form that Dubbo generates. */
    interface TraceService {
        String SERVICE_NAME = "opentelemetry.proto.collector.trace.v1.TraceService";

        ExportTraceServiceResponse export(ExportTraceServiceRequest request);

        CompletableFuture<ExportTraceServiceResponse> exportAsync(ExportTraceServiceRequest request);
    }

    /** Stands for an interface of methods with messages that names no service. */
    interface Unnamed {
        ExportTraceServiceResponse send(ExportTraceServiceRequest request);

        CompletableFuture<Empty> later(Span.Event event);

        int other(ExportTraceServiceRequest request, int number);
    }

    interface NotOfMessages {
        String other(List<String> numbers);
    }

    private static final ClassFiles CLASS_PATH = ProtoFilesTest::classFile;

    private static byte[] classFile(String name) throws IOException {
        try (InputStream in = ProtoFilesTest.class.getResourceAsStream('/' + name.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static FileDescriptorProto.Builder file(String name, String type) {
        return FileDescriptorProto.newBuilder()
                .setName(name)
                .setPackage("a")
                .addMessageType(DescriptorProto.newBuilder().setName(type))
                .addService(ServiceDescriptorProto.newBuilder()
                        .setName("Of" + type)
                        .addMethod(MethodDescriptorProto.newBuilder()
                                .setName("Call")
                                .setInputType(type)
                                .setOutputType(type)));
    }

    private static ProtoFiles of(FileDescriptorProto.Builder... files) throws MalformedDefinitionException {
        List<byte[]> bytes = new ArrayList<>();
        for (FileDescriptorProto.Builder file : files) {
            bytes.add(file.build().toByteArray());
        }
        return ProtoFiles.of(bytes);
    }

    @Test
    void aSetHasItsServicesByNameAndByJavaInterface() {
        assertThat(MessageJsonTest.FILES.services())
                .containsExactlyInAnyOrder("test.kinds.Kinds", "test.legacy.Legacy", "test.edition.Edition");
        assertThat(MessageJsonTest.FILES.failures()).isEmpty();
        assertThat(MessageJsonTest.FILES.service("com.example.kinds.Kinds"))
                .isSameAs(MessageJsonTest.FILES.service("test.kinds.Kinds"));
        assertThat(MessageJsonTest.FILES.service("com.example.Kinds")).isNull();
    }

    @Test
    void aMethodIsFoundByItsNameAndByThatInJava() {
        MessageService kinds = MessageJsonTest.FILES.service("test.kinds.Kinds");
        assertThat(kinds.methods())
                .extracting(MessageMethod::name)
                .containsExactly("Echo", "GetURL", "At", "Nothing", "Watch", "Upload");
        assertThat(kinds.method("getURL")).isSameAs(kinds.method("GetURL"));
        assertThat(kinds.method("get_url")).isNull();
        MessageMethod watch = kinds.method("watch");
        assertThat(watch.service()).isEqualTo("test.kinds.Kinds");
        assertThat(watch.signature()).isEqualTo("Watch(test.kinds.Kind)");
        assertThat(watch.result()).isEqualTo("test.kinds.Kind");
        assertThat(watch.isServerStreaming()).isTrue();
        assertThat(watch.isClientStreaming()).isFalse();
        assertThat(kinds.method("Upload").isClientStreaming()).isTrue();
    }

    @Test
    void theServiceOfAJavaInterfaceIsReadFromTheClassesOfItsMessages() throws Exception {
        MessageService service =
                MessageInterfaces.find(TraceService.class.getName(), CLASS_PATH).messages();
        assertThat(service.name()).isEqualTo("opentelemetry.proto.collector.trace.v1.TraceService");
        assertThat(service.method("export").signature())
                .isEqualTo("Export(opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest)");
        // Its messages are in four files, of which those of other packages are imported.
        GeneratedFiles.Found found = GeneratedFiles.find(TraceService.class.getName(), CLASS_PATH);
        List<String> names = new ArrayList<>();
        for (byte[] file : found.files()) {
            names.add(FileDescriptorProto.parseFrom(file).getName());
        }
        assertThat(names)
                .containsExactly(
                        "opentelemetry/proto/collector/trace/v1/trace_service.proto",
                        "opentelemetry/proto/trace/v1/trace.proto",
                        "opentelemetry/proto/common/v1/common.proto",
                        "opentelemetry/proto/resource/v1/resource.proto");
    }

    @Test
    void classesThatAreNotOfProtobufHaveNoService() throws Exception {
        assertThat(MessageInterfaces.find("no.such.Interface", CLASS_PATH)).isNull();
        assertThat(MessageInterfaces.find(CharSequence.class.getName(), CLASS_PATH))
                .isNull();
        assertThat(MessageInterfaces.find(NotOfMessages.class.getName(), CLASS_PATH))
                .isNull();
    }

    @Test
    void anInterfaceThatNamesNoServiceHasTheMethodsOfItsOwnWithMessages() throws Exception {
        MessageService service =
                MessageInterfaces.find(Unnamed.class.getName(), CLASS_PATH).messages();
        assertThat(service.name()).isEqualTo(Unnamed.class.getName());
        assertThat(service.methods())
                .extracting(MessageMethod::signature)
                .containsExactly(
                        "send(opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest)",
                        "later(opentelemetry.proto.trace.v1.Span.Event)");
        assertThat(service.method("later").result()).isEqualTo("google.protobuf.Empty");
    }

    /** Has the classes of this module and of protocol, and none of protobuf. */
    private static final class WithoutProtobuf extends ClassLoader {
        WithoutProtobuf() {
            super(ProtoFilesTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.google.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.dubbomesh.idl.")) {
                return super.loadClass(name, resolve);
            }
            try {
                byte[] bytes = classFile(name);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void anInterfaceWithoutMessagesLoadsNoClassOfProtobuf() throws Exception {
        Object found = new WithoutProtobuf()
                .loadClass(MessageInterfaces.class.getName())
                .getMethod("find", String.class, ClassFiles.class)
                .invoke(null, NotOfMessages.class.getName(), CLASS_PATH);
        assertThat(found).isNull();
    }

    @Test
    void everyClassOfTheLibraryIsRead() throws Exception {
        for (String name : List.of(
                "com.google.protobuf.DescriptorProtos",
                "com.google.protobuf.CodedInputStream",
                "com.google.protobuf.Descriptors$FileDescriptor",
                "com.google.protobuf.StructProto",
                "com.google.protobuf.TextFormat$Parser")) {
            GeneratedClass read = GeneratedClass.parse(classFile(name), name);
            if (name.endsWith("Proto")) {
                assertThat(FileDescriptorProto.parseFrom(read.file()).getName())
                        .isEqualTo("google/protobuf/struct.proto");
            }
        }
    }

    @Test
    void damagedClassFilesAreReadOrRefused() throws Exception {
        byte[] whole = classFile("io.opentelemetry.proto.trace.v1.TraceProto");
        for (int length = 0; length < whole.length - 200; length += 7) {
            byte[] cut = java.util.Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> GeneratedClass.parse(cut, "a.B"))
                    .isInstanceOf(MalformedDefinitionException.class)
                    .hasMessageStartingWith("class a.B: malformed class file: ");
        }
        Random random = new Random(37);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                GeneratedClass.parse(damaged, "a.B");
            } catch (MalformedDefinitionException e) {
                assertThat(e).hasMessageContaining("malformed class file");
            }
        }
    }

    @Test
    void whatIsNoSetIsRefused() {
        assertThatThrownBy(() -> ProtoFiles.ofSets(List.of(new byte[] {1, 2, 3})))
                .isInstanceOf(MalformedDefinitionException.class)
                .hasMessageStartingWith("not a FileDescriptorSet of protobuf: ");
    }

    @Test
    void aFileWithAMissingImportIsUsedUnlessItsTypesNeedIt() throws Exception {
        ProtoFiles files = of(file("a.proto", "A").addDependency("google/api/annotations.proto"));
        assertThat(files.services()).containsExactly("a.OfA");
        FileDescriptorProto.Builder user = file("b.proto", "B").addDependency("c.proto");
        user.getMessageTypeBuilder(0)
                .addField(FieldDescriptorProto.newBuilder()
                        .setName("c")
                        .setNumber(1)
                        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                        .setTypeName(".c.C"));
        files = of(file("a.proto", "A"), user);
        assertThat(files.services()).containsExactly("a.OfA");
        assertThat(files.failures())
                .containsEntry("b.proto", "a.B.c: of a type that is not described (missing: c.proto)");
    }

    @Test
    void importsInACircleAndChainsWithoutEndAreRefused() throws Exception {
        ProtoFiles circle = of(
                file("a.proto", "A").addDependency("b.proto"),
                file("b.proto", "B").addDependency("a.proto"));
        assertThat(circle.services()).isEmpty();
        assertThat(circle.failures()).containsKeys("a.proto", "b.proto");
        FileDescriptorProto.Builder[] chain = new FileDescriptorProto.Builder[2_000];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = file(i + ".proto", "A" + i).addDependency((i + 1) + ".proto");
        }
        assertThat(of(chain).failures()).isNotEmpty();
    }

    @Test
    void aFileWithTheNameOfOneOfProtobufDoesNotReplaceIt() throws Exception {
        FileDescriptorProto.Builder hostile = FileDescriptorProto.newBuilder()
                .setName("google/protobuf/timestamp.proto")
                .setPackage("google.protobuf")
                .addMessageType(DescriptorProto.newBuilder().setName("Timestamp"));
        FileDescriptorProto.Builder user = file("a.proto", "A").addDependency("google/protobuf/timestamp.proto");
        user.getServiceBuilder(0).getMethodBuilder(0).setInputType(".google.protobuf.Timestamp");
        assertThat(of(hostile, user).services()).containsExactly("a.OfA");
    }

    @Test
    void damagedSetsAreReadOrRefused() throws Exception {
        byte[] whole;
        try (InputStream in = getClass().getResourceAsStream("/proto/kinds.desc")) {
            whole = in.readAllBytes();
        }
        Random random = new Random(37);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = whole.clone();
            for (int j = random.nextInt(8); j >= 0; j--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                ProtoFiles.ofSets(List.of(damaged)).services();
            } catch (MalformedDefinitionException e) {
                assertThat(e).hasMessageStartingWith("not a FileDescriptorSet");
            }
        }
    }

    @Test
    void aNestedTypeWithoutEndIsRefused() throws Exception {
        DescriptorProto nested = DescriptorProto.newBuilder().setName("Z").build();
        for (int i = 0; i < 90; i++) {
            nested = DescriptorProto.newBuilder()
                    .setName("N")
                    .addNestedType(nested)
                    .build();
        }
        FileDescriptorSet set = FileDescriptorSet.newBuilder()
                .addFile(file("a.proto", "A").addMessageType(nested))
                .build();
        assertThat(ProtoFiles.ofSets(List.of(set.toByteArray())).services()).containsExactly("a.OfA");
    }
}
