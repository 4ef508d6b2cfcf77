package io.dubbomesh.meshctl;

import io.dubbomesh.meshctl.Finding.Level;

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
            "give the provider agent the class files of the interface (dubbo.api.jars)";

    private FailedCalls() {}

    /**
     * Looks at them.
     *
     * @param failures the entries of the agent's document, the latest first
     * @param calls    among which they were
     */
    static List<Finding> check(List<Map<?, ?>> failures, RecentCalls calls) {
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
            findings.add(finding(failure, isRare));
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

    private static Finding finding(Map<?, ?> failure, boolean isRare) {
        String code = AgentCommand.text(failure, "code");
        return new Finding(
                isOfTheMesh(failure) && !isRare && secondsAgo(failure) <= NOW_S ? Level.FAIL : Level.WARN,
                text(failure, code),
                remedy(code, AgentCommand.text(failure, "reason")) + "; docs/errors.md explains " + code);
    }

    private static String text(Map<?, ?> failure, String code) {
        long count = Diagnosis.number(failure, "count");
        String endpoint = AgentCommand.text(failure, "endpoint");
        return count + (count == 1 ? " call" : " calls") + called(failure)
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

    /** What a provider agent says of its provider when it gives calls back, or something else. */
    private static String ofProvider(String reason, String otherwise) {
        if (reason.endsWith("the provider is silent")) {
            return "the provider behind that agent is stopped or in a long collection: see its process";
        }
        if (reason.endsWith("the provider is not connected")) {
            return "start the provider behind that agent, or correct its dubbo.protocol.host and dubbo.protocol.port";
        }
        return otherwise;
    }

    private static String remedy(String code, String reason) {
        return switch (code) {
            case "BAD_ARGUMENT" -> ofArgument(reason);
            case "BAD_REQUEST", "VALIDATION_FAILED" -> CORRECT_THE_CALL;
            case "NOT_FOUND" ->
                reason.contains("are not known to its provider agent")
                        ? CLASS_FILES
                        : "correct the path: meshctl ls services lists what can be called";
            case "SERVICE_NOT_FOUND" ->
                "compare the name with meshctl ls services and with dubbo.services of the provider agents, and the"
                        + " setting registry of both agents";
            case "METHOD_NOT_FOUND" -> "call one that the reason names, or start a provider that has this one";
            case "UNAUTHENTICATED", "INVALID_TOKEN" ->
                "have the client send a token that http.auth of the agent accepts";
            case "FORBIDDEN" ->
                reason.contains("http.cors.origins")
                        ? "add the page's origin to http.cors.origins, if its scripts are to call"
                        : "add a line to the file of http.auth.rules, if the caller is to make this call";
            case "PROVIDER_REFUSED_TOKEN" ->
                "set dubbo.token or dubbo.token-file of the agent that calls the provider to the token that the provider demands";
            case "NO_PROVIDER" ->
                ofProvider(
                        reason,
                        "the reason says why each endpoint takes no calls: see its agent (meshctl --admin http://HOST:30001"
                                + " doctor)");
            case "OVERLOADED" -> Remedies.FULL;
            case "NOT_EXECUTED" ->
                reason.contains("lb.limit") ? Remedies.FULL : ofProvider(reason, "see the log of the agent");
            case "TIMEOUT" -> "see the provider behind that endpoint, or give slow methods a longer X-Request-Timeout";
            case "PROVIDER_ERROR" -> "see the log of the provider behind that endpoint";
            case "SERVICE_EXCEPTION" -> "the mesh works: see the log of the service";
            case "INTERNAL_ERROR" -> "report it, with the log of the agent";
            default -> "correct the request";
        };
    }
}
