package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Requests by TLS: answered as without it, from the first byte to the end of the connection. */
class HttpsTest extends HttpsFixture {
    /** The argument that a {@link ServingPeer} answers with as it is. */
    private static final String ARGUMENT = "argument";

    private static final String LARGE = "x".repeat(4 << 20);

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void requestsAreAnsweredInOrderHoweverTheirRecordsAreCut(String protocol) throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());
        SSLSocket tls = connect(null, protocol, 0);
        HttpSocket client = new HttpSocket(tls);

        String large = "y".repeat(200_000);
        client.send(Requests.form(ARGUMENT) + Requests.form(large) + Requests.form(ARGUMENT));
        assertThat(client.answer().text()).isEqualTo(ARGUMENT);
        assertThat(client.answer().text()).isEqualTo(large.substring(large.length() - ARGUMENT.length()));
        assertThat(client.answer().text()).isEqualTo(ARGUMENT);
        assertThat(tls.getApplicationProtocol()).isEqualTo("http/1.1");

        // A record for each byte.
        for (char c : Requests.form(ARGUMENT).toCharArray()) {
            client.send(String.valueOf(c));
        }
        assertThat(client.answer().text()).isEqualTo(ARGUMENT);
    }

    @Test
    void aLargeAnswerReachesASlowReaderWholeAndCountsWhileItWaits() throws Exception {
        ProviderPeer provider = provider(180);
        start(https("tcp.send-buffer", "4 KiB"), provider);
        HttpSocket client = new HttpSocket(connect(null, "TLSv1.3", 4096));

        client.send(Requests.form(ARGUMENT, "Connection: close"));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);
        Await.until("what is not read counts", () -> bytesHeld() > 3 << 20);

        assertThat(client.answer().text()).isEqualTo(LARGE);
        client.assertEnd();
        Await.until("nothing is held", () -> bytesHeld() == 0);
    }

    @Test
    void aReaderThatReadsNothingIsClosedInTime() throws Exception {
        ProviderPeer provider = provider(180);
        start(https("tcp.send-buffer", "4 KiB", "http.write-timeout", "1 s"), provider);
        HttpSocket client = new HttpSocket(connect(null, "TLSv1.3", 4096));

        client.send(Requests.form(ARGUMENT));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);
        Await.until("what is not read counts", () -> bytesHeld() > 3 << 20);
        Await.until("the connection is closed", () -> bytesHeld() == 0);

        assertThatThrownBy(client::answer).isInstanceOf(IOException.class);
    }

    @Test
    void aClientThatEndsItsOutputGetsItsAnswer() throws Exception {
        ProviderPeer provider = provider(180);
        start(https(), provider);
        SSLSocket tls = connect(null, "TLSv1.3", 0);
        HttpSocket client = new HttpSocket(tls);

        client.send(Requests.form(ARGUMENT));
        ProviderPeer.Received request = provider.nextRequest();
        // A close_notify, which is the end of one direction in TLS 1.3.
        tls.shutdownOutput();
        provider.answer(request, 0, Flags.TEXT, "y");

        assertThat(client.answer().text()).isEqualTo("y");
        client.assertEnd();
    }

    @Test
    void aClientThatHasClosedTls12IsNotWaitedFor() throws Exception {
        ProviderPeer provider = provider(180);
        start(https(), provider);
        SSLSocket tls = connect(null, "TLSv1.2", 0);
        new HttpSocket(tls).send(Requests.form(ARGUMENT));
        provider.nextRequest();

        // A close_notify, behind which the agent may not send anything.
        tls.shutdownOutput();

        Await.until(
                "the request is given up",
                () -> scrape().sum("dubbomesh_consumer_requests_abandoned_total") == 1
                        && scrape().sum("dubbomesh_consumer_connections") == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void theLastAnswerIsFollowedByACloseNotify(String protocol) throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());

        try (HttpSocket client = client(protocol)) {
            assertThat(client.call(Requests.form(ARGUMENT, "Connection: close")).text())
                    .isEqualTo(ARGUMENT);
            client.assertEnd();
        }
        try (HttpSocket client = client(protocol)) {
            assertThat(client.call("NO HTTP\r\n\r\n").status()).isEqualTo(400);
            client.assertEnd();
        }
    }

    @Test
    void anIdleConnectionEndsWithACloseNotify() throws Exception {
        startWithPorts(
                https("http.idle-timeout", "1 s"), opened(new ServingPeer()).port());
        HttpSocket client = client("TLSv1.3");

        assertThat(client.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
        client.assertEnd();
    }

    @Test
    void aResetEndsTheConnectionAndNothingIsHeld() throws Exception {
        ProviderPeer provider = provider(180);
        start(https("tcp.send-buffer", "4 KiB"), provider);
        SSLSocket tls = connect(null, "TLSv1.3", 4096);
        HttpSocket client = new HttpSocket(tls);
        client.send(Requests.form(ARGUMENT));
        provider.answer(provider.nextRequest(), 0, Flags.TEXT, LARGE);
        Await.until("what is not read counts", () -> bytesHeld() > 3 << 20);

        tls.setSoLinger(true, 0);
        tls.close();

        Await.until("nothing is held", () -> bytesHeld() == 0);
        assertThat(scrape().sum("dubbomesh_consumer_connections")).isZero();
    }

    @Test
    void aStoppedAgentAnswersWhatWasBegunAndSaysClose() throws Exception {
        ProviderPeer provider = provider(180);
        start(https(), provider);
        HttpSocket client = client("TLSv1.3");
        client.send(Requests.form(ARGUMENT));
        ProviderPeer.Received request = provider.nextRequest();

        ConsumerAgent agent = takeAgent();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> agent.stop(TimeUnit.SECONDS.toNanos(20)));
        Await.until("it is draining", () -> {
            try (HttpSocket another = new HttpSocket(connect(agent.port(), null, "TLSv1.3", 0))) {
                return another.call(HttpSocket.request("GET /no/such/path", "")).hasConnectionClose();
            }
        });
        provider.answer(request, 0, Flags.TEXT, "y");

        HttpAnswer answer = client.answer();
        assertThat(answer.text()).isEqualTo("y");
        assertThat(answer.hasConnectionClose()).isTrue();
        client.assertEnd();
        stopped.get(30, TimeUnit.SECONDS);
    }

    @Test
    void plainHttpIsToldWhatIsExpected() throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());

        HttpSocket plain = client();
        Map<String, String> problem = plain.call(Requests.form(ARGUMENT)).assertProblem(400, "BAD_REQUEST");
        assertThat(problem.get("detail")).isEqualTo("plain HTTP (expected: TLS, https:)");
        plain.assertEnd();
        assertThat(client("TLSv1.3").call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
    }

    @Test
    void plainHttpThatIsStillBeingSentDoesNotDestroyTheAnswer() throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());

        HttpSocket plain = client();
        plain.send(Requests.form("y".repeat(500_000))).send("y".repeat(500_000));
        plain.answer().assertProblem(400, "BAD_REQUEST");
        plain.assertEnd();
    }

    @Test
    void plainHttpThatDoesNotEndIsClosedInTime() throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());

        HttpSocket plain = client();
        plain.call(Requests.form(ARGUMENT)).assertProblem(400, "BAD_REQUEST");
        plain.assertEnd();
        Await.until("it is closed", () -> {
            try {
                plain.send("y");
                return false;
            } catch (IOException closed) {
                return true;
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void noSessionOutlivesTheAuthorityThatSignedItsCertificate(String protocol) throws Exception {
        Path authorities = clientAuthority();
        Map<String, String> settings =
                https("http.tls.client-auth", "required", "http.tls.client-ca", authorities.toString());
        startWithPorts(settings, opened(new ServingPeer()).port());
        SSLContext keepsSessions = context(clients.sign("app.test"));
        long begunMs = sessionOf(keepsSessions, protocol).getCreationTime();
        // So that another session would have another time.
        Await.until("the clock goes on", () -> System.currentTimeMillis() > begunMs);
        assertThat(sessionOf(keepsSessions, protocol).getCreationTime()).isEqualTo(begunMs);

        CertificateAuthority others = new CertificateAuthority("clients");
        Files.writeString(authorities, others.pem());
        X509Bundle other = others.sign("app.test");
        Await.until(Duration.ofSeconds(30), "the file is read", () -> {
            try {
                return sessionOf(context(other), protocol) != null;
            } catch (IOException refused) {
                return false;
            }
        });

        assertThatThrownBy(() -> sessionOf(keepsSessions, protocol)).isInstanceOf(IOException.class);
    }

    /** Returns the session of a connection on which a call was answered. */
    private SSLSession sessionOf(SSLContext context, String protocol) throws Exception {
        SSLSocket tls = connectWith(port(), context, protocol, 0);
        try (HttpSocket client = new HttpSocket(tls)) {
            assertThat(client.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
            return tls.getSession();
        }
    }

    @Test
    void aClientThatSpeaksOnlyAnotherProtocolIsRefused() throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());
        SSLSocket tls = connect(null, "TLSv1.3", 0);
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        tls.setSSLParameters(parameters);

        assertThatThrownBy(tls::startHandshake).hasMessageContaining("no_application_protocol");
    }

    @Test
    void aClientThatSpeaksHttp2WithoutNegotiatingItGetsAGoawayWithTheReason() throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());
        try (SSLSocket tls = connect(null, "TLSv1.3", 0)) {
            tls.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));

            String answer = new String(tls.getInputStream().readAllBytes(), ISO_8859_1);
            assertThat(answer).startsWith("\0\0\0\4\0\0\0\0\0" + "\0\0");
            assertThat(answer.substring(12)).startsWith("\7").contains("HTTP/2 is not spoken at this port");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void whereACertificateIsRequiredOnlyItsOwnersAreServed(String protocol) throws Exception {
        Map<String, String> settings = https(
                "http.tls.client-auth",
                "required",
                "http.tls.client-ca",
                clientAuthority().toString());
        startWithPorts(settings, opened(new ServingPeer()).port());

        assertServed(protocol, clients.sign("app.test"));
        assertRefused(protocol, null);
        assertRefused(protocol, new CertificateAuthority("clients").sign("app.test"));
        assertRefused(protocol, authority.sign("app.test"));
    }

    @Test
    void whereACertificateIsOptionalOnlyAWrongOneIsRefused() throws Exception {
        Map<String, String> settings = https(
                "http.tls.client-auth",
                "optional",
                "http.tls.client-ca",
                clientAuthority().toString());
        startWithPorts(settings, opened(new ServingPeer()).port());

        assertServed("TLSv1.3", clients.sign("app.test"));
        assertServed("TLSv1.3", null);
        assertRefused("TLSv1.3", new CertificateAuthority("clients").sign("app.test"));
    }

    @Test
    void theAccessLogHasTheNameOfTheClientsCertificate() throws Exception {
        Path log = folder.resolve("access.log");
        Map<String, String> settings = https(
                "http.tls.client-auth",
                "optional",
                "http.tls.client-ca",
                clientAuthority().toString(),
                "access.log",
                log.toString());
        startWithPorts(settings, opened(new ServingPeer()).port());

        assertServed("TLSv1.3", clients.sign("app.test"));
        assertServed("TLSv1.3", null);

        Await.until("both are logged", () -> Files.readAllLines(log).size() == 2);
        assertThat(Files.readAllLines(log).get(0)).contains("\"subject\":\"app.test\"");
        assertThat(Files.readAllLines(log).get(1)).doesNotContain("subject\":\"");
    }

    private void assertServed(String protocol, X509Bundle own) throws Exception {
        try (HttpSocket client = new HttpSocket(connect(own, protocol, 0))) {
            assertThat(client.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
        }
    }

    private void assertRefused(String protocol, X509Bundle own) throws Exception {
        try (HttpSocket client = new HttpSocket(connect(own, protocol, 0))) {
            assertThatThrownBy(() -> client.call(Requests.form(ARGUMENT))).isInstanceOf(IOException.class);
        }
    }

    /** Each request on a connection of its own, while the files are replaced one after the other. */
    @Test
    void aCertificateIsReplacedUnderLoadWithoutAFailure() throws Exception {
        startWithPorts(https("io.threads", "2"), opened(new ServingPeer()).port());
        HttpSocket old = client("TLSv1.3");
        assertThat(old.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
        X509Bundle next = authority.sign("agent.test");
        AtomicBoolean isReplaced = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        List<CompletableFuture<Void>> loads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            loads.add(CompletableFuture.runAsync(() -> {
                try {
                    while (!isReplaced.get()) {
                        SSLSocket tls = connect(null, "TLSv1.3", 0);
                        try (HttpSocket client = new HttpSocket(tls)) {
                            assertThat(client.call(Requests.form(ARGUMENT)).text())
                                    .isEqualTo(ARGUMENT);
                            Certificate shown = tls.getSession().getPeerCertificates()[0];
                            isReplaced.compareAndSet(false, shown.equals(next.getCertificate()));
                        }
                        answered.incrementAndGet();
                    }
                } catch (Exception e) {
                    isReplaced.set(true);
                    throw new IllegalStateException(e);
                }
            }));
        }
        Await.until("there is load", () -> answered.get() > 20);
        // Meanwhile the key does not fit.
        Files.writeString(folder.resolve("tls.crt"), next.getCertificatePathPEM());
        Await.until(Duration.ofSeconds(30), "the load goes on", () -> answered.get() > 40);
        Files.writeString(folder.resolve("tls.key"), next.getPrivateKeyPEM());

        for (CompletableFuture<Void> load : loads) {
            load.get(40, TimeUnit.SECONDS);
        }
        assertThat(old.call(Requests.form(ARGUMENT)).text()).isEqualTo(ARGUMENT);
    }

    @Test
    void operatorsMakeCallsThroughAnAgentThatTakesHttps() throws Exception {
        startWithPorts(https(), opened(new ServingPeer()).port());
        URI calls = URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/call");
        HttpRequest request = HttpRequest.newBuilder(calls)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"service\":\"a.B\",\"method\":\"m\",\"arguments\":\"[\\\"x\\\"]\"}"))
                .build();

        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());

        assertThat(answer.body()).contains("\"status\":200");
    }
}
