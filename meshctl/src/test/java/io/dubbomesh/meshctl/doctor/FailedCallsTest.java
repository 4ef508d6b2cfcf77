package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.doctor.Finding.Level;
import io.dubbomesh.meshctl.document.FailureDocument;
import io.dubbomesh.meshctl.document.HistoryDocument;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class FailedCallsTest {
    private static final Pattern SETTING =
            Pattern.compile("\\b(http|mesh|memory|lb|dubbo|registry)\\.(?!application)[a-z-]+(\\.[a-z-]+)*");
    private static final Pattern PHRASE = Pattern.compile("reason\\.(?:contains|startsWith|endsWith)\\(\"([^\"]+)\"");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)+)\"");
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

    private static FailureDocument failure(String code, int status, double secondsAgo, String reason) {
        return failure("{\"code\":\"" + code + "\",\"status\":" + status
                + ",\"service\":\"a.Shop\",\"method\":\"buy\",\"version\":\"\",\"group\":\"\",\"count\":3,\"secondsAgo\":"
                + secondsAgo + ",\"reason\":\"" + reason + "\"}");
    }

    private static FailureDocument failure(String json) {
        return Json.toRecord((Map<?, ?>) Json.read(json), FailureDocument.class);
    }

    @Test
    void aFailureIsToldWithItsNumberPlaceAgeAndReason() {
        FailureDocument failure = failure(
                "{\"code\":\"TIMEOUT\",\"status\":504,\"service\":\"a.Shop\",\"method\":\"buy\",\"version\":\"1.0\","
                        + "\"group\":\"blue\",\"endpoint\":\"192.0.2.7:30000\",\"count\":1,\"secondsAgo\":2.9,\"reason\":\"late\"}");

        assertThat(FailedCalls.check(List.of(failure), RecentCalls.NONE, AgentRole.CONSUMER))
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
        assertThat(FailedCalls.check(
                        List.of(failure(code, status, secondsAgo, "why")), RecentCalls.NONE, AgentRole.CONSUMER))
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
        assertThat(FailedCalls.check(
                        List.of(failure("TIMEOUT", 504, ago, "late")), calls(calls, failed), AgentRole.CONSUMER))
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
        List<FailureDocument> failures = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            failures.add(failure("TIMEOUT", 504, ago, "late"));
        }

        assertThat(FailedCalls.check(failures, calls(100, failed), AgentRole.CONSUMER)
                        .get(0)
                        .level())
                .as(why)
                .isEqualTo(level);
    }

    /** The history of a minute in which calls of the method came and failed so often, and of one before. */
    private static RecentCalls calls(double perSecond, double failedPerSecond) {
        return RecentCalls.in(Json.toRecord(
                (Map<?, ?>) Json.read("{\"intervalSeconds\":30,\"methods\":[{\"service\":\"a.Shop\","
                        + "\"method\":\"buy\",\"calls\":[null,999," + perSecond + "," + perSecond
                        + "],\"failed\":[null,999,"
                        + failedPerSecond + "," + failedPerSecond + "]}]}"),
                HistoryDocument.class));
    }

    @Test
    void whatIsLongAgoIsNotTold() {
        assertThat(FailedCalls.check(
                        List.of(failure("PROVIDER_ERROR", 502, 301.5, "why")), RecentCalls.NONE, AgentRole.CONSUMER))
                .containsExactly(Finding.ok("no call failed in the last 300 s"));
    }

    @Test
    void ofManyKindsTheLatestAreTold() {
        List<FailureDocument> failures = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            failures.add(failure("TIMEOUT", 504, i, "reason " + i));
        }

        List<Finding> findings = FailedCalls.check(failures, RecentCalls.NONE, AgentRole.CONSUMER);

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
        "BAD_ARGUMENT, the provider could not convert an argument: x, give the agent that calls the provider the class files",
        "BAD_ARGUMENT, the provider cannot read an argument (its class check refuses it), have the provider take the class",
        "BAD_ARGUMENT, args[0]: x, correct the call",
        "FORBIDDEN, Origin (expected: one of http.cors.origins), add the page's origin to http.cors.origins",
        "FORBIDDEN, ana may not call a.Shop#buy (http.auth.rules), add a line to the file of http.auth.rules",
        "NOT_FOUND, the methods of a.Shop are not known to the provider agent, give the agent that calls the provider the class files",
        "NOT_FOUND, the provider implements service a.Shop as a GenericService, call its methods by their names",
        "NOT_FOUND, no such path (expected: /), correct the path: meshctl ls services lists what can be called",
    })
    void theRemedyFollowsFromCodeAndReason(String code, String reason, String remedy) {
        assertThat(remedy(Outcome.valueOf(code), reason)).startsWith(remedy);
    }

    private static String remedy(Outcome outcome, String reason) {
        return remedy(outcome, reason, AgentRole.CONSUMER);
    }

    private static String remedy(Outcome outcome, String reason, AgentRole role) {
        return FailedCalls.check(
                        List.of(failure(outcome.code(), outcome.httpStatus(), 0, reason)), RecentCalls.NONE, role)
                .get(0)
                .remedy();
    }

    /** A reason of an agent for each way in which it refuses a client, and what of the remedy mends it. */
    private static final String[][] REFUSALS = {
        {"NOT_EXECUTED", "the provider is about to end", "see the log of the agent"},
        {"BAD_REQUEST", "Content-Type is given twice", "meshctl describe"},
        {"BAD_ARGUMENT", "args[0]: 1 (expected: java.lang.String)", "meshctl describe"},
        {"NOT_FOUND", "no such path (expected: /)", "meshctl ls services"},
        {"SERVICE_NOT_FOUND", "service a.Shop was never registered", "dubbo.services"},
        {"METHOD_NOT_FOUND", "service a.Shop has no method sell (it has: buy())", "call one that the reason names"},
        {"METHOD_NOT_ALLOWED", "PUT (expected: POST; there are ...)", "HTTP methods that the reason names"},
        {"REQUEST_TIMEOUT", "no complete request in time", "http.head-timeout and http.body-timeout"},
        {"LENGTH_REQUIRED", "a form with neither Content-Length nor Transfer-Encoding: chunked", "Content-Length"},
        {"BODY_TOO_LARGE", "a body of more than 1048576 bytes", "http.max-body"},
        {"BODY_TOO_LARGE", "a request of 9000000 bytes (expected: at most 8454144)", "mesh.max-frame"},
        {"BODY_TOO_LARGE", "a Dubbo request of 9000000 bytes (expected: at most 8388608)", "dubbo.max-payload"},
        {"TARGET_TOO_LONG", "a request line of more than 4096 bytes", "http.max-request-line"},
        {"UNSUPPORTED_MEDIA_TYPE", "no Content-Type (expected: Content-Type: application/json)", "the header"},
        {"UNSUPPORTED_MEDIA_TYPE", "Content-Encoding (expected: none)", "send the body uncompressed"},
        {"EXPECTATION_FAILED", "Expect is not 100-continue", "Expect: 100-continue"},
        {"HEAD_TOO_LARGE", "header fields of more than 8192 bytes", "http.max-head or http.max-headers"},
        {"HEAD_TOO_LARGE", "attachments of more than 65535 bytes", "fewer or shorter attachments"},
        {"VALIDATION_FAILED", "the arguments violate constraints of the service", "meshctl describe"},
        {"FORBIDDEN", "Origin (expected: one of http.cors.origins)", "http.cors.origins"},
        {"NOT_ACCEPTABLE", "method list returns a stream (expected: the header Accept: text/event-stream)", "Accept"},
        {"RATE_LIMITED", "more calls of tools than mcp.rate allows (expected: the next one in 1 s)", "mcp.rate"},
        {"FORBIDDEN", "ana may not call a.Shop#buy (http.auth.rules)", "http.auth.rules"},
        {"UNAUTHENTICATED", "no credentials (expected: the header Authorization: Bearer TOKEN)", "http.auth"},
        {"INVALID_TOKEN", "the token of the header Authorization is not valid: expired", "http.auth.jwks"},
        {"SERVICE_EXCEPTION", "sold out", "the log of the service"},
        {"INTERNAL_ERROR", "a fault of the consumer agent; its log has the details", "report it"},
        {"NOT_IMPLEMENTED", "Transfer-Encoding is not just chunked", "just Transfer-Encoding: chunked"},
        {"PROVIDER_ERROR", "connection to the provider lost: Connection reset by peer", "the log of the provider"},
        {"PROVIDER_ERROR", "the method was executed, but there is no room for its answer of 9 bytes", "memory.budget"},
        {"PROVIDER_ERROR", "the answer is longer than a frame may be", "mesh.max-frame"},
        {"PROVIDER_ERROR", "the provider answered in kryo, which the agent does not read", "hessian2"},
        {
            "NO_PROVIDER",
            "the list of endpoints is not loaded yet: the registry etcd://192.0.2.1:2379 has not answered since the start",
            "the setting registry"
        },
        {
            "NO_PROVIDER",
            "no endpoint of a.Shop takes such calls; the routing rules leave none: r",
            "docs/operate/routing.md"
        },
        {
            "NO_PROVIDER",
            "it may be a service of an application whose metadata was not found yet: shop: refused",
            "dubbo.application.metadata-type=remote"
        },
        {"NO_PROVIDER", "no endpoint of a.Shop takes calls; 1 endpoint: 192.0.2.7:30000: weight 0", "see its agent"},
        {"OVERLOADED", "every endpoint is at its limit and the queue is full", "lb.limit"},
        {
            "OVERLOADED",
            "every endpoint is at its limit and there is no room for a call that waits (memory.budget); 1 endpoint",
            "raise lb.limit"
        },
        {"OVERLOADED", "too many connections", "http.max-connections"},
        {"OVERLOADED", "no room for the request (memory.budget)", "memory.budget"},
        {"OVERLOADED", "no room for another answer of about 9 bytes", "memory.budget"},
        {"OVERLOADED", "the keys of http.auth.jwks are not loaded yet", "http.auth.jwks"},
        {"TIMEOUT", "5000 ms after the request: sent to 192.0.2.7:30000 4988 ms ago", "X-Request-Timeout"},
        {"TIMEOUT", "waited 5000 ms for an endpoint with room", "lb.limit"},
        {"TIMEOUT", "the deadline passed while the request waited behind others", "more connections"},
        {"VERSION_NOT_SUPPORTED", "HTTP/2.0 (expected: HTTP/1.1)", "HTTP/1.1"},
        {"PROVIDER_REFUSED_TOKEN", "the provider demands a token", "dubbo.token-file"},
    };

    @Test
    void everyRefusalHasItsRemedy() {
        Set<Outcome> decided = EnumSet.of(Outcome.OK);
        for (String[] refusal : REFUSALS) {
            Outcome outcome = Outcome.valueOf(refusal[0]);
            decided.add(outcome);
            assertThat(remedy(outcome, refusal[1]))
                    .as("%s: %s", refusal[0], refusal[1])
                    .contains(refusal[2])
                    .endsWith("; docs/errors.md explains " + outcome.code());
        }
        assertThat(decided).isEqualTo(EnumSet.allOf(Outcome.class));
    }

    @ParameterizedTest
    @CsvSource({
        "SERVICE_NOT_FOUND, service a.Shop was never registered; it may be a service of the provider 192.0.2.7:50051: rest only",
        "METHOD_NOT_FOUND, no endpoint serves a.Shop; it may be a service of the provider 192.0.2.7:50051: rest only",
        "NO_PROVIDER, none is registered; it may be a service of the provider 192.0.2.7:50051: rest only",
    })
    void aProviderThatSpeaksForeignProtocolsOnlyHasItsRemedyWhateverTheCode(String code, String reason) {
        assertThat(remedy(Outcome.valueOf(code), reason + ", cannot be called yet; this agent speaks dubbo"))
                .startsWith(Remedies.FOREIGN_PROTOCOL + "; ");
    }

    /** Compares the phrases that choose remedies with the texts of the agents. */
    @Test
    void everyPhraseThatChoosesARemedyIsOneOfAnAgent() throws IOException {
        Set<String> said = new HashSet<>();
        for (Path source : sources()) {
            Matcher literal = LITERAL.matcher(
                    CONCATENATION.matcher(Files.readString(source)).replaceAll(""));
            while (literal.find()) {
                said.add(literal.group(1));
            }
        }
        Path choosing = Path.of("src/main/java", FailureRemedies.class.getName().replace('.', '/') + ".java");
        List<String> phrases = PHRASE.matcher(Files.readString(choosing))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(phrases).hasSizeGreaterThan(20).contains("the provider is silent");
        assertThat(phrases).allSatisfy(phrase -> assertThat(said).anyMatch(text -> text.contains(phrase)));
    }

    /** Returns the sources of the agents: of all modules but this one. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path folder : List.of(Path.of(".."), Path.of("../registry"))) {
            try (DirectoryStream<Path> modules = Files.newDirectoryStream(folder)) {
                for (Path module : modules) {
                    Path main = module.resolve("src/main/java/io/dubbomesh");
                    if (Files.isDirectory(main) && !module.endsWith("meshctl")) {
                        try (Stream<Path> files = Files.walk(main)) {
                            files.filter(file -> file.toString().endsWith(".java"))
                                    .forEach(sources::add);
                        }
                    }
                }
            }
        }
        return sources;
    }

    @Test
    void everySettingThatARemedyNamesExists() throws IOException {
        String settings =
                reference("io/dubbomesh/consumer/reference.conf") + reference("io/dubbomesh/provider/reference.conf");
        for (String[] refusal : REFUSALS) {
            Matcher named = SETTING.matcher(remedy(Outcome.valueOf(refusal[0]), refusal[1]));
            while (named.find()) {
                assertThat(settings).as(refusal[0]).contains('"' + named.group() + "\" = ");
            }
        }
    }

    private static String reference(String resource) throws IOException {
        try (InputStream in = FailedCalls.class.getClassLoader().getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NO_PROVIDER, refused by 192.0.2.7:20880: the provider is silent, that provider is stopped or in a long collection",
        "NO_PROVIDER, the provider is not connected, 'start that provider, or correct the address that it registers'",
        "NO_PROVIDER, no endpoint of a.Shop takes calls, the reason says why each endpoint takes no calls: see the provider there",
        "SERVICE_NOT_FOUND, service a.Shop was never registered, compare the name with meshctl ls services and with what the providers register",
        "NOT_FOUND, the methods of a.Shop are not known to the gateway, give the agent that calls the provider the class files",
    })
    void atAGatewayTheRemedyIsAtTheProvider(String code, String reason, String remedy) {
        assertThat(remedy(Outcome.valueOf(code), reason, AgentRole.GATEWAY)).startsWith(remedy);
    }

    @Test
    void aFailureOfANewerAgentIsToldWithThePage() {
        assertThat(FailedCalls.check(List.of(failure("TEAPOT", 418, 0, "why")), RecentCalls.NONE, AgentRole.CONSUMER)
                        .get(0)
                        .remedy())
                .isEqualTo("docs/errors.md explains TEAPOT");
    }

    @ParameterizedTest
    @CsvSource({"BODY_TOO_LARGE, a request of 9 bytes", "PROVIDER_ERROR, the answer is longer than a frame may be"})
    void theLengthOfAFrameIsRaisedOnTheWholeWay(String code, String reason) {
        assertThat(remedy(Outcome.valueOf(code), reason, AgentRole.GATEWAY))
                .contains(" raise mesh.max-frame of the agents on the way; ");
    }

    @ParameterizedTest
    @EnumSource
    void noRemedyAtAGatewayIsAtAnAgentThatItDoesNotNeed(Outcome outcome) {
        FailureDocument failure = failure(outcome.code(), outcome.httpStatus(), 0, "why");

        assertThat(FailedCalls.check(List.of(failure), RecentCalls.NONE, AgentRole.GATEWAY))
                .singleElement()
                .asString()
                .doesNotContainPattern("provider[ -]agent|consumer[ -]agent|its agent|that agent|:30001");
    }
}
