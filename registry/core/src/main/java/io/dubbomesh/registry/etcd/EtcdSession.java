package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SocketFailure;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A connection to one member of etcd, used until its first failure: a new one has neither gRPC's back-off between
 * attempts to connect nor a watch that was resumed without telling.
 */
final class EtcdSession implements AutoCloseable {
    // gRPC reports on standard error that native epoll is missing, and each connection that was refused.
    // A field, because a logger without a reference is collected and loses its level.
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    static {
        GRPC.setLevel(Level.SEVERE);
    }

    private static final String EXPIRED_TOKEN = "invalid auth token";
    private static final String OLD_TOKEN = "revision of auth store is old";
    private static final String WRONG_PASSWORD = "authentication failed";

    private final HostPort member;
    private final AdaptiveTimeout timeout;
    private final long connectTimeoutMs;
    private final Client client;
    private volatile boolean closed;

    /**
     * @param host of the member as the operator has named it
     * @throws EtcdFailure if a file of the access cannot be used
     */
    EtcdSession(HostPort member, String host, EtcdAccess access, long connectTimeoutMs, AdaptiveTimeout timeout)
            throws EtcdFailure {
        this.member = member;
        this.connectTimeoutMs = connectTimeoutMs;
        this.timeout = timeout;
        ClientBuilder connection = Client.builder()
                .target("ip:///" + member.toString().replace("[", "%5B").replace("]", "%5D"))
                .connectTimeout(Duration.ofMillis(connectTimeoutMs))
                .waitForReady(false)
                .retryMaxAttempts(0)
                // A member without a leader refuses at once instead of letting the request wait.
                .header("hasleader", "true");
        try {
            access.addTo(connection, host);
        } catch (IllegalArgumentException e) {
            throw new EtcdFailure(e.getMessage(), EtcdFailure.Kind.OTHER);
        }
        this.client = connection.build();
    }

    HostPort member() {
        return member;
    }

    KV kv() {
        return client.getKVClient();
    }

    Lease leases() {
        return client.getLeaseClient();
    }

    /** Returns the time that an answer may take at present. */
    long timeoutMs() {
        return timeout.ms();
    }

    /** Opens a connection and closes it, which costs far less than a gRPC client that reaches no server. */
    void checkReachable() throws EtcdFailure {
        try (Socket socket = new Socket()) {
            connect(socket);
        } catch (IOException e) {
            throw new EtcdFailure(String.valueOf(e.getMessage()), EtcdFailure.Kind.OTHER);
        }
    }

    private void connect(Socket socket) throws IOException {
        socket.connect(new InetSocketAddress(member.host(), member.port()), (int) connectTimeoutMs);
    }

    /** Returns the address by which this machine reaches the member, to be registered. */
    String localHost() throws EtcdFailure {
        try (Socket socket = new Socket()) {
            connect(socket);
            String host = socket.getLocalAddress().getHostAddress();
            try {
                return ReachableAddress.checkedHost(host);
            } catch (IllegalArgumentException e) {
                throw new EtcdFailure(
                        "the local address " + host + " cannot be registered, set advertise.host",
                        EtcdFailure.Kind.OTHER);
            }
        } catch (IOException e) {
            throw new EtcdFailure(String.valueOf(e.getMessage()), EtcdFailure.Kind.OTHER);
        }
    }

    /** Waits for an answer of etcd, up to the timeout. */
    <T> T await(CompletableFuture<T> answer) throws EtcdFailure, InterruptedException {
        long waitMs = timeout.ms();
        long askedNs = System.nanoTime();
        try {
            T value = answer.get(waitMs, TimeUnit.MILLISECONDS);
            timeout.answered(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - askedNs));
            return value;
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(false);
            timeout.expired();
            throw new EtcdFailure("no answer within " + waitMs + " ms", EtcdFailure.Kind.OTHER);
        }
    }

    private static EtcdFailure failure(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String reason = SocketFailure.reason(root);
        EtcdFailure.Kind kind =
                switch (EtcdExceptionFactory.toEtcdException(cause).getErrorCode()) {
                    case NOT_FOUND -> EtcdFailure.Kind.NOT_FOUND;
                    case RESOURCE_EXHAUSTED -> EtcdFailure.Kind.TOO_LARGE;
                    case UNAUTHENTICATED, PERMISSION_DENIED ->
                        reason.contains(EXPIRED_TOKEN) ? EtcdFailure.Kind.OLD_TOKEN : EtcdFailure.Kind.REFUSED;
                    case OUT_OF_RANGE -> EtcdFailure.Kind.COMPACTED;
                    default -> kind(reason);
                };
        return new EtcdFailure(reason, kind);
    }

    /** Returns the kind of what is an invalid argument to etcd. */
    private static EtcdFailure.Kind kind(String reason) {
        if (reason.contains(OLD_TOKEN)) {
            return EtcdFailure.Kind.OLD_TOKEN;
        }
        return reason.contains(WRONG_PASSWORD) ? EtcdFailure.Kind.REFUSED : EtcdFailure.Kind.OTHER;
    }

    /**
     * Watches from {@code revision} on. Threads of jetcd call both callbacks, until the session is closed; {@code
     * onEnd} when changes may be missed from now on, though jetcd tries again by itself.
     */
    void watch(String key, boolean prefix, long revision, Consumer<WatchResponse> onNext, Consumer<String> onEnd) {
        WatchOption option = WatchOption.builder()
                .isPrefix(prefix)
                .withRevision(revision)
                .withRequireLeader(true)
                .build();
        client.getWatchClient()
                .watch(
                        bytes(key),
                        option,
                        Watch.listener(
                                response -> {
                                    if (!closed) {
                                        onNext.accept(response);
                                    }
                                },
                                error -> {
                                    if (!closed) {
                                        onEnd.accept(failure(error).getMessage());
                                    }
                                },
                                () -> {
                                    if (!closed) {
                                        onEnd.accept("etcd ended the watch");
                                    }
                                }));
    }

    /** Makes every watch of this session answer with a response without events. */
    void requestProgress() {
        client.getWatchClient().requestProgress();
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    static String text(ByteSequence bytes) {
        return bytes.toString(UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        client.close();
    }
}
