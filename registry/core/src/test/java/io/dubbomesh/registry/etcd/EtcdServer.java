package io.dubbomesh.registry.etcd;

import io.dubbomesh.testsupport.Ports;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A real etcd for tests: starts {@code etcd} from the PATH (Debian: etcd-server) as a process, on ports that stay the
 * same when it is restarted, and does to it what an operator would do by hand.
 */
public final class EtcdServer implements AutoCloseable {
    private static final long ANSWER_SECONDS = 10;
    private static final long READY_SECONDS = 30;

    private final Path data;
    private final int port;
    private final int peerPort;
    private final Path certificates;
    private final String name;
    private final List<String> options;
    private final List<String> log = new CopyOnWriteArrayList<>();
    private Process process;
    private Client client;

    private EtcdServer(Path data, Path certificates, String name, List<String> options) {
        this.data = data;
        this.certificates = certificates;
        this.name = name;
        this.options = options;
        this.port = Ports.free();
        this.peerPort = Ports.free();
    }

    /** Starts it, with its data below {@code folder}, and returns when it is ready. */
    public static EtcdServer start(Path folder) {
        return start(folder, null, "", List.of());
    }

    /** Starts it with further options of its command line. */
    public static EtcdServer startWith(Path folder, String... options) {
        return start(folder, null, "", List.of(options));
    }

    /**
     * Starts one that speaks TLS, and only with clients whose certificates the authority there has signed: ca.crt,
     * NAME.crt, NAME.key.
     */
    public static EtcdServer startWithTls(Path folder, Path certificates, String name) {
        return start(folder, certificates, name, List.of());
    }

    private static EtcdServer start(Path folder, Path certificates, String name, List<String> options) {
        EtcdServer server = new EtcdServer(folder.resolve("etcd-data"), certificates, name, options);
        server.start();
        return server;
    }

    /** As the setting {@code registry} takes it. */
    public String uri() {
        return "etcd://127.0.0.1:" + port;
    }

    /** As etcd's own tools take it. */
    public String url() {
        return (certificates == null ? "http" : "https") + "://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /** Starts it again, and returns when it serves. */
    public void start() {
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                "etcd",
                "--data-dir=" + data,
                "--listen-client-urls=" + url(),
                "--advertise-client-urls=" + url(),
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer));
        command.addAll(options);
        if (certificates != null) {
            command.addAll(List.of(
                    "--client-cert-auth",
                    "--trusted-ca-file=" + certificates.resolve("ca.crt"),
                    "--cert-file=" + certificates.resolve(name + ".crt"),
                    "--key-file=" + certificates.resolve(name + ".key")));
        }
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "these tests need etcd in the PATH (Debian: apt-get install etcd-server)", e);
        }
        CompletableFuture<Void> ready = new CompletableFuture<>();
        Thread reader = new Thread(() -> readLog(process, ready), "etcd-log");
        reader.setDaemon(true);
        reader.start();
        await(ready, READY_SECONDS);
    }

    /** Starts it again if a test has ended it. */
    public void startIfEnded() {
        if (!process.isAlive()) {
            start();
        }
    }

    private void readLog(Process process, CompletableFuture<Void> ready) {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("ready to serve client requests")) {
                    ready.complete(null);
                }
                log.add(line);
            }
        } catch (IOException e) {
            log.add(e.toString());
        }
        ready.completeExceptionally(new IllegalStateException("etcd ended:\n" + String.join("\n", log)));
    }

    /** How many lines of its log have this text. */
    public long logged(String text) {
        return log.stream().filter(line -> line.contains(text)).count();
    }

    /** SIGKILL. */
    public void kill() {
        disconnect();
        end(process.destroyForcibly());
    }

    /** SIGTERM: streams end cleanly. */
    public void stop() {
        disconnect();
        process.destroy();
        end(process);
    }

    /** SIGSTOP: connections stay, nothing is answered. */
    public void freeze() {
        signal("-STOP");
    }

    /** SIGCONT. */
    public void thaw() {
        signal("-CONT");
    }

    private void signal(String name) {
        try {
            end(new ProcessBuilder("kill", name, Long.toString(process.pid())).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void end(Process ending) {
        try {
            if (!ending.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a process does not end: " + ending.info());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Deletes all its data; only while it is not running. */
    public void wipe() {
        try (Stream<Path> all = Files.walk(data)) {
            for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts without a lease, like {@code etcdctl put}. */
    public void put(String key, String value) {
        put(key, value.getBytes(UTF_8));
    }

    public void put(String key, byte[] value) {
        await(client().getKVClient().put(bytes(key), ByteSequence.from(value)), ANSWER_SECONDS);
    }

    public void delete(String key) {
        await(client().getKVClient().delete(bytes(key)), ANSWER_SECONDS);
    }

    /** Like {@code etcdctl del --prefix}. */
    public void deleteAll(String prefix) {
        DeleteOption option = DeleteOption.builder().isPrefix(true).build();
        await(client().getKVClient().delete(bytes(prefix), option), ANSWER_SECONDS);
    }

    public void revoke(long lease) {
        await(client().getLeaseClient().revoke(lease), ANSWER_SECONDS);
    }

    /** Compacts every revision but the newest. */
    public void compact() {
        long revision = await(client().getKVClient().get(bytes("/")), ANSWER_SECONDS)
                .getHeader()
                .getRevision();
        await(client().getKVClient().compact(revision), ANSWER_SECONDS);
    }

    /** All keys with this prefix, and their values. */
    public Map<String, String> entries(String prefix) {
        Map<String, String> entries = new TreeMap<>();
        keyValues(prefix)
                .forEach((key, value) -> entries.put(key, value.getValue().toString(UTF_8)));
        return entries;
    }

    /** The lease of each key with this prefix, 0 for none. */
    public Map<String, Long> leases(String prefix) {
        Map<String, Long> leases = new TreeMap<>();
        keyValues(prefix).forEach((key, value) -> leases.put(key, value.getLease()));
        return leases;
    }

    /** When the key was put last. */
    public long revision(String key) {
        return keyValues(key).get(key).getModRevision();
    }

    private Map<String, KeyValue> keyValues(String prefix) {
        Map<String, KeyValue> found = new TreeMap<>();
        GetOption option = GetOption.builder().isPrefix(true).build();
        for (KeyValue entry : await(client().getKVClient().get(bytes(prefix), option), ANSWER_SECONDS)
                .getKvs()) {
            found.put(entry.getKey().toString(UTF_8), entry);
        }
        return found;
    }

    /** A client of this server, closed with it. */
    public Client client() {
        if (client == null) {
            client = Client.builder().endpoints(url()).build();
        }
        return client;
    }

    /** The number of a metric without labels. */
    public double metric(String name) {
        try (InputStream page = URI.create(url() + "/metrics").toURL().openStream()) {
            return new String(page.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name + ' '))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void disconnect() {
        if (client != null) {
            client.close();
            client = null;
        }
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    private static <T> T await(CompletableFuture<T> answer, long seconds) {
        try {
            return answer.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new IllegalStateException("etcd: no answer", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        } else {
            disconnect();
        }
    }
}
