package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A consumer agent in a zone: its calls stay there while there is room, and lose nothing when there is none. */
class ZoneTest extends AgentTest {
    private static final String LEFT = "dubbomesh_consumer_calls_out_of_zone_total";

    @Test
    void callsBeyondTheLimitOfTheZoneGoToOthersAndComeBackWithTheRoom() throws Exception {
        ProviderPeer near = provider(2);
        ProviderPeer far = provider(180);
        startInZone(near, far);

        send(4);
        ProviderPeer.Received first = near.nextRequest();
        near.nextRequest();
        far.nextRequest();
        far.nextRequest();
        assertThat(scrape().sum(LEFT)).isEqualTo(2);

        near.answer(first, 0, Flags.TEXT, "y");
        send(1);
        near.nextRequest();
        assertThat(far.hasNone()).isTrue();
        assertThat(scrape().sum(LEFT)).isEqualTo(2);
    }

    @Test
    void aZoneThatOtherAgentsHaveFilledGetsNoCalls() throws Exception {
        ProviderPeer near = provider(180);
        ProviderPeer far = provider(180);
        startInZone(near, far);
        HttpSocket client = client();
        client.send(Requests.json("/a.B/m", "[]"));
        ProviderPeer.Received request = near.nextRequest();
        String answer = MeshFrame.response(request.requestId(), 0, Flags.TEXT, "", "y");
        // 180 calls in service, of 10 s each, and three that wait.
        request.link()
                .send(answer.substring(0, 12) + "6cc5" + answer.substring(16, 32) + "00b40003" + answer.substring(40));
        assertThat(client.answer().text()).isEqualTo("y");

        send(2);
        far.nextRequest();
        far.nextRequest();
        assertThat(near.hasNone()).isTrue();
    }

    @Test
    void noCallFailsWhenTheZoneIsDrained() throws Exception {
        try (ServingPeer near = new ServingPeer();
                ServingPeer far = new ServingPeer()) {
            startWithRegistry(Map.of("zone", "north", "lb.slow-start", "0"), registry(near.port(), far.port()));
            serve(30);
            assertThat(far.requests()).isZero();

            near.drain();
            Await.until("calls go elsewhere", () -> {
                serve(1);
                return far.requests() > 0;
            });
            serve(30);
        }
    }

    @Test
    void theAdminInterfaceShowsTheZones() throws Exception {
        ProviderPeer near = provider(2);
        ProviderPeer far = provider(180);
        startInZone(near, far);

        assertThat(zoneOf(near)).isEqualTo("north");
        assertThat(zoneOf(far)).isEqualTo("south");
    }

    @Test
    void anAgentWithoutAZoneSpreadsItsCallsOverAll() throws Exception {
        ProviderPeer near = provider(180);
        ProviderPeer far = provider(180);
        startWithRegistry(Map.of(), registry(near.port(), far.port()));

        send(4);
        near.nextRequest();
        far.nextRequest();
        far.nextRequest();
        far.nextRequest();
        assertThat(scrape().sum(LEFT)).isZero();
    }

    private void startInZone(ProviderPeer near, ProviderPeer far) throws Exception {
        startWithRegistry(Map.of("zone", "north"), registry(near.port(), far.port()));
    }

    private static String registry(int near, int far) {
        return "static:127.0.0.1:" + near + "/north,127.0.0.1:" + far + "*3/south";
    }

    private void send(int calls) throws Exception {
        for (int i = 0; i < calls; i++) {
            client().send(Requests.json("/a.B/m", "[]"));
        }
    }

    private void serve(int calls) throws Exception {
        HttpSocket client = client();
        for (int i = 0; i < calls; i++) {
            assertThat(client.call(Requests.form("12345678")).status()).isEqualTo(200);
        }
    }

    private Object zoneOf(ProviderPeer peer) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/endpoints/127.0.0.1:" + peer.port());
        String body = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
        return ((Map<?, ?>) Json.read(body)).get("zone");
    }
}
