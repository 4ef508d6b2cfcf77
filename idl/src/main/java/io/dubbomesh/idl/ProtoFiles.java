package io.dubbomesh.idl;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.JavaFeaturesProto;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.WrappersProto;
import io.dubbomesh.protocol.MessageService;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.ServiceDefinition;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The {@code .proto} files of services, as descriptors. Those that protobuf brings ({@code google/protobuf/*.proto})
 * are always its own. Immutable once it is made; used by all threads.
 */
public final class ProtoFiles {
    /** The bound of files in a set. */
    static final int MAX_FILES = 20_000;
    /** The bound of the imports on the way from one file to another. */
    private static final int MAX_IMPORTS = 500;

    private static final int MAX_SHOWN = 200;

    private static final Map<String, FileDescriptor> OWN = Stream.of(
                    AnyProto.getDescriptor(),
                    ApiProto.getDescriptor(),
                    DurationProto.getDescriptor(),
                    EmptyProto.getDescriptor(),
                    FieldMaskProto.getDescriptor(),
                    FileDescriptorProto.getDescriptor().getFile(),
                    JavaFeaturesProto.getDescriptor(),
                    SourceContextProto.getDescriptor(),
                    StructProto.getDescriptor(),
                    TimestampProto.getDescriptor(),
                    TypeProto.getDescriptor(),
                    WrappersProto.getDescriptor())
            .collect(Collectors.toUnmodifiableMap(FileDescriptor::getName, file -> file));

    private static final ExtensionRegistry FEATURES = features();

    private final Map<String, FileDescriptorProto> files;
    private final Map<String, FileDescriptor> linked = new HashMap<>();
    /** The reason why a file cannot be used, by its name. */
    private final Map<String, String> failures = new HashMap<>();

    private final MessageJson json;
    private final Map<String, ProtoService> services = new LinkedHashMap<>();

    private static ExtensionRegistry features() {
        ExtensionRegistry registry = ExtensionRegistry.newInstance();
        JavaFeaturesProto.registerAllExtensions(registry);
        return registry.getUnmodifiable();
    }

    private ProtoFiles(Map<String, FileDescriptorProto> files) {
        this.files = files;
        TypeRegistry.Builder types = TypeRegistry.newBuilder();
        OWN.values().forEach(file -> types.add(file.getMessageTypes()));
        for (String name : files.keySet()) {
            try {
                types.add(link(name, 0).getMessageTypes());
            } catch (MalformedDefinitionException e) {
                failures.put(name, e.getMessage());
            }
        }
        json = new MessageJson(types.build());
        for (FileDescriptorProto file : files.values()) {
            FileDescriptor descriptor = linked.get(file.getName());
            if (descriptor != null) {
                descriptor
                        .getServices()
                        .forEach(service ->
                                services.putIfAbsent(service.getFullName(), ProtoService.of(service, json, files)));
            }
        }
    }

    /**
     * Reads a set of descriptors, as {@code protoc --include_imports --descriptor_set_out} writes it.
     *
     * @param sets {@code FileDescriptorSet} each; of two files of one name the first counts
     * @throws MalformedDefinitionException if one is none
     */
    public static ProtoFiles ofSets(List<byte[]> sets) throws MalformedDefinitionException {
        Map<String, FileDescriptorProto> files = new LinkedHashMap<>();
        for (byte[] set : sets) {
            try {
                for (FileDescriptorProto file :
                        FileDescriptorSet.parseFrom(input(set), FEATURES).getFileList()) {
                    add(files, file);
                }
            } catch (IOException e) {
                throw new MalformedDefinitionException("not a FileDescriptorSet of protobuf: " + e.getMessage());
            }
        }
        return new ProtoFiles(files);
    }

    /**
     * Reads descriptors.
     *
     * @param descriptors {@code FileDescriptorProto} each
     */
    public static ProtoFiles of(List<byte[]> descriptors) throws MalformedDefinitionException {
        Map<String, FileDescriptorProto> files = new LinkedHashMap<>();
        for (byte[] bytes : descriptors) {
            try {
                add(files, FileDescriptorProto.parseFrom(input(bytes), FEATURES));
            } catch (IOException e) {
                throw new MalformedDefinitionException("not a FileDescriptorProto of protobuf: " + e.getMessage());
            }
        }
        return new ProtoFiles(files);
    }

    /**
     * Returns the service that a Java interface is.
     *
     * @param found the descriptors of the messages of its methods
     * @return null if no method takes and returns a message
     */
    static ProtoService ofInterface(String interfaceName, GeneratedFiles.Found found)
            throws MalformedDefinitionException {
        ProtoFiles files = of(found.files());
        ProtoService service = files.service(interfaceName, found.serviceName());
        if (service == null && !files.failures.isEmpty()) {
            throw new MalformedDefinitionException(
                    files.failures.values().iterator().next());
        }
        return service == null ? files.serviceOf(interfaceName, found) : service;
    }

    /** Returns the service of an interface that is in no file, though its messages are. */
    private ProtoService serviceOf(String interfaceName, GeneratedFiles.Found found) {
        Map<String, Descriptor> types = new HashMap<>();
        linked.values().forEach(file -> addTypes(file.getMessageTypes(), types));
        OWN.values().forEach(file -> addTypes(file.getMessageTypes(), types));
        return ProtoService.ofInterface(
                interfaceName,
                found.methods(),
                name -> types.get(found.messages().get(name)),
                json,
                files);
    }

    private static void addTypes(List<Descriptor> descriptors, Map<String, Descriptor> types) {
        for (Descriptor type : descriptors) {
            types.put(type.getFullName().replace('.', '_'), type);
            addTypes(type.getNestedTypes(), types);
        }
    }

    private static CodedInputStream input(byte[] bytes) {
        return CodedInputStream.newInstance(bytes);
    }

    private static void add(Map<String, FileDescriptorProto> files, FileDescriptorProto file)
            throws MalformedDefinitionException {
        if (!OWN.containsKey(file.getName())) {
            files.putIfAbsent(file.getName(), file);
        }
        if (files.size() > MAX_FILES) {
            throw new MalformedDefinitionException("more than " + MAX_FILES + " files");
        }
    }

    /** Returns the names of all services that can be called. */
    public Set<String> services() {
        return services.keySet();
    }

    /** Returns the reasons why files cannot be used, by their names; empty if all can be. */
    public Map<String, String> failures() {
        return failures;
    }

    /**
     * Returns the service of this name, {@code helloworld.Greeter}, or of the Java interface of this name; null if
     * there is none.
     */
    public MessageService service(String name) {
        return service(name, null);
    }

    /** Returns the same service as it is described to its callers; null if there is none. */
    public ServiceDefinition definition(String name, DefinitionSource source) {
        ProtoService service = service(name, null);
        return service == null ? null : service.definition(source);
    }

    private ProtoService service(String interfaceName, String serviceName) {
        ProtoService named = services.get(serviceName == null ? interfaceName : serviceName);
        if (named != null) {
            return named;
        }
        for (FileDescriptorProto file : files.values()) {
            String folder =
                    file.getOptions().hasJavaPackage() ? file.getOptions().getJavaPackage() : file.getPackage();
            for (ServiceDescriptorProto service : file.getServiceList()) {
                if (qualified(folder, service.getName()).equals(interfaceName)) {
                    return services.get(qualified(file.getPackage(), service.getName()));
                }
            }
        }
        return null;
    }

    private static String qualified(String folder, String name) {
        return folder.isEmpty() ? name : folder + '.' + name;
    }

    private FileDescriptor link(String name, int imports) throws MalformedDefinitionException {
        FileDescriptor done = OWN.getOrDefault(name, linked.get(name));
        if (done != null) {
            return done;
        }
        if (imports > MAX_IMPORTS) {
            throw new MalformedDefinitionException(
                    shown(name) + ": imported over more than " + MAX_IMPORTS + " files, or by itself");
        }
        String failure = failures.get(name);
        if (failure != null) {
            throw new MalformedDefinitionException(failure);
        }
        FileDescriptorProto file = files.get(name);
        List<FileDescriptor> imported = new ArrayList<>();
        Set<String> missing = new TreeSet<>();
        for (String each : file.getDependencyList()) {
            if (OWN.containsKey(each) || files.containsKey(each)) {
                imported.add(link(each, imports + 1));
            } else {
                missing.add(each);
            }
        }
        try {
            // What is missing may be of use to compilers alone, as the options of google/api/annotations.proto are.
            FileDescriptor descriptor =
                    FileDescriptor.buildFrom(file, imported.toArray(new FileDescriptor[0]), !missing.isEmpty());
            requireTypes(descriptor, missing);
            linked.put(name, descriptor);
            return descriptor;
        } catch (DescriptorValidationException e) {
            throw new MalformedDefinitionException(shown(name) + ": " + Quoted.plain(e.getMessage(), MAX_SHOWN));
        } catch (RuntimeException | StackOverflowError e) {
            // The library checks less than all of it.
            throw new MalformedDefinitionException(shown(name) + ": " + Quoted.plain(e.toString(), MAX_SHOWN));
        }
    }

    private static void requireTypes(FileDescriptor file, Set<String> missing) throws MalformedDefinitionException {
        if (missing.isEmpty()) {
            return;
        }
        for (Descriptor type : file.getMessageTypes()) {
            requireFields(type, missing);
        }
        for (ServiceDescriptor service : file.getServices()) {
            for (var method : service.getMethods()) {
                requireKnown(method.getFullName(), method.getInputType().getFile(), missing);
                requireKnown(method.getFullName(), method.getOutputType().getFile(), missing);
            }
        }
    }

    private static void requireFields(Descriptor type, Set<String> missing) throws MalformedDefinitionException {
        for (var field : type.getFields()) {
            switch (field.getJavaType()) {
                case MESSAGE ->
                    requireKnown(field.getFullName(), field.getMessageType().getFile(), missing);
                case ENUM ->
                    requireKnown(field.getFullName(), field.getEnumType().getFile(), missing);
                default -> {}
            }
        }
        for (Descriptor nested : type.getNestedTypes()) {
            requireFields(nested, missing);
        }
    }

    /** A type that is not described has a file that the library makes up. */
    private static void requireKnown(String user, FileDescriptor file, Set<String> missing)
            throws MalformedDefinitionException {
        if (file.getName().endsWith(".placeholder.proto")) {
            throw new MalformedDefinitionException(
                    Quoted.plain(user, MAX_SHOWN) + ": of a type that is not described (missing: "
                            + Quoted.plain(String.join(", ", missing), MAX_SHOWN) + ')');
        }
    }

    private static String shown(String name) {
        return Quoted.plain(name, MAX_SHOWN);
    }
}
