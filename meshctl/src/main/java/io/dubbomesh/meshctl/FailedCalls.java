package io.dubbomesh.meshctl;

import io.dubbomesh.meshctl.Finding.Level;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

/**
 * What the calls that failed lately tell, as an agent lists them: the reason of each kind of failure, and the remedy
 * for its code.
 */
final class FailedCalls {
    /** A failure that is older may have been put right. */
    private static final long NOW_S = 60;

    private static final long LATELY_S = 300;
    private static final int SHOWN = 12;

    /** Failures that clients or the service are to put right, not the mesh. */
    private static final Set<String> NOT_OF_THE_MESH =
            Set.of("SERVICE_EXCEPTION", "NOT_IMPLEMENTED", "VERSION_NOT_SUPPORTED");

    private static final int LOWEST_SERVER_FAILURE = 500;
    private static final String CORRECT_THE_CALL = "correct the call: meshctl describe prints what the methods take";
    private static final String CLASS_FILES =
            "give the agent that calls the provider the class files of the interface (dubbo.api.jars)";

    private static final String LONGER_FRAMES = "raise mesh.max-frame of the agents on the way";
    private static final String MORE_MEMORY = "find the clients that read slowly, or raise memory.budget of the agent";

    private FailedCalls() {}

    /**
     * Looks at them.
     *
     * @param failures the entries of the agent's document, the latest first
     * @param calls    among which they were
     * @param role     of the agent
     */
    static List<Finding> check(List<Map<?, ?>> failures, RecentCalls calls, AgentRole role) {
        List<Map<?, ?>> late = failures.stream()
                .filter(failure -> secondsAgo(failure) <= LATELY_S)
                .toList();
        Map<List<String>, Long> ofTheMesh = late.stream()
                .filter(FailedCalls::isOfTheMesh)
                .collect(groupingBy(RecentCalls::method, summingLong(failure -> Diagnosis.number(failure, "count"))));
        List<Finding> findings = new ArrayList<>();
        late.stream().limit(SHOWN).forEach(failure -> {
            List<String> method = RecentCalls.method(failure);
            boolean isRare = calls.areRare(method, ofTheMesh.getOrDefault(method, 0L), secondsAgo(failure));
            findings.add(finding(failure, isRare, role == AgentRole.GATEWAY));
        });
        if (late.size() > SHOWN) {
            findings.add(Finding.warn(
                    (late.size() - SHOWN) + " other kinds of failures in the last " + LATELY_S + " s",
                    "meshctl ls failures lists them"));
        }
        if (late.isEmpty()) {
            findings.add(Finding.ok("no call failed in the last " + LATELY_S + " s"));
        }
        return findings;
    }

    private static boolean isOfTheMesh(Map<?, ?> failure) {
        return Diagnosis.number(failure, "status") >= LOWEST_SERVER_FAILURE
                && !NOT_OF_THE_MESH.contains(AgentCommand.text(failure, "code"));
    }

    private static Finding finding(Map<?, ?> failure, boolean isRare, boolean ofGateway) {
        String code = AgentCommand.text(failure, "code");
        return new Finding(
                isOfTheMesh(failure) && !isRare && secondsAgo(failure) <= NOW_S ? Level.FAIL : Level.WARN,
                text(failure, code),
                remedy(failure, code, ofGateway) + "docs/errors.md explains " + code);
    }

    private static String text(Map<?, ?> failure, String code) {
        String endpoint = AgentCommand.text(failure, "endpoint");
        return Diagnosis.count(failure, "count", "call") + called(failure)
                + (endpoint.isEmpty() ? "" : " at " + endpoint)
                + " failed with " + code + ", the last " + secondsAgo(failure) + " s ago: "
                + AgentCommand.text(failure, "reason");
    }

    private static String called(Map<?, ?> failure) {
        String service = AgentCommand.text(failure, "service");
        String method = AgentCommand.text(failure, "method");
        String version = AgentCommand.text(failure, "version");
        String group = AgentCommand.text(failure, "group");
        if (service.isEmpty()) {
            return " of no service";
        }
        return " of " + service
                + (version.isEmpty() && group.isEmpty() ? "" : ':' + version)
                + (group.isEmpty() ? "" : ':' + group)
                + (method.isEmpty() ? " for its description" : '.' + method);
    }

    private static long secondsAgo(Map<?, ?> failure) {
        return failure.get("secondsAgo") instanceof Number seconds ? seconds.longValue() : 0;
    }

    private static String ofArgument(String reason) {
        if (reason.startsWith("the provider could not convert")) {
            return CLASS_FILES + ", so that it converts the arguments itself, or send what the reason expects";
        }
        if (reason.startsWith("the provider cannot read")) {
            return "have the provider take the class, as the reason says";
        }
        return CORRECT_THE_CALL;
    }

    private static String ofNotFound(String reason) {
        if (reason.contains(" are not known to ")) {
            return CLASS_FILES;
        }
        return reason.contains("GenericService")
                ? "call its methods by their names: such a service has no description"
                : "correct the path: meshctl ls services lists what can be called";
    }

    /** What is said of a provider where calls are given back, or something else. */
    private static String ofProvider(String reason, boolean ofGateway, String otherwise) {
        if (reason.endsWith("the provider is silent")) {
            return (ofGateway ? "that provider" : "the provider behind that agent")
                    + " is stopped or in a long collection: see its process";
        }
        if (reason.endsWith("the provider is not connected")) {
            return ofGateway
                    ? "start that provider, or correct the address that it registers"
                    : "start the provider behind that agent, or correct its dubbo.protocol.host and dubbo.protocol.port";
        }
        return otherwise;
    }

    /** Null if the agent is newer and has another one. */
    private static Outcome outcome(Map<?, ?> failure, String code) {
        for (Outcome outcome : Outcome.values()) {
            if (outcome.code().equals(code) && outcome.httpStatus() == Diagnosis.number(failure, "status")) {
                return outcome;
            }
        }
        return null;
    }

    private static String remedy(Map<?, ?> failure, String code, boolean ofGateway) {
        String reason = AgentCommand.text(failure, "reason");
        if (reason.contains("cannot be called yet")) {
            return Remedies.FOREIGN_PROTOCOL + "; ";
        }
        Outcome outcome = outcome(failure, code);
        return outcome == null ? "" : remedy(outcome, reason, ofGateway) + "; ";
    }

    private static String ofOverload(String reason) {
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

    private static String ofLongBody(String reason) {
        if (reason.startsWith("a request of")) {
            return "send less, or " + LONGER_FRAMES;
        }
        return "send less, or raise "
                + (reason.startsWith("a Dubbo request of")
                        ? "dubbo.max-payload, and payload of the provider"
                        : "http.max-body");
    }

    /** What a provider was sent and did not do, or did and could not tell. */
    private static String ofProviderError(String reason) {
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

    private static String ofNoProvider(String reason, boolean ofGateway) {
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
        return ofProvider(
                reason,
                ofGateway,
                "the reason says why each endpoint takes no calls: see "
                        + (ofGateway ? "the provider there" : "its agent (meshctl --admin http://HOST:30001 doctor)"));
    }

    private static String ofTimeout(String reason) {
        if (reason.contains("for an endpoint with room")) {
            return Remedies.FULL;
        }
        return reason.contains("while the request waited behind others")
                ? "have the client use more connections, instead of sending requests behind others"
                : "see the provider behind that endpoint, or give slow methods a longer X-Request-Timeout";
    }

    private static String remedy(Outcome outcome, String reason, boolean ofGateway) {
        return switch (outcome) {
            case OK -> "nothing failed";
            case BAD_ARGUMENT -> ofArgument(reason);
            case BAD_REQUEST, VALIDATION_FAILED -> CORRECT_THE_CALL;
            case NOT_FOUND -> ofNotFound(reason);
            case SERVICE_NOT_FOUND ->
                "compare the name with meshctl ls services and with "
                        + (ofGateway
                                ? "what the providers register, and the setting registry with theirs"
                                : "dubbo.services of the provider agents, and the setting registry of both agents");
            case METHOD_NOT_FOUND -> "call one that the reason names, or start a provider that has this one";
            case METHOD_NOT_ALLOWED -> "have the client send one of the HTTP methods that the reason names";
            case REQUEST_TIMEOUT ->
                "look at the client and its network; for slow clients raise http.head-timeout and http.body-timeout, or"
                        + " lower http.min-body-rate";
            case LENGTH_REQUIRED -> "have the client send Content-Length, or Transfer-Encoding: chunked";
            case BODY_TOO_LARGE -> ofLongBody(reason);
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
            case PROVIDER_REFUSED_TOKEN ->
                "set dubbo.token or dubbo.token-file of the agent that calls the provider to the token that the provider demands";
            case NO_PROVIDER -> ofNoProvider(reason, ofGateway);
            case OVERLOADED -> ofOverload(reason);
            case NOT_EXECUTED ->
                reason.contains("lb.limit") ? Remedies.FULL : ofProvider(reason, ofGateway, "see the log of the agent");
            case TIMEOUT -> ofTimeout(reason);
            case PROVIDER_ERROR -> ofProviderError(reason);
            case SERVICE_EXCEPTION -> "the mesh works: see the log of the service";
            case INTERNAL_ERROR -> "report it, with the log of the agent";
            case NOT_IMPLEMENTED ->
                "have the client send GET, HEAD or POST, with Content-Length or just Transfer-Encoding: chunked";
            case VERSION_NOT_SUPPORTED -> "have the client speak HTTP/1.1";
        };
    }
}
