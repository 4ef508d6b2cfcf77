package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.netty.buffer.ByteBufUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

class JsonCallTest extends AgentTest {
    private static final String NAMES = "0003612e42" + "00016d" + "000149" + "0000" + "0000";
    private static final String TYPES = "X-Dubbo-Parameter-Types: int";
    private static final String MINUTE = "X-Request-Timeout: 60000";

    @Test
    void aCallIsThisFrameAndItsAnswerIsJson() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", "[42]", TYPES, MINUTE, "X-Dubbo-Attachment-tag: grey"));
        ProviderPeer.Received first = provider.next();
        assertThat(first.type()).isEqualTo(FrameType.REQUEST);
        assertThat(first.flags()).isEqualTo(0x02);
        assertThat(first.methodId()).isZero();
        assertThat(first.body()).isEqualTo("0000ea60" + "000b" + "0003746167" + "000467726579" + NAMES + "5b34325d");
        provider.answer(first, 0, Flags.JSON, "{\"a\":1}");
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsEntry("content-type", "application/json");
        assertThat(answer.text()).isEqualTo("{\"a\":1}");

        client.send(Requests.json("/a.B/m", "[43]", TYPES, MINUTE));
        ProviderPeer.Received define = provider.next();
        assertThat(define.type()).isEqualTo(FrameType.DEFINE);
        assertThat(define.body()).isEqualTo(NAMES);
        ProviderPeer.Received second = provider.next();
        assertThat(second.methodId()).isEqualTo(1);
        assertThat(second.flags()).isEqualTo(0x02);
        assertThat(second.body()).isEqualTo("0000ea60" + "0000" + "5b34335d");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1,\"a\"]|[1,\"a\"]",
                "[]|[]",
                "' \\n\\r\\t[1] '|' \\n\\r\\t[1] '",
                "1|[1]",
                "{\"a\":[1]}|[{\"a\":[1]}]",
                "\"[\"|[\"[\"]",
                "null|[null]",
                "' null '|[ null ]",
                "''|[]",
                "' \\n'|'[ \\n]'",
                "\"a]\\\\\"|[\"a]\\\\\"]",
                "tru|[tru]",
                "{\"a\" 1}|[{\"a\" 1}]",
                // What is no JSON is for the provider agent to refuse.
                "[1|[1",
                "\"a,]\\\",\"|[\"a,]\\\",\"]",
                "\u00ff|[\u00ff]"
            })
    void anArrayIsTheListOfArgumentsAndAnythingElseTheOneOrNone(String body, String arguments) throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", unescaped(body), TYPES, MINUTE));
        assertThat(provider.next().body()).isEqualTo("0000ea60" + "0000" + NAMES + hex(unescaped(arguments)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,2", "}", "1],[2", "{\"a\":1},2", "\"a\",\"b\"", "{}}", "1 2", "{}{}", "\"a\"1", "{} 1"})
    void whatTheBracketsWouldMakeMoreThanOneArgumentIsRefused(String body) throws Exception {
        start(Map.of(), provider(180));
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", body, TYPES));
        assertThat(client.answer().text())
                .contains("\"status\":400")
                .contains("body: not one JSON value (expected: an array of the arguments, or the only one)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"id\":7,|an object or array",
                "{\"ids\":[1,2]|an object or array",
                "{\"name\":\"you|a string",
                "\"a\\\"|a string"
            })
    void aBodyThatTheBracketsWouldEndIsReportedAsItWasSent(String body, String within) throws Exception {
        start(Map.of(), provider(180));
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", body, TYPES));
        assertThat(client.answer().text())
                .contains("\"status\":400")
                .contains("\"detail\":\"body: malformed JSON: it ends within " + within + '"');
    }

    private static String unescaped(String text) {
        return text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
    }

    @Test
    void aChunkedBodyIsTheSameCall() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send("POST /a.B/m HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                + "Content-Type: application/json; charset=utf-8\r\nX-Dubbo-Parameter-Types: I\r\n" + MINUTE
                + "\r\n\r\n1\r\n[\r\n2\r\n1]\r\n0\r\n\r\n");
        assertThat(provider.next().body()).isEqualTo("0000ea60" + "0000" + NAMES + "5b315d");
    }

    @Test
    void withoutTheHeaderTheTypesAreAQuestionMark() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", "[]", MINUTE));
        assertThat(provider.next().body())
                .isEqualTo("0000ea60" + "0000" + "0003612e42" + "00016d" + "00013f" + "0000" + "0000" + "5b5d");
    }

    @Test
    void withAnEmptyHeaderThereAreNoTypes() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", "[]", MINUTE, "X-Dubbo-Parameter-Types:"));
        assertThat(provider.next().body())
                .isEqualTo("0000ea60" + "0000" + "0003612e42" + "00016d" + "0000" + "0000" + "0000" + "5b5d");
    }

    @Test
    void typesVersionAndGroupAreSentAsTheyAreWritten() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.json(
                "/a.%42/%6D?version=1.0",
                "[]", MINUTE, "X-Dubbo-Group: g", "X-Dubbo-Parameter-Types: a.L<a.K[]>, int"));
        assertThat(provider.next().body())
                .isEqualTo("0000ea60" + "0000" + "0003612e42" + "00016d" + "000e" + hex("La/L<[La/K;>;I") + "0003312e30"
                        + "000167" + "5b5d");
    }

    @Test
    void aMethodThatAFormHasCalledNeedsNoDefinition() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        for (int i = 0; i < 2; i++) {
            client.send(Requests.form("hi"));
            provider.answer(provider.nextRequest(), 0, Flags.TEXT, "0");
            client.answer();
        }

        client.send(Requests.json("/a.B/m", "[\"hi\"]", MINUTE, "X-Dubbo-Parameter-Types: java.lang.String"));
        ProviderPeer.Received request = provider.next();
        assertThat(request.type()).isEqualTo(FrameType.REQUEST);
        assertThat(request.methodId()).isEqualTo(1);
        assertThat(request.flags()).isEqualTo(0x02);
    }

    @Test
    void formsHaveTypeArgumentsTooButNoUnknownTypes() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(form("Ljava%2Futil%2FList%3CLjava%2Flang%2FLong%3B%3E%3BI", "&parameter=%5B1%5D&parameter=2"));
        ProviderPeer.Received request = provider.next();
        assertThat(request.body()).contains(hex("Ljava/util/List<Ljava/lang/Long;>;I"));
        assertThat(request.body()).endsWith("00000003" + hex("[1]") + "00000001" + hex("2"));
        provider.answer(request, 0, Flags.TEXT, "0");
        assertThat(client.answer().status()).isEqualTo(200);

        // Known by now to the table, from a call in JSON.
        client.send(Requests.json("/a.B/m", "[]"));
        provider.answer(provider.nextRequest(), 0, Flags.JSON, "0");
        client.answer();
        for (String malformed : new String[] {"%3F", "Ljava%2Futil%2FList%3C%3E%3B", "La%3CI%3E%3B"}) {
            client.send(form(malformed, "&parameter=1"));
            HttpAnswer answer = client.answer();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text())
                    .contains("parameterTypesString: ")
                    .contains("(expected: JVM descriptors such as Ljava/lang/String;I)");
        }
    }

    private static String form(String types, String parameters) {
        return HttpSocket.request(
                "POST /",
                "interface=a.B&method=m&parameterTypesString=" + types + parameters,
                "Content-Type: application/x-www-form-urlencoded");
    }

    @Test
    void aCallThatWaitsOrIsSentAgainStaysWhatItIs() throws Exception {
        ProviderPeer provider = provider(1);
        ProviderPeer other = provider(1);
        start(Map.of(), provider, other);
        HttpSocket client = client();
        client.send(Requests.json("/a.B/m", "1", TYPES, MINUTE)
                + Requests.json("/a.B/m", "2", TYPES, MINUTE, "X-Dubbo-Class-Names: true")
                + Requests.json("/a.B/m", "3", TYPES, MINUTE, "X-Dubbo-Class-Names: true"));
        ProviderPeer.Received one = provider.nextRequest();
        ProviderPeer.Received two = other.nextRequest();
        ProviderPeer second = two.flags() == 0x0a ? other : provider;
        ProviderPeer first = second == other ? provider : other;
        first.answer(second == other ? one : two, 0, Flags.JSON, "1");

        ProviderPeer.Received three = first.nextRequest();
        assertThat(three.flags()).as("that waited").isEqualTo(0x0a);
        assertThat(three.body()).endsWith("5b335d");
        second.answer(second == other ? two : one, 0, Flags.JSON, "2");
        assertThat(client.answer().text()).isEqualTo("1");
        assertThat(client.answer().text()).isEqualTo("2");
        first.refuse(three);
        ProviderPeer.Received again = second.nextRequest();
        assertThat(again.flags()).as("that was sent again").isEqualTo(0x0a);
        assertThat(again.body()).endsWith("5b335d");
        second.answer(again, 0, Flags.JSON, "3");
        assertThat(client.answer().text()).isEqualTo("3");
    }

    @Test
    void attachmentsOfTheAnswerComeBackInHeaderFieldsAndReservedOnesAreRefused() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", "[]"));
        provider.answer(provider.next(), 0, 0x02, "000161" + "0003622063", "[]");
        assertThat(client.answer().headers()).containsEntry("x-dubbo-attachment-a", "b%20c");
        client.send(Requests.json("/a.B/m", "[]", "X-Dubbo-Attachments: {\"GENERIC\":\"true\"}"));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("attachment GENERIC is reserved");
    }

    @Test
    void aJsonCallHasItsDeadlineToo() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.json("/a.B/m", "[]", "X-Request-Timeout: 50"));
        assertThat(provider.next().body()).startsWith("00000032");
        assertThat(client.answer().status()).isEqualTo(504);
        client.send(Requests.json("/a.B/m", "[]", "X-Request-Timeout: 0"));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("X-Request-Timeout (expected: whole milliseconds, 1 to 60000)");
    }

    @Test
    void contentTypeMustBeJsonUnlessThereIsNoContent() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        String[] wrong = {
            HttpSocket.request("POST /a.B/m", "[]"),
            HttpSocket.request("POST /a.B/m", "[]", "Content-Type: application/x-www-form-urlencoded"),
            "POST /a.B/m HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
            HttpSocket.request("POST /a.B/m", "[]", "Content-Type: application/json;charset=latin1"),
            HttpSocket.request("POST /", "[]", "Content-Type: application/json"),
            Requests.json("/a.B/m", "[]", "Content-Encoding: gzip"),
        };
        for (String request : wrong) {
            client.send(request);
            HttpAnswer answer = client.answer();
            assertThat(answer.status()).as(request).isEqualTo(415);
            assertThat(answer.text()).contains("UNSUPPORTED_MEDIA_TYPE");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a.B/m||no Content-Type (expected: Content-Type: application/json, charset absent or UTF-8)",
                "/a.B/m|Content-Type: application/x-www-form-urlencoded|Content-Type: application/x-www-form-urlencoded"
                        + " (expected: Content-Type: application/json, charset absent or UTF-8)",
                "/a.B/m|Content-Type: application/json;charset=latin1|Content-Type: application/json;charset=latin1"
                        + " (expected: Content-Type: application/json, charset absent or UTF-8)",
                "/|Content-Type: text/plain|Content-Type: text/plain"
                        + " (expected: Content-Type: application/x-www-form-urlencoded, charset absent or UTF-8)",
                "/|Content-Type: application/json|Content-Type: application/json"
                        + " (expected: Content-Type: application/x-www-form-urlencoded, charset absent or UTF-8;"
                        + " JSON goes to POST /{interface}/{method})",
            })
    void aRefusedContentTypeIsNamedWithTheHeaderToSend(String path, String type, String detail) throws Exception {
        start(Map.of());
        HttpSocket client = client();
        client.send(HttpSocket.request("POST " + path, "[]", type == null ? new String[0] : new String[] {type}));
        assertThat(client.answer().text()).contains("\"detail\":\"" + detail + '"');
    }

    /** Checks the requests of {@code curl -X POST} and {@code curl -d ''}. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                "Content-Length: 0\r\n\r\n",
                "Content-Length: 0\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n",
                "Content-Length: 0\r\nContent-Type: text/plain\r\n\r\n",
                "Content-Type: application/json\r\n\r\n",
                "Transfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n0\r\n\r\n",
            })
    void aPostWithoutABodyHasNoArgumentsWhateverItsType(String rest) throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        for (int i = 0; i < 2; i++) {
            client.send("POST /a.B/m HTTP/1.1\r\nHost: a\r\n" + TYPES + "\r\n" + MINUTE + "\r\n" + rest);
            ProviderPeer.Received call = provider.nextRequest();
            assertThat(call.body()).startsWith("0000ea60").endsWith("5b5d");
            provider.answer(call, 0, Flags.JSON, "1");
            assertThat(client.answer().text()).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PUT /|405|GET, HEAD, POST",
                "PUT /a.B|405|GET, HEAD",
                "POST /a.B|405|GET, HEAD",
                "POST /a.B?version=1|405|GET, HEAD",
                "PUT /docs/errors.md|405|GET, HEAD",
                "DELETE /a.B/m|405|GET, HEAD, POST",
                "POST //|404|",
                "GET /a.B/|404|",
                "POST /a.B/|404|",
                "POST //m|404|",
                "POST /a.B/m/|404|",
                "POST /a.B/m/n|404|",
                "OPTIONS *|404|"
            })
    void aPathThatIsNotACallIsNotFoundAndAWrongMethodIsAnsweredWithTheAllowedOnes(String line, int status, String allow)
            throws Exception {
        start(Map.of());
        HttpSocket client = client();

        for (String request :
                new String[] {HttpSocket.request(line, ""), HttpSocket.request(line, "[]", "Expect: 100-continue")}) {
            client.send(request);
            HttpAnswer answer = client.answer();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.headers().get("allow")).isEqualTo(allow);
            assertThat(answer.headers()).containsEntry("content-type", "application/problem+json");
        }
    }

    @Test
    void aPathOfOneSegmentIsToldWhichPathsThereAre() throws Exception {
        start(Map.of());
        HttpSocket client = client();

        assertThat(client.call(HttpSocket.request("POST /a.B", "[]")).text())
                .contains(
                        "POST (expected: GET, HEAD; there are GET and POST /, GET /openapi.json, GET /{interface}, GET and POST /{interface}/{method};"
                                + " metrics, health and the admin interface are at admin.port)");
    }

    @Test
    void whoAsksForTheAdminInterfaceIsToldItsPort() throws Exception {
        start(Map.of());

        assertThat(client().call("GET /api/v1/state HTTP/1.1\r\nHost: a\r\n\r\n")
                        .assertProblem(404, "NOT_FOUND")
                        .get("detail"))
                .isEqualTo(
                        "no such path (expected: GET and POST /, GET /openapi.json, GET /{interface}, GET and POST /{interface}/{method};"
                                + " metrics, health and the admin interface are at admin.port)");
    }

    @Test
    void aMalformedCallIsNamedAndTheConnectionGoesOn() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        assertRefused(client, "/a%ff/m", "path: interface: not UTF-8");
        assertRefused(client, "/a.B/%ff", "path: method: not UTF-8");
        assertRefused(client, "/a.B/m?version=1&version=1", "query: version is given twice");
        assertRefused(client, "/a.B/m?version=1", "as in X-Dubbo-Version)", "X-Dubbo-Version: 2");
        assertRefused(
                client,
                "/a.B/m",
                "X-Dubbo-Parameter-Types: \\\"int;\\\" (expected: Java types such as",
                "X-Dubbo-Parameter-Types: int;");
        assertRefused(client, "/a.B/m", "X-Dubbo-Parameter-Types is given twice", TYPES, TYPES);
        assertRefused(client, "/a.B/m", "X-Dubbo-Class-Names (expected: true or false)", "X-Dubbo-Class-Names: yes");
        assertRefused(
                client,
                "/a.B/m",
                "X-Dubbo-Class-Names is given twice",
                "X-Dubbo-Class-Names: false",
                "X-Dubbo-Class-Names: false");

        client.send(Requests.json("/a.B/m", "[]", "X-Dubbo-Class-Names: false"));
        assertThat(provider.next().flags()).isEqualTo(0x02);
    }

    private static void assertRefused(HttpSocket client, String target, String detail, String... headers)
            throws Exception {
        client.send(Requests.json(target, "[]", headers));
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).as(detail).isEqualTo(400);
        assertThat(answer.text()).contains("\"code\":\"BAD_REQUEST\"").contains(detail);
    }

    @Test
    void classNamesAreAFlagOfFormsToo() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(Requests.form("hi", "x-dubbo-class-names: true"));
        assertThat(provider.next().flags()).isEqualTo(0x09);
    }

    /** Returns the bytes of ISO 8859-1, as the client sends its bodies. */
    private static String hex(String text) {
        return ByteBufUtil.hexDump(text.getBytes(ISO_8859_1));
    }
}
