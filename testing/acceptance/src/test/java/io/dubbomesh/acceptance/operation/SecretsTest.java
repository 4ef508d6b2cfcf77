package io.dubbomesh.acceptance.operation;

import io.dubbomesh.acceptance.compatibility.Call;
import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.acceptance.mesh.Program;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import io.dubbomesh.testsupport.process.Signal;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import javax.net.ssl.SSLContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Agents that have every kind of secret, under calls that are right and calls that are refused, at the level that logs
 * most.
 */
@Timeout(300)
class SecretsTest {
    private static final Duration A_WHILE = Duration.ofMinutes(2);
    private static final String PROVIDER = "provider.mesh.test";
    private static final String CONSUMER = "consumer.mesh.test";
    private static final String VAULT = Call.OFFICE + "Vault";

    private static final String MESH_TOKEN = "correct-horse-battery-staple";
    private static final String STRANGERS_MESH_TOKEN = "a-token-of-another-mesh-entirely";
    private static final String ANA = "anas-token-of-26-characters";
    private static final String BO = "bos-token-0123456789abcdef";
    private static final String UNKNOWN_CALLER = "nobodys-token-0123456789ab";
    /** The token that the provider of the demo demands. */
    private static final String VAULT_TOKEN = "s3cret";

    private static final String WRONG_VAULT_TOKEN = "wr0ng-token-of-a-vault";
    private static final String TOKEN_OF_OTHERS = "token-of-a-provider-without-agent";
    private static final String ETCD_PASSWORD = "password-of-mesh-in-etcd";

    private final Mesh mesh = Mesh.named("SecretsTest");
    private final Path directory = mesh.directory();
    private final Map<String, String> secrets = new LinkedHashMap<>(Map.of(
            "mesh.token-file", MESH_TOKEN,
            "mesh.token-file of a stranger", STRANGERS_MESH_TOKEN,
            "a caller's token", ANA,
            "the token of a caller who may not", BO,
            "a caller's wrong token", UNKNOWN_CALLER,
            "dubbo.token", VAULT_TOKEN,
            "a wrong dubbo.token", WRONG_VAULT_TOKEN,
            "dubbo.token-file", TOKEN_OF_OTHERS,
            "the password for etcd", ETCD_PASSWORD));
    private final Map<String, String> texts = new LinkedHashMap<>();
    private CertificateAuthority authority;
    private HttpClient client;

    SecretsTest() throws IOException {}

    @Test
    void noSecretIsShownAnywhere() throws Exception {
        authority = new CertificateAuthority("ca");
        client = client(authority);
        EtcdServer etcd = mesh.etcd();
        etcd.requireUsers("mesh", ETCD_PASSWORD);
        String registry = etcd.uri() + "?username-file=" + file("etcd-user", "mesh\n" + ETCD_PASSWORD + "\n");
        Dubbo provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "0", "office", "true"));
        provider.awaitListening();
        Agent providerAgent = start(Jvm.PROVIDER_AGENT, "provider-agent", registry, providerAgentOf(provider));
        Agent consumerAgent = start(Jvm.CONSUMER_AGENT, "consumer-agent", registry, consumerAgentOf(MESH_TOKEN));
        Agent stranger = start(Jvm.CONSUMER_AGENT, "stranger", registry, consumerAgentOf(STRANGERS_MESH_TOKEN));
        List<Agent> agents = List.of(providerAgent, consumerAgent, stranger);
        for (Agent agent : agents) {
            agent.awaitReady();
        }

        // On a busy machine the agent may end the first handshake, which takes the client seconds.
        Await.untilAsserted(
                A_WHILE, () -> assertThat(call(consumerAgent, "", ANA)).isEqualTo(200));
        assertThat(call(consumerAgent, "", BO)).isEqualTo(403);
        assertThat(call(consumerAgent, "", UNKNOWN_CALLER)).isEqualTo(401);
        assertThat(call(consumerAgent, "", null)).isEqualTo(401);
        assertThat(call(consumerAgent, "?version=other", ANA)).isEqualTo(502);
        assertThat(texts.get("the answer 502")).contains("PROVIDER_REFUSED_TOKEN");
        assertThat(call(stranger, "", ANA)).isEqualTo(503);
        providerAgent.process().awaitOutput("wrong token", A_WHILE);

        for (Agent agent : agents) {
            collect(agent);
        }
        for (Agent agent : agents) {
            agent.process().send(Signal.TERM);
            assertThat(agent.process().awaitExit(A_WHILE)).isZero();
            texts.put(
                    agent.process().log().getFileName().toString(),
                    agent.process().output());
        }
        texts.put("the access log", Files.readString(directory.resolve("access-consumer-agent.log")));
        mesh.end();

        // Each place is one where a secret could have been.
        assertThat(texts.get("consumer-agent.log")).contains(" DEBUG ", "TLS with the certificate of");
        assertThat(texts.get("provider-agent.log: /api/v1/config"))
                .contains("\"key\":\"logs.level\",\"value\":\"trace\"");
        assertThat(texts.get("the access log")).contains(VAULT, "ana");
        assertThat(texts.get("provider-agent.log: /api/v1/config"))
                .contains("{\"key\":\"dubbo.token\",\"value\":\"***\"", "provider.conf: 1");
        assertThat(texts.get("consumer-agent.log: its command line")).contains("http.auth.token-file", "tls.key");
        assertNoSecrets();
    }

    private Map<String, String> providerAgentOf(Dubbo provider) throws Exception {
        Map<String, String> settings = new HashMap<>(tls("provider", PROVIDER, CONSUMER));
        settings.put("mesh.token-file", file("mesh-token", MESH_TOKEN));
        settings.put(
                "config.file",
                file(
                        "provider.conf",
                        "dubbo.token = \"" + VAULT + ":=" + VAULT_TOKEN + "," + VAULT + ":other=" + WRONG_VAULT_TOKEN
                                + "\"\n"));
        settings.put("dubbo.services", VAULT + "," + VAULT + ":other");
        settings.put("dubbo.protocol.port", Integer.toString(provider.port()));
        return settings;
    }

    /** All of it but the token of the mesh is right. */
    private Map<String, String> consumerAgentOf(String meshToken) throws Exception {
        Map<String, String> settings = new HashMap<>(tls("consumer", CONSUMER, PROVIDER));
        settings.put("mesh.token-file", file("mesh-token-" + meshToken.length(), meshToken));
        settings.put("dubbo.token-file", file("dubbo-tokens", TOKEN_OF_OTHERS + "\n"));
        settings.put("http.auth", "token");
        settings.put("http.auth.token-file", file("http-tokens", "ana " + ANA + "\nbo " + BO + "\n"));
        settings.put("http.auth.rules", file("http-rules", "allow ana " + VAULT + "\n"));
        tls("https", "localhost", "");
        settings.put("http.tls.cert", directory.resolve("https/tls.crt").toString());
        settings.put("http.tls.key", directory.resolve("https/tls.key").toString());
        return settings;
    }

    private Map<String, String> tls(String name, String dnsName, String peerNames) throws Exception {
        Path files = directory.resolve(name);
        if (!Files.exists(files)) {
            X509Bundle own = authority.sign(dnsName);
            authority.write(files, own);
            String body = own.getPrivateKeyPEM().replaceAll("-----[^-]+-----|\\s", "");
            secrets.put("the private key of " + name, body.substring(body.length() / 2));
        }
        return TlsFiles.in(files).linkSettings(peerNames);
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content).toString();
    }

    /** Not by the mesh, which calls each consumer agent without TLS and a token at its end. */
    private Agent start(Program kind, String name, String registry, Map<String, String> settings) throws IOException {
        int port = Ports.free();
        int adminPort = Ports.free();
        settings.put("server.host", "127.0.0.1");
        settings.put("server.port", Integer.toString(port));
        settings.put("admin.port", Integer.toString(adminPort));
        settings.put("registry", registry);
        settings.put("logs.level", "trace");
        if (kind == Jvm.CONSUMER_AGENT) {
            settings.put(
                    "access.log", directory.resolve("access-" + name + ".log").toString());
        }
        return new Agent(port, adminPort, kind.start(directory.resolve(name + ".log"), settings));
    }

    private static HttpClient client(CertificateAuthority authority) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, authority.sign("localhost").toTrustManagerFactory().getTrustManagers(), null);
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(context)
                .build();
    }

    /** @return the status; the whole answer is one of the texts */
    private int call(Agent agent, String query, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + agent.port() + "/" + VAULT + "/open" + query))
                .header("Content-Type", "application/json")
                .header("X-Request-Timeout", "30000")
                .POST(HttpRequest.BodyPublishers.ofString("[\"x\"]"));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        texts.put("the answer " + answer.statusCode(), answer.headers().map() + "\n" + answer.body());
        return answer.statusCode();
    }

    private void collect(Agent agent) throws IOException {
        String name = agent.process().log().getFileName() + ": ";
        for (String path : List.of(
                "/",
                "/metrics",
                "/readyz",
                "/api/v1/state",
                "/api/v1/config",
                "/api/v1/services",
                "/api/v1/failures")) {
            String page = HttpSocket.once(
                            agent.adminPort(),
                            "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .text();
            assertThat(page).as(name + path).isNotEmpty();
            texts.put(name + path, page);
        }
        texts.put(
                name + "its command line",
                Files.readString(Path.of("/proc", Long.toString(agent.process().pid()), "cmdline")));
    }

    /** Neither as they are nor in the codes in which bytes are logged or sent. */
    private void assertNoSecrets() {
        secrets.forEach((what, secret) -> {
            byte[] bytes = secret.getBytes(UTF_8);
            String base64 = Base64.getEncoder().withoutPadding().encodeToString(bytes);
            texts.forEach((where, text) -> assertThat(text)
                    .as(what + " in " + where)
                    .doesNotContain(
                            secret,
                            base64.substring(0, base64.length() - 1),
                            HexFormat.of().formatHex(bytes)));
        });
    }
}
