package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.STRING;
import static io.dubbomesh.provider.HashCalls.defineHash;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.u32;
import static io.dubbomesh.testsupport.MeshFrame.define;
import static io.dubbomesh.testsupport.MeshFrame.formBody;
import static io.dubbomesh.testsupport.MeshFrame.hello;
import static io.dubbomesh.testsupport.MeshFrame.names;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests frames that a consumer agent must not send, and how it is refused. */
@Timeout(60)
class MeshRulesTest {
    private final AgentFixture mesh;

    MeshRulesTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    private void assertRefusedWithGoAway(String hex, String reason) throws Exception {
        MeshConnection peer = mesh.peer();
        peer.send(hex);
        assertThat(peer.readGoAway()).isEqualTo(reason);
        assertThat(peer.isAtEnd()).isTrue();
    }

    @Test
    void anIdIsDefinedOnce() throws Exception {
        mesh.startAndAccept();
        assertRefusedWithGoAway(defineHash() + defineHash(), "DEFINE: method id 1 is defined already");
    }

    @Test
    void anIdIsDefinedBeforeItIsUsed() throws Exception {
        mesh.startAndAccept();
        assertRefusedWithGoAway(hash(1, "a"), "REQUEST: method id 1 was never defined");
        assertRefusedWithGoAway(request(1, 4000, 0x01, formBody(1, "")), "REQUEST: method id 4000 was never defined");
        assertRefusedWithGoAway(request(1, -1, 0x01, formBody(1, "")), "REQUEST: method id -1 was never defined");
    }

    @Test
    void anIdLiesWithinTheTable() throws Exception {
        mesh.with("mesh.table-size", 2);
        mesh.startAndAccept();
        String names = names(HASHER, "hash", STRING, "", "");
        assertRefusedWithGoAway(define(0, names), "DEFINE: method id 0 (expected: 1 to 2)");
        assertRefusedWithGoAway(define(3, names), "DEFINE: method id 3 (expected: 1 to 2)");
        assertRefusedWithGoAway(define(-1, names), "DEFINE: method id -1 (expected: 1 to 2)");
        MeshConnection peer = mesh.peer();
        peer.send(define(2, names) + define(1, names));
        peer.settle();
    }

    /** With ids from 2 on. */
    private static String defineMany(int methods, String method) {
        StringBuilder defines = new StringBuilder();
        for (int id = 2; id < 2 + methods; id++) {
            defines.append(define(id, names(HASHER, method + id, STRING, "", "")));
        }
        return defines.toString();
    }

    private long namesBytes() throws Exception {
        ProviderLoop loop = mesh.agent.loops().get(0);
        return loop.eventLoop().submit(() -> loop.requests().namesBytes()).get();
    }

    @Test
    void linksWhoseNamesTakeMostEndWhenThereIsNoRoomForAll() throws Exception {
        mesh.with("memory.budget", "4 MiB");
        // So that no PING comes on the link that says nothing while the others define their methods.
        mesh.with("mesh.heartbeat", "60 s");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection modest = mesh.hashPeer();
        modest.send(defineMany(30, "m"));
        modest.settle();
        List<MeshConnection> greedy = new ArrayList<>();
        for (int link = 1; link <= 10; link++) {
            MeshConnection peer = mesh.peer();
            greedy.add(peer);
            peer.send(defineMany(200, "x".repeat(1000) + link + '.'));
            peer.settle();
            assertThat(namesBytes()).isLessThanOrEqualTo(2 << 20);
        }

        for (MeshConnection peer : greedy.subList(0, 9)) {
            assertThat(peer.readGoAway())
                    .isEqualTo("the names of methods of all links take more than 2097152 bytes"
                            + " (memory.budget), and this link has most of them");
            assertThat(peer.isAtEnd()).isTrue();
        }
        modest.send(hash(1, "a"));
        provider.answerInt(provider.read().id(), 5);
        assertThat(modest.read().document()).isEqualTo("5");
        for (MeshConnection peer : greedy) {
            peer.close();
        }
        modest.close();
        Await.until("no names are kept", () -> namesBytes() == 0);
    }

    @Test
    void aNameThatManyLinksDefineIsKeptOnce() throws Exception {
        mesh.startAndAccept();
        mesh.hashPeer().settle();
        long once = namesBytes();
        assertThat(once).isPositive();
        MeshConnection second = mesh.hashPeer();
        second.settle();
        assertThat(namesBytes()).isEqualTo(once);

        second.send(define(2, names(HASHER, "other", STRING, "", "")));
        second.settle();
        assertThat(namesBytes()).isGreaterThan(once);
        second.close();
        Await.until("the other one is forgotten", () -> namesBytes() == once);
    }

    @Test
    void theNamesOfAConnectionAreBoundedInBytes() throws Exception {
        mesh.with("mesh.table-size", 2);
        mesh.startAndAccept();
        assertRefusedWithGoAway(
                define(1, names(HASHER, "x".repeat(2048), STRING, "", "")),
                "DEFINE: names of more than 2048 bytes in all");
    }

    @Test
    void namesFillTheirFrame() throws Exception {
        mesh.startAndAccept();
        String names = names(HASHER, "hash", STRING, "", "");
        assertRefusedWithGoAway(define(1, names + "00"), "DEFINE: bytes behind the names");
        assertRefusedWithGoAway(
                define(1, names.substring(0, names.length() - 2)),
                "names of a method: a field reaches beyond the body");
    }

    @Test
    void aRequestIsWhole() throws Exception {
        mesh.startAndAccept();
        assertRefusedWithGoAway(
                defineHash() + request(1, 1, 0x01, "0000000000"), "REQUEST: a body of 5 bytes (expected: 6 or more)");
        assertRefusedWithGoAway(
                defineHash() + request(1, 1, 0x01, "00000001" + "0001"),
                "REQUEST: the attachments reach beyond the body");
        assertRefusedWithGoAway(
                request(1, 0, 0x01, "00000001" + "0000" + "0005"),
                "names of a method: a field reaches beyond the body");
    }

    @Test
    void aRequestIsEitherFormOrJson() throws Exception {
        mesh.startAndAccept();
        assertRefusedWithGoAway(
                defineHash() + request(1, 1, 0x00, formBody(1, "")),
                "REQUEST: flags 0x00 (expected: either TEXT or JSON)");
        assertRefusedWithGoAway(
                defineHash() + request(1, 1, 0x03, formBody(1, "")),
                "REQUEST: flags 0x03 (expected: either TEXT or JSON)");
    }

    @Test
    void aResponseFromAConsumerAgentIsRefused() throws Exception {
        mesh.startAndAccept();
        assertRefusedWithGoAway(
                "d3e50104 00000000 0000000000000001 00000000" + u32(0), "frame type 4 from a consumer agent");
    }

    @Test
    void aConnectionWithoutAHelloIsClosed() throws Exception {
        mesh.with("mesh.heartbeat", 50);
        mesh.startAndAccept();
        MeshConnection connection = mesh.connection();
        connection.read();

        assertThat(connection.isAtEnd()).isTrue();
    }

    @Test
    void aRequestBeforeTheHelloIsNotExecuted() throws Exception {
        mesh.startAndAccept();
        MeshConnection connection = mesh.connection();
        connection.read();
        connection.send(defineHash() + hash(1, "a"));

        assertThat(connection.readGoAway()).isEqualTo("frame type 2 before HELLO");
        assertThat(connection.isAtEnd()).isTrue();
        assertThat(mesh.counters(0).sent).isZero();
    }

    @Test
    void connectionsBeyondTheLimitAreToldWhyAndClosed() throws Exception {
        mesh.with("mesh.max-connections", 2);
        mesh.startAndAccept();
        MeshConnection first = mesh.peer();
        MeshConnection second = mesh.peer();
        first.settle();
        second.settle();

        MeshConnection surplus = mesh.connection();
        surplus.send(hello(0, 0));
        assertThat(surplus.readGoAway()).isEqualTo("more than 2 connections (mesh.max-connections)");
        assertThat(surplus.isAtEnd()).isTrue();

        first.close();
        second.settle();
        Await.until("one link is left", () -> mesh.agent.connections() == 1);
        mesh.peer().settle();
    }

    @Test
    void aConnectionBeyondTheLimitThatSaysNothingIsClosed() throws Exception {
        mesh.with("mesh.max-connections", 1).with("mesh.heartbeat", 50);
        mesh.startAndAccept();
        mesh.peer().settle();
        MeshConnection surplus = mesh.connection();

        assertThat(surplus.readGoAway()).isEqualTo("more than 1 connections (mesh.max-connections)");
        assertThat(surplus.isAtEnd()).isTrue();
    }

    @Test
    void connectionsWithoutAHelloKeepNobodyOut() throws Exception {
        mesh.with("mesh.max-connections", 1).with("mesh.max-opening", 4);
        mesh.startAndAccept();
        List<MeshConnection> silent = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            silent.add(mesh.connection());
            silent.get(i).read();
        }
        silent.get(1).send(hello(0, 0).substring(0, 20));
        // Until the oldest has had its time.
        Thread.sleep(150);

        mesh.peer().settle();
        assertThat(silent.get(0).isAtEnd()).isTrue();
        assertThat(mesh.agent.connections()).isEqualTo(1);
    }

    @Test
    void connectionsThatAreOpenedAtOnceAreLeftTimeForTheirHello() throws Exception {
        mesh.with("mesh.max-opening", 1);
        mesh.startAndAccept();
        MeshConnection first = mesh.connection();
        MeshConnection second = mesh.connection();

        assertThat(second.isAtEnd()).isTrue();
        first.exchangeHellos();
        first.settle();
    }

    @Test
    void theLimitHoldsForPeersThatGreetLate() throws Exception {
        mesh.with("mesh.max-connections", 1);
        mesh.startAndAccept();
        MeshConnection first = mesh.connection();
        MeshConnection second = mesh.connection();
        second.exchangeHellos();
        second.settle();
        first.read();
        first.send(hello(0, 0));

        assertThat(first.readGoAway()).isEqualTo("more than 1 connections (mesh.max-connections)");
        assertThat(first.isAtEnd()).isTrue();
        second.settle();
    }

    @Test
    void callsOfABrokenLinkAreForgottenAndOthersGoOn() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection broken = mesh.hashPeer();
        MeshConnection sound = mesh.hashPeer();

        broken.send(hash(1, "a"));
        DubboFrame orphan = provider.read();
        broken.send(hello(0, 0));
        assertThat(broken.readGoAway()).isEqualTo("a second HELLO");
        assertThat(broken.isAtEnd()).isTrue();
        sound.send(hash(1, "b"));
        DubboFrame call = provider.read();
        provider.answerInt(orphan.id(), 1);
        provider.answerInt(call.id(), 2);

        assertThat(sound.read().document()).isEqualTo("2");
        Await.until("no call is in service", () -> mesh.agent.limit().inService() == 0);
    }

    /** The peer alone tells them apart, by an id that it must not use twice: each is answered with it. */
    @Test
    void requestsWithTheSameIdAreAnsweredEach() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(7, "a") + hash(7, "b"));
        provider.answerInt(provider.read().id(), 1);
        provider.answerInt(provider.read().id(), 2);

        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            MeshFrame answer = peer.read();
            assertThat(answer.requestId()).isEqualTo(7);
            answers.add(answer.document());
        }
        assertThat(answers).containsExactlyInAnyOrder("1", "2");
        peer.settle();
    }

    @Test
    void framesMayComeByteByByte() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.connection();
        String packed = (hello(0, 0) + defineHash() + hash(1, "hello")).replace(" ", "");
        for (int i = 0; i < packed.length(); i += 2) {
            peer.send(packed.substring(i, i + 2));
        }
        String answer = DubboFrame.frame(0x02, 20, provider.read().id(), "91 91");
        for (int i = 0; i < answer.length(); i += 2) {
            provider.send(answer.substring(i, i + 2));
        }

        assertThat(peer.read().type()).isEqualTo(1);
        assertThat(peer.read().document()).isEqualTo("1");
    }
}
