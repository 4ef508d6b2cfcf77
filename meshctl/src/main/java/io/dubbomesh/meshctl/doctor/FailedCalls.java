package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.doctor.Finding.Level;
import io.dubbomesh.meshctl.doctor.RecentCalls.MethodKey;
import io.dubbomesh.meshctl.document.FailureDocument;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.Count;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

/** Checks the calls that failed lately: the reason of each kind of failure, and the remedy for it. */
final class FailedCalls {
    /** A failure that is older may have been put right. */
    private static final long NOW_S = 60;

    private static final long LATELY_S = 300;
    private static final int SHOWN = 12;

    /** Failures that clients or the service are to put right, not the mesh. */
    private static final Set<String> NOT_OF_THE_MESH =
            Set.of("SERVICE_EXCEPTION", "NOT_IMPLEMENTED", "VERSION_NOT_SUPPORTED");

    private static final int LOWEST_SERVER_FAILURE = 500;

    private FailedCalls() {}

    /**
     * Returns what they tell.
     *
     * @param failures the latest first
     * @param calls    among which they were
     * @param role     of the agent
     */
    static List<Finding> check(List<FailureDocument> failures, RecentCalls calls, AgentRole role) {
        List<FailureDocument> late =
                failures.stream().filter(failure -> failure.age() <= LATELY_S).toList();
        Map<MethodKey, Long> ofTheMesh = late.stream()
                .filter(FailedCalls::isOfTheMesh)
                .collect(groupingBy(FailedCalls::method, summingLong(FailureDocument::count)));
        List<Finding> findings = new ArrayList<>();
        late.stream().limit(SHOWN).forEach(failure -> {
            MethodKey method = method(failure);
            boolean isRare = calls.areRare(method, ofTheMesh.getOrDefault(method, 0L), failure.age());
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

    private static boolean isOfTheMesh(FailureDocument failure) {
        return failure.status() >= LOWEST_SERVER_FAILURE && !NOT_OF_THE_MESH.contains(failure.code());
    }

    private static MethodKey method(FailureDocument failure) {
        return new MethodKey(failure.service(), failure.method());
    }

    private static Finding finding(FailureDocument failure, boolean isRare, boolean ofGateway) {
        String code = failure.code();
        return new Finding(
                isOfTheMesh(failure) && !isRare && failure.age() <= NOW_S ? Level.FAIL : Level.WARN,
                text(failure, code),
                new FailureRemedies(ofGateway).find(failure) + "docs/errors.md explains " + code);
    }

    private static String text(FailureDocument failure, String code) {
        String endpoint = failure.endpoint();
        return Count.of(failure.count(), "call") + called(failure)
                + (endpoint.isEmpty() ? "" : " at " + endpoint)
                + " failed with " + code + ", the last " + failure.age() + " s ago: "
                + failure.reason();
    }

    private static String called(FailureDocument failure) {
        String service = failure.service();
        String method = failure.method();
        String version = failure.version();
        String group = failure.group();
        if (service.isEmpty()) {
            return " of no service";
        }
        return " of " + service
                + (version.isEmpty() && group.isEmpty() ? "" : ':' + version)
                + (group.isEmpty() ? "" : ':' + group)
                + (method.isEmpty() ? " for its description" : '.' + method);
    }
}
