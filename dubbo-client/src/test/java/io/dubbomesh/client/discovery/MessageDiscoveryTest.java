package io.dubbomesh.client.discovery;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.StructProto;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UInt32Value;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.protocol.MessageMethod;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static com.google.protobuf.DescriptorProtos.DescriptorProto;
import static com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import static com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import static com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Services of protobuf, from class files and from files of descriptors; no provider is asked. */
@Timeout(30)
class MessageDiscoveryTest {
    /** Stands for that of Dubbo, which is in no jar of the service. */
    interface Stub {}

    interface Clock extends Stub {
        Timestamp after(UInt32Value seconds);

        int count(String name);
    }

    private final Map<String, String> properties = new HashMap<>(Map.of("dubbo.inquiry", "false"));

    @TempDir
    Path directory;

    private ServiceDefinition definition(String name) throws Exception {
        properties.put("dubbo.services", name);
        Settings settings = Settings.of("dubbo-settings.conf", properties, Map.of());
        ServiceDefinitions known = new ProviderDiscovery(
                        new HostPort("127.0.0.1", 1),
                        Serialization.HESSIAN2,
                        ServedServices.parse(settings.list("dubbo.services")),
                        DiscoverySettings.from(settings),
                        false)
                .definitions(0)
                .get(20, TimeUnit.SECONDS);
        return known.definition(new MethodName(name, "", "", "", ""));
    }

    private void copy(Class<?>... types) throws IOException {
        for (Class<?> type : types) {
            String name = type.getName().replace('.', '/') + ".class";
            Files.createDirectories(directory.resolve(name).getParent());
            try (InputStream in = type.getResourceAsStream("/" + name)) {
                Files.write(directory.resolve(name), in.readAllBytes());
            }
        }
    }

    private static FileDescriptorProto file(String service) {
        return FileDescriptorProto.newBuilder()
                .setName("clock.proto")
                .setPackage("test")
                .addMessageType(DescriptorProto.newBuilder().setName("Time"))
                .addService(ServiceDescriptorProto.newBuilder()
                        .setName(service)
                        .addMethod(MethodDescriptorProto.newBuilder()
                                .setName("Now")
                                .setInputType("Time")
                                .setOutputType("Time")))
                .build();
    }

    private Path write(String name, FileDescriptorProto... files) throws IOException {
        FileDescriptorSet set =
                FileDescriptorSet.newBuilder().addAllFile(List.of(files)).build();
        return Files.write(directory.resolve(name), set.toByteArray());
    }

    @Test
    void anInterfaceOfMessagesHasThemThoughWhatItExtendsIsInNoJar() throws Exception {
        copy(Clock.class);
        properties.put("dubbo.api.jars", directory.toString());

        ServiceDefinition clock = definition(Clock.class.getName());

        assertThat(clock.source()).isEqualTo(DefinitionSource.CLASS_FILES);
        MessageMethod after = clock.messages().method("after");
        assertThat(after.signature()).isEqualTo("after(google.protobuf.UInt32Value)");
        assertThat(after.result()).isEqualTo("google.protobuf.Timestamp");
    }

    @Test
    void itKeepsItsMethodsWithoutMessages() throws Exception {
        copy(Clock.class, Stub.class);
        properties.put("dubbo.api.jars", directory.toString());

        assertThat(definition(Clock.class.getName()).methods())
                .extracting(MethodDefinition::signature)
                .containsExactly("after(java.lang.Long)", "count(java.lang.String)");
    }

    @Test
    void aServiceThatIsInNoJarIsReadFromDescriptors() throws Exception {
        properties.put(
                "dubbo.api.descriptors",
                write("a.desc", StructProto.getDescriptor().toProto()) + "," + write("b.desc", file("Clock")));

        ServiceDefinition clock = definition("test.Clock");

        assertThat(clock.source()).isEqualTo(DefinitionSource.DESCRIPTORS);
        assertThat(clock.methods()).containsExactly(new MethodDefinition("Now", List.of("test.Time"), "test.Time"));
        assertThat(clock.messages().method("now").service()).isEqualTo("test.Clock");
        assertThat(definition("test.Other")).isNull();
    }

    @Test
    void aFileThatHasChangedIsReadAgain() throws Exception {
        Path path = write("a.desc", file("Clock"));
        properties.put("dubbo.api.descriptors", path.toString());
        Settings settings = Settings.of("dubbo-settings.conf", properties, Map.of());
        DiscoverySettings discovery = DiscoverySettings.from(settings);
        assertThat(discovery.descriptors().definition("test.Watches")).isNull();
        assertThat(discovery.descriptors().definition("test.Clock"))
                .isEqualTo(discovery.descriptors().definition("test.Clock"));

        write("a.desc", file("Watches"));

        assertThat(discovery.descriptors().definition("test.Watches")).isNotNull();
        Files.delete(path);
        assertThatThrownBy(() -> discovery.descriptors().definition("test.Watches"))
                .hasMessage(path + ": no such file");
    }

    @Test
    void aFileThatIsNoSetOfDescriptorsStopsTheStart() throws Exception {
        Path text = Files.writeString(directory.resolve("a.proto"), "syntax = \"proto3\";");
        properties.put("dubbo.api.descriptors", text.toString());
        Settings settings = Settings.of("dubbo-settings.conf", properties, Map.of());
        assertThatThrownBy(() -> {
                    DiscoverySettings.from(settings);
                    settings.check();
                })
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("cannot be read: " + text + ": not a FileDescriptorSet of protobuf: ");
    }
}
