package io.dubbomesh.meshctl;

import io.dubbomesh.meshctl.Finding.Level;
import io.dubbomesh.runtime.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class FailedCallsTest {
    private static Map<?, ?> failure(String code, int status, double secondsAgo, String reason) {
        return (Map<?, ?>) Json.read("{\"code\":\"" + code + "\",\"status\":" + status
                + ",\"service\":\"a.Shop\",\"method\":\"buy\",\"version\":\"\",\"group\":\"\",\"count\":3,\"secondsAgo\":"
                + secondsAgo + ",\"reason\":\"" + reason + "\"}");
    }

    @Test
    void aFailureIsToldWithItsNumberPlaceAgeAndReason() {
        Map<?, ?> failure = (Map<?, ?>)
                Json.read(
                        "{\"code\":\"TIMEOUT\",\"status\":504,\"service\":\"a.Shop\",\"method\":\"buy\",\"version\":\"1.0\","
                                + "\"group\":\"blue\",\"endpoint\":\"192.0.2.7:30000\",\"count\":1,\"secondsAgo\":2.9,\"reason\":\"late\"}");

        assertThat(FailedCalls.check(List.of(failure), RecentCalls.NONE))
                .containsExactly(Finding.fail(
                        "1 call of a.Shop:1.0:blue.buy at 192.0.2.7:30000 failed with TIMEOUT, the last 2 s ago: late",
                        "see the provider behind that endpoint, or give slow methods a longer X-Request-Timeout;"
                                + " docs/errors.md explains TIMEOUT"));
    }

    @ParameterizedTest
    @CsvSource({
        "PROVIDER_ERROR, 502, 59, FAIL",
        "PROVIDER_ERROR, 502, 61, WARN",
        "INTERNAL_ERROR, 500, 0, FAIL",
        "SERVICE_EXCEPTION, 500, 0, WARN",
        "METHOD_NOT_FOUND, 404, 0, WARN",
        "VERSION_NOT_SUPPORTED, 505, 0, WARN",
    })
    void onlyAFaultOfTheMeshInTheLastMinuteIsAFault(String code, int status, double secondsAgo, Level level) {
        assertThat(FailedCalls.check(List.of(failure(code, status, secondsAgo, "why")), RecentCalls.NONE))
                .extracting(Finding::level)
                .containsExactly(level);
    }

    @ParameterizedTest
    @CsvSource({
        // Three failures are known; calls and failures per second are those of the last minute.
        "5, 0, 0, WARN, at most three of 300 calls",
        "4.9, 0, 0, FAIL, too few calls to tell",
        "100, 0, 0, WARN, at most three of 6000 calls",
    })
    void aFailureOfFewCallsIsNoFaultOfTheMesh(double calls, double failed, int ago, Level level, String why) {
        assertThat(FailedCalls.check(List.of(failure("TIMEOUT", 504, ago, "late")), calls(calls, failed)))
                .as(why)
                .extracting(Finding::level)
                .containsExactly(level);
    }

    @ParameterizedTest
    @CsvSource({
        "0.9, 11, WARN, 54 of 6000",
        "1.1, 11, FAIL, 66 of 6000",
        "0.9, 1, FAIL, the history may not have the last ones yet",
    })
    void anOldKindOfFailureIsJudgedByTheLastMinute(double failed, int ago, Level level, String why) {
        List<Map<?, ?>> failures = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            failures.add(failure("TIMEOUT", 504, ago, "late"));
        }

        assertThat(FailedCalls.check(failures, calls(100, failed)).get(0).level())
                .as(why)
                .isEqualTo(level);
    }

    /** The history of a minute in which calls of the method came and failed so often, and of one before. */
    private static RecentCalls calls(double perSecond, double failedPerSecond) {
        return RecentCalls.of((Map<?, ?>) Json.read("{\"intervalSeconds\":30,\"methods\":[{\"service\":\"a.Shop\","
                + "\"method\":\"buy\",\"calls\":[null,999," + perSecond + "," + perSecond + "],\"failed\":[null,999,"
                + failedPerSecond + "," + failedPerSecond + "]}]}"));
    }

    @Test
    void whatIsLongAgoIsNotTold() {
        assertThat(FailedCalls.check(List.of(failure("PROVIDER_ERROR", 502, 301.5, "why")), RecentCalls.NONE))
                .containsExactly(Finding.ok("no call failed in the last 300 s"));
    }

    @Test
    void ofManyKindsTheLatestAreTold() {
        List<Map<?, ?>> failures = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            failures.add(failure("TIMEOUT", 504, i, "reason " + i));
        }

        List<Finding> findings = FailedCalls.check(failures, RecentCalls.NONE);

        assertThat(findings).hasSize(13);
        assertThat(findings.get(0).text()).endsWith(": reason 0");
        assertThat(findings.get(12))
                .isEqualTo(
                        Finding.warn("3 other kinds of failures in the last 300 s", "meshctl ls failures lists them"));
    }

    @ParameterizedTest
    @CsvSource({
        "NO_PROVIDER, refused by 192.0.2.7:30000: the provider is silent, the provider behind that agent is stopped",
        "NOT_EXECUTED, the provider is not connected, start the provider behind that agent",
        "NO_PROVIDER, no endpoint of a.Shop takes calls, the reason says why each endpoint takes no calls",
        "NOT_EXECUTED, the provider has no thread free: its pool is smaller than lb.limit, the provider is slow or too small",
        "BAD_ARGUMENT, the provider could not convert an argument: x, give the provider agent the class files",
        "BAD_ARGUMENT, the provider cannot read an argument (its class check refuses it), have the provider take the class",
        "BAD_ARGUMENT, args[0]: x, correct the call",
        "FORBIDDEN, Origin (expected: one of http.cors.origins), add the page's origin to http.cors.origins",
        "FORBIDDEN, ana may not call a.Shop#buy (http.auth.rules), add a line to the file of http.auth.rules",
        "NOT_FOUND, the methods of a.Shop are not known to its provider agent, give the provider agent the class files",
    })
    void theRemedyFollowsFromCodeAndReason(String code, String reason, String remedy) {
        assertThat(FailedCalls.check(List.of(failure(code, 503, 0, reason)), RecentCalls.NONE)
                        .get(0)
                        .remedy())
                .startsWith(remedy);
    }
}
