package io.dubbomesh.idl;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.dubbomesh.idl.GeneratedClass.Method;
import io.dubbomesh.protocol.MessageMethod;
import io.dubbomesh.protocol.MessageService;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service whose methods have messages. */
final class ProtoService implements MessageService {
    /** The types of methods, as class files have them: those of one message, which return another one. */
    private static final Pattern UNARY =
            Pattern.compile("\\(L([^;<>]+);\\)(?:Ljava/util/concurrent/CompletableFuture<)?L([^;<>]+);(?:>;)?");

    private static final Pattern SERVER_STREAM =
            Pattern.compile("\\(L([^;<>]+);Lorg/apache/dubbo/common/stream/StreamObserver<L([^;<>]+);>;\\)V");

    private final String name;
    private final List<MessageMethod> methods;
    private final Map<String, MessageMethod> byName = new HashMap<>();

    /** The descriptors of which the services are made, by which they are equal. */
    private final Object descriptors;

    private ProtoService(String name, List<ProtoMethod> methods, Object descriptors) {
        this.name = name;
        this.descriptors = descriptors;
        this.methods = List.copyOf(methods);
        this.methods.forEach(method -> byName.put(method.name(), method));
        this.methods.forEach(method -> byName.putIfAbsent(inJava(method.name()), method));
    }

    static ProtoService of(ServiceDescriptor service, MessageJson json, Object descriptors) {
        List<ProtoMethod> methods = new ArrayList<>();
        service.getMethods().forEach(method -> methods.add(ProtoMethod.of(method, json)));
        return new ProtoService(service.getFullName(), methods, descriptors);
    }

    /**
     * Makes the service of a Java interface that is in no {@code .proto} file, and has methods with messages: those
     * that Dubbo sends without a wrapper.
     *
     * @param types the message of a class, null if it is none
     * @return null if no method is of messages
     */
    static ProtoService ofInterface(
            String name,
            List<Method> declared,
            Function<String, Descriptor> types,
            MessageJson json,
            Object descriptors) {
        List<ProtoMethod> methods = new ArrayList<>();
        for (Method method : declared) {
            Matcher unary = UNARY.matcher(method.type());
            Matcher serverStream = SERVER_STREAM.matcher(method.type());
            boolean isStream = serverStream.matches();
            Matcher form = isStream ? serverStream : unary;
            if (isStream || unary.matches()) {
                Descriptor request = types.apply(form.group(1).replace('/', '.'));
                Descriptor response = types.apply(form.group(2).replace('/', '.'));
                if (request != null && response != null) {
                    methods.add(new ProtoMethod(name, method.name(), request, response, false, isStream, json));
                }
            }
        }
        return methods.isEmpty() ? null : new ProtoService(name, methods, descriptors);
    }

    /** Returns the name of the method that protoc generates. */
    private static String inJava(String name) {
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<MessageMethod> methods() {
        return methods;
    }

    @Override
    public MessageMethod method(String name) {
        return byName.get(name);
    }

    /** Describes it to its callers. */
    ServiceDefinition definition(DefinitionSource source) {
        MessageTypes types = new MessageTypes();
        List<MethodDefinition> definitions = new ArrayList<>();
        for (MessageMethod each : methods) {
            ProtoMethod method = (ProtoMethod) each;
            String request = types.of(method.input());
            String result = types.of(method.output());
            definitions.add(new MethodDefinition(
                    method.name(),
                    List.of(method.isClientStreaming() ? MethodDefinition.streamOf(request) : request),
                    method.isServerStreaming() ? MethodDefinition.streamOf(result) : result));
        }
        return new ServiceDefinition(definitions, types.all(), source, this);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof ProtoService that
                        && name.equals(that.name)
                        && methods.size() == that.methods.size()
                        && descriptors.equals(that.descriptors);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
