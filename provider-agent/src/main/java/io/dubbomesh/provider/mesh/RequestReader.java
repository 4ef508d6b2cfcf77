package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.call.ProviderCalls;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.method.MethodCatalog;
import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.netty.buffer.ByteBuf;

/** Reads the DEFINEs and REQUESTs of all mesh links of an event loop, and begins their calls. Owned by the loop. */
public final class RequestReader {
    private final MethodCatalog catalog;
    private final ProviderCalls calls;
    /** Of the request that is being read. */
    private final RequestBody body = new RequestBody();

    public RequestReader(MethodCatalog catalog, ProviderCalls calls) {
        this.catalog = catalog;
        this.calls = calls;
    }

    ServiceLimit limit() {
        return calls.limit();
    }

    /** Adds the method of the DEFINE {@code in[offset, end)} to the table. */
    void define(MethodTable methods, ByteBuf in, int offset, int end) throws MalformedFrameException {
        int names = offset + MeshHeader.LENGTH;
        if (MethodNames.length(in, names, end) != end - names) {
            throw new MalformedFrameException("DEFINE: bytes behind the names");
        }
        ResolvedMethod method = new ResolvedMethod(MethodNames.read(in, names, end), catalog);
        methods.define(MeshHeader.methodId(in, offset), method, end - names);
    }

    /** Serves the REQUEST {@code in[offset, end)}. */
    void request(MeshServerLink link, ByteBuf in, int offset, int end) throws MalformedFrameException {
        int flags = MeshHeader.flags(in, offset);
        int form = flags & (Flags.TEXT | Flags.JSON);
        if (form != Flags.TEXT && form != Flags.JSON) {
            throw new MalformedFrameException(
                    String.format("REQUEST: flags 0x%02x (expected: either TEXT or JSON)", flags));
        }
        int methodId = MeshHeader.methodId(in, offset);
        body.locate(in, offset + MeshHeader.LENGTH, end, methodId == 0);
        ResolvedMethod method = methodId == 0 ? namedIn(in) : link.methods().method(methodId);
        long requestId = MeshHeader.requestId(in, offset);
        try {
            serve(link, requestId, flags, method);
        } catch (RuntimeException | Error e) {
            calls.counters().refused++;
            catalog.metrics().other().answered(Outcome.INTERNAL_ERROR);
            catalog.metrics().failures().add(Outcome.INTERNAL_ERROR, method.name(), null, String.valueOf(e));
            if ((flags & Flags.ONE_WAY) == 0) {
                link.responses().failed(requestId, e);
            }
        }
    }

    private ResolvedMethod namedIn(ByteBuf in) throws MalformedFrameException {
        MethodName name = MethodNames.read(in, body.namesOffset(), body.argumentsOffset());
        return new ResolvedMethod(name, catalog);
    }

    private void serve(MeshServerLink link, long requestId, int flags, ResolvedMethod method) {
        boolean oneWay = (flags & Flags.ONE_WAY) != 0;
        if (body.timeLeftMs() == 0) {
            // The consumer agent answers its client by its own clock.
            calls.counters().expired++;
        } else if (method.refusal() != null) {
            calls.counters().refused++;
            refuse(link, requestId, oneWay, method);
        } else if (method.isDescription()) {
            if (!oneWay) {
                describe(link.responses(), requestId, method.name());
            }
        } else if (!begin(link, requestId, flags, method) && !oneWay) {
            calls.counters().notExecuted++;
            trace(link, method, Outcome.NOT_EXECUTED);
            String unavailability = link.isDraining() ? "the provider agent is shutting down" : calls.unavailability();
            method.called().notBegun(unavailability);
            link.responses().notExecuted(requestId, body.buffer(), body.offset(), body.length(), unavailability);
        }
    }

    private void refuse(MeshServerLink link, long requestId, boolean oneWay, ResolvedMethod method) {
        CallException refusal = method.refusal();
        catalog.metrics().other().answered(refusal.outcome());
        trace(link, method, refusal.outcome());
        catalog.metrics().failures().add(refusal.outcome(), method.name(), null, refusal.getMessage());
        if (!oneWay) {
            link.responses().failed(requestId, refusal.outcome(), refusal.getMessage());
        }
    }

    /** Records a request that becomes no call. */
    private void trace(MeshServerLink link, ResolvedMethod method, Outcome outcome) {
        if (calls.tracer() != null) {
            calls.tracer().answered(body, method.name(), link.readNs(), outcome);
        }
    }

    private boolean begin(MeshServerLink link, long requestId, int flags, ResolvedMethod method) {
        if (link.isDraining()) {
            return false;
        }
        boolean begun = false;
        link.callBegins();
        try {
            begun = calls.begin(link.responses(), requestId, flags, method.called(), body);
        } finally {
            if (!begun) {
                link.callEnded();
            }
        }
        return begun;
    }

    private void describe(MeshResponseWriter responses, long requestId, MethodName name) {
        ServiceDefinition definition = catalog.definitions().definition(name);
        if (definition == null) {
            responses.failed(
                    requestId,
                    Outcome.NOT_FOUND,
                    "the methods of service " + name.service()
                            + " are not known to its provider agent; give it the class files of the interface (its setting dubbo.api.jars)");
        } else if (definition.isGenericService()) {
            responses.failed(
                    requestId,
                    Outcome.NOT_FOUND,
                    "the provider implements service " + name.service()
                            + " as a GenericService, which has no list of its methods; it can be called");
        } else {
            responses.description(requestId, name, definition);
        }
    }
}
