package io.dubbomesh.acceptance;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What clients are told when something is wrong, with their request or behind it. Behind the consumer agent are a real provider and stubs that
 * misbehave on order; each test ends with a good call, since a failure may cost one call or one connection and no more.
 */
@Timeout(60)
class FailureTableTest {
    private static final String STUB = "io.dubbomesh.acceptance.Stub";
    /** Its agent lets one call into service and one wait. */
    private static final String NARROW = "io.dubbomesh.acceptance.Narrow";
    /** Its agent has been and gone. */
    private static final String GONE = "io.dubbomesh.acceptance.Gone";

    /** What the consumer agent grants for a head, and for a body. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int QUEUE = 2;
    private static final int MAX_LINE = 4 * 1024;
    private static final int MAX_HEAD = 8 * 1024;
    private static final int MAX_BODY = 1024 * 1024;
    private static final String HOST = "Host: mesh\r\n";
    private static final String HELLO = Form.post(Form.hash("hello"));

    private static Mesh mesh;
    private static Dubbo provider;
    private static StubProvider stub;
    private static StubProvider narrowStub;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("FailureTableTest");
        provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "0"));
        stub = new StubProvider();
        narrowStub = new StubProvider();
        String registry = mesh.etcd().uri();
        List<Agent> agents = new ArrayList<>();
        agents.add(mesh.providerAgent("stub-agent", stub.port(), registry, Map.of("dubbo.services", STUB)));
        agents.add(mesh.providerAgent(
                "narrow-agent",
                narrowStub.port(),
                registry,
                Map.of("dubbo.services", NARROW, "lb.limit", "1", "dubbo.queue", "1")));
        Agent gone = mesh.providerAgent("gone-agent", stub.port(), registry, Map.of("dubbo.services", GONE));
        agents.add(gone);
        provider.awaitListening();
        agents.add(mesh.providerAgent("provider-agent", provider.port(), registry, Map.of()));
        for (Agent agent : agents) {
            agent.awaitReady();
        }
        Agent consumerAgent = mesh.consumerAgent(
                "consumer-agent",
                registry,
                Map.of(
                        "http.head-timeout",
                        PATIENCE.toMillis() + " ms",
                        "http.body-timeout",
                        PATIENCE.toMillis() + " ms",
                        "http.idle-timeout",
                        "4 s",
                        "queue.size",
                        Integer.toString(QUEUE)));
        consumerAgent.awaitReady();
        port = consumerAgent.port();
        Load.warmUp(port);
        gone.process().send(Signal.TERM);
        assertThat(gone.process().awaitExit(Duration.ofSeconds(10))).isZero();
        Eventually.within(
                Duration.ofSeconds(2),
                "the consumer agent sees who has gone",
                () -> HttpSocket.once(port, Form.post(Form.call(GONE, "hash", Form.STRING, "x")))
                                .status()
                        == 503);
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
        stub.close();
        narrowStub.close();
    }

    /** Bytes that are no request, or one that two parsers might take for different ones. */
    @Nested
    class ErrorsOfFraming {
        @ParameterizedTest(name = "{0}")
        @MethodSource("io.dubbomesh.acceptance.FailureTableTest#malformed")
        void areAnsweredAndEndTheConnection(String what, String request) throws Exception {
            assertAnsweredAndClosed(request, 400, "BAD_REQUEST");
        }

        @ParameterizedTest
        @CsvSource({
            "HTTP/2.0, 505, VERSION_NOT_SUPPORTED",
            "HTTP/0.9, 505, VERSION_NOT_SUPPORTED",
            "HTTP/11, 400, BAD_REQUEST",
            "http/1.1, 400, BAD_REQUEST",
        })
        void includeOtherVersions(String version, int status, String code) throws Exception {
            assertAnsweredAndClosed(HELLO.replace("HTTP/1.1", version), status, code);
        }

        @Test
        void includeThePrefaceOfHttp2() throws Exception {
            assertAnsweredAndClosed("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "VERSION_NOT_SUPPORTED");
        }

        @ParameterizedTest
        @ValueSource(strings = {"gzip, chunked", "gzip", "identity", "deflate", "xchunked"})
        void includeUnknownTransferCodings(String codings) throws Exception {
            assertAnsweredAndClosed(withFraming("Transfer-Encoding: " + codings + "\r\n"), 501, "NOT_IMPLEMENTED");
        }

        @Test
        void includeAPostWithoutALength() throws Exception {
            assertAnsweredAndClosed(withFraming(""), 411, "LENGTH_REQUIRED");
        }

        @Test
        void includeUnknownExpectations() throws Exception {
            assertAnsweredAndClosed(Form.post(Form.hash("x"), "Expect: the-unexpected"), 417, "EXPECTATION_FAILED");
        }

        @Test
        void endOnlyTheOneConnection() throws Exception {
            try (HttpSocket good = new HttpSocket(port);
                    HttpSocket bad = new HttpSocket(port)) {
                good.call(HELLO).assertHash("hello");
                bad.call("nonsense\r\n\r\n").assertProblem(400, "BAD_REQUEST");
                bad.assertEnd();
                good.call(HELLO).assertHash("hello");
            }
        }
    }

    static Stream<Arguments> malformed() {
        String form = Form.hash("x");
        String length = "Content-Length: " + form.length() + "\r\n";
        String chunked = "Transfer-Encoding: chunked\r\n";
        String chunk = Integer.toHexString(form.length()) + "\r\n" + form + "\r\n";
        return Stream.of(
                arguments("no host", HELLO.replace(HOST, "")),
                arguments("two hosts", HELLO.replace(HOST, HOST + HOST)),
                arguments("a bad host", HELLO.replace(HOST, "Host: a b\r\n")),
                arguments("no version", HELLO.replace(" HTTP/1.1", "")),
                arguments("two spaces", HELLO.replace("POST /", "POST  /")),
                arguments("a method in lower case", HELLO.replace("POST", "post")),
                arguments("a NUL in front", "\0" + HELLO),
                arguments("two empty lines in front", "\r\n\r\n" + HELLO),
                arguments("a TLS greeting", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003"),
                arguments("binary rubbish", "\u00ff\u0000\u0080\u0001\r\n\r\n"),
                arguments("a line feed of its own", HELLO.replace("HTTP/1.1\r\n", "HTTP/1.1\n")),
                arguments("a space before the colon", withFraming("Content-Length : " + form.length() + "\r\n")),
                arguments("a header without a colon", withFraming(length + "nocolon\r\n")),
                arguments("a header without a name", withFraming(length + ": x\r\n")),
                arguments("a folded header", withFraming(length + "X-A: 1\r\n 2\r\n")),
                arguments("a control character in a name", withFraming(length + "X-\u0001: 1\r\n")),
                arguments("a control character in a value", withFraming(length + "X-A: a\u0000b\r\n")),
                arguments("two lengths", withFraming(length + "Content-Length: 5\r\n")),
                arguments("the same length twice", withFraming(length + length)),
                arguments("a list of lengths", withFraming("Content-Length: 5, 5\r\n")),
                arguments("a length with a sign", withFraming("Content-Length: +5\r\n")),
                arguments("a negative length", withFraming("Content-Length: -1\r\n")),
                arguments("a hexadecimal length", withFraming("Content-Length: 0x5\r\n")),
                arguments("a length with an underscore", withFraming("Content-Length: 5_0\r\n")),
                arguments("an empty length", withFraming("Content-Length:\r\n")),
                arguments("a length of 2^63", withFraming("Content-Length: 9223372036854775808\r\n")),
                arguments("length and chunks", withFraming(length + chunked)),
                arguments("chunks and length", withFraming(chunked + length)),
                arguments("chunked twice", withFraming("Transfer-Encoding: chunked, chunked\r\n")),
                arguments("chunked not last", withFraming("Transfer-Encoding: chunked, identity\r\n")),
                arguments("chunks in HTTP/1.0", withFraming(chunked).replace("HTTP/1.1", "HTTP/1.0")),
                arguments("a chunk size that is none", chunked("zz\r\n" + chunk + "0\r\n\r\n")),
                arguments("no chunk size", chunked("\r\n" + chunk + "0\r\n\r\n")),
                arguments("a chunk size of 17 digits", chunked("10000000000000001\r\nx\r\n0\r\n\r\n")),
                arguments("a chunk size with leading zeros", chunked("000000001\r\nx\r\n0\r\n\r\n")),
                arguments("a chunk longer than it says", chunked("1\r\nxx\r\n0\r\n\r\n")),
                arguments("a chunk that ends with a line feed", chunked("1\r\nx\n0\r\n\r\n")),
                arguments("a NUL in a chunk extension", chunked("1;a=\0\r\nx\r\n0\r\n\r\n")),
                arguments("a length as a trailer", chunked(chunk + "0\r\nContent-Length: 1\r\n\r\n")));
    }

    private static String withFraming(String framing) {
        return "POST / HTTP/1.1\r\n" + HOST + Form.CONTENT_TYPE + "\r\n" + framing + "\r\n" + Form.hash("x");
    }

    private static String chunked(String body) {
        return "POST / HTTP/1.1\r\n" + HOST + Form.CONTENT_TYPE + "\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    }

    @Nested
    class Limits {
        @Test
        void ofTheRequestLineAreKept() throws Exception {
            String rest = HELLO.substring("POST /".length());
            int longest = MAX_LINE - "POST /? HTTP/1.1".length();
            HttpSocket.once(port, "POST /?" + "x".repeat(longest) + rest).assertHash("hello");
            assertAnsweredAndClosed("POST /?" + "x".repeat(longest + 1) + rest, 414, "TOO_LARGE");
            assertAnsweredAndClosed("GET /" + "x".repeat(MAX_LINE), 414, "TOO_LARGE");
        }

        @Test
        void ofTheHeadAreKept() throws Exception {
            String form = Form.hash("hello");
            assertAnsweredAndClosed(Form.post(form, "X-A: " + "x".repeat(MAX_HEAD)), 431, "TOO_LARGE");
            String[] headers = IntStream.range(0, 61).mapToObj(i -> "X-A: 1").toArray(String[]::new);
            HttpSocket.once(port, Form.post(form, headers)).assertHash("hello");
            headers = IntStream.range(0, 62).mapToObj(i -> "X-A: 1").toArray(String[]::new);
            assertAnsweredAndClosed(Form.post(form, headers), 431, "TOO_LARGE");
        }

        @Test
        void ofTheBodyAreKeptBeforeItIsRead() throws Exception {
            assertAnsweredAndClosed(withLength(MAX_BODY + 1), 413, "TOO_LARGE");
            assertAnsweredAndClosed(withLength(Long.MAX_VALUE), 413, "TOO_LARGE");
            assertAnsweredAndClosed(chunked(Integer.toHexString(MAX_BODY + 1) + "\r\n"), 413, "TOO_LARGE");
            String half = Integer.toHexString(MAX_BODY / 2) + "\r\n" + "x".repeat(MAX_BODY / 2) + "\r\n";
            assertAnsweredAndClosed(chunked(half + half + "1\r\n"), 413, "TOO_LARGE");
        }

        private static String withLength(long length) {
            return "POST / HTTP/1.1\r\n" + HOST + Form.CONTENT_TYPE + "\r\nContent-Length: " + length + "\r\n\r\n";
        }

        @Test
        void aBodyOfTheLargestSizeIsServed() throws Exception {
            String form = Form.hash("");
            String text = "x".repeat(MAX_BODY - form.length());
            HttpSocket.once(port, Form.post(Form.hash(text))).assertHash(text);
        }
    }

    @Nested
    class Slowness {
        @ParameterizedTest
        @ValueSource(ints = {1, 30, 60})
        void ofAHeadIsEnded(int bytes) throws Exception {
            assertEndedInTime(HELLO.substring(0, bytes));
        }

        @Test
        void ofABodyIsEnded() throws Exception {
            assertEndedInTime(HELLO.substring(0, HELLO.length() - 1));
        }

        @Test
        void ofAChunkIsEnded() throws Exception {
            assertEndedInTime(chunked("5\r\nabc"));
        }

        private static void assertEndedInTime(String partOfARequest) throws Exception {
            try (HttpSocket client = new HttpSocket(port)) {
                long startNs = System.nanoTime();
                client.call(partOfARequest).assertProblem(408, "REQUEST_TIMEOUT");
                assertThat(System.nanoTime() - startNs)
                        .isBetween(
                                PATIENCE.toNanos(),
                                PATIENCE.plus(Duration.ofSeconds(1)).toNanos());
                client.assertEnd();
            }
        }

        @Test
        void ofAnIdleConnectionIsEndedWithoutAWord() throws Exception {
            try (HttpSocket silent = new HttpSocket(port);
                    HttpSocket idle = new HttpSocket(port)) {
                idle.call(HELLO).assertHash("hello");
                idle.assertEnd();
                silent.assertEnd();
            }
        }
    }

    /** Requests that are sound HTTP and still not to be served: the connection goes on. */
    @Nested
    class BadCalls {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "nonsense",
                    "method=hash&parameterTypesString=&parameter=x",
                    "interface=a&parameterTypesString=",
                    "interface=a&method=hash",
                    "interface=&method=hash&parameterTypesString=",
                    "interface=a&method=&parameterTypesString=",
                    "interface=a&interface=a&method=hash&parameterTypesString=",
                    "interface=a&method=hash&method=hash&parameterTypesString=",
                    "interface=a&method=hash&parameterTypesString=&version=1&version=1",
                    "interface=a&method=hash&parameterTypesString=&parameterTypesString=",
                    "interface=a&method=hash&parameterTypesString=Ljava%2Flang%2FString%3B",
                    "interface=a&method=hash&parameterTypesString=I&parameter=1&parameter=2",
                    "interface=a&method=hash&parameterTypesString=&parameter=1",
                    "interface=a&method=hash&parameterTypesString=X&parameter=1",
                    "interface=a&method=hash&parameterTypesString=Ljava%2Flang%2FString&parameter=1",
                    "interface=a%zz&method=hash&parameterTypesString=I&parameter=1",
                    "interface=%FF&method=hash&parameterTypesString=I&parameter=1",
                    "interface=a%00b&method=hash&parameterTypesString=I&parameter=1",
                })
        void areRefusedForTheirForm(String form) throws Exception {
            assertRefused(Form.post(form), 400, "BAD_REQUEST");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "%",
                    "%4",
                    "%zz",
                    "a%",
                    "%C0%80",
                    "%ED%A0%80",
                    "%F4%90%80%80",
                    "%80",
                    "%C3",
                    "%E4%BD",
                    "\u00ff"
                })
        void areRefusedForTheSpellingOfAParameter(String spelling) throws Exception {
            assertRefused(Form.post(Form.hash("") + spelling), 400, "BAD_REQUEST");
        }

        @Test
        void areRefusedForTooManyFields() throws Exception {
            assertThat(HttpSocket.once(port, Form.post(Form.hash("hello") + "&a=1".repeat(28)))
                            .assertHash("hello"))
                    .isNotNull();
            assertRefused(Form.post(Form.hash("hello") + "&a=1".repeat(29)), 400, "BAD_REQUEST");
            assertRefused(Form.post(Form.hash("hello") + "&a=".repeat(100_000)), 400, "BAD_REQUEST");
        }

        @ParameterizedTest
        @ValueSource(strings = {"0", "-1", "abc", "1.5", "60001", "99999999999999999999", "", "5 s"})
        void areRefusedForTheirTimeout(String timeout) throws Exception {
            assertRefused(Form.post(Form.hash("x"), "X-Request-Timeout: " + timeout), 400, "BAD_REQUEST");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "X-Dubbo-Attachment-generic: true",
                    "x-dubbo-attachment-TOKEN: secret",
                    "X-Dubbo-Attachment-path: x",
                    "X-Dubbo-Attachment-interface: x",
                    "X-Dubbo-Attachment-_TO: 1",
                    "X-Dubbo-Attachment-a: %zz",
                    "X-Dubbo-Attachments: {\"generic\":\"nativejava\"}",
                    "X-Dubbo-Attachments: {",
                })
        void areRefusedForTheirAttachments(String header) throws Exception {
            assertRefused(Form.post(Form.hash("x"), header), 400, "BAD_REQUEST");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "I   | notanumber | args[0]: \"notanumber\" (expected: int)",
                    "I   | 2147483648 | args[0]: \"2147483648\" (expected: int)",
                    "J   | 1.5        | args[0]: \"1.5\" (expected: long)",
                    "Z   | yes        | args[0]: \"yes\" (expected: boolean)",
                    "C   | ab         | args[0]: \"ab\" (expected: char)",
                    "[I  | {}         | args[0]: {...} (expected: int[])",
                })
        void areRefusedForAnArgumentThatDoesNotFitItsType(String type, String argument, String detail)
                throws Exception {
            Map<String, String> problem =
                    assertRefused(Form.post(Form.call(STUB, "hash", type, argument)), 400, "BAD_ARGUMENT");
            assertThat(problem).containsEntry("detail", detail);
        }

        @Test
        void areRefusedForAnArgumentThatIsNoJson() throws Exception {
            assertRefused(Form.post(Form.call(STUB, "hash", "[I", "[1,2")), 400, "BAD_ARGUMENT");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Content-Type: text/plain",
                    "Content-Type: multipart/form-data; boundary=x",
                    "Content-Type: application/x-www-form-urlencoded; charset=iso-8859-1",
                    "Content-Type: application/x-www-form-urlencodedx",
                    "X-No-Content-Type: at all",
                    Form.CONTENT_TYPE + "\r\nContent-Encoding: gzip",
                })
        void areRefusedForTheirMediaType(String header) throws Exception {
            assertRefused(HELLO.replace(Form.CONTENT_TYPE, header), 415, "UNSUPPORTED_MEDIA_TYPE");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Content-Type: application/x-www-form-urlencoded; charset=UTF-8",
                    "content-type:APPLICATION/X-WWW-FORM-URLENCODED;charset=\"utf-8\"",
                })
        void areServedWhateverTheSpellingOfTheMediaType(String header) throws Exception {
            HttpSocket.once(port, HELLO.replace(Form.CONTENT_TYPE, header)).assertHash("hello");
        }

        @ParameterizedTest
        @ValueSource(strings = {"/nothing/", "/a/b/c", "//"})
        void areNotFoundElsewhere(String path) throws Exception {
            assertRefused(HELLO.replace("POST / ", "POST " + path + " "), 404, "NOT_FOUND");
        }

        /** A path of one part is a service, which can be asked what methods it has. */
        @ParameterizedTest
        @ValueSource(strings = {"/nothing", "/index.html"})
        void areNoCallsOfAServiceWithoutAMethod(String path) throws Exception {
            HttpAnswer answer = HttpSocket.once(port, HELLO.replace("POST / ", "POST " + path + " "));
            answer.assertProblem(405, "METHOD_NOT_ALLOWED");
            assertThat(answer.header("allow")).isEqualTo("GET, HEAD");
        }

        @ParameterizedTest
        @ValueSource(strings = {"GET", "PUT", "DELETE", "PATCH", "TRACE", "POSTED"})
        void areRefusedForTheirMethod(String method) throws Exception {
            assertRefused(method + " / HTTP/1.1\r\n" + HOST + "\r\n", 405, "METHOD_NOT_ALLOWED");
        }

        @Test
        void areRefusedForTheirMethodWithoutABodyWhereItIsHead() throws Exception {
            try (HttpSocket client = new HttpSocket(port)) {
                HttpAnswer answer =
                        client.send("HEAD / HTTP/1.1\r\n" + HOST + "\r\n").answerToHead();
                assertThat(answer.status()).isEqualTo(405);
                assertThat(answer.header("allow")).isEqualTo("POST");
                client.call(HELLO).assertHash("hello");
            }
        }

        @Test
        void areNotFoundForAServiceThatNeverWas() throws Exception {
            String form = Form.call("io.dubbomesh.acceptance.Nobody", "hash", Form.STRING, "x");
            Map<String, String> problem = assertRefused(Form.post(form), 404, "SERVICE_NOT_FOUND");
            assertThat(problem.get("detail")).contains("io.dubbomesh.acceptance.Nobody");
        }

        @ParameterizedTest
        @ValueSource(strings = {"&version=1.0", "&group=a", "&version=1.0&group=a"})
        void areNotFoundForAVersionOrGroupThatNobodyServes(String field) throws Exception {
            assertRefused(Form.post(Form.hash("x") + field), 404, "METHOD_NOT_FOUND");
        }

        @ParameterizedTest
        @ValueSource(strings = {"&version=", "&group=", "&version=0.0.0", "&version=&group="})
        void areServedWhenVersionAndGroupAreNone(String field) throws Exception {
            HttpSocket.once(port, Form.post(Form.hash("hello") + field)).assertHash("hello");
        }

        @ParameterizedTest
        @CsvSource({"nope, Ljava/lang/String;, x", "hash, I, 5", "hash, [I, '[1,2]'"})
        void areNotFoundForAMethodThatTheProviderDoesNotHave(String method, String types, String argument)
                throws Exception {
            int before = provider.executed();
            assertRefused(Form.post(Form.call(Form.SERVICE, method, types, argument)), 404, "METHOD_NOT_FOUND");
            assertThat(provider.executed() - before)
                    .as("executed: only the good call behind it")
                    .isEqualTo(1);
        }

        @ParameterizedTest
        @ValueSource(strings = {"$invoke", "$invokeAsync"})
        void areNotFoundForAGenericInvocation(String method) throws Exception {
            String types = "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;";
            String[] arguments = {"hash", "[\"java.util.Map\"]", "[{\"class\":\"java.util.Date\"}]"};
            int before = provider.executed();
            assertRefused(Form.post(Form.call(Form.SERVICE, method, types, arguments)), 404, "METHOD_NOT_FOUND");
            String json = "[\"hash\",[\"java.util.Map\"],[{\"class\":\"java.util.Date\"}]]";
            assertRefused(
                    "POST /" + Form.SERVICE + '/' + method + " HTTP/1.1\r\nHost: a\r\nX-Dubbo-Parameter-Types: " + types
                            + "\r\nContent-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n"
                            + json,
                    404,
                    "METHOD_NOT_FOUND");
            assertThat(provider.executed() - before)
                    .as("executed: only the good calls behind them")
                    .isEqualTo(2);
        }

        @Test
        void areNotFoundForAMethodWithoutTheParameter() throws Exception {
            assertRefused(Form.post(Form.call(Form.SERVICE, "hash", "")), 404, "METHOD_NOT_FOUND");
        }

        @Test
        void ofNamesThatAreInventedAgainAndAgainFillNothing() throws Exception {
            try (HttpSocket client = new HttpSocket(port)) {
                for (int i = 0; i < 5000; i++) {
                    client.call(Form.post(Form.call(Form.SERVICE, "nope" + i, Form.STRING, "x")))
                            .assertProblem(404, "METHOD_NOT_FOUND");
                }
                client.call(HELLO).assertHash("hello");
            }
        }
    }

    @Nested
    class Providers {
        @Test
        void thatDieCostTheCallsInFlight() throws Exception {
            assertRefused(Form.post(Form.call(STUB, "die", Form.STRING, "x")), 502, "PROVIDER_ERROR");
            awaitStub(STUB);
        }

        @Test
        void thatSendRubbishCostTheCallsInFlight() throws Exception {
            assertRefused(Form.post(Form.call(STUB, "garbage", Form.STRING, "x")), 502, "PROVIDER_ERROR");
            awaitStub(STUB);
        }

        @ParameterizedTest
        @CsvSource({
            "25, 502, PROVIDER_ERROR",
            "30, 502, PROVIDER_ERROR",
            "31, 504, TIMEOUT",
            "35, 502, PROVIDER_ERROR",
            "40, 400, BAD_REQUEST",
            "50, 502, PROVIDER_ERROR",
            "60, 502, PROVIDER_ERROR",
            "70, 502, PROVIDER_ERROR",
            "80, 502, PROVIDER_ERROR",
            "90, 502, PROVIDER_ERROR",
            "100, 503, OVERLOADED",
            "105, 502, PROVIDER_ERROR",
        })
        void thatAnswerWithAStatusAreTranslated(int status, int http, String code) throws Exception {
            awaitStub(STUB);
            Map<String, String> problem =
                    assertRefused(Form.post(Form.call(STUB, "status" + status, Form.STRING, "x")), http, code);
            if (status != 100) {
                assertThat(problem.get("detail")).contains("the stub says " + status);
            }
        }

        @Test
        void thatThrowAreQuoted() throws Exception {
            awaitStub(STUB);
            HttpAnswer answer = HttpSocket.once(port, Form.post(Form.call(STUB, "throwing", Form.STRING, "x")));
            assertThat(answer.assertProblem(500, "SERVICE_EXCEPTION"))
                    .containsEntry("exceptionClass", "java.lang.IllegalStateException")
                    .containsEntry("exceptionMessage", "no\r\nway");
            assertThat(answer.header("x-dubbo-exception")).isEqualTo("java.lang.IllegalStateException");
        }

        @Test
        void thatHaveGoneAreMissedAtOnce() throws Exception {
            long startNs = System.nanoTime();
            assertRefused(Form.post(Form.call(GONE, "hash", Form.STRING, "x")), 503, "NO_PROVIDER");
            assertThat(System.nanoTime() - startNs)
                    .isLessThan(Duration.ofMillis(500).toNanos());
        }

        @Test
        void thatAreSilentAreWaitedForUntilTheDeadline() throws Exception {
            awaitStub(STUB);
            try (HttpSocket client = new HttpSocket(port)) {
                client.call(HELLO).assertHash("hello");
                long startNs = System.nanoTime();
                client.call(Form.post(Form.call(STUB, "silent", Form.STRING, "x"), "X-Request-Timeout: 20"))
                        .assertProblem(504, "TIMEOUT");
                assertThat(System.nanoTime() - startNs)
                        .isBetween(
                                Duration.ofMillis(20).toNanos(),
                                Duration.ofMillis(220).toNanos());
                client.call(HELLO).assertHash("hello");
            }
        }

        @Test
        void thatAnswerAfterTheDeadlineConfuseNobody() throws Exception {
            awaitStub(STUB);
            int before = stub.executed();
            try (HttpSocket client = new HttpSocket(port)) {
                client.call(Form.post(Form.call(STUB, "slow", Form.STRING, "x"), "X-Request-Timeout: 50"))
                        .assertProblem(504, "TIMEOUT");
                assertThat(stub.executed()).isEqualTo(before + 1);
                // The late answer comes before this one.
                HttpAnswer answer = client.call(Form.post(Form.call(STUB, "slow", Form.STRING, "x")));
                assertThat(answer.text()).isEqualTo("7");
                client.call(HELLO).assertHash("hello");
            }
        }

        @Test
        void thatAreFullAreQueuedForAndThenRefused() throws Exception {
            awaitStub(NARROW);
            int before = narrowStub.executed();
            List<HttpSocket> clients = new ArrayList<>();
            try {
                String slow = Form.post(Form.call(NARROW, "slow", Form.STRING, "x"));
                for (int i = 0; i < 1 + QUEUE; i++) {
                    HttpSocket client = new HttpSocket(port);
                    clients.add(client);
                    client.send(slow);
                    if (i == 0) {
                        Eventually.within(
                                Duration.ofSeconds(2),
                                "the first call is in service",
                                () -> narrowStub.executed() > before);
                    }
                }
                // Those in the queue have been read when a call behind them on the same loop is answered.
                Eventually.within(
                        Duration.ofSeconds(1),
                        "the queue is full",
                        () -> HttpSocket.once(
                                                port,
                                                Form.post(
                                                        Form.call(NARROW, "hash", Form.STRING, "x"),
                                                        "X-Request-Timeout: 1"))
                                        .status()
                                == 503);
                try (HttpSocket refused = new HttpSocket(port)) {
                    refused.call(slow).assertProblem(503, "OVERLOADED");
                    refused.call(HELLO).assertHash("hello");
                }
                for (HttpSocket client : clients) {
                    HttpAnswer answer = client.answer();
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                    assertThat(answer.text()).isEqualTo("7");
                }
            } finally {
                for (HttpSocket client : clients) {
                    client.close();
                }
            }
            awaitStub(NARROW);
        }

        @Test
        void areNotAskedForACallThatExpiredInTheQueue() throws Exception {
            awaitStub(NARROW);
            int before = narrowStub.executed();
            try (HttpSocket first = new HttpSocket(port);
                    HttpSocket second = new HttpSocket(port)) {
                first.send(Form.post(Form.call(NARROW, "slow", Form.STRING, "x")));
                Eventually.within(
                        Duration.ofSeconds(2), "the first call is in service", () -> narrowStub.executed() > before);
                second.call(Form.post(Form.call(NARROW, "slow", Form.STRING, "x"), "X-Request-Timeout: 100"))
                        .assertProblem(504, "TIMEOUT");
                assertThat(first.answer().text()).isEqualTo("7");
                second.call(Form.post(Form.call(NARROW, "hash", Form.STRING, "x")));
                assertThat(narrowStub.executed() - before)
                        .as("the first call and the last")
                        .isEqualTo(2);
            }
        }
    }

    @Nested
    class Connections {
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 17, 64})
        void answerPipelinedRequestsInOrder(int requests) throws Exception {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < requests; i++) {
                all.append(Form.post(Form.hash("text " + i)));
            }
            try (HttpSocket client = new HttpSocket(port)) {
                client.send(all.toString());
                for (int i = 0; i < requests; i++) {
                    client.answer().assertHash("text " + i);
                }
            }
        }

        @Test
        void answerPipelinedRequestsInOrderWhenTheirAnswersAreNot() throws Exception {
            awaitStub(STUB);
            try (HttpSocket client = new HttpSocket(port)) {
                client.send(Form.post(Form.call(STUB, "slow", Form.STRING, "x"))
                        + HELLO
                        + Form.post("nonsense")
                        + Form.post(Form.call(STUB, "silent", Form.STRING, "x"), "X-Request-Timeout: 20")
                        + Form.post(Form.hash("")));
                assertThat(client.answer().text()).isEqualTo("7");
                client.answer().assertHash("hello");
                client.answer().assertProblem(400, "BAD_REQUEST");
                client.answer().assertProblem(504, "TIMEOUT");
                client.answer().assertHash("");
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 10, 64})
        void parseNothingBehindABadRequest(int bad) throws Exception {
            StringBuilder all = new StringBuilder();
            for (int i = 1; i <= 64; i++) {
                all.append(i == bad ? "POST / HTTP/1.1\r\nContent-Length : 1\r\n\r\nx" : HELLO);
            }
            int before = provider.executed();
            try (HttpSocket client = new HttpSocket(port)) {
                client.send(all.toString());
                for (int i = 1; i < bad; i++) {
                    client.answer().assertHash("hello");
                }
                client.answer().assertProblem(400, "BAD_REQUEST");
                client.assertEnd();
            }
            assertThat(provider.executed() - before).as("calls executed").isEqualTo(bad - 1);
        }

        @Test
        void takeARequestHoweverItsBytesArrive() throws Exception {
            String request = Form.post(Form.hash("h\u00e9llo"), "Connection: keep-alive");
            try (HttpSocket client = new HttpSocket(port)) {
                for (int split = 1; split < request.length(); split++) {
                    client.send(request.substring(0, split));
                    // An answer on another connection shows that the part has been read on its own.
                    HttpSocket.once(port, "GET / HTTP/1.1\r\n" + HOST + "\r\n")
                            .assertProblem(405, "METHOD_NOT_ALLOWED");
                    client.send(request.substring(split)).answer().assertHash("h\u00e9llo");
                }
            }
        }

        @Test
        void takeARequestByteByByte() throws Exception {
            try (HttpSocket client = new HttpSocket(port)) {
                for (char character : HELLO.toCharArray()) {
                    client.send(String.valueOf(character));
                }
                client.answer().assertHash("hello");
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 7, 50, 1000})
        void takeChunks(int size) throws Exception {
            String form = Form.hash("hello");
            StringBuilder body = new StringBuilder();
            for (int at = 0; at < form.length(); at += size) {
                String chunk = form.substring(at, Math.min(form.length(), at + size));
                body.append(Integer.toHexString(chunk.length()))
                        .append(size == 7 ? ";extension=\"quoted\"" : "")
                        .append("\r\n")
                        .append(chunk)
                        .append("\r\n");
            }
            String request = chunked(body + "0\r\n" + (size == 2 ? "X-Trailer: x\r\n" : "") + "\r\n");
            try (HttpSocket client = new HttpSocket(port)) {
                client.call(request).assertHash("hello");
                client.call(request).assertHash("hello");
            }
        }

        @Test
        void invitesABodyThatWaitsForIt() throws Exception {
            String request = Form.post(Form.hash("hello"), "Expect: 100-continue");
            int body = request.indexOf("\r\n\r\n") + 4;
            try (HttpSocket client = new HttpSocket(port)) {
                assertThat(client.call(request.substring(0, body)).status()).isEqualTo(100);
                client.call(request.substring(body)).assertHash("hello");
            }
        }

        @Test
        void doNotInviteABodyThatIsThere() throws Exception {
            HttpSocket.once(port, Form.post(Form.hash("hello"), "Expect: 100-Continue"))
                    .assertHash("hello");
        }

        @Test
        void waitForNoBodyThatIsRefused() throws Exception {
            try (HttpSocket client = new HttpSocket(port)) {
                client.call("POST / HTTP/1.1\r\n" + HOST + Form.CONTENT_TYPE
                                + "\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
                        .assertProblem(413, "TOO_LARGE");
                client.assertEnd();
            }
        }

        @Test
        void ofHttp10EndWithTheAnswerUnlessAskedOtherwise() throws Exception {
            String old = HELLO.replace("HTTP/1.1", "HTTP/1.0").replace(HOST, "");
            try (HttpSocket client = new HttpSocket(port)) {
                HttpAnswer answer = client.call(
                                old.replace(Form.CONTENT_TYPE, Form.CONTENT_TYPE + "\r\nConnection: keep-alive"))
                        .assertHash("hello");
                assertThat(answer.header("connection")).isEqualTo("keep-alive");
                assertThat(client.call(old).assertHash("hello").saysClose()).isTrue();
                client.assertEnd();
            }
        }

        @Test
        void endWithTheAnswerIfTheClientWishes() throws Exception {
            try (HttpSocket client = new HttpSocket(port)) {
                client.send(Form.post(Form.hash("hello"), "connection: Close") + HELLO);
                assertThat(client.answer().assertHash("hello").saysClose()).isTrue();
                client.assertEnd();
            }
        }

        @Test
        void takeHeadersInAnyCaseAndFieldsInAnyOrder() throws Exception {
            String form = "parameter=hello&unknown=%C3%A4&parameterTypesString=Ljava/lang/String;&group=&method=hash"
                    + "&&version=&interface=" + Form.SERVICE;
            HttpSocket.once(
                            port,
                            "POST / HTTP/1.1\r\nhOST:mesh\r\nCONTENT-TYPE:\t application/x-www-form-urlencoded \r\n"
                                    + "cOnTeNt-LeNgTh:" + form.length() + "\r\n\r\n" + form)
                    .assertHash("hello");
        }

        @ParameterizedTest
        @ValueSource(strings = {"/?a=b", "http://mesh/", "http://mesh", "http://mesh:20000/?x"})
        void takeTheTargetInAnyForm(String target) throws Exception {
            HttpSocket.once(port, HELLO.replace("POST / ", "POST " + target + " "))
                    .assertHash("hello");
        }

        @Test
        void passOnAttachmentsAndTraces() throws Exception {
            HttpSocket.once(
                            port,
                            Form.post(
                                    Form.hash("hello"),
                                    "X-Dubbo-Attachment-user: J%C3%BCrgen",
                                    "X-Dubbo-Attachments: {\"a\":\"b\"}",
                                    "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
                    .assertHash("hello");
        }

        @Test
        void areStillAnsweredWhenHalfClosed() throws Exception {
            awaitStub(STUB);
            try (HttpSocket client = new HttpSocket(port)) {
                client.send(HELLO + Form.post(Form.call(STUB, "slow", Form.STRING, "x")) + HELLO);
                client.endOutput();
                client.answer().assertHash("hello");
                assertThat(client.answer().text()).isEqualTo("7");
                client.answer().assertHash("hello");
                client.assertEnd();
            }
        }

        @Test
        void thatAreResetLeaveOthersAlone() throws Exception {
            awaitStub(STUB);
            for (int i = 0; i < 20; i++) {
                HttpSocket client = new HttpSocket(port);
                client.send(HELLO + Form.post(Form.call(STUB, "slow", Form.STRING, "x")));
                if (i % 2 == 0) {
                    client.answer().assertHash("hello");
                }
                client.closeByReset();
            }
            assertAlive();
        }
    }

    private static void assertAnsweredAndClosed(String request, int status, String code) throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            HttpAnswer answer = client.call(request);
            answer.assertProblem(status, code);
            assertThat(answer.saysClose()).isTrue();
            client.assertEnd();
        }
        assertAlive();
    }

    /** Asserts the problem document, and that the connection serves further requests; returns the document's members. */
    private static Map<String, String> assertRefused(String request, int status, String code) throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            Map<String, String> problem = client.call(request).assertProblem(status, code);
            client.call(HELLO).assertHash("hello");
            return problem;
        }
    }

    private static void assertAlive() throws Exception {
        HttpSocket.once(port, HELLO).assertHash("hello");
    }

    /** A stub whose connection was lost in one test is back for the next. */
    private static void awaitStub(String service) throws Exception {
        Eventually.within(
                Duration.ofSeconds(10),
                service + " answers",
                () -> HttpSocket.once(port, Form.post(Form.call(service, "hash", Form.STRING, "x")))
                                .status()
                        == 200);
    }
}
