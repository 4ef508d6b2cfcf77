package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of the calls on a link that is lost. */
class LostLinkTest extends AgentTest {
    private static final int CALLS = 20;
    private static final String LARGE = "x".repeat(100_000);

    /** Of the calls on the lost link those fail whose bytes the sockets had, and no others. */
    @Test
    void callsThatWereNeverSentGoToAnotherEndpoint() throws Exception {
        ProviderPeer lost = provider(180);
        ProviderPeer sound = provider(180);
        FaultyProxy network = opened(new FaultyProxy(lost.port()));
        startWithPorts(
                Map.of("tcp.send-buffer", "16 KiB", "tcp.high-water-mark", "1 MiB"), network.port(), sound.port());
        network.stall();
        List<HttpSocket> clients = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            clients.add(client().send(Requests.form(LARGE)));
        }
        for (int i = 0; i < CALLS / 2; i++) {
            sound.answer(sound.nextRequest(), 0, Flags.TEXT, "1");
        }
        network.cut();
        answerAll(sound);
        int failed = 0;
        for (HttpSocket client : clients) {
            int status = client.answer().status();
            assertThat(status).isIn(200, 502);
            failed += status == 502 ? 1 : 0;
        }

        assertThat(failed).as("those that the buffers of two sockets had").isLessThan(CALLS / 2 - 3);
    }

    private static void answerAll(ProviderPeer provider) {
        Thread answers = new Thread(() -> {
            try {
                while (true) {
                    provider.answer(provider.nextRequest(), 0, Flags.TEXT, "1");
                }
            } catch (IOException | InterruptedException | AssertionError e) {
                // The test is over.
            }
        });
        answers.setDaemon(true);
        answers.start();
    }

    @Test
    void namesOfMethodsAreDefinedAsLongAsTheTableHasRoomForTheirBytes() throws Exception {
        ProviderPeer provider = opened(new ProviderPeer(180, 3));
        start(Map.of(), provider);
        HttpSocket client = client();
        String service = "s".repeat(1500);
        for (int call = 0; call < 2; call++) {
            for (int method = 0; method < 3; method++) {
                client.send(Requests.json("/" + service + "/m" + method, "[]"));
                ProviderPeer.Received request = provider.next();
                if (request.type() == MeshFrame.DEFINE) {
                    assertThat(request.methodId()).isEqualTo(method + 1);
                    request = provider.next();
                }
                provider.answer(request, 0, Flags.JSON, "1");
                assertThat(client.answer().status()).isEqualTo(200);
                boolean defined = call == 1 && method < 2;
                assertThat(request.methodId()).isEqualTo(defined ? method + 1 : 0);
            }
        }
    }
}
