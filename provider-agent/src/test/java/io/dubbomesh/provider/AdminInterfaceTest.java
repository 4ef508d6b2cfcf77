package io.dubbomesh.provider;

import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class AdminInterfaceTest {
    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private AgentFixture fixture;
    private DubboConnection provider;

    @BeforeEach
    void start() throws Exception {
        fixture = new AgentFixture()
                .with("registry", "file:" + folder)
                .with("lb.weight", 3)
                .with("zone", "north");
        provider = fixture.startAndAccept();
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + fixture.agent.adminPort() + "/api/v1/" + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private Map<?, ?> get(String path) throws Exception {
        HttpResponse<String> response = send("GET", path, "");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return (Map<?, ?>) Json.read(response.body());
    }

    private String id() {
        return "127.0.0.1:" + fixture.agent.port();
    }

    private Map<?, ?> failure(int index) throws Exception {
        return (Map<?, ?>) ((List<?>) get("failures").get("failures")).get(index);
    }

    private Path entry() {
        return folder.resolve(HashCalls.HASHER + "/127.0.0.1_" + fixture.agent.port());
    }

    @Test
    void theStateHasTheProviderTheRegistrationAndTheLimit() throws Exception {
        fixture.peer();

        Map<?, ?> state = get("state");

        assertThat(state.get("agent")).isEqualTo("provider-agent");
        assertThat(state.get("ready")).isEqualTo(true);
        assertThat(state.get("registered")).isEqualTo(true);
        assertThat(state.get("address")).isEqualTo(id());
        assertThat(state.get("weight")).isEqualTo(3L);
        assertThat(state.get("provider")).isEqualTo("127.0.0.1:" + fixture.stub.port());
        assertThat(state.get("providerConnections")).isEqualTo(1L);
        assertThat(state.get("providerProtocol")).isEqualTo("dubbo");
        assertThat(state.get("providerSilent")).isEqualTo(false);
        assertThat(state.get("servicesKnown")).isEqualTo("as dubbo.services lists them");
        assertThat(state.get("limit")).isEqualTo(180L);
        assertThat(state.get("callsInService")).isEqualTo(0L);
        Await.untilAsserted(
                Duration.ofSeconds(5),
                () -> assertThat(get("state").get("links")).isEqualTo(1L));
    }

    @Test
    void theServicesTellWhetherTheyAreOfferedAndWhetherTheirMethodsAreKnown() throws Exception {
        assertThat(get("services").get("services"))
                .isEqualTo(List.of(Map.of("service", HashCalls.HASHER, "version", "", "group", "", "offered", true)));
    }

    @Test
    void theZoneIsRegisteredAndShown() throws Exception {
        assertThat(entry())
                .content()
                .startsWith("{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"\",\"group\":\"\"}],")
                .endsWith("\"zone\":\"north\"}");
        assertThat(get("endpoints/" + id()).get("zone")).isEqualTo("north");
    }

    @Test
    void aChangedWeightIsRegistered() throws Exception {
        assertThat(send("PUT", "endpoints/" + id() + "/weight", "{\"weight\":5}")
                        .body())
                .isEqualTo("{\"id\":\"" + id() + "\",\"weight\":5,\"previousWeight\":3}\n");

        assertThat(entry()).content().startsWith("{\"weight\":5,");
        assertThat(get("endpoints").get("endpoints"))
                .isEqualTo(List.of(Map.of(
                        "id",
                        id(),
                        "weight",
                        5L,
                        "zone",
                        "north",
                        "limit",
                        180L,
                        "listed",
                        true,
                        "callsInFlight",
                        0L,
                        "services",
                        List.of(HashCalls.HASHER))));
        assertThat(send("PUT", "endpoints/192.0.2.7:1/weight", "{\"weight\":5}").body())
                .contains("\"status\":404", "this agent's own, " + id());
    }

    @Test
    void callsThatFailedAreToldWithTheirReason() throws Exception {
        MeshConnection peer = fixture.hashPeer();
        peer.send(HashCalls.hash(1, "a"));
        provider.answer(provider.read().id(), 70, DubboFrame.string("not today"));
        assertThat(peer.read().status()).isEqualTo(33);

        assertThat(failure(0).get("code")).isEqualTo("PROVIDER_ERROR");
        assertThat(failure(0).get("service")).isEqualTo(HashCalls.HASHER);
        assertThat(failure(0).get("method")).isEqualTo("hash");
        assertThat(failure(0).get("count")).isEqualTo(1L);
        assertThat(failure(0).get("reason")).asString().contains("not today");

        peer.send(HashCalls.hash(2, "a"));
        provider.answer(provider.read().id(), 100, DubboFrame.string("full"));
        assertThat(peer.read().status()).isEqualTo(1);
        assertThat(failure(0).get("code")).isEqualTo("NOT_EXECUTED");
        assertThat(failure(0).get("reason"))
                .isEqualTo("the provider has no thread free (Dubbo status 100): its pool is smaller than lb.limit");
    }

    @Test
    void drainingDeregistersUntilItIsUndone() throws Exception {
        assertThat(send("POST", "drain", "").body()).contains("\"draining\":true");

        assertThat(fixture.agent.unreadiness()).isEqualTo("draining, as an operator asked for");
        Await.until("the entry is gone", () -> Files.notExists(entry()));
        Await.until(
                "the agent counts as deregistered",
                () -> get("state").get("registered").equals(false));

        assertThat(send("DELETE", "drain", "").body()).contains("\"draining\":false");
        Await.until("the entry is there again", () -> Files.exists(entry()));
        Await.until("the agent is ready", () -> fixture.agent.unreadiness() == null);
    }

    /** Checks consumer agents that are cut off from the registry. */
    @Test
    void drainingIsToldOnConnectionsAndOnThoseThatAreOpenedMeanwhile() throws Exception {
        MeshConnection peer = fixture.hashPeer();
        peer.settle();
        send("POST", "drain", "");
        assertThat(peer.readGoAway()).isEqualTo("draining, as an operator asked for");
        peer.send(HashCalls.hash(1, "a"));
        assertThat(peer.read().status()).as("given back").isEqualTo(1);

        assertThat(fixture.peer().readGoAway()).isEqualTo("draining, as an operator asked for");

        send("DELETE", "drain", "");
        MeshConnection again = fixture.hashPeer();
        again.send(HashCalls.hash(2, "b"));
        provider.answerInt(provider.read().id(), 5);
        assertThat(again.read().requestId()).isEqualTo(2);
    }
}
