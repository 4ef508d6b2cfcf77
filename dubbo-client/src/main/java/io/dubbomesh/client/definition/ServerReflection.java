package io.dubbomesh.client.definition;

import io.dubbomesh.idl.ProtoFiles;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.runtime.protobuf.ProtobufBuffer;
import io.dubbomesh.runtime.protobuf.ProtobufReader;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * Asks the server reflection of a provider for descriptors (gRPC's v1, else v1alpha, whose messages are the same). Each
 * question is a call of its own. Blocking, not for event loops.
 * <pre>
 *   ServerReflectionRequest {oneof {
 *       string file_by_filename = 3; string file_containing_symbol = 4; string list_services = 7;}}
 *   ServerReflectionResponse {oneof {FileDescriptorResponse = 4; ListServiceResponse = 6; ErrorResponse = 7;}}
 *   FileDescriptorResponse {repeated bytes file_descriptor_proto = 1;}
 *   ListServiceResponse {repeated ServiceResponse {string name = 1;} service = 1;}
 *   FileDescriptorProto {string name = 1; repeated string dependency = 3; ...}
 * </pre>
 */
public final class ServerReflection {
    private static final List<String> PATHS = List.of(
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");

    private static final int BY_NAME = 3;
    private static final int BY_SYMBOL = 4;
    private static final int LIST = 7;
    private static final int FILES = 4;
    private static final int SERVICES = 6;

    private static final int MAX_FILES = 500;
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    /** The bound of services of one simple name. */
    private static final int MAX_NAMESAKES = 10;

    private static final int SCRATCH = 256;
    /** In the agent itself. */
    private static final String OWN_FILES = "google/protobuf/";

    private final Caller caller;
    /** Null until one has answered. */
    private String path;

    /** Calls a method of gRPC with one message, and returns the one message of the answer. */
    @FunctionalInterface
    public interface Caller {
        byte[] call(String path, byte[] message) throws IOException;
    }

    public ServerReflection(Caller caller) {
        this.caller = caller;
    }

    /**
     * Returns the definition of a service.
     *
     * @param service its name, or that of its Java interface
     * @return null if the provider does not describe it
     * @throws IOException if the provider has no reflection, or its answer is malformed
     */
    public ServiceDefinition find(String service) throws IOException {
        try {
            Map<String, byte[]> files = new LinkedHashMap<>();
            add(files, ask(BY_SYMBOL, service));
            if (files.isEmpty()) {
                for (String namesake : namesakes(service)) {
                    add(files, ask(BY_SYMBOL, namesake));
                }
            }
            addImports(files);
            return files.isEmpty()
                    ? null
                    : ProtoFiles.of(List.copyOf(files.values())).definition(service, DefinitionSource.PROVIDER);
        } catch (ProtobufReader.Malformed | MalformedDefinitionException e) {
            throw new IOException("server reflection: " + e.getMessage(), e);
        }
    }

    /** Returns the services that may be that of an interface: its package may be another one than that of the file. */
    private List<String> namesakes(String service) throws IOException {
        String simpleName = simpleName(service);
        List<String> names = new ArrayList<>();
        ProtobufReader answer = ask(LIST, "*");
        while (answer.next()) {
            if (answer.field() != SERVICES) {
                answer.skip();
                continue;
            }
            ProtobufReader services = answer.message();
            while (services.next()) {
                ProtobufReader each = services.message();
                while (each.next()) {
                    String name = each.field() == 1 ? each.text() : "";
                    if (each.field() != 1) {
                        each.skip();
                    } else if (simpleName(name).equals(simpleName) && names.size() < MAX_NAMESAKES) {
                        names.add(name);
                    }
                }
            }
        }
        return names;
    }

    private static String simpleName(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Providers send a file with those that it imports, or alone. */
    private void addImports(Map<String, byte[]> files) throws IOException {
        Set<String> asked = new HashSet<>();
        Queue<byte[]> left = new ArrayDeque<>(files.values());
        byte[] file;
        while ((file = left.poll()) != null) {
            ProtobufReader reader = new ProtobufReader(file);
            while (reader.next()) {
                if (reader.field() != 3) {
                    reader.skip();
                    continue;
                }
                String name = reader.text();
                if (!files.containsKey(name) && !name.startsWith(OWN_FILES) && asked.add(name)) {
                    left.addAll(add(files, ask(BY_NAME, name)));
                }
            }
        }
    }

    /** Returns the files that are new; none if the answer is an error. */
    private static List<byte[]> add(Map<String, byte[]> files, ProtobufReader answer) throws IOException {
        List<byte[]> added = new ArrayList<>();
        while (answer.next()) {
            if (answer.field() != FILES) {
                answer.skip();
                continue;
            }
            ProtobufReader descriptors = answer.message();
            while (descriptors.next()) {
                byte[] file = descriptors.bytes();
                if (files.putIfAbsent(name(file), file) == null) {
                    added.add(file);
                }
            }
        }
        long bytes = files.values().stream().mapToLong(file -> file.length).sum();
        if (files.size() > MAX_FILES || bytes > MAX_BYTES) {
            throw new IOException("server reflection: more than " + MAX_FILES + " files or " + MAX_BYTES + " bytes");
        }
        return added;
    }

    private static String name(byte[] file) {
        ProtobufReader reader = new ProtobufReader(file);
        String name = "";
        while (reader.next()) {
            if (reader.field() == 1) {
                name = reader.text();
            } else {
                reader.skip();
            }
        }
        return name;
    }

    private ProtobufReader ask(int field, String text) throws IOException {
        ProtobufBuffer buffer = new ProtobufBuffer(SCRATCH);
        buffer.textField(field, text);
        byte[] request = new byte[buffer.length()];
        System.arraycopy(buffer.array(), buffer.offset(), request, 0, request.length);
        if (path != null) {
            return new ProtobufReader(caller.call(path, request));
        }
        IOException failure = null;
        for (String each : PATHS) {
            try {
                byte[] answer = caller.call(each, request);
                path = each;
                return new ProtobufReader(answer);
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }
}
