package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.client.request.Requester;
import io.dubbomesh.client.request.ResponseFrameWriter;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.runtime.FatalErrors;
import io.netty.channel.EventLoop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Requests for the description of a service whose types are being looked for: the first request begins the search, and
 * an answer at once would be that nothing is known. Owned by the event loop of its link.
 */
final class AwaitedDescriptions {
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST = 64;

    private final EventLoop eventLoop;
    private final ExportedMethods methods;
    private final RequestServer server;
    private final ResponseFrameWriter responses;
    private final Requester requester;
    private final ArrayDeque<Awaited> awaited = new ArrayDeque<>();

    private record Awaited(long requestId, MethodName name, long untilNs) {}

    AwaitedDescriptions(
            EventLoop eventLoop,
            ExportedMethods methods,
            RequestServer server,
            ResponseFrameWriter responses,
            Requester requester) {
        this.eventLoop = eventLoop;
        this.methods = methods;
        this.server = server;
        this.responses = responses;
        this.requester = requester;
    }

    /** Takes a request over, to be answered later; false if there is nothing to wait for. */
    boolean add(long requestId, MethodName name) {
        if (!methods.isLookedFor(name) || awaited.size() >= MOST) {
            return false;
        }
        awaited.add(new Awaited(requestId, name, System.nanoTime() + WAIT_NS));
        requester.callBegins();
        eventLoop.schedule(this::answerKnown, WAIT_NS, TimeUnit.NANOSECONDS);
        return true;
    }

    /** Answers those whose types are looked for no more, and those that have waited long enough. */
    void answerKnown() {
        long nowNs = System.nanoTime();
        List<Awaited> ready = new ArrayList<>();
        awaited.removeIf(each -> {
            boolean isReady = nowNs - each.untilNs >= 0 || !methods.isLookedFor(each.name);
            return isReady && ready.add(each);
        });
        for (Awaited each : ready) {
            try {
                server.describe(responses, each.requestId, each.name);
            } catch (RuntimeException | Error e) {
                FatalErrors.check(e);
                responses.failed(each.requestId, e);
            } finally {
                requester.callEnded();
            }
        }
    }
}
