package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.document.FailureDocument;
import io.dubbomesh.protocol.Outcome;

/** Chooses the remedy for a failed call by its code and by the reason of the agent. */
final class FailureRemedies {
    private static final String CORRECT_THE_CALL = "correct the call: meshctl describe prints what the methods take";
    private static final String CLASS_FILES =
            "give the agent that calls the provider the class files of the interface (dubbo.api.jars)";

    private static final String LONGER_FRAMES = "raise mesh.max-frame of the agents on the way";
    private static final String MORE_MEMORY = "find the clients that read slowly, or raise memory.budget of the agent";

    /** Whether the agent calls providers itself. */
    private final boolean gateway;

    FailureRemedies(boolean gateway) {
        this.gateway = gateway;
    }

    /** Returns the remedy with a semicolon behind it; empty if there is none for the code. */
    String find(FailureDocument failure) {
        if (failure.reason().contains("cannot be called yet")) {
            return Remedies.FOREIGN_PROTOCOL + "; ";
        }
        Outcome outcome = outcome(failure);
        return outcome == null ? "" : remedy(outcome, failure.reason()) + "; ";
    }

    /** Returns null if the agent is newer and has another one. */
    private static Outcome outcome(FailureDocument failure) {
        for (Outcome outcome : Outcome.values()) {
            if (outcome.code().equals(failure.code()) && outcome.httpStatus() == failure.status()) {
                return outcome;
            }
        }
        return null;
    }

    private String remedy(Outcome outcome, String reason) {
        return switch (outcome) {
            case OK -> "nothing failed";
            case BAD_ARGUMENT -> argument(reason);
            case BAD_REQUEST, VALIDATION_FAILED -> CORRECT_THE_CALL;
            case NOT_FOUND -> notFound(reason);
            case SERVICE_NOT_FOUND ->
                "compare the name with meshctl ls services and with "
                        + (gateway
                                ? "what the providers register, and the setting registry with theirs"
                                : "dubbo.services of the provider agents, and the setting registry of both agents");
            case METHOD_NOT_FOUND -> "call one that the reason names, or start a provider that has this one";
            case METHOD_NOT_ALLOWED -> "have the client send one of the HTTP methods that the reason names";
            case REQUEST_TIMEOUT ->
                "look at the client and its network; for slow clients raise http.head-timeout and http.body-timeout, or"
                        + " lower http.min-body-rate";
            case LENGTH_REQUIRED -> "have the client send Content-Length, or Transfer-Encoding: chunked";
            case BODY_TOO_LARGE -> longBody(reason);
            case TARGET_TOO_LONG -> "send a shorter target, or raise http.max-request-line";
            case HEAD_TOO_LARGE ->
                reason.startsWith("attachments")
                        ? "send fewer or shorter attachments: their bytes have no setting"
                        : "send fewer or shorter header fields, or raise http.max-head or http.max-headers";
            case UNSUPPORTED_MEDIA_TYPE ->
                reason.startsWith("Content-Encoding")
                        ? "have the client send the body uncompressed"
                        : "have the client send the header that the reason names";
            case EXPECTATION_FAILED -> "have the client send Expect: 100-continue, or no Expect";
            case UNAUTHENTICATED -> "have the client send a token that http.auth of the agent accepts";
            case INVALID_TOKEN ->
                "have the client send a token that http.auth of the agent accepts: compare it with"
                        + " http.auth.token-file, or with http.auth.issuer, http.auth.audience and http.auth.jwks";
            case FORBIDDEN ->
                reason.contains("http.cors.origins")
                        ? "add the page's origin to http.cors.origins, if its scripts are to call"
                        : "add a line to the file of http.auth.rules, if the caller is to make this call";
            case RATE_LIMITED -> "raise mcp.rate, if the caller is to call tools more often";
            case PROVIDER_REFUSED_TOKEN ->
                "set dubbo.token or dubbo.token-file of the agent that calls the provider to the token that the provider demands";
            case NO_PROVIDER -> noProvider(reason);
            case OVERLOADED -> overload(reason);
            case NOT_EXECUTED ->
                reason.contains("lb.limit") ? Remedies.FULL : provider(reason, "see the log of the agent");
            case TIMEOUT -> timeout(reason);
            case PROVIDER_ERROR -> providerError(reason);
            case SERVICE_EXCEPTION -> "the mesh works: see the log of the service";
            case INTERNAL_ERROR -> "report it, with the log of the agent";
            case NOT_ACCEPTABLE -> "have the client send the header Accept that the reason names";
            case NOT_IMPLEMENTED ->
                reason.contains("stream")
                        ? "have the client call another method, or call it in the way that the reason names"
                        : "have the client send GET, HEAD or POST, with Content-Length or just Transfer-Encoding: chunked";
            case VERSION_NOT_SUPPORTED -> "have the client speak HTTP/1.1";
        };
    }

    private static String argument(String reason) {
        if (reason.startsWith("the provider could not convert")) {
            return CLASS_FILES + ", so that it converts the arguments itself, or send what the reason expects";
        }
        if (reason.startsWith("the provider cannot read")) {
            return "have the provider take the class, as the reason says";
        }
        return CORRECT_THE_CALL;
    }

    private static String notFound(String reason) {
        if (reason.contains(" are not known to ")) {
            return CLASS_FILES;
        }
        return reason.contains("GenericService")
                ? "call its methods by their names: such a service has no description"
                : "correct the path: meshctl ls services lists what can be called";
    }

    /** Returns the remedy at a provider where calls are given back, or another one. */
    private String provider(String reason, String otherwise) {
        if (reason.endsWith("the provider is silent")) {
            return (gateway ? "that provider" : "the provider behind that agent")
                    + " is stopped or in a long collection: see its process";
        }
        if (reason.endsWith("the provider is not connected")) {
            return gateway
                    ? "start that provider, or correct the address that it registers"
                    : "start the provider behind that agent, or correct its dubbo.protocol.host and dubbo.protocol.port";
        }
        return otherwise;
    }

    private static String overload(String reason) {
        if (reason.startsWith("every endpoint is at its limit")) {
            return Remedies.FULL;
        }
        if (reason.contains("too many connections")) {
            return "raise http.max-connections, or look for the client that opens so many";
        }
        if (reason.contains("memory.budget") || reason.contains("no room for another answer")) {
            return MORE_MEMORY;
        }
        return reason.contains("http.auth")
                ? "look at the tokens that clients send, and at http.auth.jwks of the agent"
                : Remedies.FULL;
    }

    private static String longBody(String reason) {
        if (reason.startsWith("a request of")) {
            return "send less, or " + LONGER_FRAMES;
        }
        return "send less, or raise "
                + (reason.startsWith("a Dubbo request of")
                        ? "dubbo.max-payload, and payload of the provider"
                        : "http.max-body");
    }

    /** Returns the remedy for a call that a provider was sent and did not execute, or executed without an answer. */
    private static String providerError(String reason) {
        if (reason.contains("there is no room for its answer")) {
            return MORE_MEMORY;
        }
        if (reason.endsWith("longer than a frame may be")) {
            return "have the service return less, page by page, or " + LONGER_FRAMES;
        }
        return reason.contains("which the agent does not read")
                ? "set the provider's serialization to hessian2"
                : "see the log of the provider behind that endpoint";
    }

    private String noProvider(String reason) {
        if (reason.contains("answered since the start")) {
            return "start the registry that the reason names, or correct the setting registry";
        }
        if (reason.contains("the routing rules leave none")) {
            return "correct the rule that the reason names, or the call's tag (docs/operate/routing.md)";
        }
        if (reason.contains("whose metadata was not found yet")) {
            return "let this agent reach an address that the reason names, or have the application write its metadata into"
                    + " the registry (dubbo.application.metadata-type=remote)";
        }
        return provider(
                reason,
                "the reason says why each endpoint takes no calls: see "
                        + (gateway ? "the provider there" : "its agent (meshctl --admin http://HOST:30001 doctor)"));
    }

    private static String timeout(String reason) {
        if (reason.contains("for an endpoint with room")) {
            return Remedies.FULL;
        }
        return reason.contains("while the request waited behind others")
                ? "have the client use more connections, instead of sending requests behind others"
                : "see the provider behind that endpoint, or give slow methods a longer X-Request-Timeout";
    }
}
