package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.mesh.MethodNames;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The methods that a peer has given ids on one connection. Ids run from 1 to the table size told in HELLO and are only
 * ever added. Their names are bounded in bytes too, for which the peer counts them as well.
 */
final class MethodTable {
    private final int size;
    private final SharedMethods all;
    private final List<SharedMethods.Shared> taken = new ArrayList<>();
    private ResolvedMethod[] methods = new ResolvedMethod[16];
    private long namesLeft;
    /** The bytes that its methods take, including those that other tables share. */
    private long bytes;

    /** @param all of the event loop */
    MethodTable(int size, SharedMethods all) {
        this.size = size;
        this.all = all;
        namesLeft = MethodNames.maxTableBytes(size);
    }

    /** @param namesLength bytes of the names as they were sent */
    void define(int id, MethodName name, int namesLength) throws MalformedFrameException {
        if (id < 1 || id > size) {
            throw new MalformedFrameException("DEFINE: method id " + id + " (expected: 1 to " + size + ")");
        }
        if (id < methods.length && methods[id] != null) {
            throw new MalformedFrameException("DEFINE: method id " + id + " is defined already");
        }
        namesLeft -= namesLength;
        if (namesLeft < 0) {
            throw new MalformedFrameException(
                    "DEFINE: names of more than " + MethodNames.maxTableBytes(size) + " bytes in all");
        }
        if (id >= methods.length) {
            methods = Arrays.copyOf(methods, Math.min(size + 1, Math.max(id + 1, methods.length * 2)));
        }
        SharedMethods.Shared shared = all.take(name);
        taken.add(shared);
        bytes += shared.bytes();
        methods[id] = shared.method();
    }

    ResolvedMethod method(int id) throws MalformedFrameException {
        if (id < 1 || id >= methods.length || methods[id] == null) {
            throw new MalformedFrameException("REQUEST: method id " + id + " was never defined");
        }
        return methods[id];
    }

    long bytes() {
        return bytes;
    }

    /** Forgets all: its link has ended. */
    void clear() {
        taken.forEach(all::release);
        taken.clear();
        methods = new ResolvedMethod[0];
        bytes = 0;
    }
}
