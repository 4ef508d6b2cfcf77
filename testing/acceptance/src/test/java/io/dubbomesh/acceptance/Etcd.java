package io.dubbomesh.acceptance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Ports;

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
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A real etcd of one node, asked by its JSON gateway. */
final class Etcd {
    private static final Duration TO_START = Duration.ofSeconds(30);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    private final int port;
    private RunningProcess process;

    private Etcd(int port) {
        this.port = port;
    }

    /** @param data is made where it is missing */
    static Etcd start(Path log, Path data) throws Exception {
        if (!isInstalled()) {
            throw new AssertionError("etcd is not in PATH: these tests need it (Debian: apt-get install etcd-server)");
        }
        Etcd etcd = new Etcd(Ports.free());
        String client = "http://127.0.0.1:" + etcd.port;
        String peer = "http://127.0.0.1:" + Ports.free();
        etcd.process = RunningProcess.start(
                log,
                List.of(
                        "etcd",
                        "--data-dir=" + data,
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer));
        etcd.awaitHealth();
        return etcd;
    }

    private static boolean isInstalled() {
        for (String directory : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(directory, "etcd"))) {
                return true;
            }
        }
        return false;
    }

    private void awaitHealth() throws Exception {
        Await.until(TO_START, "etcd answers", () -> {
            if (!process.isAlive()) {
                throw new AssertionError("etcd has ended:\n" + process.output());
            }
            try {
                post("kv/range", "{\"key\":\"" + base64("/") + "\"}");
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    /** As the setting {@code registry} takes it. */
    String uri() {
        return "etcd://127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    /** Starts the killed process again, on the same port and with the same data. */
    void startAgain() throws Exception {
        process = process.again();
        awaitHealth();
    }

    void put(String key, String value) throws Exception {
        post("kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
    }

    /** The value and the lease (0 for none) of a key, or null where there is no such key. */
    Entry get(String key) throws Exception {
        Map<String, String> fields = fields(post("kv/range", "{\"key\":\"" + base64(key) + "\"}"));
        return fields.containsKey("mod_revision")
                ? new Entry(
                        new String(Base64.getDecoder().decode(fields.getOrDefault("value", "")), UTF_8),
                        Long.parseLong(fields.getOrDefault("lease", "0")))
                : null;
    }

    void revoke(long lease) throws Exception {
        post("lease/revoke", "{\"ID\":\"" + lease + "\"}");
    }

    /**
     * From now on it serves only users, of whom this one may do everything below {@code /dubbomesh/}; tests cannot
     * write in it any more.
     */
    void askForUsers(String name, String password) throws Exception {
        post("auth/user/add", "{\"name\":\"root\",\"password\":\"of-root\"}");
        post("auth/role/add", "{\"name\":\"root\"}");
        post("auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
        post("auth/user/add", "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}");
        post("auth/role/add", "{\"name\":\"agents\"}");
        post(
                "auth/role/grant",
                "{\"name\":\"agents\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"" + base64("/dubbomesh/")
                        + "\",\"range_end\":\"" + base64("/dubbomesh0") + "\"}}");
        post("auth/user/grant", "{\"user\":\"" + name + "\",\"role\":\"agents\"}");
        post("auth/enable", "{}");
    }

    private String post(String path, String json) throws IOException, InterruptedException {
        HttpResponse<String> response = HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v3/" + path))
                        .timeout(Duration.ofSeconds(5))
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("etcd: " + path + ": " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** All scalar fields wherever they stand: the answers that are read here have each of them once. */
    private static Map<String, String> fields(String json) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    fields.put(parser.currentName(), parser.getText());
                }
            }
        }
        return fields;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    record Entry(String value, long lease) {}
}
