package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.auth.LoopAuth;
import io.dubbomesh.consumer.auth.ProtectedResource;
import io.dubbomesh.consumer.auth.RequestCredentials;
import io.dubbomesh.consumer.caller.CallingApps;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.key.CallKey;
import io.dubbomesh.consumer.record.TraceFields;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.net.SocketAddress;
import java.util.Set;

/** Finds in a request, a form or JSON, what it calls and with which arguments. Owned by one event loop. */
public final class CallReader {
    private static final int MAX_SHOWN = 64;

    /** A page that the agent answers itself. */
    public enum Page {
        /** The services that the caller may know. */
        SERVICES,
        /** What the codes of problem documents mean. */
        ERRORS
    }

    private final CallSettings settings;
    private final Router router;
    /** Null where callers are not authenticated. */
    private final LoopAuth auth;
    /** Null where no keys are needed. */
    private final CallKey key;

    private final CallingApps apps = new CallingApps(System.nanoTime());
    private final CallTarget target = new CallTarget();
    private final FormCall form;
    private final JsonCall json = new JsonCall();
    private final ParsedCall formCall;
    private final ParsedCall jsonCall;
    private final ParsedCall description;

    /** Reads calls of callers that are not authenticated. */
    public CallReader(CallSettings settings, Router router) {
        this(settings, router, null);
    }

    /** @param auth of the callers; null where they are not authenticated */
    public CallReader(CallSettings settings, Router router, LoopAuth auth) {
        this.settings = settings;
        this.router = router;
        this.auth = auth;
        key = settings.key();
        form = new FormCall(settings.maxFormFields());
        formCall = new ParsedCall(form, settings);
        jsonCall = new ParsedCall(json, settings);
        description = new ParsedCall(new JsonCall(), settings);
    }

    /** Returns the header fields of calls, for a parser. */
    public RequestFields newFields() {
        return newFields(null);
    }

    /**
     * Returns the header fields of calls and others, for a parser.
     *
     * @param others those of what else is at the port; null for none
     */
    public RequestFields newFields(RequestFields others) {
        return new CallHeaders(
                auth == null ? null : auth.newCredentials(), key == null ? null : key.newHeaders(), apps, others);
    }

    /** Returns the other header fields of the request, as {@link #newFields} got them. */
    public static RequestFields others(HttpRequestParser request) {
        return CallHeaders.of(request).others();
    }

    /** Counts a request for the application that makes it. */
    public void requested(HttpRequestParser request, String caller, SocketAddress client, long nowNs) {
        apps.requested(caller, CallHeaders.of(request).agent(), client, nowNs);
    }

    /** Returns the applications that have made requests. */
    public CallingApps apps() {
        return apps;
    }

    /** Returns the observer of answers to what calls no method. */
    public Responder.Observer observer() {
        CallMetrics metrics = router.metrics();
        return (response, receivedNs) -> {
            metrics.other().answeredInTurn(response.outcome(), receivedNs);
            if (response.outcome() != Outcome.OK) {
                metrics.failures().add(response.outcome(), null, null, response::reason);
            }
        };
    }

    /** Returns the header fields of distributed tracing that a request has, as its call will have them. */
    public static TraceFields traceFields(HttpRequestParser request) {
        return CallHeaders.of(request).traceFields();
    }

    /** Returns whether the client wants to know how long the request was where. */
    public static boolean asksForTimes(HttpRequestParser request) {
        return CallHeaders.of(request).asksForTimes();
    }

    /** Returns the name of the request's caller; null if it is not known. */
    public static String caller(HttpRequestParser request) {
        RequestCredentials credentials = CallHeaders.of(request).credentials();
        return credentials == null ? null : credentials.subject();
    }

    /** Returns the methods that the request's target allows. */
    public String allowedMethods(HttpRequestParser request) {
        target.locate(request.target());
        return target.kind().allowed();
    }

    /** @throws CallException if it must be known who calls, and is not */
    public void admit(HttpRequestParser request) throws CallException {
        if (auth != null) {
            auth.admit(CallHeaders.of(request).credentials());
        }
    }

    /** Returns what {@link #admit} would throw, which does not count as a refusal then; else null. */
    public CallException refusal(HttpRequestParser request) {
        return auth == null ? null : LoopAuth.refusal(CallHeaders.of(request).credentials());
    }

    /** Returns whether the caller, who was admitted, has a JWT. */
    public boolean hasJwt(HttpRequestParser request) {
        return auth != null && LoopAuth.hasJwt(CallHeaders.of(request).credentials());
    }

    /** @throws CallException if the caller, who was admitted when the head was read, is not known any more */
    public void admitAgain(HttpRequestParser request) throws CallException {
        if (auth != null) {
            auth.admitAgain(CallHeaders.of(request).credentials());
        }
    }

    /**
     * Checks the head of a request that was admitted.
     *
     * @throws CallException if the request cannot be a call of its caller, going by its head alone
     */
    public void checkHead(HttpRequestParser request) throws CallException {
        check(request);
        if (auth != null && target.kind().hasService()) {
            json.parse(request, target, CallHeaders.of(request));
            authorize(request, router.find(json.names()));
        }
    }

    private void check(HttpRequestParser request) throws CallException {
        target.locate(request.target());
        CallRules.check(request, target.kind(), settings.maxTimeoutMs());
    }

    /** Returns whether a request is a call, and not one for what there is to call. */
    public static boolean isCall(HttpRequestParser request) {
        return request.method().equals(CallTarget.POST);
    }

    /**
     * Returns the page that a complete request, which was admitted, asks for; null for the description of a service.
     *
     * @throws CallException if it is neither
     */
    public Page page(HttpRequestParser request) throws CallException {
        check(request);
        return switch (target.kind()) {
            case ROOT -> Page.SERVICES;
            case ERRORS -> Page.ERRORS;
            case SERVICE, DOCUMENT, METHOD, OTHER -> null;
        };
    }

    /** Returns whether a request, of whomever, asks for the page of errors. */
    public boolean asksForErrors(HttpRequestParser request) {
        target.locate(request.target());
        return target.kind() == CallTarget.Kind.ERRORS && CallTarget.Kind.ERRORS.allows(request.method());
    }

    /** Returns whether the request's caller may know the methods of a service. */
    public boolean mayDescribe(HttpRequestParser request, String service) {
        return auth == null || auth.mayCall(CallHeaders.of(request).credentials(), service, MethodName.DESCRIBE);
    }

    /**
     * Reads a complete request, which was admitted.
     *
     * @return valid until the next call and as long as the request is; null if it is no call but asks for an OpenAPI
     *     document
     * @throws CallException if it is not a call that can be made
     */
    public ParsedCall read(HttpRequestParser request) throws CallException {
        check(request);
        return switch (target.kind()) {
            case ROOT -> readForm(request);
            case SERVICE, METHOD -> asksForDocument(request) ? null : readJson(request);
            case DOCUMENT -> null;
            case ERRORS, OTHER -> throw new IllegalStateException("no call");
        };
    }

    private boolean asksForDocument(HttpRequestParser request) {
        return target.kind() == CallTarget.Kind.DOCUMENT
                || target.kind() == CallTarget.Kind.SERVICE
                        && CallHeaders.of(request).acceptsOpenApi();
    }

    /**
     * Returns the service of which a request asks for the document, with its version and group; null if it asks for
     * that of several.
     *
     * @param request the one that was read last
     */
    public MethodName described(HttpRequestParser request) throws CallException {
        if (target.kind() == CallTarget.Kind.DOCUMENT) {
            return null;
        }
        json.parse(request, target, CallHeaders.of(request));
        return router.find(json.names()).name();
    }

    /** Returns a call that asks for the description of a service; valid until the next call. */
    public ParsedCall describe(MethodName service, int timeoutMs) {
        return description.set(router.make(service), Flags.JSON, timeoutMs, Unpooled.EMPTY_BUFFER);
    }

    /** @throws CallException if the request's caller may not call this */
    public void authorize(HttpRequestParser request, MethodName name) throws CallException {
        if (auth != null) {
            auth.authorize(CallHeaders.of(request).credentials(), name, false);
        }
    }

    private ParsedCall readForm(HttpRequestParser request) throws CallException {
        form.parse(request.body(), request.bodyOffset(), request.bodyLength());
        Route route = router.find(form.names());
        authorize(request, route);
        checkCount(route);
        CallHeaders headers = CallHeaders.of(request);
        formCall.set(route, Flags.TEXT | headers.requestFlags(), headers.timeoutMillis(), headers.attachments())
                .takeStream(headers.streamFormat());
        return key == null ? formCall : formCall.setKey(key, headers.keys());
    }

    private ParsedCall readJson(HttpRequestParser request) throws CallException {
        CallHeaders headers = CallHeaders.of(request);
        json.parse(request, target, headers);
        boolean calls = request.method().equals(CallTarget.POST);
        int flags = calls ? Flags.JSON | headers.requestFlags() : Flags.JSON;
        flags |= json.isObject() ? Flags.OBJECT : 0;
        Route route = router.find(json.names());
        authorize(request, route);
        jsonCall.set(route, flags, headers.timeoutMillis(), headers.attachments())
                .takeStream(calls ? headers.streamFormat() : null);
        return key == null ? jsonCall : jsonCall.setKey(key, headers.keys());
    }

    /**
     * Returns the call of a method that the request does not name itself. The caller need not be allowed to call it.
     *
     * @param arguments as one JSON array, all of it readable
     * @param timeoutMs 0 for that of the providers; longer ones than the maximum of requests are cut to it
     * @return valid until the next call and as long as the request and the arguments are
     */
    public ParsedCall read(HttpRequestParser request, MethodName method, ByteBuf arguments, int timeoutMs) {
        CallHeaders headers = CallHeaders.of(request);
        json.set(arguments);
        int boundedMs = (int) Math.min(timeoutMs, settings.maxTimeoutMs());
        jsonCall.set(router.find(method), Flags.JSON, boundedMs, headers.attachments());
        return key == null ? jsonCall : jsonCall.setKey(key, headers.keys());
    }

    /** @throws CallException if a header field of calls is malformed */
    public static void checkFields(HttpRequestParser request) throws CallException {
        CallHeaders headers = CallHeaders.of(request);
        if (headers.rejection() != null) {
            throw new CallException(headers.rejection(), headers.rejectionDetail());
        }
    }

    /** Returns whether callers are authenticated. */
    public boolean authenticates() {
        return auth != null;
    }

    /** Returns whether the request's caller, who was admitted, may use a tool that calls this method. */
    public boolean mayUse(HttpRequestParser request, String tool, MethodName method) {
        return auth == null || auth.mayUse(CallHeaders.of(request).credentials(), tool, method);
    }

    /** Returns the groups of callers of which each may use a tool that calls this method. */
    public Set<String> groupsFor(String tool, MethodName method) {
        return auth == null ? Set.of() : auth.groupsFor(tool, method);
    }

    /** Returns how callers get their tokens themselves; null where they cannot. */
    public ProtectedResource protectedResource() {
        return auth == null ? null : auth.resource();
    }

    private void authorize(HttpRequestParser request, Route route) throws CallException {
        if (auth != null) {
            auth.authorize(CallHeaders.of(request).credentials(), route.name(), route.isKept());
        }
    }

    private void checkCount(Route route) throws CallException {
        if (form.parameterCount() == route.parameterCount()) {
            return;
        }
        String descriptor = route.name().descriptor();
        if (route.parameterCount() == Descriptors.MALFORMED) {
            String shown = descriptor.length() > MAX_SHOWN ? descriptor.substring(0, MAX_SHOWN) + "..." : descriptor;
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "parameterTypesString: \"" + shown + "\" (expected: JVM descriptors such as Ljava/lang/String;I)");
        }
        throw new CallException(
                Outcome.BAD_REQUEST,
                "parameter: " + form.parameterCount() + " of them (expected: " + route.parameterCount()
                        + ", as in parameterTypesString)");
    }
}
