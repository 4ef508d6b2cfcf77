package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MessageMethod;
import io.dubbomesh.protocol.MessageService;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.Streaming;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.NotNativeException;
import io.dubbomesh.protocol.type.TypeNames;
import io.dubbomesh.protocol.value.ArgumentBounds;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;

import java.util.List;
import java.util.Map;

/**
 * The way in which a method is called: natively if each argument can be written as the class that the method declares,
 * otherwise through the generic {@code $invoke}, for which the provider converts maps, lists and scalars to the
 * arguments (Dubbo's {@code PojoUtils}).
 *
 * @param descriptor of the method as it is called, without type arguments
 * @param types      of the arguments of a generic call, null if the provider is to find the method by its name alone
 * @param arguments  null of a method that takes a message
 * @param result     what the method declares to return, as far as it is known; the type of one message of a stream
 */
public record Invocation(
        boolean generic,
        String descriptor,
        List<String> types,
        Arguments arguments,
        DeclaredType result,
        Streaming streaming) {
    /** The method of a generic call, which every service has. */
    public static final String INVOKE = "$invoke";

    static final String INVOKE_DESCRIPTOR = "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;";

    private static final int MAX_SIGNATURES = 2000;
    private static final int MAX_METHOD = 500;
    /** A method that every service has and no interface declares. */
    private static final String ECHO = "$echo";

    /** Makes the invocation of a method without streams. */
    public Invocation(
            boolean generic, String descriptor, List<String> types, Arguments arguments, DeclaredType result) {
        this(generic, descriptor, types, arguments, result, Streaming.NONE);
    }

    /**
     * @param service   what is known about the service, else null
     * @param validates whether values that certainly violate constraints are refused
     * @param takesMessages whether the protocol can send messages of protobuf
     * @throws CallException BAD_REQUEST if the descriptor is malformed,
     *     METHOD_NOT_FOUND if the service is known and has no such method, and for the methods of a generic invocation
     */
    static Invocation of(MethodName name, ServiceDefinition service, boolean validates, boolean takesMessages)
            throws CallException {
        // With these a client could name the classes of which the provider makes its arguments, and old versions of
        // Dubbo make objects of any class. Only this package writes such a call, with arguments that name no class.
        if (ServiceDefinition.GENERIC_METHODS.contains(name.method())) {
            throw new CallException(
                    Outcome.METHOD_NOT_FOUND, "method " + name.method() + " cannot be called by clients");
        }
        if (service != null && service.isGenericService() && !name.method().equals(ECHO)) {
            return ofGenericService(name, null);
        }
        if (takesMessages && isOfMessages(name, service)) {
            return ofMessage(name, service.messages(), service);
        }
        if (!name.descriptor().equals(MethodName.UNKNOWN_TYPES)) {
            return typed(named(TypeNames.ofDescriptor(name.descriptor()), name, service), service, validates);
        }
        if (service == null) {
            return new Invocation(true, null, null, Arguments.untyped(), DeclaredType.UNKNOWN);
        }
        return typed(named(name, service).get(0), service, validates);
    }

    /** An interface that is in no file of protobuf may have other methods beside those with messages. */
    private static boolean isOfMessages(MethodName name, ServiceDefinition service) {
        if (service == null || service.messages() == null || name.method().equals(ECHO)) {
            return false;
        }
        return service.messages().method(name.method()) != null
                || service.methods().stream().noneMatch(method -> method.name().equals(name.method()));
    }

    /**
     * Makes the invocation of a method that takes a message.
     *
     * @param messages the service
     * @param known    the same service
     * @throws CallException METHOD_NOT_FOUND if the service has no such method, NOT_IMPLEMENTED for one that takes a
     *     stream
     */
    private static Invocation ofMessage(MethodName name, MessageService messages, ServiceDefinition known)
            throws CallException {
        MessageMethod method = messages.method(name.method());
        if (method == null) {
            throw notFound(name.service(), name.method(), known);
        }
        if (method.isClientStreaming()) {
            throw new CallException(
                    Outcome.NOT_IMPLEMENTED,
                    "method " + Quoted.plain(method.signature(), MAX_METHOD)
                            + " takes a stream of messages, which a request of HTTP cannot send");
        }
        Streaming streaming = method.isServerStreaming() ? Streaming.SERVER : Streaming.NONE;
        return new Invocation(false, null, List.of(), null, DeclaredType.ofMessage(method), streaming);
    }

    /** Returns the method, if it takes a message of protobuf in place of arguments; else null. */
    public MessageMethod message() {
        return result.message();
    }

    /**
     * Appends the bytes of the message that the arguments make.
     *
     * @throws CallException BAD_ARGUMENT, naming the field, the value and what is expected, or BAD_REQUEST
     */
    public void writeMessage(ByteBuf out, CallArguments call) throws CallException {
        if (call.form() == CallArguments.Form.TEXTS) {
            message().writeTexts(out, call.buffer(), call.offset(), call.length());
        } else {
            message().writeArray(out, call.buffer(), call.offset(), call.length());
        }
    }

    /**
     * Returns the methods, more than one, which a call may mean that names no parameter types; empty if there is one.
     */
    static List<MethodDefinition> overloads(MethodName name, ServiceDefinition service) throws CallException {
        boolean isNamed = !name.descriptor().equals(MethodName.UNKNOWN_TYPES);
        if (isNamed || service == null || service.isGenericService()) {
            return List.of();
        }
        List<MethodDefinition> named = named(name, service);
        return named.size() > 1 ? named : List.of();
    }

    /**
     * Makes the invocation of a provider that implements {@code GenericService}: it gets the arguments as they are, so
     * those of the JDK are written as the classes that the call names.
     *
     * @param types that are known of the method if the call names none; null if none are known
     */
    private static Invocation ofGenericService(MethodName name, List<String> types) throws CallException {
        boolean named = !name.descriptor().equals(MethodName.UNKNOWN_TYPES);
        if (!named && types == null) {
            return new Invocation(true, null, null, Arguments.untyped(), DeclaredType.UNKNOWN);
        }
        List<String> of = named ? TypeNames.ofDescriptor(name.descriptor()) : types;
        Arguments arguments = Arguments.of(new MethodDefinition(name.method(), of, "void"), Map.of());
        return new Invocation(
                true,
                TypeNames.descriptor(of),
                TypeNames.erased(of),
                arguments.areNative() ? arguments.unconverted() : arguments.converted(),
                DeclaredType.UNKNOWN);
    }

    /**
     * Returns the same call by {@code $invoke}, for a provider that turns out to implement {@code GenericService}; null
     * if it cannot be called so.
     */
    Invocation ofGenericService(MethodName name) throws CallException {
        if (generic || message() != null || name.method().equals(ECHO)) {
            return null;
        }
        // The provider may be an ordinary one, which has refused an argument: subclasses must still be possible.
        return arguments.areClassesKnown()
                ? new Invocation(true, descriptor, types, arguments.asMaps(), DeclaredType.UNKNOWN)
                : ofGenericService(name, types);
    }

    /**
     * Returns the method with the types as its interface declares them, with type arguments, unless the client has
     * given type arguments. It may be named by its erased types, or by what the interface makes of its type variables.
     */
    private static MethodDefinition named(List<String> types, MethodName name, ServiceDefinition service)
            throws CallException {
        if (service == null || name.method().equals(ECHO)) {
            return new MethodDefinition(name.method(), types, "void");
        }
        List<String> erased = TypeNames.erased(types);
        MethodDefinition found = null;
        for (MethodDefinition candidate : service.methods()) {
            if (candidate.name().equals(name.method())) {
                if (candidate.erasedTypes().equals(erased)) {
                    found = candidate;
                    break;
                }
                boolean fits = TypeNames.erased(candidate.parameterTypes()).equals(erased);
                found = found == null && fits ? candidate : found;
            }
        }
        if (found != null) {
            return types.equals(erased)
                    ? found
                    : new MethodDefinition(found.name(), types, found.returnType(), found.erasedTypes(), found.facts());
        }
        throw notFound(name.service(), name.method() + '(' + String.join(",", types) + ')', service);
    }

    static CallException notFound(String interfaceName, String method, ServiceDefinition service) {
        return new CallException(
                Outcome.METHOD_NOT_FOUND,
                "service " + interfaceName + " has no method " + Quoted.plain(method, MAX_METHOD) + " (it has: "
                        + signatures(service.methods()) + ")");
    }

    private static List<MethodDefinition> named(MethodName name, ServiceDefinition service) throws CallException {
        List<MethodDefinition> named = service.methods().stream()
                .filter(method -> method.name().equals(name.method()))
                .toList();
        if (named.isEmpty()) {
            throw notFound(name.service(), name.method(), service);
        }
        return named;
    }

    private static String signatures(List<MethodDefinition> methods) {
        String signatures = String.join(
                "; ", methods.stream().map(MethodDefinition::signature).toList());
        return Quoted.plain(signatures, MAX_SIGNATURES);
    }

    static Invocation typed(MethodDefinition method, ServiceDefinition service, boolean validates) {
        Arguments arguments = Arguments.of(method, service == null ? Map.of() : service.types(), validates);
        // Only the provider knows the elements of a collection without type arguments.
        boolean generic = Arguments.hasRawCollection(method.parameterTypes()) || !arguments.areNative();
        return new Invocation(
                generic,
                TypeNames.descriptor(method.erasedTypes()),
                method.erasedTypes(),
                generic ? arguments.converted() : arguments,
                arguments.declared(service == null ? "java.lang.Object" : method.messageType()),
                method.streaming());
    }

    /** Returns the same call through {@code $invoke}, but for a method that no interface declares. */
    Invocation throughInvoke(MethodName name) {
        return generic || name.method().equals(ECHO) || arguments.areReadAsWritten() ? this : asGeneric();
    }

    /** Returns the same call through {@code $invoke}. */
    Invocation asGeneric() {
        return new Invocation(true, descriptor, types, arguments.converted(), result, streaming);
    }

    /** Returns the same call through {@code $invoke}, with all objects as maps. */
    Invocation asGenericOfObjects() {
        return new Invocation(true, descriptor, types, arguments.asObjects(), result, streaming);
    }

    /**
     * Writes the list of the types of a generic call's arguments; null if they are not known.
     *
     * @param array the class of the list, see {@link ValueWriter#beginList(String)}; null for none
     */
    public void writeTypes(ValueWriter out, String array) {
        if (types == null) {
            out.writeNull();
            return;
        }
        int begin = out.beginList(array);
        types.forEach(out::writeString);
        out.endList(begin, types.size());
    }

    /**
     * Writes the arguments, which are one list if the call is a generic one.
     *
     * @param bounds of the arguments that are no elements of that list
     * @throws CallException BAD_ARGUMENT, naming position, wanted type and value, or BAD_REQUEST
     * @throws NotNativeException if a value needs another invocation
     */
    public void writeArguments(ValueWriter out, ArgumentBounds bounds, CallArguments call) throws CallException {
        if (generic) {
            writeList(out, null, call);
        } else {
            write(out, bounds, call);
        }
    }

    /**
     * Writes the arguments of a generic call as a list of this class.
     *
     * @param array see {@link ValueWriter#beginList(String)}; null for none
     * @throws CallException as {@link #writeArguments}
     * @throws NotNativeException likewise
     */
    public void writeList(ValueWriter out, String array, CallArguments call) throws CallException {
        int begin = out.beginList(array);
        out.endList(begin, write(out, ArgumentBounds.NONE, call));
    }

    private int write(ValueWriter out, ArgumentBounds bounds, CallArguments call) throws CallException {
        return switch (call.form()) {
            case TEXTS -> arguments.writeForm(out, bounds, call.buffer(), call.offset(), call.length());
            case ARRAY -> arguments.writeJson(out, bounds, call.buffer(), call.offset(), call.length());
            case OBJECT -> writeObject(out, bounds, call);
        };
    }

    /** Writes the only argument, or the arguments by name where the method has several. */
    private int writeObject(ValueWriter out, ArgumentBounds bounds, CallArguments call) throws CallException {
        MethodDefinition method = arguments.namedMethod();
        NamedArguments named = method == null ? null : NamedArguments.read(call.buffer(), call.offset(), call.length());
        if (named == null) {
            return arguments.writeJson(out, bounds, call.buffer(), call.offset(), call.length());
        }
        return arguments.writeNamed(out, bounds, named.toArray(method));
    }
}
