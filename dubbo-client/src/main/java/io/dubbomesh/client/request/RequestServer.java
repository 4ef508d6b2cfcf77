package io.dubbomesh.client.request;

import io.dubbomesh.client.call.ProviderCalls;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.method.MethodCatalog;
import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.runtime.AgentRole;

import java.util.List;

/**
 * Serves requests: each becomes a call to the provider, is given back, or is answered here. Owned by one event loop.
 */
public final class RequestServer {
    private final MethodCatalog catalog;
    private final ProviderCalls calls;
    private final String agent;

    /** @param role of this process, for messages */
    public RequestServer(MethodCatalog catalog, ProviderCalls calls, AgentRole role) {
        this.catalog = catalog;
        this.calls = calls;
        agent = role.title();
    }

    /** Returns the limit on the calls that are begun here. */
    public ServiceLimit limit() {
        return calls.limit();
    }

    /**
     * Serves one request; throws nothing.
     *
     * @param responses of the requester
     * @param flags     of the REQUEST, with one of {@link Flags#TEXT} and {@link Flags#JSON}
     * @param body      not used any more when this returns
     */
    public void serve(
            ResponseFrameWriter responses, long requestId, int flags, ResolvedMethod method, RequestBody body) {
        try {
            begin(responses, requestId, flags, method, body);
        } catch (RuntimeException | Error e) {
            calls.counters().refused++;
            catalog.metrics().other().answered(Outcome.INTERNAL_ERROR);
            catalog.metrics().failures().add(Outcome.INTERNAL_ERROR, method.name(), null, String.valueOf(e));
            if ((flags & Flags.ONE_WAY) == 0) {
                responses.failed(requestId, e);
            }
        }
    }

    private void begin(
            ResponseFrameWriter responses, long requestId, int flags, ResolvedMethod method, RequestBody body) {
        boolean oneWay = (flags & Flags.ONE_WAY) != 0;
        if (body.timeLeftMs() == 0) {
            // The consumer agent answers its client by its own clock.
            calls.counters().expired++;
        } else if (method.refusal() != null) {
            calls.counters().refused++;
            refuse(responses, requestId, oneWay, method, body);
        } else if (method.isDescription()) {
            if (!oneWay) {
                describe(responses, requestId, method.name(), describedMethod(body));
            }
        } else if (!call(responses, requestId, flags, method, body) && !oneWay) {
            giveBack(
                    responses,
                    requestId,
                    method,
                    body,
                    responses.requester().takesRequests() ? calls.unavailability() : "the " + agent + " is going away");
        }
    }

    /**
     * Gives a request for a call back, which is then executed elsewhere or nowhere.
     *
     * @param unavailability why no calls are taken; null if there are too many
     */
    public void giveBack(
            ResponseFrameWriter responses,
            long requestId,
            ResolvedMethod method,
            RequestBody body,
            String unavailability) {
        calls.counters().notExecuted++;
        trace(responses, method, body, Outcome.NOT_EXECUTED);
        method.called().notBegun(unavailability);
        responses.notExecuted(requestId, body.buffer(), body.offset(), body.length(), unavailability);
    }

    private void refuse(
            ResponseFrameWriter responses, long requestId, boolean oneWay, ResolvedMethod method, RequestBody body) {
        CallException refusal = method.refusal();
        catalog.metrics().other().answered(refusal.outcome());
        trace(responses, method, body, refusal.outcome());
        catalog.metrics().failures().add(refusal.outcome(), method.name(), null, refusal.getMessage());
        if (oneWay) {
            return;
        }
        if (refusal.outcome() == Outcome.SERVICE_NOT_FOUND
                && responses.requester().takesUnserved()) {
            responses.unserved(requestId, body.buffer(), body.offset(), body.length(), refusal.getMessage());
        } else {
            responses.failed(requestId, refusal.outcome(), refusal.getMessage());
        }
    }

    /** Records a request that becomes no call. */
    private void trace(ResponseFrameWriter responses, ResolvedMethod method, RequestBody body, Outcome outcome) {
        if (calls.tracer() != null) {
            calls.tracer().answered(body, method.name(), responses.receivedNs(), outcome);
        }
    }

    private boolean call(
            ResponseFrameWriter responses, long requestId, int flags, ResolvedMethod method, RequestBody body) {
        Requester requester = responses.requester();
        if (!requester.takesRequests()) {
            return false;
        }
        boolean begun = false;
        requester.callBegins();
        try {
            begun = calls.begin(responses, requestId, flags, method.called(), body);
        } finally {
            if (!begun) {
                requester.callEnded();
            }
        }
        return begun;
    }

    /** Returns the only argument, the name of the method that is to be described; null for the whole service. */
    private static String describedMethod(RequestBody body) {
        List<String> names = Arguments.texts(body.buffer(), body.argumentsOffset(), body.argumentsLength());
        return names.size() == 1 ? names.get(0) : null;
    }

    /**
     * Answers a request for the description of a service with what is known of it now.
     *
     * @param method that alone is described; null for all
     */
    public void describe(ResponseFrameWriter responses, long requestId, MethodName name, String method) {
        ServiceDefinition definition = catalog.definition(name);
        if (definition == null) {
            responses.failed(
                    requestId,
                    Outcome.NOT_FOUND,
                    "the methods of service " + name.service() + " are not known to the " + agent
                            + " (Dubbo 3 does not tell them); give it the class files of the interface (its setting dubbo.api.jars)");
        } else if (definition.isGenericService()) {
            responses.failed(
                    requestId,
                    Outcome.NOT_FOUND,
                    "the provider implements service " + name.service()
                            + " as a GenericService, which has no list of its methods; it can be called");
        } else if (method == null) {
            responses.description(requestId, name, definition, each -> isValidated(name, each));
        } else if (definition.ofMethods(method) == null) {
            CallException refusal = DubboRequest.unknownMethod(name.service(), method, definition);
            responses.failed(requestId, refusal.outcome(), refusal.getMessage());
        } else {
            responses.description(requestId, name, definition.ofMethods(method), each -> isValidated(name, each));
        }
    }

    private boolean isValidated(MethodName service, String method) {
        return catalog.validates(new MethodName(service.service(), method, "", service.version(), service.group()));
    }
}
