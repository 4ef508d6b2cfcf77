package io.dubbomesh.contest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class MeshConsumerTest {
    private static final UnaryOperator<String> RIGHT = text -> String.valueOf(text.hashCode());

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void aRightHashIsAnsweredWithOk() throws Exception {
        HttpResponse<String> response = answerWith(RIGHT);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("OK");
    }

    @Test
    void aWrongHashIsAnsweredWithAnError() throws Exception {
        HttpResponse<String> response = answerWith(text -> RIGHT.apply(text) + "\n");
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).isEqualTo("ERROR");
    }

    @Test
    void aConnectionThatTheAgentClosesIsAnsweredWithAnError() throws Exception {
        assertThat(answerWith(text -> null).statusCode()).isEqualTo(500);
    }

    @Test
    void anotherPathIsNotFound() throws Exception {
        try (FakeAgent agent = new FakeAgent(RIGHT);
                MeshConsumer consumer = new MeshConsumer("127.0.0.1", 0, agent.url())) {
            assertThat(get(consumer, "/").join().statusCode()).isEqualTo(404);
        }
    }

    @Test
    void theFormIsThatOf2018() throws Exception {
        String body = "interface=com.alibaba.dubbo.performance.demo.provider.IHelloService&method=hash"
                + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=";
        int length = new Random(1).nextInt(1024);
        try (FakeAgent agent = new FakeAgent(RIGHT);
                MeshConsumer consumer = new MeshConsumer("127.0.0.1", 0, agent.url())) {
            get(consumer, "/invoke").join();
            assertThat(agent.nextRequest())
                    .startsWith("POST / HTTP/1.1\r\ncontent-length: " + (body.length() + length)
                            + "\r\ncontent-type: application/x-www-form-urlencoded\r\nhost: "
                            + agent.url().substring("http://".length())
                            + "\r\naccept: */*\r\nuser-agent: AHC/2.1\r\n\r\n" + body)
                    .matches("(?s).*=[A-Za-z0-9]{" + length + "}");
        }
    }

    @Test
    void concurrentRequestsGetTheirOwnAnswers() throws Exception {
        try (FakeAgent agent = new FakeAgent(RIGHT);
                MeshConsumer consumer = new MeshConsumer("127.0.0.1", 0, agent.url())) {
            List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                responses.add(get(consumer, "/invoke"));
            }
            assertThat(responses).allMatch(response -> response.join().statusCode() == 200);
        }
    }

    private HttpResponse<String> answerWith(UnaryOperator<String> answers) throws Exception {
        try (FakeAgent agent = new FakeAgent(answers);
                MeshConsumer consumer = new MeshConsumer("127.0.0.1", 0, agent.url())) {
            return get(consumer, "/invoke").join();
        }
    }

    private CompletableFuture<HttpResponse<String>> get(MeshConsumer consumer, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + consumer.port() + path))
                .build();
        return http.sendAsync(request, BodyHandlers.ofString());
    }
}
