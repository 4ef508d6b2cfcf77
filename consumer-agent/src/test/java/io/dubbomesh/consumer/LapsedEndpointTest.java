package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** An endpoint whose entry vanishes from the registry while its link lives; the registry is a directory of files. */
class LapsedEndpointTest extends AgentTest {
    @TempDir
    private Path directory;

    private ServingPeer one;
    private ServingPeer two;
    private HttpSocket client;
    private int markers;
    private int failed;

    @BeforeEach
    void registerTwo() throws Exception {
        one = opened(new ServingPeer());
        two = opened(new ServingPeer());
        register("a.B", one);
        register("a.B", two);
        startWithRegistry(Map.of("lb.slow-start", "0"), "file:" + directory);
        client = client();
        assertThat(callsTo(one, 20)).isEqualTo(10);
    }

    @Test
    void itKeepsItsShareOfTheCalls() throws Exception {
        Files.delete(entry("a.B", one));
        awaitScan();
        assertThat(callsTo(one, 40)).isEqualTo(20);
    }

    @Test
    void itIsUsedWhenNobodyElseIsThere() throws Exception {
        Files.delete(entry("a.B", one));
        Files.delete(entry("a.B", two));
        awaitScan();
        assertThat(callsTo(one, 40)).isEqualTo(20);
    }

    @Test
    void itIsUsedForAServiceThatWasNotCalledBefore() throws Exception {
        register("a.C", one);
        awaitListed("a.C");
        register("a.D", one);
        Files.delete(entry("a.C", one));
        awaitListed("a.D");
        assertThat(call("a.C").status()).isEqualTo(200);
    }

    @Test
    void itGetsNothingNewWhenItHasSaidThatItLeaves() throws Exception {
        Files.writeString(entry("a.B", one), "{\"leaving\":true}");
        awaitScan();
        Files.delete(entry("a.B", one));
        awaitScan();
        assertThat(callsTo(one, 40)).isZero();
    }

    @Test
    void itEndsWithItsLink() throws Exception {
        Files.delete(entry("a.B", one));
        awaitScan();
        one.closeLinks();
        Await.until("the calls go to the other", () -> callsTo(one, 20) == 0);
        assertThat(callsTo(one, 40)).isZero();
    }

    @Test
    void itEndsWhenItGoesAway() throws Exception {
        Files.delete(entry("a.B", one));
        awaitScan();
        one.goAway();
        Await.until("the calls go to the other", () -> callsTo(one, 20) == 0);
        assertThat(callsTo(one, 40)).isZero();
    }

    @Test
    void withoutAnyLinkNobodyServesTheService() throws Exception {
        Files.delete(entry("a.B", one));
        Files.delete(entry("a.B", two));
        awaitScan();
        one.closeLinks();
        two.closeLinks();
        Await.until("the links are gone", () -> call("a.B").text().contains("NO_PROVIDER"));
    }

    @Test
    void itIsListedAgainWithoutANewLink() throws Exception {
        Files.delete(entry("a.B", one));
        awaitScan();
        register("a.B", one);
        awaitScan();
        assertThat(callsTo(one, 40)).isEqualTo(20);
        assertThat(one.links()).isEqualTo(1);
    }

    /** A provider agent of another service was started at the address of one that is gone. */
    @Test
    void anEndpointThatDoesNotServeTheServiceGetsNoMoreCallsOfItOnThisConnection() throws Exception {
        one.become(ServingPeer.Behaviour.OF_ANOTHER_SERVICE);
        assertThat(callsTo(one, 40)).isEqualTo(1);
        assertThat(failed).isZero();

        one.become(ServingPeer.Behaviour.GOOD);
        assertThat(callsTo(one, 40)).isZero();
        one.closeLinks();
        Await.until("it has another connection", () -> callsTo(one, 20) == 10);
    }

    @Test
    void itIsCalledAgainWhenTheRegistryListsOthers() throws Exception {
        one.become(ServingPeer.Behaviour.OF_ANOTHER_SERVICE_AND_OLD);
        assertThat(callsTo(one, 20)).isEqualTo(1);
        assertThat(failed).isEqualTo(1);
        one.become(ServingPeer.Behaviour.GOOD);
        Files.delete(entry("a.B", one));
        awaitScan();
        register("a.B", one);
        awaitScan();
        assertThat(callsTo(one, 20)).isEqualTo(10);
    }

    @Test
    void clientsAreToldThatTheServiceIsNotServedIfNobodyServesIt() throws Exception {
        one.become(ServingPeer.Behaviour.OF_ANOTHER_SERVICE);
        two.become(ServingPeer.Behaviour.OF_ANOTHER_SERVICE);
        for (int i = 0; i < 5; i++) {
            HttpAnswer answer = call("a.B");
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).contains("SERVICE_NOT_FOUND", "not served here");
        }
    }

    /** Clients may invent services where the registry serves any. */
    @Test
    void whatEndpointsSayOfAServiceIsForgottenWithTheService() throws Exception {
        takeAgent().stop(0);
        startWithRegistry(Map.of("lb.slow-start", "0"), "static:127.0.0.1:" + one.port() + ",127.0.0.1:" + two.port());
        client = client();
        one.become(ServingPeer.Behaviour.OF_ANOTHER_SERVICE);
        two.become(ServingPeer.Behaviour.WITH_A_WRONG_TOKEN);
        assertThat(callsTo(one, 20)).isEqualTo(1);
        for (int i = 0; i < 70; i++) {
            call((char) ('b' + i / 26) + "." + (char) ('A' + i % 26));
        }

        one.become(ServingPeer.Behaviour.GOOD);
        two.become(ServingPeer.Behaviour.GOOD);
        assertThat(callsTo(one, 20)).isEqualTo(10);
    }

    /** The registry, too, may still list an agent that is drained. */
    @Test
    void anEndpointThatGoesAwayWheneverItIsConnectedIsConnectedLessAndLessOften() throws Exception {
        int before = one.connections();
        long startNs = System.nanoTime();
        one.drain();
        Await.until("it is connected again", () -> one.connections() == before + 5);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs)).isGreaterThan(700);
        // One may meet it while it is connected.
        assertThat(callsTo(two, 20)).isGreaterThanOrEqualTo(18);
    }

    /** Only some endpoints of a large service have connections: one that was given up would be chosen again at once. */
    @Test
    void anEndpointOfASubsetThatDoesNotServeTheServiceIsNotConnectedAgainAndAgain() throws Exception {
        List<ServingPeer> peers = List.of(one, two, opened(new ServingPeer()), opened(new ServingPeer()));
        for (ServingPeer peer : peers) {
            register("a.B", peer);
        }
        takeAgent().stop(0);
        int before = connections(peers);
        startWithRegistry(Map.of("lb.slow-start", "0", "links.subset", "2"), "file:" + directory);
        client = client();
        Await.until("two of them are connected", () -> connections(peers) == before + 2);
        ServingPeer chosen = peers.stream().filter(this::isCalled).findFirst().orElseThrow();
        chosen.become(ServingPeer.Behaviour.OF_ANOTHER_SERVICE);

        assertThat(callsTo(chosen, 40)).isEqualTo(1);
        assertThat(failed).isZero();
        assertThat(connections(peers)).isEqualTo(before + 3);
    }

    private boolean isCalled(ServingPeer peer) {
        try {
            return callsTo(peer, 4) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int connections(List<ServingPeer> peers) {
        return peers.stream().mapToInt(ServingPeer::connections).sum();
    }

    private void register(String service, ServingPeer peer) throws IOException {
        Path entry = entry(service, peer);
        Files.createDirectories(entry.getParent());
        Files.writeString(entry, "{\"weight\":1}");
    }

    private Path entry(String service, ServingPeer peer) {
        return directory.resolve(service).resolve("127.0.0.1_" + peer.port());
    }

    /** Waits until the agent has seen a change that came after everything else. */
    private void awaitScan() throws Exception {
        String marker = "m." + (char) ('A' + markers++);
        register(marker, two);
        awaitListed(marker);
    }

    private void awaitListed(String service) throws Exception {
        Await.until("the service is listed", () -> call(service).status() == 200);
    }

    /** @param service of three characters, as the one that it replaces */
    private HttpAnswer call(String service) throws IOException {
        return client.call(Requests.form("12345678").replace("=a.B&", "=" + service + "&"));
    }

    /** Returns the number of so many calls that reach a peer. */
    private int callsTo(ServingPeer peer, int calls) throws IOException {
        int before = peer.requests();
        for (int i = 0; i < calls; i++) {
            failed += call("a.B").status() == 200 ? 0 : 1;
        }
        return peer.requests() - before;
    }
}
