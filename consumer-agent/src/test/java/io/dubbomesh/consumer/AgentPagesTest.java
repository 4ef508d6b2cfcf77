package io.dubbomesh.consumer;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What a client finds that knows nothing but the address of the agent. */
class AgentPagesTest extends AgentTest {
    private static final String DESCRIBE = "0003612e42" + "0009246465736372696265" + "0000" + "0000" + "0000";
    private static final String MINUTE = "X-Request-Timeout: 60000";

    @Test
    void theRootListsTheServices(@TempDir Path directory) throws Exception {
        ProviderPeer provider = provider(180);
        register(directory, "a.B", provider, "{\"weight\":1,\"variants\":[{\"version\":\"1.0\"}]}");
        register(directory, "a.A", provider, "{\"weight\":1}");
        startWithRegistry(Map.of(), "file:" + directory);
        HttpSocket client = client();

        HttpAnswer answer = client.call(get("/"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsEntry("content-type", "application/json");
        assertThat(answer.text())
                .isEqualTo("{\"services\":[{\"service\":\"a.A\",\"endpoints\":1,"
                        + "\"served\":[{\"version\":\"\",\"group\":\"\"}],\"describe\":\"/a.A\"},"
                        + "{\"service\":\"a.B\",\"endpoints\":1,\"served\":[{\"version\":\"1.0\",\"group\":\"\"}],"
                        + "\"describe\":\"/a.B\"}],\"errors\":\"/docs/errors.md\"}");
    }

    @Test
    void theRootSaysWhereTypesAreKnownFromOnceTheyWereAskedFor(@TempDir Path directory) throws Exception {
        ProviderPeer provider = provider(180);
        register(directory, "a.B", provider, "{\"weight\":1}");
        startWithRegistry(Map.of(), "file:" + directory);
        HttpSocket client = client();

        client.send(get("/a.B"));
        provider.answer(
                provider.next(),
                0,
                Flags.JSON,
                "{\"interface\":\"a.B\",\"version\":\"\",\"group\":\"\",\"source\":\"class files\",\"methods\":[]}");
        assertThat(client.answer().status()).isEqualTo(200);

        assertThat(client.call(get("/")).text()).contains("\"types\":\"class files\"");
    }

    @Test
    void theListIsTheSameUntilAServiceComesOrGoes(@TempDir Path directory) throws Exception {
        ProviderPeer provider = provider(180);
        register(directory, "a.B", provider, "{\"weight\":1}");
        startWithRegistry(Map.of(), "file:" + directory);
        HttpSocket client = client();
        String before = client.call(get("/")).text();

        assertThat(client.call(get("/")).text()).isEqualTo(before);
        register(directory, "a.C", provider, "{\"weight\":1}");
        Await.until("the service is listed", () -> client.call(get("/")).text().contains("\"a.C\""));
    }

    @Test
    void theSourceOfTheTypesOfAServiceThatIsGoneIsForgotten() throws Exception {
        TypeSources sources = new TypeSources();
        ByteBuf description = Unpooled.copiedBuffer("{\"source\":\"class files\"}", UTF_8);
        Response response = opened(new Response("", AgentRole.CONSUMER));
        response.set(Outcome.OK, Response.Content.JSON, description, 0, 0, description.readableBytes());
        sources.described("a.B", response);
        sources.described("a.C", response);
        int revision = sources.revision();

        sources.retain("a.B"::equals);

        assertThat(sources.of("a.B")).isEqualTo("class files");
        assertThat(sources.of("a.C")).isNull();
        assertThat(sources.revision()).isNotEqualTo(revision);
    }

    @Test
    void aRegistryOfAnyServiceListsNone() throws Exception {
        start(Map.of(), provider(180));

        assertThat(client().call(get("/")).text())
                .isEqualTo("{\"services\":[],\"anyService\":true,\"errors\":\"/docs/errors.md\"}");
    }

    @Test
    void theHeadOfTheRootHasNoContent() throws Exception {
        start(Map.of(), provider(180));
        HttpSocket client = client();

        client.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assertThat(client.answerHead().status()).isEqualTo(200);
        client.assertEnd();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs/errors.md", "/a.B/docs/errors.md", "/docs/errors.md?a"})
    void theTypeOfAProblemLeadsToItsSection(String target) throws Exception {
        start(Map.of(), provider(180));

        HttpAnswer answer = client().call(get(target));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsEntry("content-type", "text/html;charset=UTF-8");
        assertThat(answer.text())
                .startsWith("<!DOCTYPE html>")
                .contains("<h2 id=\"service_not_found\">SERVICE_NOT_FOUND</h2>")
                .doesNotContain("](");
    }

    @Test
    void getOfAMethodAsksForItAlone() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(get("/a.B/m%22?version=", MINUTE));
        ProviderPeer.Received request = provider.next();

        assertThat(request.flags()).isEqualTo(Flags.JSON);
        // ["m\""]
        assertThat(request.body()).isEqualTo("0000ea60" + "0000" + DESCRIBE + "5b226d5c22225d");
        provider.answer(request, 0, Flags.JSON, "{\"methods\":[]}");
        assertThat(client.answer().text()).isEqualTo("{\"methods\":[]}");
    }

    @Test
    void anUnknownQueryOfAMethodIsRefused() throws Exception {
        start(Map.of(), provider(180));

        client().call(get("/a.B/m?a=1")).assertProblem(400, "BAD_REQUEST");
    }
}
