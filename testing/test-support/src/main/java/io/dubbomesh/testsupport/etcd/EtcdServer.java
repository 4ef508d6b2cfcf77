package io.dubbomesh.testsupport.etcd;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.process.RunningProcess;
import io.dubbomesh.testsupport.process.Signal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real etcd, alone or a node of an {@link EtcdCluster}: a process of the {@code etcd} in the PATH (Debian:
 * etcd-server), on loopback ports that stay the same when it is started again.
 */
public final class EtcdServer extends EtcdGateway implements AutoCloseable {
    private static final Duration TO_START = Duration.ofSeconds(30);
    private static final Duration TO_END = Duration.ofSeconds(10);

    /** Passwords are hashed at every login: at the cost of production, 70 ms of a processor each. */
    private static final List<String> CHEAP_LOGINS = List.of("--bcrypt-cost=4");

    /** A node without peers elects itself, one of these timeouts after its start rather than one of a second. */
    private static final List<String> SOON_ELECTED = List.of("--heartbeat-interval=10", "--election-timeout=100");

    private final String name;
    private final Path data;
    private final Path log;
    private final int port = Ports.free();
    private final int peerPort = Ports.free();
    private final boolean tls;
    private final List<String> options;
    private String members;
    private RunningProcess process;

    EtcdServer(Path folder, String name, boolean tls, List<String> options) {
        this.name = name;
        this.data = folder.resolve(name);
        this.log = folder.resolve(name + ".log");
        this.tls = tls;
        this.options = options;
        members = member();
    }

    /** Starts it, with its data and its log below {@code folder}, and returns when it serves. */
    public static EtcdServer start(Path folder) {
        return startWith(folder);
    }

    /** Starts it with further options of its command line. */
    public static EtcdServer startWith(Path folder, String... options) {
        return started(new EtcdServer(folder, "etcd", false, List.of(options)));
    }

    /**
     * Starts one that speaks TLS, and only with clients whose certificates the authority there has signed: ca.crt,
     * NAME.crt, NAME.key.
     */
    public static EtcdServer startWithTls(Path folder, Path certificates, String name) {
        List<String> options = List.of(
                "--client-cert-auth",
                "--trusted-ca-file=" + certificates.resolve("ca.crt"),
                "--cert-file=" + certificates.resolve(name + ".crt"),
                "--key-file=" + certificates.resolve(name + ".key"));
        return started(new EtcdServer(folder, "etcd", true, options));
    }

    private static EtcdServer started(EtcdServer server) {
        server.start();
        return server;
    }

    /**
     * Returns the command of a node.
     *
     * @param listen the URL on which clients are served
     * @param client the URL that clients use
     * @param peer the URL of the node for its peers
     * @param members name=peer of each node of the cluster, separated by commas
     */
    public static List<String> command(
            String name, Path data, String listen, String client, String peer, String members) {
        return new ArrayList<>(List.of(
                "etcd",
                "--name=" + name,
                "--data-dir=" + data,
                "--listen-client-urls=" + listen,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + members));
    }

    String member() {
        return name + "=" + peerUrl();
    }

    private String peerUrl() {
        return "http://127.0.0.1:" + peerPort;
    }

    void joinCluster(String all) {
        members = all;
    }

    /** Returns its URI as the setting {@code registry} has it. */
    public String uri() {
        return "etcd://127.0.0.1:" + port;
    }

    /** Returns its URL as etcd's own tools take it. */
    public String url() {
        return (tls ? "https" : "http") + "://127.0.0.1:" + port;
    }

    @Override
    protected List<String> urls() {
        return isRunning() ? List.of(url()) : List.of();
    }

    /** Returns the port for clients. */
    public int port() {
        return port;
    }

    /** Starts it, the first time or again with the same data, and returns when it serves. */
    public void start() {
        launch();
        awaitServing();
    }

    /** Starts it again if a test has ended it. */
    public void startIfEnded() {
        if (!isRunning()) {
            start();
        }
    }

    /** Starts it without waiting until it serves, which needs most of its cluster. */
    public void launch() {
        List<String> command = command(name, data, url(), url(), peerUrl(), members);
        command.addAll(CHEAP_LOGINS);
        if (members.equals(member())) {
            command.addAll(SOON_ELECTED);
        }
        command.addAll(options);
        try {
            process = RunningProcess.start(log, command);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "these tests need etcd in the PATH (Debian: apt-get install etcd-server)", e);
        }
    }

    void awaitServing() {
        try {
            process.awaitOutput("ready to serve client requests", TO_START);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public void awaitHealthy() throws Exception {
        Await.until(TO_START, name + " of etcd serves; its log: " + log, this::isHealthy);
    }

    public boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Returns how many lines of its log have this text. */
    public long logged(String text) {
        return process.output().lines().filter(line -> line.contains(text)).count();
    }

    /** Sends SIGKILL. */
    public void kill() {
        try {
            process.kill();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends SIGTERM: streams end cleanly. */
    public void stop() {
        process.terminate();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.endsWithin(TO_END)) {
                throw new IllegalStateException(name + " of etcd does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops its threads: connections stay, nothing is answered. */
    public void freeze() {
        process.send(Signal.STOP);
    }

    public void thaw() {
        process.send(Signal.CONT);
    }

    /** Deletes all its data; only while it is not running. */
    public void wipe() {
        wipe(data);
    }

    /** Deletes the data of a node that is not running. */
    public static void wipe(Path data) {
        try (Stream<Path> all = Files.walk(data)) {
            for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (isRunning()) {
            kill();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
