package io.dubbomesh.consumer;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/**
 * The calls of one event loop that wait because every endpoint of their pool is at its limit: in each pool the first to come is the first
 * to go. Bounded in number and in the bytes of their requests.
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

    /** Whether there is room for one more call whose request is about so long. */
    boolean hasRoom(int requestBytes) {
        return calls < maxCalls && bytes + requestBytes <= maxBytes;
    }

    /** @param body of its REQUEST; released with the call, or when it leaves */
    void add(HttpCall call, ByteBuf body) {
        call.body = body;
        call.pool.waiting.addLast(call);
        calls++;
        bytes += body.readableBytes();
    }

    /** A call that waits ends otherwise. */
    void leave(HttpCall call) {
        if (call.pool.waiting.remove(call)) {
            left(call);
        }
    }

    private void left(HttpCall call) {
        calls--;
        bytes -= call.body.readableBytes();
    }

    /** Sends the calls of a pool as far as there is room; false if some wait on though nobody is there any more. */
    boolean send(EndpointPool pool, long nowNs) {
        while (!pool.waiting.isEmpty()) {
            ProviderEndpoint endpoint = pool.pick(null, nowNs);
            if (endpoint == null) {
                return pool.anyAlive();
            }
            HttpCall call = pool.waiting.pollFirst();
            left(call);
            ByteBuf body = call.body;
            call.body = null;
            try {
                requests.resend(call, endpoint, body, 0, body.writerIndex(), nowNs);
            } catch (MalformedFrameException e) {
                throw new AssertionError("a body that was written here", e);
            } finally {
                body.release();
            }
        }
        return true;
    }
}
