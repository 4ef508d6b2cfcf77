package io.dubbomesh.idl;

import io.dubbomesh.protocol.definition.ClassDefinitions.ClassFiles;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.ServiceDefinition;

import java.io.IOException;

/**
 * Finds the services that Java interfaces are, if the messages of protobuf are in their methods. Loads the classes of
 * protobuf only when it has found one.
 */
public final class MessageInterfaces {
    private MessageInterfaces() {}

    /**
     * Finds the service by the descriptors in the classes that protoc has generated for the messages of the methods.
     * The name of its messages is that of the service in the {@code .proto} file, or of the interface if it is in no
     * file and the messages alone are.
     *
     * @return null if there is no class file of the interface, or its methods are not of messages
     */
    public static ServiceDefinition find(String interfaceName, ClassFiles classes)
            throws IOException, MalformedDefinitionException {
        GeneratedFiles.Found found = GeneratedFiles.find(interfaceName, classes);
        return found == null ? null : definition(interfaceName, found);
    }

    private static ServiceDefinition definition(String interfaceName, GeneratedFiles.Found found)
            throws MalformedDefinitionException {
        ProtoService service = ProtoFiles.ofInterface(interfaceName, found);
        return service == null ? null : service.definition(DefinitionSource.CLASS_FILES);
    }
}
