package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.testsupport.Scrape;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class MetricsTest extends AgentTest {
    private static final String REQUESTS = "dubbomesh_consumer_requests_total";
    private static final String DURATION = "dubbomesh_consumer_request_duration_seconds";

    @Test
    void everyAnswerCountsOnceWithItsMethodAndOutcome() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        for (int i = 0; i < 3; i++) {
            client.send(Requests.json("/a.B/m", "[]"));
            provider.answer(provider.nextRequest(), 0, Flags.JSON, "1");
            assertThat(client.answer().status()).isEqualTo(200);
        }
        client.send(Requests.json("/a.B/m", "[1]"));
        provider.answer(provider.nextRequest(), 33, Flags.JSON, "{}");
        assertThat(client.answer().status()).isEqualTo(502);

        Scrape scrape = scrape();
        assertThat(scrape.sum(REQUESTS, "service", "a.B", "method", "m", "code", "OK", "status", "200"))
                .as("the first one too, though it was not known that the method exists when it was sent")
                .isEqualTo(3);
        assertThat(scrape.sum(REQUESTS, "service", "a.B", "code", "PROVIDER_ERROR", "status", "502"))
                .isEqualTo(1);
        assertThat(scrape.sum(DURATION + "_count", "service", "a.B", "method", "m"))
                .isEqualTo(4);
        assertThat(scrape.sum(DURATION + "_bucket", "service", "a.B", "le", "+Inf"))
                .isEqualTo(4);
        assertThat(scrape.sum("dubbomesh_consumer_request_stage_seconds_count", "stage", "upstream"))
                .isEqualTo(4);
        assertThat(scrape.sum("dubbomesh_consumer_endpoint_requests_total", "endpoint", "127.0.0.1:" + provider.port()))
                .isEqualTo(4);
        assertThat(scrape.sum("dubbomesh_consumer_endpoint_failures_total")).isEqualTo(1);
        assertThat(scrape.sum("dubbomesh_consumer_endpoint_limit")).isEqualTo(180);
        assertThat(scrape.sum("dubbomesh_consumer_endpoint_weight", "service", "a.B"))
                .isEqualTo(1);
        assertThat(scrape.sum("dubbomesh_consumer_links")).isEqualTo(1);
        assertThat(scrape.sum("dubbomesh_consumer_link_received_bytes_total")).isGreaterThan(100);
        assertThat(scrape.sum("dubbomesh_consumer_connections")).isEqualTo(1);
    }

    @Test
    void theStagesOfServedCallsAreTheirWholeTime() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        for (int i = 0; i < 3; i++) {
            client.send(Requests.json("/a.B/m", "[]"));
            provider.answer(provider.nextRequest(), 0, Flags.JSON, "1");
            assertThat(client.answer().status()).isEqualTo(200);
        }

        Scrape scrape = scrape();
        String stage = "dubbomesh_consumer_request_stage_seconds";
        for (String each : List.of("queue", "upstream", "agent")) {
            assertThat(scrape.sum(stage + "_count", "stage", each)).as(each).isEqualTo(3);
        }
        assertThat(scrape.sum(stage + "_sum", "stage", "agent")).isPositive();
        assertThat(scrape.sum(stage + "_sum")).isCloseTo(scrape.sum(DURATION + "_sum"), within(1e-9));
    }

    @Test
    void namesThatNobodyServesCountAsOther() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        for (int i = 0; i < 5; i++) {
            client.send(Requests.json("/a.B/invented" + i, "[]"));
            provider.answer(provider.nextRequest(), 14, Flags.JSON, "{}");
            assertThat(client.answer().status()).isEqualTo(404);
        }
        client.send(Requests.json("/a.B", "[]"));
        assertThat(client.answer().status()).isEqualTo(405);

        Scrape scrape = scrape();
        assertThat(scrape.sum(REQUESTS)).isEqualTo(6);
        assertThat(scrape.sum(REQUESTS, "service", "other", "method", "other")).isEqualTo(6);
        assertThat(scrape.sum(REQUESTS, "code", "METHOD_NOT_FOUND")).isEqualTo(5);
    }

    @Test
    void onlySoManyMethodsHaveMetricsOfTheirOwn() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of("metrics.methods", "2"), provider);
        HttpSocket client = client();
        for (int i = 0; i < 5; i++) {
            client.send(Requests.json("/a.B/m" + i, "[]"));
            provider.answer(provider.nextRequest(), 0, Flags.JSON, "1");
            assertThat(client.answer().status()).isEqualTo(200);
        }
        Scrape scrape = scrape();
        assertThat(scrape.sum(REQUESTS, "service", "a.B")).isEqualTo(2);
        assertThat(scrape.sum(REQUESTS, "service", "other")).isEqualTo(3);
    }

    @Test
    void aRequestWhoseClientLeavesCountsAsAbandoned() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();
        client.send(Requests.json("/a.B/m", "[]"));
        ProviderPeer.Received request = provider.nextRequest();
        assertThat(scrape().sum("dubbomesh_consumer_requests_in_flight")).isEqualTo(1);

        client.closeByReset();
        Await.until("the agent has noticed", () -> scrape().sum("dubbomesh_consumer_requests_abandoned_total") == 1);
        provider.answer(request, 0, Flags.JSON, "1");
        Await.until("the call has ended", () -> scrape().sum("dubbomesh_consumer_requests_in_flight") == 0);
        assertThat(scrape().sum(REQUESTS)).isZero();
        assertThat(scrape().sum("dubbomesh_consumer_request_stage_seconds_count"))
                .as("stages are told of what has a duration")
                .isZero();
    }

    @Test
    void callsThatComeBackCountAsGivenBackAndRetried() throws Exception {
        ProviderPeer one = provider(180);
        ProviderPeer two = provider(180);
        start(Map.of(), one, two);
        HttpSocket client = client();
        client.send(Requests.json("/a.B/m", "[]"));
        Await.until("a frame comes", () -> !one.hasNone() || !two.hasNone());
        ProviderPeer first = one.hasNone() ? two : one;
        ProviderPeer second = first == one ? two : one;
        first.refuse(first.nextRequest());
        second.answer(second.nextRequest(), 0, Flags.JSON, "1");
        assertThat(client.answer().status()).isEqualTo(200);

        Scrape scrape = scrape();
        assertThat(scrape.sum("dubbomesh_consumer_requests_given_back_total")).isEqualTo(1);
        assertThat(scrape.sum("dubbomesh_consumer_requests_retried_total")).isEqualTo(1);
        assertThat(scrape.sum("dubbomesh_consumer_endpoint_refusals_total", "endpoint", "127.0.0.1:" + first.port()))
                .isEqualTo(1);
    }
}
