package io.dubbomesh.provider;

import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.Scrape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.MeshFrame.names;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class MetricsTest {
    private static final String REQUESTS = "dubbomesh_provider_requests_total";

    private final AgentFixture mesh = new AgentFixture();

    MetricsTest() throws Exception {}

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void everyAnswerCountsOnceWithItsMethodAndOutcome() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b") + hash(3, "c"));
        provider.answerInt(provider.read().id(), 1);
        provider.answerInt(provider.read().id(), 2);
        provider.answer(provider.read().id(), 70, text("no"));
        for (int i = 0; i < 3; i++) {
            peer.read();
        }

        Scrape scrape = scrape();
        assertThat(scrape.sum(REQUESTS, "service", HASHER, "method", "hash", "code", "OK", "status", "200"))
                .isEqualTo(2);
        assertThat(scrape.sum(REQUESTS)).isEqualTo(3);
        assertThat(scrape.sum("dubbomesh_provider_request_duration_seconds_count", "service", HASHER))
                .isEqualTo(3);
        assertThat(scrape.sum("dubbomesh_provider_request_stage_seconds_count", "stage", "provider"))
                .isEqualTo(3);
        assertThat(scrape.sum("dubbomesh_provider_limit")).isEqualTo(180);
        assertThat(scrape.sum("dubbomesh_provider_calls_in_service")).isZero();
        assertThat(scrape.sum("dubbomesh_provider_links")).isEqualTo(1);
        assertThat(scrape.sum("dubbomesh_provider_connections", "protocol", "dubbo"))
                .isEqualTo(1);
        assertThat(scrape.sum("dubbomesh_provider_registered")).isEqualTo(1);
        assertThat(scrape.sum("dubbomesh_provider_weight")).isEqualTo(1);
    }

    @Test
    void namesThatDoNotExistCountAsOther() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        String noMethod = names(HASHER, "invented", "", "", "");
        peer.send(request(1, 0, 0x01, "00001388" + "0000" + noMethod));
        provider.answer(provider.read().id(), 70, text("no"));
        peer.read();
        peer.send(request(2, 0, 0x01, "00001388" + "0000" + names("a.Stranger", "m", "", "", "")));
        peer.read();

        Scrape scrape = scrape();
        assertThat(scrape.sum(REQUESTS, "service", "other", "method", "other")).isEqualTo(2);
        assertThat(scrape.sum(REQUESTS, "code", "SERVICE_NOT_FOUND")).isEqualTo(1);
    }

    @Test
    void aRequestThatIsGivenBackAtOnceCounts() throws Exception {
        mesh.with("lb.limit", 1).with("dubbo.queue", 0);
        mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + hash(2, "b"));
        assertThat(peer.read().status()).isEqualTo(1);

        assertThat(scrape().sum(REQUESTS, "code", "NOT_EXECUTED", "status", "503"))
                .isEqualTo(1);
        assertThat(scrape().sum("dubbomesh_provider_calls_in_service")).isEqualTo(1);
    }

    private Scrape scrape() throws Exception {
        return Scrape.of(mesh.agent.adminPort());
    }
}
