package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests authentication and call rules with tokens of a file. */
class CallerAuthTest extends CallerFixture {
    @Test
    void aCallerWithATokenOfTheFileIsServed() throws Exception {
        start();
        assertThat(call(ANA).text()).isEqualTo("argument");
        assertThat(call("AUTHORIZATION:bearer   bos-token-0123456789 ").text()).isEqualTo("argument");
    }

    @Test
    void aCallerWithoutCredentialsIsToldWhatIsExpected() throws Exception {
        start();
        for (String header :
                new String[] {"X-Nothing: 1", "Authorization: Basic YTpi", "Authorization: Bearer", "Authorization:"}) {
            HttpAnswer answer = call(header);
            assertThat(answer.assertProblem(401, "UNAUTHENTICATED"))
                    .containsEntry("detail", "no credentials (expected: the header Authorization: Bearer TOKEN)");
            assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
        }
        assertThat(peer.requests()).isZero();
    }

    /** A problem document, that of 401 among them, leads to it. */
    @ParameterizedTest
    @ValueSource(strings = {"/docs/errors.md", "/a.B/docs/errors.md", "/a.B/docs/errors.md?a=b"})
    void anyoneMayReadWhatTheErrorsMean(String path) throws Exception {
        start();
        for (String header : new String[] {"X-Nothing: 1", "Authorization: Bearer wrong", ANA}) {
            HttpAnswer answer = client().call(HttpSocket.request("GET " + path, "", header));
            assertThat(answer.status()).as(header).isEqualTo(200);
            assertThat(answer.header("content-type")).startsWith("text/html");
            assertThat(answer.text()).contains("UNAUTHENTICATED");
            assertThat(answer.hasConnectionClose()).as("a stranger stays one").isEqualTo(!header.equals(ANA));
        }
        client().call(HttpSocket.request("GET /docs/errors.md/", "")).assertProblem(401, "UNAUTHENTICATED");
        client().call(HttpSocket.request("POST /docs/errors.md", "[]")).assertProblem(401, "UNAUTHENTICATED");
    }

    /** A stranger that may call nothing could ask for many answers, and leave them unread. */
    @Test
    void aRefusedRequestEndsTheConnectionOfAStranger() throws Exception {
        start();
        HttpSocket client = client();
        client.send(HttpSocket.request("GET /a.B", "").repeat(3));
        HttpAnswer answer = client.answer();
        answer.assertProblem(401, "UNAUTHENTICATED");
        assertThat(answer.hasConnectionClose()).isTrue();
        client.assertEnd();
    }

    @Test
    void aRefusedRequestEndsTheConnectionOfACallerIfItHasABody() throws Exception {
        start();
        HttpSocket client = client();
        assertThat(client.call(Requests.form("argument", ANA)).text()).isEqualTo("argument");
        client.call(HttpSocket.request("GET /a.B", "")).assertProblem(401, "UNAUTHENTICATED");
        client.send(Requests.form("argument", WRONG) + Requests.form("argument", ANA));
        HttpAnswer answer = client.answer();
        answer.assertProblem(401, "INVALID_TOKEN");
        assertThat(answer.hasConnectionClose()).isTrue();
        client.assertEnd();
        assertThat(peer.requests()).as("what came behind it is not executed").isEqualTo(1);
    }

    /** The answer 100 takes the last place in the pipeline, so that the request is not read on at first. */
    @Test
    void aCallerIsJudgedAgainThoughItsContinueWaitsInThePipeline() throws Exception {
        ProviderPeer provider = provider(180);
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana anas-token-of-26-characters\n");
        start(with("http.max-pipelined", "2"), provider);
        HttpSocket client = client();
        client.send(Requests.form("first", ANA, "X-Request-Timeout: 30000"));
        ProviderPeer.Received first = provider.nextRequest();
        String second = Requests.form("second", ANA, "Expect: 100-continue");
        int body = second.indexOf("\r\n\r\n") + 4;
        client.send(second.substring(0, body));
        Await.until("the head is read", () -> bytesHeld() > 0);

        Files.writeString(tokens, "bo bos-token-0123456789\n");
        Await.until(
                "the file is used",
                () -> client().call(HttpSocket.request("GET /a", "", ANA)).status() == 401);
        provider.answer(first, 0, Flags.TEXT, "ok");
        assertThat(client.answer().text()).isEqualTo("ok");
        client.send(second.substring(body));

        assertThat(client.answer().status()).isEqualTo(100);
        client.answer().assertProblem(401, "INVALID_TOKEN");
    }

    @Test
    void strangersLockNoCallersOut() throws Exception {
        start("http.max-connections", "10");
        HttpSocket known = client();
        assertThat(known.call(Requests.form("argument", ANA)).text()).isEqualTo("argument");
        for (int i = 0; i < 20; i++) {
            client();
        }
        assertThat(call(ANA).text()).isEqualTo("argument");
        assertThat(known.call(Requests.form("argument", ANA)).text()).isEqualTo("argument");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "anas-token-of-26-character",
                "anas-token-of-26-characterss",
                "bnas-token-of-26-characters",
                "ana anas-token-of-26-characters",
                "x"
            })
    void anyOtherTokenIsInvalid(String token) throws Exception {
        start();
        assertThat(call(ANA).status()).isEqualTo(200);
        HttpAnswer answer = call("Authorization: Bearer " + token);
        assertThat(answer.assertProblem(401, "INVALID_TOKEN").get("detail"))
                .doesNotContain(token + " ")
                .endsWith(": unknown");
        assertThat(answer.header("www-authenticate")).isEqualTo("Bearer error=\"invalid_token\"");
    }

    @Test
    void twoAuthorizationsAreOneTooMany() throws Exception {
        start();
        assertThat(call(ANA, ANA).assertProblem(400, "BAD_REQUEST"))
                .containsEntry("detail", "Authorization is given twice");
        assertThat(peer.requests()).isZero();
    }

    @Test
    void aRequestWithTwoAuthorizationsIsMalformedAndNotCountedAsOneOfAnUnknownCaller() throws Exception {
        start();
        call(ANA, ANA).assertProblem(400, "BAD_REQUEST");
        client().call(HttpSocket.request("GET /a.B", "", WRONG, ANA)).assertProblem(400, "BAD_REQUEST");
        assertThat(scrape().sum("dubbomesh_consumer_auth_refused_total")).isZero();
        call("X-Nothing: 1");
        assertThat(scrape().sum("dubbomesh_consumer_auth_refused_total")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /a.B",
                "GET /no.Such",
                "POST /a.B",
                "POST /a.B/m",
                "POST /no.Such/m",
                "GET /",
                "GET /a/b/c",
                "OPTIONS /a.B"
            })
    void whoIsUnknownLearnsNothingOfServicesAndPaths(String request) throws Exception {
        start();
        String first = client().call(HttpSocket.request(request, ""))
                .assertProblem(401, "UNAUTHENTICATED")
                .get("detail");
        assertThat(client().call(HttpSocket.request("POST /", "")).assertProblem(401, "UNAUTHENTICATED"))
                .containsEntry("detail", first);
    }

    @Test
    void eachPipelinedRequestHasTheCallerOfItsOwnToken() throws Exception {
        start("http.auth.rules", rules("allow ana a.B"));
        HttpSocket client = client();
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            requests.append(Requests.form("callnum" + i, ANA))
                    .append(Requests.form("call", BO))
                    .append(HttpSocket.request("GET /a.B", "", WRONG))
                    .append(HttpSocket.request("GET /a.B", ""));
        }
        client.send(requests.toString());
        for (int i = 0; i < 10; i++) {
            assertThat(client.answer().text()).isEqualTo("callnum" + i);
            assertThat(client.answer().status()).isEqualTo(403);
            client.answer().assertProblem(401, "INVALID_TOKEN");
            client.answer().assertProblem(401, "UNAUTHENTICATED");
        }
        assertThat(peer.requests()).isEqualTo(10);
    }

    @Test
    void rulesSayWhatEachCallerMayCall() throws Exception {
        start("http.auth.rules", rules("allow ana a.*#m*", "allow bo no.Such"));
        assertThat(call(ANA).text()).isEqualTo("argument");
        HttpAnswer refused = call(BO);
        assertThat(refused.assertProblem(403, "FORBIDDEN"))
                .containsEntry("detail", "\"bo\" may not call a.B#m (http.auth.rules)");
        HttpSocket client = client();
        client.call(HttpSocket.request("GET /a.B", "", ANA)).assertProblem(403, "FORBIDDEN");
        client.call(HttpSocket.request("GET /a.B", "", BO)).assertProblem(403, "FORBIDDEN");
        client.call(Requests.json("/a.B/m", "[]", BO)).assertProblem(403, "FORBIDDEN");
        client.call(Requests.json("/a.%42/x", "[]", ANA)).assertProblem(403, "FORBIDDEN");
    }

    @Test
    void rulesThatChangeHoldForTheTokensThatAreKnown() throws Exception {
        start("http.auth.rules", rules("allow ana a.B"));
        HttpSocket client = client();
        assertThat(client.call(Requests.form("argument", ANA)).status()).isEqualTo(200);
        rules("allow bo a.B");
        Await.until(
                "ana may not", () -> client.call(Requests.form("argument", ANA)).status() == 403);
        assertThat(client.call(Requests.form("argument", BO)).status()).isEqualTo(200);
        rules("deny bo a.B");
        rules("allow * a.B");
        Await.until(
                "ana may again",
                () -> client.call(Requests.form("argument", ANA)).status() == 200);
    }

    @Test
    void aTokenThatLeavesTheFileIsRefusedAndABrokenFileChangesNothing() throws Exception {
        start();
        HttpSocket client = client();
        assertThat(client.call(Requests.form("argument", ANA)).status()).isEqualTo(200);
        Files.writeString(directory.resolve("tokens"), "bo bos-token-0123456789\nana too-short\n");
        Await.until("the file is refused", () -> logged.warnings().size() == 1);
        assertThat(logged.warnings().get(0))
                .startsWith("http.auth.token-file: " + directory.resolve("tokens") + ":2: a token of 9 characters")
                .endsWith("; what was read before holds")
                .doesNotContain("too-short");
        assertThat(client.call(Requests.form("argument", ANA)).status()).isEqualTo(200);
        Files.writeString(directory.resolve("tokens"), "bo bos-token-0123456789\n");
        Await.until("ana is unknown", () -> call(ANA).status() == 401);
        assertThat(client.call(Requests.form("argument", BO)).status()).isEqualTo(200);
    }

    @Test
    void aBodyIsNotAskedForIfItsCallIsRefused() throws Exception {
        start("http.auth.rules", rules("allow ana a.B"));
        for (String header : new String[] {"X-Nothing: 1", WRONG, BO}) {
            HttpSocket client = client();
            client.send("POST /a.B/m HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 5\r\n" + header + "\r\n\r\n");
            HttpAnswer answer = client.answer();
            assertThat(answer.status()).isEqualTo(header.equals(BO) ? 403 : 401);
            assertThat(answer.hasConnectionClose()).isTrue();
            client.endOutput();
            client.assertEnd();
        }
        HttpSocket client = client();
        client.send("POST /a.B/m HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
                + "Content-Length: 5\r\n" + ANA + "\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(100);
    }

    @Test
    void aBodyThatIsNotThereYetIsNotAwaitedFromWhoIsUnknown() throws Exception {
        start();
        HttpSocket client = client();
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n" + WRONG + "\r\n\r\ninterface=");
        HttpAnswer answer = client.answer();
        answer.assertProblem(401, "INVALID_TOKEN");
        assertThat(answer.hasConnectionClose()).isTrue();
        assertThat(bytesHeld()).isLessThan(10_000);
    }

    @Test
    void aTokenThatLeavesTheFileWhileTheBodyComesIsRefused() throws Exception {
        start();
        String request = Requests.form("argument", ANA);
        int half = request.length() - 20;
        HttpSocket client = client();
        client.send(request.substring(0, half));
        Await.until("the head is read", () -> bytesHeld() > 0);
        Files.writeString(directory.resolve("tokens"), "bo bos-token-0123456789\n");
        Await.until("ana is unknown", () -> call(ANA).status() == 401);
        HttpSocket other = client();
        String allowed = Requests.form("argument", BO);
        other.send(allowed.substring(0, half));
        client.send(request.substring(half));
        HttpAnswer answer = client.answer();
        answer.assertProblem(401, "INVALID_TOKEN");
        assertThat(answer.hasConnectionClose()).as("the whole body was read").isFalse();
        other.send(allowed.substring(half));
        assertThat(other.answer().text()).isEqualTo("argument");
    }

    @Test
    void theTokenIsNotPassedOn() throws Exception {
        ProviderPeer provider = provider(180);
        Files.writeString(directory.resolve("tokens"), "ana anas-token-of-26-characters\n");
        start(with(), provider);
        client().send(Requests.json("/a.B/m", "[]", ANA));
        assertThat(provider.nextRequest().body()).doesNotContain(Hex.text("anas-token"));
    }
}
