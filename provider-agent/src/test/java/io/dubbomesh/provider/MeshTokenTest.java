package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static io.dubbomesh.provider.HashCalls.defineHash;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.MeshFrame.answer;
import static io.dubbomesh.testsupport.MeshFrame.goAway;
import static io.dubbomesh.testsupport.MeshFrame.hello;
import static io.dubbomesh.testsupport.MeshFrame.helloWith;
import static io.dubbomesh.testsupport.MeshFrame.ping;
import static org.assertj.core.api.Assertions.assertThat;

/** A provider agent with a token, and who reaches its port without one. */
@Timeout(60)
class MeshTokenTest {
    private static final String TOKEN = "correct-horse-battery-staple";
    private static final String NEXT_TOKEN = "the-token-of-the-next-month";
    private static final Duration TO_BE_CLOSED = Duration.ofSeconds(2);
    private static final String NO_TOKEN = "a token is demanded, and its HELLO has no answer to the challenge"
            + " (expected: mesh.token-file of the consumer agent or gateway)";
    private static final String WRONG_TOKEN =
            "wrong token (expected: the first one in mesh.token-file of the consumer agent or gateway"
                    + " is one of the provider agent's)";

    private final AgentFixture mesh;

    @TempDir
    private Path directory;

    private Path file;

    MeshTokenTest() throws Exception {
        mesh = new AgentFixture();
    }

    @BeforeEach
    void start() throws Exception {
        file = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        mesh.with("mesh.token-file", file).with("mesh.heartbeat", "1 s");
        mesh.startAndAccept();
    }

    @AfterEach
    void close() throws Exception {
        try (mesh) {
            assertThat(mesh.counters(0).sent)
                    .as("calls of strangers that were sent")
                    .isZero();
        }
    }

    private MeshConnection peer() throws Exception {
        MeshConnection peer = mesh.connection();
        peer.prove(TOKEN);
        return peer;
    }

    private void assertRefused(MeshConnection stranger, String reason) throws Exception {
        assertThat(stranger.readGoAway()).isEqualTo(reason);
        assertThat(stranger.isAtEnd()).isTrue();
        assertThat(mesh.agent.connections()).isZero();
    }

    @Test
    void noCallsAreGrantedBeforeTheProof() throws Exception {
        MeshConnection peer = mesh.connection();
        MeshFrame challenge = peer.read();
        assertThat(challenge.body())
                .as("version 1, limit 0, table of 4,096, 32 bytes, no agent id, feature 2")
                .matches("0101" + "00000000" + "00001000" + "0020" + "[0-9a-f]{64}" + "0000000000000000" + "00000032");
        peer.send(helloWith(answer(challenge.credentials(), TOKEN, 7), 7) + ping());

        assertThat(peer.read())
                .as("the limit, though that HELLO has no features")
                .isEqualTo(new MeshFrame(8, 0, 0, 0, "000000b4"));
        assertThat(peer.read().type()).isEqualTo(MeshFrame.PONG);
        assertThat(mesh.agent.connections()).isEqualTo(1);
    }

    @Test
    void aStrangerThatSendsTheHelloOfAnAgentWithoutATokenIsRefusedWithTheCallsBehindIt() throws Exception {
        MeshConnection stranger = mesh.connection();
        assertThat(stranger.read().credentials()).hasSize(64);
        stranger.send(hello(0, 0) + defineHash() + hash(1, "a"));

        assertRefused(stranger, NO_TOKEN);
    }

    @Test
    void aWrongTokenIsRefusedWithTheCallsBehindIt() throws Exception {
        MeshConnection stranger = mesh.connection();
        String challenge = stranger.read().credentials();
        stranger.send(helloWith(answer(challenge, NEXT_TOKEN, 7), 7) + defineHash() + hash(1, "a"));

        assertRefused(stranger, WRONG_TOKEN);
    }

    @Test
    void bytesThatWereRecordedAreRefused() throws Exception {
        MeshConnection good = mesh.connection();
        String challenge = good.read().credentials();
        String recorded = helloWith(answer(challenge, TOKEN, 7), 7);
        good.send(recorded);
        assertThat(good.read().type()).isEqualTo(MeshFrame.LIMIT);
        good.close();
        Await.until("the link is gone", () -> mesh.agent.connections() == 0);

        MeshConnection stranger = mesh.connection();
        assertThat(stranger.read().credentials()).isNotEqualTo(challenge);
        stranger.send(recorded + defineHash() + hash(1, "a"));
        assertRefused(stranger, WRONG_TOKEN);
    }

    @Test
    void aHelloIsOfTheAgentWhoseIdItHas() throws Exception {
        MeshConnection stranger = mesh.connection();
        String challenge = stranger.read().credentials();
        stranger.send(helloWith(answer(challenge, TOKEN, 7), 8));

        assertRefused(stranger, WRONG_TOKEN);
    }

    @Test
    void whoeverDoesNotGreetIsClosedWithinTwoSeconds() throws Exception {
        String half = hello(0, 0).substring(0, 24);
        String longest = "d3e50101 00000000 0000000000000000 00000000 0000110a";
        String tooLong = "d3e50101 00000000 0000000000000000 00000000 0000110b";
        List<MeshConnection> strangers = new ArrayList<>();
        for (String bytes : new String[] {
            "",
            half,
            longest,
            longest + "00".repeat(4361),
            tooLong,
            ping(),
            defineHash() + hash(1, "a"),
            goAway("bye"),
            "00".repeat(24)
        }) {
            MeshConnection stranger = mesh.connection();
            stranger.read();
            stranger.send(bytes);
            strangers.add(stranger);
        }
        Await.until(TO_BE_CLOSED, "no connection is left", () -> mesh.openLinks() == 0);
    }

    @Test
    void twoTokensAreValidWhileOneReplacesTheOther() throws Exception {
        Files.writeString(file, NEXT_TOKEN + "\n" + TOKEN + "\n");
        Await.until("the next token is accepted", () -> isAccepted(NEXT_TOKEN));
        assertThat(isAccepted(TOKEN)).isTrue();
        MeshConnection open = peer();

        Files.writeString(file, NEXT_TOKEN + "\n");
        Await.until("the old token is refused", () -> !isAccepted(TOKEN));
        assertThat(isAccepted(NEXT_TOKEN)).isTrue();
        Await.until("the link that was opened with the old token is left", () -> mesh.agent.connections() == 1);
        open.close();
    }

    private boolean isAccepted(String token) throws Exception {
        try (MeshConnection peer = mesh.connection()) {
            peer.answerChallenge(token);
            return peer.read().type() == MeshFrame.LIMIT;
        }
    }
}
