package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.Streaming;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.NotNativeException;
import io.netty.buffer.ByteBuf;

import java.util.ArrayList;
import java.util.List;

/**
 * A method of a Dubbo service, ready to be called: its {@link RequestFormat} has the bytes that repeat from call to
 * call. Immutable apart from buffers; owned by one event loop.
 */
public final class DubboRequest {
    private final MethodName name;
    private final RequestFormat.Factory protocol;
    private final Invocation invocation;
    private final ExportedAs exported;
    /** Null if there is one method of the name, or the call names the parameter types. */
    private final Overloads overloads;

    private final RequestFormat format;
    /** The request of calls with a value that only a generic call can carry; null until there is one. */
    private DubboRequest generic;
    /** Likewise, for one in which the provider must make all objects. */
    private DubboRequest ofObjects;

    /** The same call through {@code $invoke}; null until it is wanted. */
    private DubboRequest throughInvoke;

    private boolean implementsGenericService;
    private boolean known;

    private DubboRequest(MethodName name, RequestFormat.Factory protocol, Invocation invocation, ExportedAs exported) {
        this(name, protocol, invocation, exported, null);
    }

    private DubboRequest(
            MethodName name,
            RequestFormat.Factory protocol,
            Invocation invocation,
            ExportedAs exported,
            Overloads overloads) {
        this.overloads = overloads;
        this.name = name;
        this.protocol = protocol;
        this.invocation = invocation;
        this.exported = exported;
        format = protocol.of(name, invocation, exported);
    }

    /** Prepares a call of a service that is exported under its own name and without a token. */
    public static DubboRequest prepare(MethodName name, Serialization serialization, ServiceDefinition service)
            throws CallException {
        return prepare(name, serialization, service, ExportedAs.INTERFACE);
    }

    /**
     * Prepares a call in a frame of Dubbo 2.
     *
     * @throws CallException as that for any protocol
     */
    public static DubboRequest prepare(
            MethodName name, Serialization serialization, ServiceDefinition service, ExportedAs exported)
            throws CallException {
        RequestFormat.Factory dubbo =
                (method, invocation, as) -> new DubboFormat(method, serialization, invocation, as);
        return prepare(name, dubbo, service, exported);
    }

    /**
     * Makes the repeating bytes.
     *
     * @param service what is known about the service, else null
     * @throws CallException BAD_REQUEST if the descriptor is malformed;
     *     METHOD_NOT_FOUND if the service is known and has no such method, and for the methods of a generic invocation
     */
    public static DubboRequest prepare(
            MethodName name, RequestFormat.Factory protocol, ServiceDefinition service, ExportedAs exported)
            throws CallException {
        Invocation invocation = Invocation.of(name, service, exported.validates(), protocol.takesMessages());
        if (invocation.message() != null) {
            return new DubboRequest(name, protocol, invocation, exported);
        }
        boolean isConverted = !protocol.readsDeclaredTypes();
        if (isConverted) {
            invocation = invocation.throughInvoke(name);
        }
        List<Overloads.Candidate> candidates = new ArrayList<>();
        for (MethodDefinition method : Invocation.overloads(name, service)) {
            Arguments declared = Arguments.of(method, service.types());
            Invocation typed = Invocation.typed(method, service, exported.validates());
            DubboRequest request =
                    new DubboRequest(name, protocol, isConverted ? typed.throughInvoke(name) : typed, exported);
            candidates.add(new Overloads.Candidate(method, declared, request));
        }
        Overloads overloads = candidates.isEmpty() ? null : new Overloads(candidates);
        return new DubboRequest(name, protocol, invocation, exported, overloads);
    }

    /** Returns the refusal of a method that the service does not have. */
    public static CallException unknownMethod(String service, String method, ServiceDefinition known) {
        return Invocation.notFound(service, method, known);
    }

    /** Returns whether calls are of one of several methods, and {@link #overload} finds of which. */
    public boolean isOverloaded() {
        return overloads != null;
    }

    /**
     * Returns the method of this name that these arguments are for: this, if there is only one.
     *
     * @throws CallException BAD_REQUEST if several may be meant, or none has so many parameters, and BAD_ARGUMENT if
     *     none takes these values
     */
    public DubboRequest overload(CallArguments call) throws CallException {
        return overloads == null ? this : overloads.choose(call);
    }

    /** Returns whether all calls go through {@code $invoke}, see {@link ResultFormat#of}. */
    public boolean isGeneric() {
        return invocation.generic();
    }

    /** Returns whether the provider is called by Triple, and not by Dubbo 2. */
    public boolean isTriple() {
        return protocol.isTriple();
    }

    /** Returns whether request and answer are messages of protobuf, see {@link Invocation#message}. */
    public boolean isMessage() {
        return invocation.message() != null;
    }

    /** Returns the declared result of {@link #current}, as far as it is known. */
    public DeclaredType resultType() {
        return current().invocation.result();
    }

    /** Returns how many messages its calls take and return; not to be asked before an {@link #overload} is chosen. */
    public Streaming streaming() {
        return invocation.streaming();
    }

    /** Returns whether its calls carry a token. */
    public boolean hasToken() {
        return exported.token() != null;
    }

    /**
     * Returns the request to send: this one, or the call through {@code $invoke} since {@link
     * #implementedByGenericService}.
     */
    public DubboRequest current() {
        return implementsGenericService ? throughInvoke : this;
    }

    /**
     * Returns the same call through {@code $invoke}: a provider that implements {@code GenericService} knows no method
     * of the service. Null if this is such a call, or the provider has {@linkplain #answered answered} this one.
     */
    public DubboRequest throughInvoke() throws CallException {
        if (known) {
            return null;
        }
        if (throughInvoke == null) {
            Invocation other = invocation.ofGenericService(name);
            throughInvoke = other == null ? null : new DubboRequest(name, protocol, other, exported);
        }
        return throughInvoke;
    }

    /** Called when the provider has executed this call, so it knows the method, even if it rejects another argument. */
    public void answered() {
        known = true;
    }

    /** See {@link RequestFormat#isUnknownMethod}. */
    public boolean isUnknownMethod(ByteBuf in, int offset) {
        return format.isUnknownMethod(in, offset);
    }

    /** Returns whether the provider has {@linkplain #answered answered} this call before. */
    public boolean isKnown() {
        return known;
    }

    /**
     * Called when the provider has refused this call and taken that {@linkplain #throughInvoke through} {@code
     * $invoke}.
     */
    public void implementedByGenericService() {
        implementsGenericService = true;
    }

    /**
     * Appends one whole request to {@code out}. When an argument is refused, {@code out} is left as it was.
     *
     * @return whether the call goes through {@code $invoke}: if they all do, or because of one of its arguments
     * @throws CallException BAD_ARGUMENT, naming position, wanted type and value, or BAD_REQUEST; an attachment that
     *     callers may not set is BAD_REQUEST
     */
    public boolean encode(ByteBuf out, long requestId, boolean oneWay, CallArguments call) throws CallException {
        DubboRequest request = overload(call);
        while (true) {
            try {
                request.format.write(out, requestId, oneWay, call);
                return request.invocation.generic();
            } catch (NotNativeException e) {
                request = e.asObjects() ? ofObjects() : generic();
            }
        }
    }

    /**
     * Writes the arguments alone, to see whether they are taken.
     *
     * @throws CallException as {@link #encode}
     */
    void checkArguments(ByteBuf scratch, CallArguments call) throws CallException {
        DubboRequest request = this;
        while (true) {
            try {
                request.format.checkArguments(scratch, call);
                return;
            } catch (NotNativeException e) {
                request = e.asObjects() ? ofObjects() : generic();
            }
        }
    }

    private DubboRequest generic() {
        if (generic == null) {
            generic = new DubboRequest(name, protocol, invocation.asGeneric(), exported);
        }
        return generic;
    }

    private DubboRequest ofObjects() {
        if (ofObjects == null) {
            ofObjects = new DubboRequest(name, protocol, invocation.asGenericOfObjects(), exported);
        }
        return ofObjects;
    }
}
