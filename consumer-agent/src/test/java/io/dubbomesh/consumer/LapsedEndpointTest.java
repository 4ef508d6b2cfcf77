package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** An endpoint whose entry vanishes from the registry while its link lives; the registry is a directory of files. */
class LapsedEndpointTest extends AgentTest {
    @TempDir
    private Path directory;

    private ServingPeer one;
    private ServingPeer two;
    private HttpSocket client;
    private int markers;

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

    /** Of so many calls. */
    private int callsTo(ServingPeer peer, int calls) throws IOException {
        int before = peer.requests();
        for (int i = 0; i < calls; i++) {
            call("a.B");
        }
        return peer.requests() - before;
    }
}
