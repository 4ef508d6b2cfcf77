package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.fastjson.FastjsonWriter;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.NotNativeException;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A method of a Dubbo service, ready to be called: the bytes that repeat from call to call (prefix and attachments) are
 * made once. Immutable apart from buffers; owned by one event loop.
 */
public final class DubboRequest {
    /** The oldest version that answers with attachments. */
    private static final String DUBBO_VERSION = "2.0.2";

    private static final String INVOKE = "$invoke";
    private static final String INVOKE_DESCRIPTOR = "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;";

    private final MethodName name;
    private final Serialization serialization;
    private final Invocation invocation;
    private final ExportedAs exported;
    /** Null if there is one method of the name, or the call names the parameter types. */
    private final Overloads overloads;

    private final ValueWriter writer;
    /** Everything before the arguments. */
    private final byte[] prefix;
    /** The attachments of the last call to which the client had added none, with its time left. */
    private byte[] suffix;

    private long suffixTimeLeftMs;
    /** The request of calls with a value that only a generic call can carry; null until there is one. */
    private DubboRequest generic;
    /** Likewise, for one in which the provider must make all objects. */
    private DubboRequest ofObjects;

    /** The same call through {@code $invoke}; null until it is wanted. */
    private DubboRequest throughInvoke;

    private boolean implementsGenericService;
    private boolean known;

    private DubboRequest(MethodName name, Serialization serialization, Invocation invocation, ExportedAs exported) {
        this(name, serialization, invocation, exported, null);
    }

    private DubboRequest(
            MethodName name,
            Serialization serialization,
            Invocation invocation,
            ExportedAs exported,
            Overloads overloads) {
        this.overloads = overloads;
        this.name = name;
        this.serialization = serialization;
        this.invocation = invocation;
        this.exported = exported;
        writer = serialization.newWriter();
        prefix = prefix();
        suffix = suffix(0);
    }

    private byte[] prefix() {
        ByteBuf bytes = Unpooled.buffer();
        writer.reset(bytes);
        writer.writeString(DUBBO_VERSION);
        // By this, Dubbo 2.7 and 3 find the method. By which name the service is exported, all versions read from the
        // attachment.
        writer.writeString(name.service());
        writer.writeString(name.version().isEmpty() ? MethodName.NO_VERSION : name.version());
        if (!invocation.generic()) {
            writer.writeString(name.method());
            writer.writeString(invocation.descriptor());
        } else {
            writer.writeString(INVOKE);
            writer.writeString(INVOKE_DESCRIPTOR);
            writer.writeString(name.method());
            writeTypes(invocation.types());
        }
        return ByteBufUtil.getBytes(bytes);
    }

    private String path() {
        return exported.path() == null ? name.service() : exported.path();
    }

    private void writeTypes(List<String> types) {
        if (types == null) {
            writer.writeNull();
            return;
        }
        int begin = writer.beginList();
        types.forEach(writer::writeString);
        writer.endList(begin, types.size());
    }

    private byte[] suffix(long timeLeftMs) {
        suffixTimeLeftMs = timeLeftMs;
        ByteBuf bytes = Unpooled.buffer();
        writer.reset(bytes);
        beginAttachments(timeLeftMs);
        writer.endMap();
        return ByteBufUtil.getBytes(bytes);
    }

    private void beginAttachments(long timeLeftMs) {
        writer.beginMap();
        writeAttachment("path", path());
        writeAttachment("interface", name.service());
        if (!name.version().isEmpty()) {
            writeAttachment("version", name.version());
        }
        if (!name.group().isEmpty()) {
            writeAttachment("group", name.group());
        }
        if (invocation.generic()) {
            writeAttachment("generic", "true");
        }
        if (exported.token() != null) {
            writeAttachment("token", exported.token());
        }
        // All versions read the first as the caller's timeout; the second makes 2.7 and later count down what is left.
        String timeLeft = Long.toString(timeLeftMs);
        writeAttachment("timeout", timeLeft);
        writeAttachment("_TO", timeLeft);
    }

    private void writeAttachment(String key, String value) {
        writer.writeKey(key);
        writer.writeString(value);
    }

    /** Prepares a call of a service that is exported under its own name and without a token. */
    public static DubboRequest prepare(MethodName name, Serialization serialization, ServiceDefinition service)
            throws CallException {
        return prepare(name, serialization, service, ExportedAs.INTERFACE);
    }

    /**
     * Makes the repeating bytes.
     *
     * @param service what is known about the service, else null
     * @throws CallException BAD_REQUEST if the descriptor is malformed;
     *     METHOD_NOT_FOUND if the service is known and has no such method, and for the methods of a generic invocation
     */
    public static DubboRequest prepare(
            MethodName name, Serialization serialization, ServiceDefinition service, ExportedAs exported)
            throws CallException {
        Invocation invocation = Invocation.of(name, service, exported.validates());
        List<Overloads.Candidate> candidates = new ArrayList<>();
        for (MethodDefinition method : Invocation.overloads(name, service)) {
            Arguments declared = Arguments.of(method, service.types());
            DubboRequest request = new DubboRequest(
                    name, serialization, Invocation.typed(method, service, exported.validates()), exported);
            candidates.add(new Overloads.Candidate(method, declared, request));
        }
        Overloads overloads = candidates.isEmpty() ? null : new Overloads(candidates);
        return new DubboRequest(name, serialization, invocation, exported, overloads);
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

    /** Returns the declared result of {@link #current}, as far as it is known. */
    public DeclaredType resultType() {
        return current().invocation.result();
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
            throughInvoke = other == null ? null : new DubboRequest(name, serialization, other, exported);
        }
        return throughInvoke;
    }

    /** Called when the provider has executed this call, so it knows the method, even if it rejects another argument. */
    public void answered() {
        known = true;
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
     * Appends one whole request frame to {@code out}. When an argument is refused, {@code out} is left as it was.
     *
     * @return whether the call goes through {@code $invoke}: if they all do, or because of one of its arguments
     * @throws CallException BAD_ARGUMENT, naming position, wanted type and value, or BAD_REQUEST; an attachment that is
     *     Dubbo's own (see {@link DubboKeys}) is BAD_REQUEST
     */
    public boolean encode(ByteBuf out, long requestId, boolean oneWay, CallArguments call) throws CallException {
        DubboRequest request = overload(call);
        while (true) {
            try {
                request.write(out, requestId, oneWay, call);
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
                request.writer.reset(scratch.clear());
                request.writeArguments(call);
                return;
            } catch (NotNativeException e) {
                request = e.asObjects() ? ofObjects() : generic();
            }
        }
    }

    private DubboRequest generic() {
        if (generic == null) {
            generic = new DubboRequest(name, serialization, invocation.asGeneric(), exported);
        }
        return generic;
    }

    private DubboRequest ofObjects() {
        if (ofObjects == null) {
            ofObjects = new DubboRequest(name, serialization, invocation.asGenericOfObjects(), exported);
        }
        return ofObjects;
    }

    private void write(ByteBuf out, long requestId, boolean oneWay, CallArguments call) throws CallException {
        int begin = out.writerIndex();
        boolean written = false;
        try {
            int flags = DubboHeader.REQUEST | (oneWay ? 0 : DubboHeader.TWO_WAY) | serialization.id();
            DubboHeader.write(out, flags, 0, requestId, 0);
            out.writeBytes(prefix);
            writer.reset(out);
            writeArguments(call);
            if (call.attachmentsLength() == 0) {
                if (call.timeLeftMs() != suffixTimeLeftMs) {
                    suffix = suffix(call.timeLeftMs());
                }
                out.writeBytes(suffix);
            } else {
                writeAttachments(call);
            }
            DubboHeader.bodyLength(out, begin, out.writerIndex() - begin - DubboHeader.LENGTH);
            written = true;
        } finally {
            if (!written) {
                out.writerIndex(begin);
            }
        }
    }

    private void writeArguments(CallArguments call) throws CallException {
        Arguments arguments = invocation.arguments();
        int begin = invocation.generic() ? writer.beginList() : 0;
        int count = switch (call.form()) {
            case TEXTS -> arguments.writeForm(writer, call.buffer(), call.offset(), call.length());
            case ARRAY -> arguments.writeJson(writer, call.buffer(), call.offset(), call.length());
            case OBJECT -> writeObject(arguments, call);
        };
        if (invocation.generic()) {
            writer.endList(begin, count);
        }
    }

    /** Writes the only argument, or the arguments by name where the method has several. */
    private int writeObject(Arguments arguments, CallArguments call) throws CallException {
        MethodDefinition method = arguments.namedMethod();
        NamedArguments named = method == null ? null : NamedArguments.read(call.buffer(), call.offset(), call.length());
        if (named == null) {
            return arguments.writeJson(writer, call.buffer(), call.offset(), call.length());
        }
        return arguments.writeNamed(writer, named.toArray(method));
    }

    private void writeAttachments(CallArguments call) throws CallException {
        CallerAttachments entries = new CallerAttachments();
        beginAttachments(call.timeLeftMs());
        Attachments.forEach(call.buffer(), call.attachmentsOffset(), call.attachmentsLength(), entries);
        writer.endMap();
        if (entries.refused != null) {
            throw new CallException(
                    Outcome.BAD_REQUEST, "attachment " + Quoted.text(entries.refused) + " cannot be set by callers");
        }
    }

    /** Writes the client's attachments; keeps the key of the first one that is refused. */
    private final class CallerAttachments implements Attachments.Visitor {
        private String refused;

        @Override
        public void entry(ByteBuf block, int keyOffset, int keyLength, int valueOffset, int valueLength) {
            String key = block.toString(keyOffset, keyLength, UTF_8);
            String value = block.toString(valueOffset, valueLength, UTF_8);
            if (!DubboKeys.isOwn(block, keyOffset, keyLength) && !FastjsonWriter.isDirective(key)) {
                writeAttachment(key, value);
            } else if (refused == null) {
                refused = key;
            }
        }
    }
}
