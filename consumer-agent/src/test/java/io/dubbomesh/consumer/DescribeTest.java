package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class DescribeTest extends AgentTest {
    /** {@code $describe} of {@code a.B}. */
    private static final String NAMES = "0003612e42" + "0009246465736372696265" + "0000";

    @Test
    void getOfAServiceAsksForItsMethodsAndPassesTheAnswerOn() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send("GET /a.B HTTP/1.1\r\nHost: a\r\nX-Request-Timeout: 60000\r\n\r\n");
        ProviderPeer.Received request = provider.next();
        assertThat(request.flags()).isEqualTo(0x02);
        assertThat(request.body()).isEqualTo("0000ea60" + "0000" + NAMES + "0000" + "0000" + "5b5d");
        provider.answer(request, 0, Flags.JSON, "{\"methods\":[]}");
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsEntry("content-type", "application/json");
        assertThat(answer.text()).isEqualTo("{\"methods\":[]}");
    }

    @Test
    void theVersionsAndGroupsOnOfferAreNamedWhereTheRegistryListsThem(@TempDir Path directory) throws Exception {
        ProviderPeer provider = provider(180);
        register(
                directory,
                "a.B",
                provider,
                "{\"weight\":1,\"variants\":[{\"version\":\"2.0\",\"group\":\"\\\"\"},{\"version\":\"1.0\"}]}");
        startWithRegistry(Map.of(), "file:" + directory);
        HttpSocket client = client();

        assertThat(described(client, "GET /a.B?version=1.0 HTTP/1.1\r\nHost: a\r\n\r\n", provider, "{\"methods\":[]}")
                        .text())
                .isEqualTo("{\"methods\":[],\"served\":[{\"version\":\"1.0\",\"group\":\"\"},"
                        + "{\"version\":\"2.0\",\"group\":\"\\\"\"}]}");
    }

    @Test
    void headIsTheSameWithoutTheDocument() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send("HEAD /a.B HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        provider.answer(provider.next(), 0, Flags.JSON, "{\"methods\":[]}");
        assertThat(client.answerHead().headers()).containsEntry("content-length", "14");
        client.assertEnd();
    }

    /** RFC 9110, 9.3.2. */
    @ParameterizedTest
    @CsvSource({
        "/a{B,     X: 1,              400",
        "/a.B,     Expect: nothing,   417",
        "/a.B,     Content-Length: x, 400",
        "/a.B,     Origin: https://x, 403"
    })
    void aRefusalOfHeadHasNoContent(String target, String field, int status) throws Exception {
        start(Map.of(), provider(180));
        HttpSocket client = client();

        client.send("HEAD " + target + " HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n");
        assertThat(client.answerHead().status()).isEqualTo(status);
        client.assertEnd();
    }

    @ParameterizedTest
    @CsvSource({
        "/a.B?version=1&group=g, X-Nothing: 1, 000131, 000167",
        "/a.B, X-Dubbo-Version: 1, 000131, 0000",
        "/a.%42?, X-Dubbo-Group: g, 0000, 000167"
    })
    void versionAndGroupAreThoseOfACall(String target, String header, String version, String group) throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(HttpSocket.request("GET " + target, "", header, "X-Request-Timeout: 60000"));
        assertThat(provider.next().body()).isEqualTo("0000ea60" + "0000" + NAMES + version + group + "5b5d");
    }

    @Test
    void itHasNoArgumentsAndIsNeitherOneWayNorTyped() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(HttpSocket.request(
                "GET /a.B",
                "[1]",
                "X-Request-Timeout: 60000",
                "Content-Type: text/plain",
                "X-Dubbo-Oneway: true",
                "X-Dubbo-Class-Names: true",
                "X-Dubbo-Parameter-Types: int"));
        ProviderPeer.Received request = provider.next();
        assertThat(request.flags()).isEqualTo(0x02);
        assertThat(request.body()).isEqualTo("0000ea60" + "0000" + NAMES + "0000" + "0000" + "5b5d");
    }

    @Test
    void whatGoesWrongIsAProblemDocument() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send("GET /a.B HTTP/1.1\r\nHost: a\r\n\r\n");
        provider.answer(provider.next(), 13, Flags.JSON, "{}");
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.headers()).containsEntry("content-type", "application/problem+json");
        client.send("GET /a%ff HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.answer().text()).contains("path: interface: not UTF-8");
    }
}
