package io.dubbomesh.testsupport;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A real etcd of one or several nodes: processes of the {@code etcd} in the PATH (Debian: etcd-server), on loopback
 * ports that stay the same when a node is started again. What an operator does by hand is done over its JSON gateway,
 * at the first node that answers.
 */
public final class EtcdCluster implements AutoCloseable {
    private static final Duration TO_START = Duration.ofSeconds(30);
    private static final Duration TO_ANSWER = Duration.ofSeconds(3);
    private static final long TO_END_SECONDS = 10;
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TO_ANSWER)
            .build();

    private final List<Node> nodes = new ArrayList<>();

    private EtcdCluster() {}

    /** A key's value, and its lease, 0 for none. */
    public record Entry(String value, long lease) {}

    /** Starts so many nodes, with data and logs below {@code folder}, and returns when all of them serve. */
    public static EtcdCluster start(Path folder, int size) throws Exception {
        EtcdCluster cluster = new EtcdCluster();
        for (int i = 1; i <= size; i++) {
            cluster.nodes.add(new Node(folder, "node" + i, Ports.free(), Ports.free()));
        }
        String members = cluster.nodes.stream()
                .map(node -> node.name + '=' + node.peerUrl())
                .collect(Collectors.joining(","));
        try {
            for (Node node : cluster.nodes) {
                node.members = members;
                node.start();
            }
            for (Node node : cluster.nodes) {
                node.awaitHealthy();
            }
        } catch (Exception | Error e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    /** One process; its methods return without waiting for the cluster. */
    public static final class Node {
        private final String name;
        private final Path data;
        private final Path log;
        private final int port;
        private final int peerPort;
        private String members;
        private Process process;

        private Node(Path folder, String name, int port, int peerPort) {
            this.name = name;
            this.data = folder.resolve(name);
            this.log = folder.resolve(name + ".log");
            this.port = port;
            this.peerPort = peerPort;
        }

        /** For clients. */
        public int port() {
            return port;
        }

        private String url() {
            return "http://127.0.0.1:" + port;
        }

        private String peerUrl() {
            return "http://127.0.0.1:" + peerPort;
        }

        /** Starts it, the first time or again with the same data. */
        public void start() throws IOException {
            process = new ProcessBuilder(
                            "etcd",
                            "--name=" + name,
                            "--data-dir=" + data,
                            "--listen-client-urls=" + url(),
                            "--advertise-client-urls=" + url(),
                            "--listen-peer-urls=" + peerUrl(),
                            "--initial-advertise-peer-urls=" + peerUrl(),
                            "--initial-cluster=" + members)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        }

        public boolean isRunning() {
            return process != null && process.isAlive();
        }

        /** Whether it serves, which needs most of the nodes. */
        public boolean isHealthy() throws InterruptedException {
            try {
                return isRunning() && get("/health").contains("\"true\"");
            } catch (IOException e) {
                return false;
            }
        }

        public void awaitHealthy() throws Exception {
            Await.until(TO_START, name + " of etcd serves; its log: " + log, this::isHealthy);
        }

        /** The number of a metric, summed over its labels. */
        public double metric(String metric) throws IOException, InterruptedException {
            return get("/metrics")
                    .lines()
                    .filter(line -> line.startsWith(metric + ' ') || line.startsWith(metric + '{'))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }

        /** SIGKILL. */
        public void kill() throws InterruptedException {
            end(process.destroyForcibly());
        }

        /** SIGTERM: streams end cleanly. */
        public void stop() throws InterruptedException {
            process.destroy();
            end(process);
        }

        /** SIGSTOP: connections stay, nothing is answered. */
        public void freeze() throws IOException, InterruptedException {
            signal("-STOP");
        }

        /** SIGCONT. */
        public void thaw() throws IOException, InterruptedException {
            signal("-CONT");
        }

        private void signal(String signal) throws IOException, InterruptedException {
            end(new ProcessBuilder("kill", signal, Long.toString(process.pid())).start());
        }

        private static void end(Process ending) throws InterruptedException {
            if (!ending.waitFor(TO_END_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("a process does not end: " + ending.info());
            }
        }

        private String get(String path) throws IOException, InterruptedException {
            return send(HttpRequest.newBuilder(URI.create(url() + path)).GET());
        }

        private String post(String path, String json) throws IOException, InterruptedException {
            return send(HttpRequest.newBuilder(URI.create(url() + "/v3/" + path))
                    .POST(HttpRequest.BodyPublishers.ofString(json)));
        }

        private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
            HttpResponse<String> response =
                    HTTP.send(request.timeout(TO_ANSWER).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(response.uri() + ": " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        }

        private boolean isLeader() throws InterruptedException {
            try {
                Map<String, String> status =
                        objects(post("maintenance/status", "{}")).get(0);
                return isRunning() && status.get("member_id").equals(status.get("leader"));
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    /** As the setting {@code registry} takes it. */
    public String uri() {
        return nodes.stream().map(node -> "127.0.0.1:" + node.port).collect(Collectors.joining(",", "etcd://", ""));
    }

    /** The leader, once there is one. */
    public Node leader() throws Exception {
        List<Node> found = new ArrayList<>();
        Await.until(TO_START, "etcd has a leader", () -> {
            for (Node node : nodes) {
                if (node.isRunning() && node.isLeader()) {
                    found.add(node);
                    return true;
                }
            }
            return false;
        });
        return found.get(0);
    }

    /** Returns when all nodes that run serve. */
    public void awaitHealthy() throws Exception {
        for (Node node : nodes) {
            if (node.isRunning()) {
                node.awaitHealthy();
            }
        }
    }

    /** Puts without a lease, like {@code etcdctl put}. */
    public void put(String key, String value) throws IOException, InterruptedException {
        post("kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
    }

    public void delete(String key) throws IOException, InterruptedException {
        post("kv/deleterange", "{\"key\":\"" + base64(key) + "\"}");
    }

    public void revoke(long lease) throws IOException, InterruptedException {
        post("lease/revoke", "{\"ID\":\"" + lease + "\"}");
    }

    /** All keys with this prefix. */
    public Map<String, Entry> entries(String prefix) throws IOException, InterruptedException {
        String end = prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
        Map<String, Entry> entries = new TreeMap<>();
        for (Map<String, String> fields : objects(
                post("kv/range", "{\"key\":\"" + base64(prefix) + "\",\"range_end\":\"" + base64(end) + "\"}"))) {
            if (fields.containsKey("mod_revision")) {
                entries.put(
                        text(fields.get("key")),
                        new Entry(
                                text(fields.getOrDefault("value", "")),
                                Long.parseLong(fields.getOrDefault("lease", "0"))));
            }
        }
        return entries;
    }

    private String post(String path, String json) throws IOException, InterruptedException {
        IOException failure = new IOException("etcd: no node runs");
        for (Node node : nodes) {
            if (node.isRunning()) {
                try {
                    return node.post(path, json);
                } catch (IOException e) {
                    failure = e;
                }
            }
        }
        throw failure;
    }

    /** The scalar fields of the answer itself and its header together, and then those of each object in an array. */
    private static List<Map<String, String>> objects(String json) throws IOException {
        List<Map<String, String>> objects = new ArrayList<>();
        objects.add(new TreeMap<>());
        Map<String, String> fields = objects.get(0);
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT
                        && parser.getParsingContext().getParent().inArray()) {
                    fields = new TreeMap<>();
                    objects.add(fields);
                } else if (token == JsonToken.END_ARRAY) {
                    fields = objects.get(0);
                } else if (token.isScalarValue() && parser.currentName() != null) {
                    fields.put(parser.currentName(), parser.getText());
                }
            }
        }
        return objects;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), UTF_8);
    }

    /** Ends all nodes. */
    @Override
    public void close() {
        for (Node node : nodes) {
            if (node.isRunning()) {
                node.process.destroyForcibly();
            }
        }
        for (Node node : nodes) {
            if (node.process != null) {
                node.process
                        .onExit()
                        .orTimeout(TO_END_SECONDS, TimeUnit.SECONDS)
                        .join();
            }
        }
    }
}
