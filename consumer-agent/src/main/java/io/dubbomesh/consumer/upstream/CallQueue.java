package io.dubbomesh.consumer.upstream;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/**
 * The calls of one event loop that wait because every endpoint of their pool is at its limit; each pool has them in the order of their
 * arrival. Bounded in number and in the bytes of their requests.
 */
final class CallQueue {
    private final int maxCalls;
    private final long maxBytes;
    private final RequestWriter requests;
    private int calls;
    private long bytes;

    CallQueue(int maxCalls, long maxBytes, RequestWriter requests) {
        this.maxCalls = maxCalls;
        this.maxBytes = maxBytes;
        this.requests = requests;
    }

    boolean isEmpty() {
        return calls == 0;
    }

    /** Whether one more call fits whose request is about so long. */
    boolean hasRoom(int requestBytes) {
        return calls < maxCalls && bytes + requestBytes <= maxBytes;
    }

    /** @param body of its REQUEST; released with the call, or when it is sent */
    void add(UpstreamCall call, ByteBuf body) {
        call.queue(body);
        call.pool().waiting.addLast(call);
        calls++;
        bytes += body.readableBytes();
    }

    /** Takes out a call that ends without having been sent; does nothing if it does not wait here. */
    void remove(UpstreamCall call) {
        if (call.pool().waiting.remove(call)) {
            removed(call);
        }
    }

    private void removed(UpstreamCall call) {
        calls--;
        bytes -= call.queuedBody().readableBytes();
    }

    /** Sends the calls of a pool as long as an endpoint has room; false if some still wait and the pool has no endpoint that is alive. */
    boolean send(EndpointPool pool, long nowNs) {
        while (!pool.waiting.isEmpty()) {
            ProviderEndpoint endpoint = pool.pick(null, nowNs);
            if (endpoint == null) {
                return pool.anyAlive();
            }
            UpstreamCall call = pool.waiting.pollFirst();
            removed(call);
            try {
                ByteBuf body = call.queuedBody();
                requests.resend(call, endpoint, body, 0, body.writerIndex(), nowNs);
            } catch (MalformedFrameException e) {
                throw new AssertionError("a body that was written here", e);
            } finally {
                call.releaseQueuedBody();
            }
        }
        return true;
    }
}
