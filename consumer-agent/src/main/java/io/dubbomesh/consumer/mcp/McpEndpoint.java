package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.http.ContentType;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.rpc.JsonSlice;
import io.dubbomesh.consumer.mcp.rpc.RpcException;
import io.dubbomesh.consumer.mcp.rpc.RpcReader;
import io.dubbomesh.consumer.mcp.rpc.RpcRequest;
import io.dubbomesh.consumer.mcp.schema.ToolTypes;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Serves the Model Context Protocol by Streamable HTTP at one path: each message is a POST, and its answer one JSON
 * object. It keeps no session: a client of an earlier revision, which initializes, gets the name of one, by which it
 * can cancel its own calls and no others. Owned by one event loop.
 */
public final class McpEndpoint {
    private static final byte[] PATH = "/mcp".getBytes(US_ASCII);
    private static final String ALLOWED = "POST";
    private static final int MAX_SHOWN = 64;

    /** Sends calls upstream. */
    @FunctionalInterface
    public interface CallSender {
        /** @throws CallException if it cannot be sent; the responder is not used then */
        void send(ParsedCall call, Responder responder, long receivedNs, long nowNs) throws CallException;
    }

    private final PublishedTools published;
    private final CallReader calls;
    private final CallSender sender;
    private final Response response;
    private final Executor eventLoop;
    private final RpcAnswers answers;
    private final LoginHints logins;
    private final ToolLister lister;
    private final ServerIdentity identity = new ServerIdentity();
    private final ToolMetrics metrics = new ToolMetrics();

    /**
     * @param response  the loop's view
     * @param eventLoop the loop
     */
    public McpEndpoint(
            PublishedTools published, CallReader calls, CallSender sender, Response response, Executor eventLoop) {
        this.published = published;
        this.calls = calls;
        this.sender = sender;
        this.response = response;
        this.eventLoop = eventLoop;
        answers = new RpcAnswers(response);
        logins = new LoginHints(calls, published, response);
        lister = new ToolLister(calls, sender, eventLoop, published.thread(), System::nanoTime);
    }

    public void addTo(MetricSamples samples) {
        metrics.addTo(samples, published.tools());
    }

    /** Returns the header fields of messages, for a parser. */
    public RequestFields newFields() {
        return new McpHeaders();
    }

    /** Returns whether the request is for this path. */
    public boolean isTarget(HttpRequestParser request) {
        ByteBuf target = request.target();
        int end = Words.firstOf(target, 0, target.writerIndex(), '?', '?');
        return end == PATH.length && Words.equal(target, 0, PATH, 0, PATH.length);
    }

    /** Returns the metadata of the server as a resource, if a request asks for them; else null. */
    public Response metadata(HttpRequestParser request) {
        return logins.metadata(request);
    }

    /** Returns parameters of the challenge to clients without a sufficient token; empty for none. */
    public String challenge() {
        return logins.challenge();
    }

    /** Returns the methods of HTTP that are allowed. */
    public String allowedMethods() {
        return ALLOWED;
    }

    /** @throws CallException if the request is no message, going by its head alone */
    public void checkHead(HttpRequestParser request) throws CallException {
        if (!request.method().equals(ALLOWED)) {
            throw new CallException(Outcome.METHOD_NOT_ALLOWED, request.method() + " (expected: " + ALLOWED + ')');
        }
        if (request.contentType() != ContentType.JSON || request.hasContentEncoding()) {
            throw new CallException(
                    Outcome.UNSUPPORTED_MEDIA_TYPE, "Content-Type (expected: application/json, in UTF-8, not encoded)");
        }
        CallReader.checkFields(request);
    }

    /**
     * Answers a complete request, now or when the tool that it calls has answered.
     *
     * @throws CallException if it is no message; the responder was not called then
     */
    public void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs)
            throws CallException {
        checkHead(request);
        try {
            RpcRequest message = RpcReader.read(request.body(), request.bodyOffset(), request.bodyLength());
            if (message.isNotification()) {
                notified(message, request, responder);
                return;
            }
            RequestMetadata.check(message, McpHeaders.of(request));
            try {
                answer(message, request, responder, receivedNs, nowNs);
            } catch (RpcException e) {
                if (message.isModern() || !e.isAnswer()) {
                    throw e;
                }
                answers.errorWithin(responder, e);
            }
        } catch (RpcException e) {
            answers.error(responder, e);
        }
    }

    private void notified(RpcRequest message, HttpRequestParser request, Responder responder) {
        CancellableCalls.Id cancelled = message.method().equals("notifications/cancelled")
                ? callId(message.cancelled(), request, responder)
                : null;
        responder.respond(response.accepted());
        if (cancelled != null) {
            published.cancellable().cancel(cancelled);
        }
    }

    /** Returns the name by which a client of an earlier revision can cancel a call; null if it cannot. */
    private static CancellableCalls.Id callId(JsonSlice request, HttpRequestParser parser, Responder responder) {
        String session = McpHeaders.of(parser).session();
        return session == null || request == null
                ? null
                : new CancellableCalls.Id(session, caller(parser, responder), request.text());
    }

    private void answer(RpcRequest message, HttpRequestParser request, Responder responder, long receivedNs, long nowNs)
            throws RpcException {
        switch (message.method()) {
            case "server/discover" ->
                answers.result(responder, message.id(), identity.discovered(instructions(request), scope()));
            case "initialize" -> {
                if (message.isModern()) {
                    throw unknownMethod(message);
                }
                String result = Json.write(identity.initialized(message.initialVersion(), instructions(request)));
                answers.result(
                        responder,
                        message.id(),
                        ServerIdentity.newSession(),
                        out -> out.writeBytes(result.getBytes(UTF_8)));
            }
            case "ping" -> answers.result(responder, message.id(), identity.result(message.isModern()));
            case "tools/list" -> list(message, request, responder);
            case "tools/call" -> call(message, request, responder, receivedNs, nowNs);
            default -> throw unknownMethod(message);
        }
    }

    private static RpcException unknownMethod(RpcRequest message) {
        return RpcException.of(
                message.id(),
                RpcException.METHOD_NOT_FOUND,
                "Method not found: " + Quoted.plain(message.method(), MAX_SHOWN));
    }

    /** Returns the text about the tools; empty for a caller that may use none of them. */
    private String instructions(HttpRequestParser request) {
        return mayUseAny(request) ? published.tools().instructions() : "";
    }

    private boolean mayUseAny(HttpRequestParser request) {
        return published.tools().tools().stream().anyMatch(tool -> calls.mayUse(request, tool.name(), tool.method()));
    }

    /** @throws RpcException if no tool is for the caller, and another token could change that */
    private void checkScope(RpcRequest message, HttpRequestParser request) throws RpcException {
        if (!logins.hasScopes() || !calls.hasJwt(request) || mayUseAny(request)) {
            return;
        }
        Collection<String> scopes = logins.scopes();
        if (!scopes.isEmpty()) {
            throw RpcException.insufficientScope(message.id(), scopes);
        }
    }

    private String scope() {
        return calls.authenticates() ? "private" : "public";
    }

    private void list(RpcRequest message, HttpRequestParser request, Responder responder) throws RpcException {
        if (message.cursor() != null) {
            throw RpcException.of(
                    message.id(),
                    RpcException.INVALID_PARAMS,
                    "Invalid params: cursor (expected: none, there is one page)");
        }
        checkScope(message, request);
        ToolTypes types = published.types();
        List<Tool> usable = types.tools().tools().stream()
                .filter(tool -> calls.mayUse(request, tool.name(), tool.method()))
                .toList();
        Map<String, Object> members = identity.result(message.isModern());
        if (message.isModern()) {
            ServerIdentity.cacheFor(members, scope());
        }
        ToolList list = new ToolList(message.id().copy(), members, usable, types, answers, responder);
        if (usable.isEmpty()) {
            list.run();
        } else {
            lister.whenKnown(types, list);
        }
    }

    private void call(RpcRequest message, HttpRequestParser request, Responder responder, long receivedNs, long nowNs)
            throws RpcException {
        if (message.toolName() == null) {
            throw RpcException.of(message.id(), RpcException.INVALID_PARAMS, "Invalid params: no params.name");
        }
        checkScope(message, request);
        Tool tool = published.tools().find(message.toolName());
        if (tool == null || !calls.mayUse(request, tool.name(), tool.method())) {
            // The same for both, so that a caller learns of no tool that is not for it.
            throw RpcException.of(
                    message.id(),
                    RpcException.INVALID_PARAMS,
                    "Unknown tool: " + Quoted.plain(message.toolName(), MAX_SHOWN));
        }
        CallRecord record = responder.record();
        if (record != null) {
            record.request().forTool(tool.name());
        }
        long waitNs = published.rates().tryCall(caller(request, responder), nowNs);
        if (waitNs > 0) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(waitNs) + 1;
            metrics.ended(tool, Outcome.RATE_LIMITED);
            throw RpcException.rateLimited(message.id(), seconds);
        }
        ToolCall call =
                new ToolCall(tool, message.id().copy(), identity.members(message.isModern()), metrics, responder);
        if (!message.isModern()) {
            makeCancellable(call, callId(message.id(), request, responder));
        }
        Map<String, JsonSlice> given = message.arguments() == null ? Map.of() : message.arguments();
        ByteBuf array = PooledByteBufAllocator.DEFAULT.buffer(request.bodyLength());
        try {
            String refusal = write(tool, given, call, array);
            if (refusal == null) {
                sender.send(calls.read(request, tool.method(), array, tool.timeoutMs()), call, receivedNs, nowNs);
            } else {
                // The model may do better when it reads why: it is no error of the protocol.
                call.respond(response.problem(Outcome.BAD_ARGUMENT, refusal));
            }
        } catch (CallException e) {
            call.respond(response.problem(e.outcome(), e.getMessage()));
        } finally {
            array.release();
        }
    }

    /** @param id null if the client has said no session */
    private void makeCancellable(ToolCall call, CancellableCalls.Id id) {
        if (id != null) {
            Runnable cancellation = () -> eventLoop.execute(() -> call.cancel(response));
            published.cancellable().add(id, cancellation);
            call.onEnd(() -> published.cancellable().remove(id, cancellation));
        }
    }

    /** Writes the arguments of the method; returns why the tool does not take those that are given, or null. */
    private static String write(Tool tool, Map<String, JsonSlice> given, ToolCall call, ByteBuf array) {
        try {
            call.page(ToolArguments.page(tool, given));
            ToolArguments.write(tool, given, array);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /** Returns the name by which the calls of a caller are counted: of its token or certificate, else its address. */
    private static String caller(HttpRequestParser request, Responder responder) {
        String subject = CallReader.caller(request);
        if (subject != null) {
            return subject;
        }
        return responder.client() instanceof InetSocketAddress address
                ? responder.clientName() + '@' + address.getHostString()
                : responder.clientName();
    }
}
