package io.dubbomesh.chaos.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dubbomesh.benchmark.process.Programs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A real etcd of one node at home, or of three nodes on hosts of their own; asked by its JSON gateway. */
public final class Etcd {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final String PREFIX = "/dubbomesh/";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final ObjectMapper json = new ObjectMapper();
    private final List<Part> nodes = new ArrayList<>();
    private final List<Path> data = new ArrayList<>();

    /** A key as the registry has it, with the lease that it hangs on. */
    public record Entry(String value, long lease) {}

    private Etcd() {}

    static Etcd start(Site site, int count) throws IOException, InterruptedException {
        Etcd etcd = new Etcd();
        List<Host> hosts = new ArrayList<>();
        List<Integer> peerPorts = new ArrayList<>();
        StringBuilder cluster = new StringBuilder();
        for (int i = 0; i < count; i++) {
            hosts.add(count == 1 ? Host.HOME : site.network().addHost());
            peerPorts.add(site.port());
            cluster.append(i == 0 ? "" : ",").append("etcd-" + i + "=" + url(hosts.get(i), peerPorts.get(i)));
        }
        for (int i = 0; i < count; i++) {
            etcd.addNode(site, "etcd-" + i, hosts.get(i), peerPorts.get(i), cluster.toString());
        }
        for (Part node : etcd.nodes) {
            node.start();
        }
        for (Part node : etcd.nodes) {
            node.awaitReady();
        }
        return etcd;
    }

    private void addNode(Site site, String name, Host host, int peerPort, String cluster) {
        int port = site.port();
        Path directory = site.directory().resolve(name);
        data.add(directory);
        String peer = url(host, peerPort);
        List<String> command = Programs.command(
                "etcd --log-level warn",
                "--name=" + name,
                "--data-dir=" + directory,
                // Hosts reach the one at home by several addresses, all within this network namespace.
                "--listen-client-urls=http://0.0.0.0:" + port,
                "--advertise-client-urls=" + url(host, port),
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + cluster);
        nodes.add(site.part(name, host, port, command, url(host, port) + "/health"));
    }

    private static String url(Host host, int port) {
        return "http://" + host.address() + ":" + port;
    }

    /** As the setting {@code registry} has it for an agent on this host. */
    public String uri(Host from) {
        List<String> addresses = new ArrayList<>();
        for (Part node : nodes) {
            String address =
                    node.host().namespace() == null ? from.home() : node.host().address();
            addresses.add(address + ":" + node.port());
        }
        return "etcd://" + String.join(",", addresses);
    }

    public Part node(int number) {
        return nodes.get(number);
    }

    public int port() {
        return nodes.get(0).port();
    }

    public static String key(String service, String address) {
        return PREFIX + service + "/" + address;
    }

    /** Of a cluster that has one. */
    public Part leader() throws IOException, InterruptedException {
        for (Part node : nodes) {
            JsonNode status = node.isAlive() ? ask(node, "maintenance/status", "{}") : null;
            if (status != null
                    && status.path("leader")
                            .asText("")
                            .equals(status.path("header").path("member_id").asText())) {
                return node;
            }
        }
        throw new IOException("no node of etcd is the leader");
    }

    /** Kills every node and deletes what they have stored. */
    public void wipe() throws IOException, InterruptedException {
        for (Part node : nodes) {
            node.kill();
        }
        for (Path directory : data) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    public void put(String key, String value) throws IOException, InterruptedException {
        ask("kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
    }

    public void delete(String key) throws IOException, InterruptedException {
        ask("kv/deleterange", "{\"key\":\"" + base64(key) + "\"}");
    }

    public void revoke(long lease) throws IOException, InterruptedException {
        ask("lease/revoke", "{\"ID\":\"" + lease + "\"}");
    }

    /** Forgets all that was changed before now. */
    public void compact() throws IOException, InterruptedException {
        String revision = ask("kv/range", "{\"key\":\"" + base64(PREFIX) + "\"}")
                .path("header")
                .path("revision")
                .asText();
        ask("kv/compaction", "{\"revision\":\"" + revision + "\",\"physical\":true}");
    }

    /** All keys of a service, or of everything below {@code prefix}. */
    public Map<String, Entry> entries(String prefix) throws IOException, InterruptedException {
        String end = prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
        JsonNode answer = ask("kv/range", "{\"key\":\"" + base64(prefix) + "\",\"range_end\":\"" + base64(end) + "\"}");
        Map<String, Entry> entries = new TreeMap<>();
        for (JsonNode pair : answer.path("kvs")) {
            entries.put(
                    text(pair.path("key")),
                    new Entry(text(pair.path("value")), pair.path("lease").asLong(0)));
        }
        return entries;
    }

    /** Of the usual service. */
    public Map<String, Entry> entries() throws IOException, InterruptedException {
        return entries(PREFIX);
    }

    /** A figure of etcd's page of metrics, 0 if it is not there. */
    public double metric(String name) throws IOException, InterruptedException {
        HttpResponse<String> page = http.send(
                HttpRequest.newBuilder(URI.create(url(nodes.get(0).host(), port()) + "/metrics"))
                        .timeout(TIMEOUT)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return page.body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String text(JsonNode base64) {
        return new String(Base64.getDecoder().decode(base64.asText("")), UTF_8);
    }

    /** Of the first node that answers. */
    private JsonNode ask(String path, String request) throws IOException, InterruptedException {
        IOException failure = new IOException("no node of etcd is alive");
        for (Part node : nodes) {
            if (node.isAlive()) {
                try {
                    return ask(node, path, request);
                } catch (IOException e) {
                    failure = e;
                }
            }
        }
        throw failure;
    }

    private JsonNode ask(Part node, String path, String request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create(url(node.host(), node.port()) + "/v3/" + path))
                        .timeout(TIMEOUT)
                        .POST(HttpRequest.BodyPublishers.ofString(request))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("etcd: " + path + ": " + response.statusCode() + ": " + response.body());
        }
        return json.readTree(response.body());
    }
}
