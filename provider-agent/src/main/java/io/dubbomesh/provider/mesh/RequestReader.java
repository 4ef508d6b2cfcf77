package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.method.MethodCatalog;
import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.netty.buffer.ByteBuf;

/**
 * Reads the DEFINEs and REQUESTs of all mesh links of an event loop, and has the requests served. Owned by the loop.
 */
public final class RequestReader {
    private final MethodCatalog catalog;
    private final RequestServer server;
    private final SharedMethods defined;
    /** The body of the request that is being read. */
    private final RequestBody body = new RequestBody();

    /** @param namesCapacity bytes that the methods may take which are defined on all links */
    public RequestReader(MethodCatalog catalog, RequestServer server, long namesCapacity) {
        this.catalog = catalog;
        this.server = server;
        defined = new SharedMethods(catalog, namesCapacity);
    }

    /** Returns the methods that are defined on all links. */
    SharedMethods defined() {
        return defined;
    }

    /** Returns about how many bytes the methods take which are defined on all links. */
    public long namesBytes() {
        return defined.used();
    }

    ServiceLimit limit() {
        return server.limit();
    }

    /** Adds the method of the DEFINE {@code in[offset, end)} to the table. */
    void define(MethodTable methods, ByteBuf in, int offset, int end) throws MalformedFrameException {
        int names = offset + MeshHeader.LENGTH;
        if (MethodNames.length(in, names, end) != end - names) {
            throw new MalformedFrameException("DEFINE: bytes behind the names");
        }
        methods.define(MeshHeader.methodId(in, offset), MethodNames.read(in, names, end), end - names);
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
        if (link.heldNs() > 0) {
            body.held(link.heldNs());
        }
        ResolvedMethod method = methodId == 0 ? namedIn(in) : link.methods().method(methodId);
        server.serve(link.responses(), MeshHeader.requestId(in, offset), flags, method, body);
    }

    private ResolvedMethod namedIn(ByteBuf in) throws MalformedFrameException {
        MethodName name = MethodNames.read(in, body.namesOffset(), body.argumentsOffset());
        return new ResolvedMethod(name, catalog);
    }
}
