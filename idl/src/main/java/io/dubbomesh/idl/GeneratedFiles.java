package io.dubbomesh.idl;

import io.dubbomesh.idl.GeneratedClass.Method;
import io.dubbomesh.protocol.definition.ClassDefinitions.ClassFiles;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the descriptors that belong to a Java interface in class files, of which it loads none. */
final class GeneratedFiles {
    /** The bound of classes that are read for one interface. */
    static final int MAX_CLASSES = 5_000;

    /** In the class files of the agent itself, whose protobuf has them too. */
    private static final String OWN_PACKAGE = "com.google.protobuf.";

    /** A class, and in it the field of a message. */
    private static final Pattern FIELD = Pattern.compile("(.+)\\.internal_static_(\\w+)_descriptor");

    private final ClassFiles classes;
    private final Set<String> seen = new HashSet<>();
    private final List<byte[]> files = new ArrayList<>();

    /**
     * The descriptors of an interface.
     *
     * @param files       {@code FileDescriptorProto} each
     * @param serviceName that the interface names, null if it names none
     * @param methods     of the interface
     * @param messages    by their classes: the name of a message with an underscore for each dot
     */
    record Found(List<byte[]> files, String serviceName, List<Method> methods, Map<String, String> messages) {}

    private GeneratedFiles(ClassFiles classes) {
        this.classes = classes;
    }

    /**
     * Reads the class files from an interface to the descriptors.
     *
     * @return null if there is no class file of it, or its methods have no messages
     */
    static Found find(String interfaceName, ClassFiles classes) throws IOException, MalformedDefinitionException {
        return new GeneratedFiles(classes).find(interfaceName);
    }

    private Found find(String interfaceName) throws IOException, MalformedDefinitionException {
        GeneratedClass service = read(interfaceName);
        if (service == null) {
            return null;
        }
        Set<String> holders = new LinkedHashSet<>();
        Map<String, String> messages = new HashMap<>();
        for (Method method : service.methods()) {
            for (String name : method.classes()) {
                if (name.startsWith(OWN_PACKAGE)) {
                    messages.put(name, "google_protobuf_" + name.substring(OWN_PACKAGE.length()));
                    continue;
                }
                GeneratedClass message = name.startsWith("java.") ? null : read(name);
                if (message != null && !message.messages().isEmpty()) {
                    // The field that its method getDescriptor() returns.
                    String field = message.messages().iterator().next();
                    Matcher descriptor = FIELD.matcher(field);
                    if (descriptor.matches()) {
                        holders.add(descriptor.group(1));
                        messages.put(name, descriptor.group(2));
                    }
                }
            }
        }
        addFiles(holders);
        return messages.isEmpty()
                ? null
                : new Found(List.copyOf(files), service.serviceName(), service.methods(), messages);
    }

    private void addFiles(Set<String> holders) throws IOException, MalformedDefinitionException {
        Queue<String> left = new ArrayDeque<>(holders);
        String name;
        while ((name = left.poll()) != null) {
            GeneratedClass holder = name.startsWith(OWN_PACKAGE) ? null : read(name);
            if (holder != null && holder.file() != null) {
                files.add(holder.file());
                left.addAll(holder.imports());
            }
        }
    }

    /** Returns null if there is none, or it has been read. */
    private GeneratedClass read(String className) throws IOException, MalformedDefinitionException {
        if (!seen.add(className)) {
            return null;
        }
        if (seen.size() > MAX_CLASSES) {
            throw new MalformedDefinitionException("more than " + MAX_CLASSES + " classes of messages");
        }
        byte[] bytes = classes.find(className);
        return bytes == null ? null : GeneratedClass.parse(bytes, className);
    }
}
