package io.dubbomesh.consumer;

import io.dubbomesh.consumer.http.AllowedOrigins;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Pages in browsers that call another origin than their own (CORS) */
class CrossOriginTest extends AgentTest {
    private static final String PAGE = "https://app.example";
    private static final String[] TRUSTING = {"http.cors.origins", PAGE + ", http://localhost:8080"};
    private static final String ARGUMENT = "argument";

    @TempDir
    Path folder;

    private HttpSocket start(String... settings) throws Exception {
        startWithPorts(
                Map.of(settings[0], settings[1]), opened(new ServingPeer()).port());
        return client();
    }

    private static String preflight(String... headers) {
        return "OPTIONS /a.B/m HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    }

    private static String preflightOf(String origin) {
        return preflight("Origin: " + origin, "Access-Control-Request-Method: POST");
    }

    private static void assertForeign(HttpAnswer answer) {
        assertThat(answer.headers()).doesNotContainKey("access-control-allow-origin");
    }

    private static void assertAllowed(HttpAnswer answer, String origin) {
        assertThat(answer.headers())
                .containsEntry("access-control-allow-origin", origin)
                .containsEntry("access-control-expose-headers", "*")
                .containsEntry("vary", "Origin");
    }

    @Test
    void aBrowserLearnsThatItsPageMayCall() throws Exception {
        HttpSocket client = start(TRUSTING);

        HttpAnswer answer = client.call(preflightOf(PAGE));

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.headers())
                .containsEntry("access-control-allow-origin", PAGE)
                .containsEntry("access-control-allow-methods", "GET, HEAD, POST")
                .containsEntry("access-control-max-age", "600")
                .containsEntry("vary", "Origin");
        assertThat(answer.header("access-control-allow-headers"))
                .contains("authorization, content-type", "x-dubbo-parameter-types", "x-request-timeout", "traceparent");
        assertThat(client.call(preflightOf("http://localhost:8080")).header("access-control-allow-origin"))
                .isEqualTo("http://localhost:8080");
        assertThat(client.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://app.example.evil",
                "https://app.exampl",
                "http://app.example",
                "https://app.example:443",
                "HTTPS://APP.EXAMPLE",
                "null",
                "*",
                ""
            })
    void anotherOriginIsRefusedAndNothingIsExecuted(String origin) throws Exception {
        HttpSocket client = start(TRUSTING);

        HttpAnswer refusal = client.call(preflightOf(origin));
        refusal.assertProblem(403, "FORBIDDEN");
        assertForeign(refusal);
        HttpAnswer answer = client.call(Requests.form(ARGUMENT, "Origin: " + origin));
        Map<String, String> problem = answer.assertProblem(403, "FORBIDDEN");
        assertThat(problem.get("detail")).isEqualTo("Origin (expected: one of http.cors.origins)");
        assertForeign(answer);
        client.assertEnd();
        assertThat(scrape().sum("dubbomesh_consumer_calls_total")).isZero();
    }

    @Test
    void aPageIsRefusedBeforeTheAgentAsksForItsBody() throws Exception {
        HttpSocket client = start(TRUSTING);

        client.send("POST / HTTP/1.1\r\nHost: a\r\nOrigin: https://other.example\r\nContent-Length: 9\r\n"
                + "Expect: 100-continue\r\n\r\n");

        client.answer().assertProblem(403, "FORBIDDEN");
        client.assertEnd();
    }

    @Test
    void whereCallersShowTokensOtherPagesMayCallAndNotReadTheAnswers() throws Exception {
        Path tokens = Files.writeString(folder.resolve("tokens"), "ana a-token-of-sixteen\n");
        startWithPorts(
                Map.of("http.auth", "token", "http.auth.token-file", tokens.toString(), TRUSTING[0], TRUSTING[1]),
                opened(new ServingPeer()).port());
        HttpSocket client = client();

        HttpAnswer answer = client.call(
                Requests.form(ARGUMENT, "Origin: https://other.example", "Authorization: Bearer a-token-of-sixteen"));

        assertThat(answer.text()).isEqualTo(ARGUMENT);
        assertForeign(answer);
    }

    @Test
    void anAgentThatAnybodyReachesServesProgramsAndNoPages() throws Exception {
        HttpSocket client = start("server.host", "0.0.0.0");

        assertThat(client.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
        HttpAnswer answer = client.call(Requests.form(ARGUMENT, "Origin: " + PAGE));
        answer.assertProblem(403, "FORBIDDEN");
        assertForeign(answer);
    }

    @Test
    void twoOriginsAreNone() throws Exception {
        HttpSocket client = start(TRUSTING);

        client.call(preflight("Origin: " + PAGE, "Origin: " + PAGE, "Access-Control-Request-Method: POST"))
                .assertProblem(403, "FORBIDDEN");
        HttpAnswer answer = client.call(Requests.form(ARGUMENT, "Origin: " + PAGE, "Origin: " + PAGE));
        answer.assertProblem(403, "FORBIDDEN");
        assertForeign(answer);
    }

    @Test
    void answersAndProblemDocumentsCanBeReadByThePage() throws Exception {
        HttpSocket client = start(TRUSTING);

        assertAllowed(client.call(Requests.form(ARGUMENT, "Origin: " + PAGE)), PAGE);
        HttpAnswer notFound = client.call(HttpSocket.request("POST /a/b/c", "", "Origin: " + PAGE));
        notFound.assertProblem(404, "NOT_FOUND");
        assertAllowed(notFound, PAGE);
        // The next request of the connection has none.
        assertForeign(client.call(Requests.form(ARGUMENT)));
        HttpAnswer malformed =
                client.call("POST / HTTP/1.1\r\nHost: a\r\nOrigin: " + PAGE + "\r\nContent-Length: x\r\n\r\n");
        malformed.assertProblem(400, "BAD_REQUEST");
        assertAllowed(malformed, PAGE);
        client.assertEnd();
    }

    @Test
    void otherOptionsAreNoPreflight() throws Exception {
        HttpSocket client = start(TRUSTING);

        client.call(preflight("Origin: " + PAGE)).assertProblem(405, "METHOD_NOT_ALLOWED");
        client.call(preflight("Access-Control-Request-Method: POST")).assertProblem(405, "METHOD_NOT_ALLOWED");
    }

    @Test
    void anyOriginMayCallWhereThatIsSet() throws Exception {
        HttpSocket client = start("http.cors.origins", "*");

        assertThat(client.call(preflightOf("null")).header("access-control-allow-origin"))
                .isEqualTo("*");
        assertAllowed(client.call(Requests.form(ARGUMENT, "Origin: https://any.example")), "*");
        assertForeign(client.call(Requests.form(ARGUMENT)));
    }

    @Test
    void noPageMayCallByDefault() throws Exception {
        HttpSocket client = start("lb", "weighted-random");

        client.call(preflightOf(PAGE)).assertProblem(403, "FORBIDDEN");
        assertThat(client.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
        HttpAnswer answer = client.call(Requests.form(ARGUMENT, "Origin: " + PAGE));
        answer.assertProblem(403, "FORBIDDEN");
        assertForeign(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app.example",
                "https://app.example/",
                "https://App.example",
                "null",
                "https://app.example, *",
                "https://*.example",
                "https://a\r\nX: y",
                "https://user@app.example"
            })
    void whatIsNoOriginIsAWrongSetting(String origins) {
        assertThatThrownBy(() -> AllowedOrigins.parse(origins))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(origins + " (expected: ");
    }
}
