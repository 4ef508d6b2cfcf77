package io.dubbomesh.provider;

import io.dubbomesh.provider.mesh.MeshServerLink;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.Scrape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.provider.HashCalls.defineHash;
import static io.dubbomesh.testsupport.MeshFrame.goAway;
import static io.dubbomesh.testsupport.MeshFrame.hello;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the metrics of connections that did not become links. */
@Timeout(60)
class RefusedLinksTest {
    private static final String REFUSED = "dubbomesh_provider_links_refused_total";
    private static final String TOKEN = "correct-horse-battery-staple";

    private final AgentFixture mesh;

    @TempDir
    private Path directory;

    RefusedLinksTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    private void awaitOnly(String reason, int count) throws Exception {
        Await.until(reason, () -> scrape().sum(REFUSED, "reason", reason) == count);
        assertThat(scrape().sum(REFUSED)).isEqualTo(count);
    }

    private Scrape scrape() throws Exception {
        return Scrape.of(mesh.agent.adminPort());
    }

    @Test
    void everyReasonIsToldBeforeItOccurs() throws Exception {
        mesh.startAndAccept();
        for (String reason : new String[] {"no_hello", "protocol", "token", "max_opening", "max_connections", "tls"}) {
            assertThat(scrape().text()).contains(REFUSED + "{reason=\"" + reason + "\"} 0");
        }
    }

    @Test
    void aConnectionWithoutAHelloCounts() throws Exception {
        mesh.with("mesh.heartbeat", "100 ms");
        mesh.startAndAccept();
        mesh.connection();
        mesh.connection().send(hello(0, 0).substring(0, 24));
        awaitOnly("no_hello", 2);
    }

    @Test
    void whatIsNoHelloCounts() throws Exception {
        mesh.startAndAccept();
        mesh.connection().send(Hex.text("GET / HTTP/1.1\r\nHost: mesh\r\n\r\n"));
        mesh.connection().send(defineHash());
        awaitOnly("protocol", 2);
    }

    @Test
    void aHelloWithoutTheTokenCounts() throws Exception {
        mesh.with("mesh.token-file", token());
        mesh.startAndAccept();
        mesh.connection().send(hello(0, 0));
        mesh.connection().answerChallenge("another-token-than-that-one");
        awaitOnly("token", 2);
    }

    private Path token() throws Exception {
        return Files.writeString(directory.resolve("token"), TOKEN);
    }

    @Test
    void aConnectionThatMakesRoomForAnotherCounts() throws Exception {
        mesh.with("mesh.max-opening", 2);
        mesh.startAndAccept();
        for (int i = 0; i < 5; i++) {
            mesh.connection();
        }
        awaitOnly("max_opening", 3);
    }

    @Test
    void aConnectionBeyondTheMostCounts() throws Exception {
        mesh.with("mesh.max-connections", 1);
        mesh.startAndAccept();
        mesh.peer().settle();
        mesh.connection();
        awaitOnly("max_connections", 1);
    }

    @Test
    void whoeverLeavesIsNotRefusedNorIsALinkThatEnds() throws Exception {
        mesh.startAndAccept();
        mesh.connection().close();
        MeshConnection leaving = mesh.connection();
        leaving.send(goAway("bye"));
        assertThat(leaving.read()).isNotNull();
        assertThat(leaving.isAtEnd()).isTrue();
        MeshConnection peer = mesh.peer();
        peer.send(hello(0, 0));
        peer.readGoAway();
        assertThat(peer.isAtEnd()).isTrue();
        Await.until("no link is left", () -> mesh.openLinks() == 0);
        awaitOnly("protocol", 0);
    }

    /** Every host may open links where no token is demanded. */
    @Test
    void linksThatComeAndGoInMassesFillNoLog() throws Exception {
        mesh.startAndAccept();
        List<String> lines;
        long beginNs = System.nanoTime();
        try (RecordedLog log = new RecordedLog(MeshServerLink.class)) {
            for (int i = 0; i < 200; i++) {
                mesh.peer().close();
            }
            Await.until("all are gone", () -> mesh.openLinks() == 0);
            lines = log.lines();
        }

        long intervals = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs) / 10;
        assertThat(lines).hasSizeBetween(100, (int) (100 * intervals));
    }
}
