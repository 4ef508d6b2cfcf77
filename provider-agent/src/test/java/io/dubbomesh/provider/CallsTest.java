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

import java.util.HashMap;
import java.util.Map;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.STRING;
import static io.dubbomesh.provider.HashCalls.defineHash;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.Hex.u16;
import static io.dubbomesh.testsupport.MeshFrame.define;
import static io.dubbomesh.testsupport.MeshFrame.formBody;
import static io.dubbomesh.testsupport.MeshFrame.names;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

/** Calls through the agent, by the bytes on both sides. */
@Timeout(60)
class CallsTest {
    /** {@code hash("hello")} of an interface without version and group. */
    private static final String HASH_HELLO = "05" + text("2.0.2")
            + "12" + text(HASHER)
            + "05" + text("0.0.0")
            + "04" + text("hash")
            + "12" + text(STRING)
            + "05" + text("hello")
            + "48"
            + "04" + text("path") + "12" + text(HASHER)
            + "09" + text("interface") + "12" + text(HASHER)
            + "07" + text("timeout") + "04" + text("5000")
            + "03" + text("_TO") + "04" + text("5000")
            + "5a";

    private final AgentFixture mesh;

    CallsTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void aRequestGoesOutAsADubboFrameAndItsAnswerComesBackAsAResponse() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send("d3e50103 00010000 0000000000000007 00000001 0000000f" + "00001388 0000 00000005 68656c6c6f");

        DubboFrame call = provider.read();
        assertThat(call.header()).isEqualTo("dabbc200");
        assertThat(call.body()).isEqualTo(HASH_HELLO);
        provider.send("dabb0214" + Hex.u64(call.id()) + "00000006 91 49 05e918d2");
        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 0, 0x01, 7, "0000" + text("99162322")));
    }

    @Test
    void theHelloHasTheLimitTheTableSizeAndTheFeatures() throws Exception {
        mesh.with("lb.limit", 33);
        mesh.with("mesh.table-size", 5);
        mesh.start();

        assertThat(mesh.connection().exchangeHellos())
                .isEqualTo(new MeshFrame(
                        1, 0, 0, 0, "0101" + "00000021" + "00000005" + "0000" + "0000000000000000" + "00000032"));
    }

    @Test
    void manyCallsOfOneReadAreAnsweredInWhateverOrderTheProviderAnswers() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a") + hash(2, "bb") + hash(3, ""));
        DubboFrame first = provider.read();
        DubboFrame second = provider.read();
        DubboFrame third = provider.read();
        provider.answerInt(third.id(), 3);
        provider.answerInt(first.id(), 1);
        provider.answerInt(second.id(), 2);

        for (int id : new int[] {3, 1, 2}) {
            MeshFrame answer = peer.read();
            assertThat(answer.requestId()).isEqualTo(id);
            assertThat(answer.document()).isEqualTo(String.valueOf(id));
        }
    }

    @Test
    void argumentsInJsonAreAnsweredInJson() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(request(9, 1, 0x02, "00001388" + "0000" + text("[\"hello\"]")));

        DubboFrame call = provider.read();
        assertThat(call.body()).isEqualTo(HASH_HELLO);
        provider.answer(call.id(), 20, "91" + "02" + text("ok"));
        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 0, 0x02, 9, "0000" + text("\"ok\"")));
    }

    @Test
    void namesInTheBodyServeAsWellAsAnId() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.peer();

        String names = names(HASHER, "hash", STRING, "0.0.0", "");
        peer.send(request(1, 0, 0x01, "00001388" + "0000" + names + "00000005" + text("hello")));

        assertThat(provider.read().body()).isEqualTo(HASH_HELLO);
    }

    @Test
    void attachmentsTravelBothWays() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        String attachments = "0003" + text("who") + "0002" + text("me");
        peer.send(request(1, 1, 0x01, "00001388" + "0009" + attachments + "00000005" + text("hello")));

        DubboFrame call = provider.read();
        assertThat(call.body())
                .isEqualTo(HASH_HELLO.substring(0, HASH_HELLO.length() - 2) + "03" + text("who") + "02" + text("me")
                        + "5a");
        provider.answer(call.id(), 20, "94" + "91" + "48" + "01" + text("k") + "01" + text("v") + "5a");
        assertThat(peer.read())
                .isEqualTo(new MeshFrame(4, 0, 0x01, 1, "0006" + "0001" + text("k") + "0001" + text("v") + text("1")));
    }

    @Test
    void aOneWayCallHasNoAnswerAndHoldsNoPermit() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(request(1, 1, 0x05, formBody(5000, "a")) + request(2, 1, 0x05, formBody(5000, "b")) + hash(3, "c"));

        assertThat(provider.read().header()).isEqualTo("dabb8200");
        assertThat(provider.read().header()).isEqualTo("dabb8200");
        DubboFrame call = provider.read();
        assertThat(call.header()).isEqualTo("dabbc200");
        provider.answerInt(call.id(), 5);
        assertThat(peer.read().requestId()).isEqualTo(3);
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aServiceThatIsNotServedIsNotFound() throws Exception {
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();

        peer.send(define(1, names("com.example.Other", "hash", STRING, "", "")) + hash(7, "a"));

        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(13);
        assertThat(answer.flags()).isEqualTo(0x02);
        assertThat(answer.document())
                .isEqualTo(
                        "{\"status\":404,\"title\":\"Not Found\",\"detail\":\"service com.example.Other is not served by"
                                + " this agent\",\"code\":\"SERVICE_NOT_FOUND\"}");
    }

    @Test
    void aVersionOrGroupThatIsNotServedIsAMethodNotFound() throws Exception {
        mesh.with("dubbo.services", HASHER + ":1.0:a");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.peer();

        peer.send(defineHash() + hash(1, "a"));
        assertThat(peer.read().status()).isEqualTo(14);
        peer.send(define(2, names(HASHER, "hash", STRING, "1.0", "")) + request(2, 2, 0x01, formBody(5000, "a")));
        assertThat(peer.read().status()).isEqualTo(14);

        peer.send(define(3, names(HASHER, "hash", STRING, "1.0", "a")) + request(3, 3, 0x01, formBody(5000, "a")));
        assertThat(provider.read().body())
                .contains("07" + text("version") + "03" + text("1.0") + "05" + text("group") + "01" + text("a"));
    }

    @Test
    void anArgumentThatDoesNotFitIsRefusedAndTakesNoPermit() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.peer();

        peer.send(define(1, names(HASHER, "half", "I", "", "")) + hash(1, "x") + hash(2, "6"));

        MeshFrame answer = peer.read();
        assertThat(answer.requestId()).isEqualTo(1);
        assertThat(answer.status()).isEqualTo(11);
        assertThat(provider.read().body()).contains("04" + text("half") + "01" + text("I") + "96");
        assertThat(mesh.agent.limit().inService()).isEqualTo(1);
    }

    @Test
    void aMalformedDescriptorIsRefusedWithEachRequest() throws Exception {
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();

        peer.send(define(1, names(HASHER, "hash", "Lx", "", "")) + hash(1, "x") + hash(2, "x"));

        assertThat(peer.read().status()).isEqualTo(10);
        assertThat(peer.read().status()).isEqualTo(10);
    }

    @Test
    void aRequestLongerThanAProviderTakesIsRefused() throws Exception {
        mesh.with("dubbo.max-payload", 4096);
        mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "x".repeat(4096)));

        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(18);
        assertThat(answer.document()).contains("\"status\":413");
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aCallWhoseDeadlineHasPassedNeverReachesTheProvider() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(request(1, 1, 0x01, formBody(0, "late")) + hash(2, "hello"));

        assertThat(provider.read().body()).isEqualTo(HASH_HELLO);
        Await.until("a call has expired", () -> mesh.counters(0).expired == 1);
    }

    @Test
    void theProviderIsToldHowMuchTimeIsLeft() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(request(1, 1, 0x01, formBody(200, "a")) + request(2, 1, 0x01, formBody(60000, "b")));

        assertThat(provider.read().body())
                .contains("07" + text("timeout") + "03" + text("200") + "03" + text("_TO") + "03" + text("200") + "5a");
        assertThat(provider.read().body())
                .contains("07" + text("timeout") + "05" + text("60000") + "03" + text("_TO") + "05" + text("60000")
                        + "5a");
    }

    @Test
    void anAnswerAfterTheDeadlineIsStillPassedOnAndThePermitIsHeldUntilThen() throws Exception {
        mesh.with("lb.limit", 1);
        mesh.with("dubbo.queue", 0);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(request(1, 1, 0x01, formBody(1, "slow")));
        DubboFrame call = provider.read();
        peer.settle();
        peer.send(hash(2, "hello"));
        assertThat(peer.read().status()).as("no permit is free").isEqualTo(1);
        provider.answerInt(call.id(), 1);

        assertThat(peer.read().requestId()).isEqualTo(1);
    }

    @Test
    void eachStatusOfAProviderHasItsOutcome() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        int[][] outcomes = {
            {25, 33}, {30, 33}, {31, 36}, {35, 33}, {40, 10}, {50, 33}, {60, 33}, {70, 33}, {80, 33}, {90, 33},
            {105, 33}
        };
        for (int[] row : outcomes) {
            peer.send(hash(row[0], "hello"));
            provider.answer(provider.read().id(), row[0], "03" + text("why"));

            MeshFrame answer = peer.read();
            assertThat(answer.requestId()).isEqualTo(row[0]);
            assertThat(answer.status()).as("status %d", row[0]).isEqualTo(row[1]);
            assertThat(answer.document()).as("status %d", row[0]).contains("why");
        }
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aPoolThatIsExhaustedGivesTheRequestBack() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(4, "hello"));
        provider.answer(provider.read().id(), 100, "04" + text("full"));

        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 1, 0, 4, "0000" + formBody(5000, "hello")));
    }

    @Test
    void anExceptionOfTheServiceNamesItself() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(4, "hello"));
        // An object of a class with one field.
        String exception = "43" + "14" + text("com.example.Overdone") + "91" + "0d" + text("detailMessage") + "60";
        provider.answer(provider.read().id(), 20, "90" + exception + "03" + text("why"));

        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(30);
        assertThat(answer.body())
                .startsWith(u16(4 + 10 + 20) + "000a" + text(":exception") + "0014" + text("com.example.Overdone"));
        assertThat(answer.document()).contains("\"exceptionMessage\":\"why\"");
    }

    @Test
    void theStackOfAnExceptionIsToldIfTheSettingsSaySo() throws Exception {
        mesh.with("errors.stack", true);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(4, "hello"));
        // An object of a class with one field, a list of one frame.
        String frame =
                "43" + "01" + text("F") + "92" + "0e" + text("declaringClass") + "0a" + text("methodName") + "61";
        String exception = "43" + "01" + text("E") + "91" + "0a" + text("stackTrace") + "60" + "79" + frame;
        provider.answer(provider.read().id(), 20, "90" + exception + "03" + text("a.B") + "01" + text("f"));

        assertThat(peer.read().document()).endsWith(",\"stack\":[\"a.B.f(Unknown Source)\"]}");
    }

    @Test
    void aMalformedAnswerIsAProviderErrorAndTheConnectionGoesOn() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a") + hash(2, "b"));
        provider.answer(provider.read().id(), 20, "94 49 05");
        provider.answerInt(provider.read().id(), 5);

        Map<Long, MeshFrame> answers = new HashMap<>();
        for (int i = 0; i < 2; i++) {
            MeshFrame answer = peer.read();
            answers.put(answer.requestId(), answer);
        }
        assertThat(answers.get(1L).status()).isEqualTo(33);
        assertThat(answers.get(2L).document()).isEqualTo("5");
    }

    @Test
    void anAnswerLongerThanAFrameMayBeIsAProviderError() throws Exception {
        mesh.with("mesh.max-frame", 8 * 1024);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a"));
        provider.answer(provider.read().id(), 20, "91" + "53" + "2100" + "61".repeat(0x2100));

        assertThat(peer.read().status()).isEqualTo(33);
    }

    @Test
    void answersWithoutACallAreDroppedAndCounted() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a"));
        DubboFrame call = provider.read();
        provider.answerInt(12345, 1);
        provider.answerInt(call.id(), 2);
        provider.answerInt(call.id(), 3);
        provider.answerInt(-1, 4);

        assertThat(peer.read().document()).isEqualTo("2");
        Await.until("three late answers have come", () -> mesh.counters(0).lateResponses == 3);
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aCallWhosePeerHasGoneHoldsItsPermitUntilTheProviderAnswers() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a"));
        DubboFrame call = provider.read();
        peer.close();
        MeshConnection other = mesh.hashPeer();
        other.settle();
        assertThat(mesh.agent.limit().inService()).isEqualTo(1);
        provider.answerInt(call.id(), 1);

        Await.until("no call is in service", () -> mesh.agent.limit().inService() == 0);
    }

    @Test
    void aLargeBodyTravelsInOnePiece() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        String large = "0123456789".repeat(20_000);

        peer.send(hash(1, large));
        DubboFrame call = provider.read();
        assertThat(call.body().length() / 2).isGreaterThan(200_000);
        provider.answer(call.id(), 100, "00");

        assertThat(peer.read().body()).isEqualTo("0000" + formBody(5000, large));
    }
}
