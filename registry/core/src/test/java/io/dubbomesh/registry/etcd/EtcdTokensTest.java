package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.config.RegistryUri;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real etcd whose tokens expire after five seconds, however often they are used, whose roles change meanwhile
 * (jetcd#1192), and which allows a client no ping without a call (jetcd#1344). So many rounds, each until a token
 * as old as the round has expired; {@code scripts/etcd-tokens.sh} runs as many as take five minutes.
 */
@Timeout(600)
class EtcdTokensTest {
    private static final int ROUNDS = Integer.getInteger("etcd.token.rounds", 2);
    private static final String GREETER = "com.example.Greeter";
    private static final String OWN = "/dubbomesh/com.example.Greeter/192.0.2.7:30000";
    private static final String OTHER = "/dubbomesh/com.example.Greeter/192.0.2.8:30000";
    private static final Duration SEEN = Duration.ofSeconds(3);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":\"([^\"]*)\"");

    @TempDir
    private Path folder;

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(Registry.class);

    @Test
    void changesAreSeenWithinThreeSecondsAndTheLeaseHolds() throws Exception {
        Path user = Files.writeString(folder.resolve("user"), "mesh\nsecret-of-mesh\n");
        try (EtcdServer etcd = EtcdServer.startWith(
                        folder,
                        "--grpc-keepalive-min-time=1h",
                        "--auth-token=jwt,pub-key=" + key("public") + ",priv-key=" + key("private")
                                + ",sign-method=RS256,ttl=5s");
                Registry registry = RegistryUri.open(etcd.uri() + "?username-file=" + user)) {
            etcd.requireUsers("mesh", "secret-of-mesh");
            Watcher watcher = new Watcher();
            registry.watch(watcher);
            Registration registration = registry.registration(
                    new RegistrationRequest("192.0.2.7", 30000, 3, 180, Map.of(GREETER, List.of(Variant.NONE))));
            registration.register();
            watcher.awaitEndpoints(LIMIT, GREETER, "192.0.2.7:30000*3");
            Map<String, String> registered = own(etcd, token(etcd));

            for (int round = 1; round <= ROUNDS; round++) {
                changeAndAwait(etcd, watcher, 2 * round);
                changeRole(etcd, round == 1 ? "agents" : "mesh" + (round - 1), "mesh" + round);
                changeAndAwait(etcd, watcher, 2 * round + 1);
                String token = token(etcd);
                Await.until(LIMIT, "tokens as old as this one have expired", () -> isRefused(etcd, token));
            }

            Map<String, String> still = own(etcd, token(etcd));
            assertThat(still.get("lease")).isNotNull().isEqualTo(registered.get("lease"));
            assertThat(still.get("create_revision")).isNotNull().isEqualTo(registered.get("create_revision"));
            assertThat(etcd.logged("too_many_pings")).isZero();
            registration.deregister();
            watcher.awaitEndpoints(SEEN, GREETER, "192.0.2.8:30000*" + (2 * ROUNDS + 1));
        }
        assertThat(log.warnings()).isEmpty();
    }

    /**
     * Changes the weight of another endpoint, which the agent reads, and of its own, which it writes back after some
     * seconds at most.
     */
    private static void changeAndAwait(EtcdServer etcd, Watcher watcher, int weight) throws Exception {
        String operator = token(etcd);
        for (String key : List.of(OTHER, OWN)) {
            ask(
                    etcd,
                    "kv/put",
                    operator,
                    "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64("{\"weight\":" + weight + "}") + "\"}");
        }
        watcher.awaitEndpoints(SEEN, GREETER, "192.0.2.7:30000*" + weight, "192.0.2.8:30000*" + weight);
        Await.until(
                LIMIT, "written back", () -> own(etcd, token(etcd)).get("value").contains("\"limit\":180"));
    }

    private static String token(EtcdServer etcd) throws Exception {
        String answer = post(etcd, "auth/authenticate", "", "{\"name\":\"root\",\"password\":\"secret-of-root\"}");
        return answer.replaceAll(".*\"token\":\"([^\"]*)\".*", "$1");
    }

    private static boolean isRefused(EtcdServer etcd, String token) throws Exception {
        return post(etcd, "kv/range", token, "{\"key\":\"YQ==\"}").contains("invalid auth token");
    }

    private static String post(EtcdServer etcd, String path, String token, String body) throws Exception {
        HttpURLConnection request = (HttpURLConnection)
                URI.create(etcd.url() + "/v3/" + path).toURL().openConnection();
        request.setRequestMethod("POST");
        if (!token.isEmpty()) {
            request.setRequestProperty("Authorization", token);
        }
        request.setDoOutput(true);
        request.getOutputStream().write(body.getBytes(UTF_8));
        try (InputStream answer =
                request.getResponseCode() < 400 ? request.getInputStream() : request.getErrorStream()) {
            return new String(answer.readAllBytes(), UTF_8);
        }
    }

    private static KeyPair keys;

    private Path key(String kind) throws Exception {
        if (keys == null) {
            keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        }
        String name = kind.toUpperCase(java.util.Locale.ROOT) + " KEY-----\n";
        byte[] key = (kind.equals("public") ? keys.getPublic() : keys.getPrivate()).getEncoded();
        return Files.writeString(
                folder.resolve(kind + ".pem"),
                "-----BEGIN " + name
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key) + "\n-----END " + name);
    }

    /** Does as an operator, who must succeed. */
    private static String ask(EtcdServer etcd, String path, String token, String body) throws Exception {
        String answer = post(etcd, path, token, body);
        assertThat(answer).as(path).contains("\"header\"");
        return answer;
    }

    /** Returns the fields of the agent's own key. */
    private static Map<String, String> own(EtcdServer etcd, String operator) throws Exception {
        String answer = ask(etcd, "kv/range", operator, "{\"key\":\"" + base64(OWN) + "\"}");
        Map<String, String> fields = new HashMap<>();
        Matcher field = FIELD.matcher(answer.substring(answer.indexOf("\"kvs\"")));
        while (field.find()) {
            fields.put(field.group(1), field.group(2));
        }
        fields.computeIfPresent(
                "value", (name, value) -> new String(Base64.getDecoder().decode(value), UTF_8));
        return fields;
    }

    private static void changeRole(EtcdServer etcd, String from, String to) throws Exception {
        String operator = token(etcd);
        ask(etcd, "auth/role/add", operator, "{\"name\":\"" + to + "\"}");
        ask(
                etcd,
                "auth/role/grant",
                operator,
                "{\"name\":\"" + to + "\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"" + base64("/dubbomesh/")
                        + "\",\"range_end\":\"" + base64("/dubbomesh0") + "\"}}");
        ask(etcd, "auth/user/grant", operator, "{\"user\":\"mesh\",\"role\":\"" + to + "\"}");
        ask(etcd, "auth/user/revoke", operator, "{\"name\":\"mesh\",\"role\":\"" + from + "\"}");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
