package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import static io.dubbomesh.provider.HashCalls.hash;
import static org.assertj.core.api.Assertions.assertThat;

/** Answers that are read beside the event loop. */
@Timeout(60)
class LongAnswersTest {
    private static final int OK = 0;
    private static final int PROVIDER_ERROR = 33;
    private static final int LENGTH = 100_000;
    private static final String LONG = list(LENGTH, "91".repeat(LENGTH));
    private static final String LONG_DOCUMENT = "[1" + ",1".repeat(LENGTH - 1) + "]";

    private final AgentFixture mesh = new AgentFixture().with("lb.limit", 4);
    private DubboConnection provider;
    private MeshConnection peer;

    LongAnswersTest() throws IOException {}

    @AfterEach
    void close() throws Exception {
        try {
            assertNothingLeft();
        } finally {
            mesh.close();
        }
    }

    private static String list(int length, String values) {
        return "91 58 49" + Hex.u32(length) + values;
    }

    private void start() throws Exception {
        // So that no PING comes before an answer that takes long.
        mesh.with("mesh.heartbeat", "60 s");
        provider = mesh.startAndAccept();
        peer = mesh.hashPeer();
    }

    private void assertNothingLeft() throws Exception {
        ProviderLoop loop = mesh.agent.loops().get(0);
        Await.until(
                "nothing is held",
                () -> mesh.agent.limit().inService() == 0
                        && loop.eventLoop().submit(() -> loop.memory().used()).get() == 0);
    }

    @Test
    void aLongAnswerIsWhatTheProviderSent() throws Exception {
        start();
        peer.send(hash(1, "x"));
        provider.answer(provider.read().id(), DubboFrame.OK, LONG);
        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(OK);
        assertThat(answer.document()).isEqualTo(LONG_DOCUMENT);
    }

    @Test
    void longAndShortAnswersEachReachTheirCall() throws Exception {
        start();
        int calls = 16;
        Map<Long, String> wanted = new HashMap<>();
        for (int i = 1; i <= calls; i++) {
            peer.send(hash(i, "x"));
            DubboFrame call = provider.read();
            if (i % 2 == 0) {
                provider.answerInt(call.id(), i);
                wanted.put((long) i, String.valueOf(i));
            } else {
                String own = "49" + Hex.u32(i);
                provider.answer(call.id(), DubboFrame.OK, list(LENGTH + 1, own + "91".repeat(LENGTH)));
                wanted.put((long) i, "[" + i + ",1" + ",1".repeat(LENGTH - 1) + "]");
            }
        }
        Map<Long, String> answers = new HashMap<>();
        for (int i = 0; i < calls; i++) {
            MeshFrame answer = peer.read();
            answers.put(answer.requestId(), answer.document());
        }
        assertThat(answers).isEqualTo(wanted);
    }

    @Test
    void aShortAnswerThatGrowsByReferencesIsReadToo() throws Exception {
        start();
        peer.send(hash(1, "x"));
        int references = 20_000;
        provider.answer(provider.read().id(), DubboFrame.OK, list(references + 1, "7991" + "5191".repeat(references)));
        assertThat(peer.read().document()).isEqualTo("[[1]" + ",[1]".repeat(references) + "]");
    }

    /** A number of 1,024 words of 32 bits, each of which takes one byte here. */
    private static String big(int word) {
        int words = 1024;
        return "'C' 14'java.math.BigInteger' 92 06'signum' 03'mag' 60 91"
                + list(words, Hex.u8(0x90 + word).repeat(words)).substring(2);
    }

    private static String document(int word) {
        return new BigInteger(Hex.u32(word).repeat(1024), 16).toString();
    }

    @Test
    void bigNumbersAreReadBesideTheLoopToo() throws Exception {
        start();
        peer.send(hash(1, "x"));
        peer.send(hash(2, "x"));
        String two = "91 7a" + big(1) + big(2).substring(big(2).indexOf("60 91"));
        provider.send(DubboFrame.answer(provider.read().id(), DubboFrame.OK, two)
                + DubboFrame.answer(provider.read().id(), DubboFrame.OK, "91 97"));
        // The loop has passed on the one behind before it is told what the other is.
        MeshFrame answer = peer.read();
        assertThat(answer.requestId()).isEqualTo(2);
        assertThat(answer.document()).isEqualTo("7");
        assertThat(peer.read().document()).isEqualTo("[" + document(1) + "," + document(2) + "]");
    }

    /** One of them is not too costly, but together they are. */
    @Test
    void bigNumbersOfSeveralAnswersInOneReadEachReachTheirCall() throws Exception {
        start();
        int calls = 4;
        StringBuilder frames = new StringBuilder();
        Map<Long, String> wanted = new HashMap<>();
        for (int i = 1; i <= calls; i++) {
            peer.send(hash(i, "x"));
            frames.append(DubboFrame.answer(provider.read().id(), DubboFrame.OK, "91" + big(i)));
            wanted.put((long) i, document(i));
        }
        provider.send(frames.toString());
        Map<Long, String> answers = new LinkedHashMap<>();
        for (int i = 0; i < calls; i++) {
            MeshFrame answer = peer.read();
            answers.put(answer.requestId(), answer.document());
        }
        assertThat(answers).isEqualTo(wanted);
        assertThat(answers.keySet()).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void whatIsMalformedInALongAnswerIsTold() throws Exception {
        start();
        peer.send(hash(1, "x"));
        provider.answer(provider.read().id(), DubboFrame.OK, LONG + "91");
        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(PROVIDER_ERROR);
        assertThat(answer.document()).contains("provider's answer: bytes after the result");
    }

    @Test
    void aLongAnswerIsTimedLikeAnyOther() throws Exception {
        start();
        int timed = 0x10;
        peer.send(MeshFrame.request(1, 1, MeshFrame.FORM | timed, MeshFrame.formBody(5000, "x")));
        provider.answer(provider.read().id(), DubboFrame.OK, LONG);
        MeshFrame answer = peer.read();
        assertThat(answer.document()).isEqualTo(LONG_DOCUMENT);
        assertThat(Hex.bytes(answer.body())).asString().contains(":timing");
    }

    @Test
    void aLongAnswerForALinkThatIsGoneIsDropped() throws Exception {
        start();
        for (int i = 1; i <= 4; i++) {
            peer.send(hash(i, "x"));
        }
        long[] ids = new long[4];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = provider.read().id();
        }
        StringBuilder answers = new StringBuilder();
        for (long id : ids) {
            answers.append(DubboFrame.answer(id, DubboFrame.OK, LONG));
        }
        provider.send(answers.toString());
        peer.close();
        assertNothingLeft();
    }

    @Test
    void anAnswerThatTheProviderSentLastOfAllIsPassedOn() throws Exception {
        start();
        peer.send(hash(1, "x"));
        provider.answer(provider.read().id(), DubboFrame.OK, LONG);
        provider.close();
        assertThat(peer.read().document()).isEqualTo(LONG_DOCUMENT);
    }
}
