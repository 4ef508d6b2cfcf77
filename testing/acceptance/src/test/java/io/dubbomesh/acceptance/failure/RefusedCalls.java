package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that are sound HTTP and cannot be served: the connection stays open. */
abstract class RefusedCalls extends FailureTopic {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "interface=a&method=hash&parameterTypesString=Ljava%2Flang%2FString%3B",
                "interface=a&method=hash&parameterTypesString=I&parameter=1&parameter=2",
                "interface=a&method=hash&parameterTypesString=&parameter=1",
                "interface=a&method=hash&parameterTypesString=X&parameter=1",
                "interface=a&method=hash&parameterTypesString=Ljava%2Flang%2FString&parameter=1",
                "interface=a%zz&method=hash&parameterTypesString=I&parameter=1",
            })
    void aBadFormIsRefused(String form) throws Exception {
        assertRefused(Form.post(form), 400, "BAD_REQUEST");
    }

    @Test
    void aBadlyEncodedParameterIsRefused() throws Exception {
        assertRefused(Form.post(Form.hash("") + "%C3"), 400, "BAD_REQUEST");
    }

    @Test
    void tooManyFieldsAreRefused() throws Exception {
        assertThat(HttpSocket.once(port, Form.post(Form.hash("hello") + "&a=1".repeat(28)))
                        .assertHash("hello"))
                .isNotNull();
        assertRefused(Form.post(Form.hash("hello") + "&a=1".repeat(29)), 400, "BAD_REQUEST");
        assertRefused(Form.post(Form.hash("hello") + "&a=".repeat(100_000)), 400, "BAD_REQUEST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "abc", "1.5", "60001", "99999999999999999999", "", "5 s"})
    void aBadTimeoutIsRefused(String timeout) throws Exception {
        assertRefused(Form.post(Form.hash("x"), "X-Request-Timeout: " + timeout), 400, "BAD_REQUEST");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Dubbo-Attachment-generic: true",
                "X-Dubbo-Attachment-a: %zz",
                "X-Dubbo-Attachments: {\"generic\":\"nativejava\"}",
            })
    void reservedOrMalformedAttachmentsAreRefused(String header) throws Exception {
        assertRefused(Form.post(Form.hash("x"), header), 400, "BAD_REQUEST");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "I   | notanumber | args[0]: \"notanumber\" (expected: int, -2147483648 to 2147483647)",
                "I   | 2147483648 | args[0]: \"2147483648\" (expected: int, -2147483648 to 2147483647)",
                "J   | 1.5        | args[0]: \"1.5\" (expected: long, -9223372036854775808 to 9223372036854775807)",
                "Z   | yes        | args[0]: \"yes\" (expected: boolean)",
                "C   | ab         | args[0]: \"ab\" (expected: char)",
                "[I  | {}         | args[0]: {...} (expected: int[])",
            })
    void anArgumentThatDoesNotFitItsTypeIsRefused(String type, String argument, String detail) throws Exception {
        Map<String, String> problem =
                assertRefused(Form.post(Form.call(STUB, "hash", type, argument)), 400, "BAD_ARGUMENT");
        assertThat(problem).containsEntry("detail", detail);
    }

    @Test
    void anArgumentThatIsNotJsonIsRefused() throws Exception {
        assertRefused(Form.post(Form.call(STUB, "hash", "[I", "[1,2")), 400, "BAD_ARGUMENT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain",
                "X-No-Content-Type: at all",
                Form.CONTENT_TYPE + "\r\nContent-Encoding: gzip",
            })
    void otherMediaTypesAreRefused(String header) throws Exception {
        assertRefused(HELLO.replace(Form.CONTENT_TYPE, header), 415, "UNSUPPORTED_MEDIA_TYPE");
    }

    @Test
    void otherPathsAreNotFound() throws Exception {
        assertRefused(HELLO.replace("POST / ", "POST /a/b/c "), 404, "NOT_FOUND");
    }

    /** A path of one part is a service, whose methods can be listed. */
    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/index.html"})
    void aPathWithoutAMethodIsNotACall(String path) throws Exception {
        HttpAnswer answer = HttpSocket.once(port, HELLO.replace("POST / ", "POST " + path + " "));
        answer.assertProblem(405, "METHOD_NOT_ALLOWED");
        assertThat(answer.header("allow")).isEqualTo("GET, HEAD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH", "TRACE", "POSTED"})
    void otherHttpMethodsAreRefused(String method) throws Exception {
        assertRefused(method + " / HTTP/1.1\r\n" + HOST + "\r\n", 405, "METHOD_NOT_ALLOWED");
    }

    @Test
    void aHeadRequestIsAnsweredWithoutABody() throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            HttpAnswer answer =
                    client.send("HEAD / HTTP/1.1\r\n" + HOST + "\r\n").answerHead();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("content-length")).isNotEqualTo("0");
            client.call(HELLO).assertHash("hello");
        }
    }

    @Test
    void aServiceThatWasNeverRegisteredIsNotFound() throws Exception {
        String form = Form.call("io.dubbomesh.acceptance.Nobody", "hash", Form.STRING, "x");
        Map<String, String> problem = assertRefused(Form.post(form), 404, "SERVICE_NOT_FOUND");
        assertThat(problem.get("detail")).contains("io.dubbomesh.acceptance.Nobody");
    }

    @ParameterizedTest
    @ValueSource(strings = {"&version=1.0", "&group=a", "&version=1.0&group=a"})
    void aVersionOrGroupThatNoProviderServesIsNotFound(String field) throws Exception {
        assertRefused(Form.post(Form.hash("x") + field), 404, "METHOD_NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"&version=", "&group=", "&version=0.0.0", "&version=&group="})
    void emptyVersionsAndGroupsAreServed(String field) throws Exception {
        HttpSocket.once(port, Form.post(Form.hash("hello") + field)).assertHash("hello");
    }

    @ParameterizedTest
    @CsvSource({"nope, Ljava/lang/String;, x", "hash, I, 5", "hash, [I, '[1,2]'"})
    void aMethodThatTheProviderDoesNotHaveIsNotFound(String method, String types, String argument) throws Exception {
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
    void aMethodWithOtherParametersIsNotFound() throws Exception {
        assertRefused(Form.post(Form.call(Form.SERVICE, "hash", "")), 404, "METHOD_NOT_FOUND");
    }

    @Test
    void moreInventedNamesThanMethodsAreKeptAreRefused() throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            for (int i = 0; i < 2 * METHODS; i++) {
                client.call(Form.post(Form.call(Form.SERVICE, "nope" + i, Form.STRING, "x")))
                        .assertProblem(404, "METHOD_NOT_FOUND");
            }
            client.call(HELLO).assertHash("hello");
        }
    }
}
