package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.client.request.ResponseFrameWriter;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * Requests of services whose types are being looked for: the first one begins the search, and until it ends calls
 * would be written, and their answers read, by other rules than later. They are served in their order when the search
 * ends, which {@link ServiceTypes} bounds. Owned by the event loop of its link.
 */
final class WaitingRequests {
    private static final int MOST = 1024;

    private final MemoryBudget memory;
    private final RequestServer server;
    private final ResponseFrameWriter responses;
    private final Answers answers;
    private final RequestBody body = new RequestBody();
    private ArrayDeque<Waiting> requests = new ArrayDeque<>();

    /** @param body owned */
    private record Waiting(long requestId, int flags, ResolvedMethod method, ByteBuf body, long sinceNs) {
        private boolean isOneWay() {
            return (flags & Flags.ONE_WAY) != 0;
        }
    }

    WaitingRequests(MemoryBudget memory, RequestServer server, ResponseFrameWriter responses, Answers answers) {
        this.memory = memory;
        this.server = server;
        this.responses = responses;
        this.answers = answers;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    /**
     * Takes a request over, whose body is copied. One for which there is no room is given back, or, since its client
     * was told that it is sent, served as if nothing were known.
     */
    void add(long requestId, int flags, ResolvedMethod method, RequestBody request, long nowNs) {
        if (requests.size() < MOST && memory.tryReserve(Use.CALLS, request.length())) {
            ByteBuf copy = PooledByteBufAllocator.DEFAULT.directBuffer(request.length());
            copy.writeBytes(request.buffer(), request.offset(), request.length());
            requests.add(new Waiting(requestId, flags, method, copy, nowNs));
            answers.callBegins();
        } else if (method.isDescription() || (flags & Flags.ONE_WAY) != 0) {
            server.serve(responses, requestId, flags, method, request);
        } else {
            server.giveBack(
                    responses,
                    requestId,
                    method,
                    request,
                    "the types of service " + method.name().service()
                            + " are being looked for, and too many calls wait for them");
        }
    }

    /** Serves those whose types are not waited for any more. */
    void serveReady() {
        serve(waiting -> !waiting.method.awaitsTypes());
    }

    /** Serves those of which the client was told that they are sent. */
    void serveOneWay() {
        serve(Waiting::isOneWay);
    }

    private void serve(Predicate<Waiting> chosen) {
        ArrayDeque<Waiting> all = requests;
        requests = new ArrayDeque<>();
        for (Waiting each : all) {
            if (chosen.test(each)) {
                serve(each);
            } else {
                requests.add(each);
            }
        }
    }

    private void serve(Waiting waiting) {
        try {
            body.locate(waiting.body, 0, waiting.body.writerIndex(), false);
            body.held(System.nanoTime() - waiting.sinceNs);
            answers.receivedNs(waiting.sinceNs);
            server.serve(responses, waiting.requestId, waiting.flags, waiting.method, body);
        } catch (MalformedFrameException e) {
            throw new AssertionError("a body that was located before", e);
        } finally {
            release(waiting);
        }
    }

    /** Ends them, unanswered. */
    void drop() {
        requests.forEach(this::release);
        requests.clear();
    }

    private void release(Waiting waiting) {
        memory.release(Use.CALLS, waiting.body.writerIndex());
        waiting.body.release();
        answers.callEnded();
    }
}
