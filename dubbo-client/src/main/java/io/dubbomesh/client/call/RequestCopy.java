package io.dubbomesh.client.call;

import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * A copy of a request's body, kept while its call lasts, to be written to the provider or given back. Reused; owns its
 * buffer, which counts if it is large.
 */
final class RequestCopy {
    private static final int INITIAL_CAPACITY = 1024;
    /** A buffer that had to grow larger than this is not kept for the next call. */
    private static final int KEPT_CAPACITY = 4 * 1024;

    private final CallArguments arguments = new CallArguments();
    private final MemoryBudget memory;
    /** The bytes that the budget counts for it. */
    private int held;

    /** Null until the first copy, and after {@link #release}. */
    private ByteBuf body;

    RequestCopy(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Copies the body; when that fails the buffer is released. */
    void copy(RequestBody request, CallArguments.Form form, ByteBufAllocator allocator) {
        boolean copied = false;
        try {
            if (body != null && body.capacity() < request.length()) {
                release();
            }
            if (body == null) {
                body = allocator.directBuffer(Math.max(INITIAL_CAPACITY, request.length()));
                count();
            }
            body.clear().writeBytes(request.buffer(), request.offset(), request.length());
            copied = true;
        } finally {
            if (!copied) {
                release();
            }
        }
        int shift = -request.offset();
        arguments
                .set(form, body, request.argumentsOffset() + shift, request.argumentsLength())
                .attachments(request.attachmentsOffset() + shift, request.attachmentsLength())
                .timeLeftMs(request.timeLeftMs());
    }

    ByteBuf body() {
        return body;
    }

    CallArguments arguments() {
        return arguments;
    }

    private void count() {
        if (body.capacity() > MemoryBudget.LARGE) {
            held = body.capacity();
            memory.add(Use.CALLS, held);
        }
    }

    /** Releases a large buffer. */
    void trim() {
        if (body != null && body.capacity() > KEPT_CAPACITY) {
            release();
        }
    }

    void release() {
        if (body != null) {
            body.release();
            body = null;
            memory.release(Use.CALLS, held);
            held = 0;
        }
    }
}
