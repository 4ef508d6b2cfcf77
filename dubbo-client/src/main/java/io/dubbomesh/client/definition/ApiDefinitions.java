package io.dubbomesh.client.definition;

import io.dubbomesh.idl.MessageInterfaces;
import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads services from the class files of {@code dubbo.api.jars}: their Java types, or the messages of protobuf. */
public final class ApiDefinitions {
    private ApiDefinitions() {}

    /**
     * Returns the definition of a service. One of a {@code .proto} file has its methods alone, none of what its
     * interface extends; an interface that is in none may have methods without messages.
     *
     * @param classes of the same files
     * @return null if there is no class file of the interface
     */
    public static ServiceDefinition read(String interfaceName, ApiClasses files, ClassHierarchy classes)
            throws IOException, MalformedDefinitionException {
        ServiceDefinition ofMessages = MessageInterfaces.find(interfaceName, files);
        if (ofMessages == null) {
            return ClassDefinitions.of(interfaceName, classes);
        }
        return ofMessages.messages().name().equals(interfaceName)
                ? withOtherMethods(ofMessages, interfaceName, classes)
                : ofMessages;
    }

    private static ServiceDefinition withOtherMethods(
            ServiceDefinition ofMessages, String interfaceName, ClassHierarchy classes) throws IOException {
        try {
            ServiceDefinition all = ClassDefinitions.of(interfaceName, classes);
            List<MethodDefinition> methods = new ArrayList<>(ofMessages.methods());
            for (MethodDefinition method : all.methods()) {
                if (ofMessages.messages().method(method.name()) == null) {
                    methods.add(method);
                }
            }
            Map<String, TypeDefinition> types = new HashMap<>(all.types());
            types.putAll(ofMessages.types());
            return new ServiceDefinition(methods, types, all.source(), ofMessages.messages());
        } catch (MalformedDefinitionException e) {
            // What it extends may be in the jars of Dubbo, which are not needed for messages.
            return ofMessages;
        }
    }
}
