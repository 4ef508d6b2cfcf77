package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Provider agents that demand a token, and those that do not. */
class MeshTokenTest extends AgentTest {
    private static final String TOKEN = "correct-horse-battery-staple";
    private static final String OTHER_TOKEN = "another-token-than-that-one";

    @TempDir
    private Path directory;

    private Map<String, String> withToken(String lines) throws IOException {
        return Map.of("mesh.token-file", writeToken(lines).toString());
    }

    private Path writeToken(String lines) throws IOException {
        return Files.writeString(directory.resolve("token"), lines);
    }

    private void assertCallIsAnsweredBy(ProviderPeer peer) throws Exception {
        HttpSocket client = client();
        client.send(Requests.form("hi"));
        peer.answer(peer.nextRequest(), 0, Flags.TEXT, "1");
        assertThat(client.answer().status()).isEqualTo(200);
    }

    private void assertNoProvider(ProviderPeer peer, String reason) throws Exception {
        HttpSocket client = client();
        client.send(Requests.form("hi"));
        assertThat(client.answer().assertProblem(503, "NO_PROVIDER").get("detail"))
                .contains("127.0.0.1:" + peer.port() + ": " + reason);
    }

    @Test
    void anAgentProvesThatItHasTheTokenThatIsDemanded() throws Exception {
        ProviderPeer peer = opened(ProviderPeer.demanding(TOKEN));
        start(withToken(TOKEN + "\n" + OTHER_TOKEN), peer);

        assertCallIsAnsweredBy(peer);
        assertThat(peer.connections()).isEqualTo(1);
    }

    @Test
    void theLimitThatComesAfterTheProofIsTheFirstThatCounts() throws Exception {
        ProviderPeer peer = opened(ProviderPeer.demanding(TOKEN));
        start(withToken(TOKEN), peer);

        assertCallIsAnsweredBy(peer);
        assertThat(scrape().sum("dubbomesh_consumer_endpoint_limit")).isEqualTo(180);
    }

    @Test
    void theLimitMayStandInTheHelloWithTheChallenge() throws Exception {
        ProviderPeer peer = opened(ProviderPeer.demandingWithLimitInHello(TOKEN));
        start(withToken(TOKEN), peer);

        assertCallIsAnsweredBy(peer);
        assertThat(scrape().sum("dubbomesh_consumer_endpoint_limit")).isEqualTo(180);
    }

    @Test
    void anAgentWithATokenCallsProviderAgentsThatDemandNone() throws Exception {
        ProviderPeer peer = provider(180);
        start(withToken(TOKEN), peer);

        assertCallIsAnsweredBy(peer);
    }

    @Test
    void anAgentWithoutATokenDoesNotUseAnEndpointThatDemandsOne() throws Exception {
        ProviderPeer peer = opened(ProviderPeer.demanding(TOKEN));
        start(Map.of(), peer);

        assertNoProvider(peer, "the provider agent demands a token (expected: mesh.token-file of this agent)");
    }

    @Test
    void noCallIsSentToAnEndpointThatRefusesTheToken() throws Exception {
        ProviderPeer peer = opened(ProviderPeer.demanding(TOKEN));
        start(withToken(OTHER_TOKEN), peer);

        assertNoProvider(peer, "the peer said: wrong token");
        assertThat(peer.hasNone()).isTrue();
    }

    @Test
    void aTokenThatIsReplacedIsSentOnTheNextConnection() throws Exception {
        ProviderPeer peer = opened(ProviderPeer.demanding(TOKEN));
        start(withToken(OTHER_TOKEN), peer);
        assertNoProvider(peer, "the peer said: wrong token");

        writeToken(TOKEN);
        Await.until("the link is ready", () -> scrape().sum("dubbomesh_consumer_links") == 1);
        assertCallIsAnsweredBy(peer);
    }
}
