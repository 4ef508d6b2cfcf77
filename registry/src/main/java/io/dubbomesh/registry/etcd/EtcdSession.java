package io.dubbomesh.registry.etcd;

import io.dubbomesh.runtime.HostPort;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;

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
 * A connection to one member of etcd, used until its first failure and then thrown away: a new one has neither gRPC's growing
 * pause between attempts to connect nor a watch that resumed in silence.
 */
final class EtcdSession implements AutoCloseable {
    // It says on standard error that native epoll is missing, and each time that a connection was refused.
    // Held, because a logger that nobody refers to forgets its level.
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    static {
        GRPC.setLevel(Level.SEVERE);
    }

    private final HostPort member;
    private final Patience patience;
    private final Client client;
    private volatile boolean closed;

    EtcdSession(HostPort member, long connectTimeoutMs, Patience patience) {
        this.member = member;
        this.patience = patience;
        this.client = Client.builder()
                .target("ip:///" + member.toString().replace("[", "%5B").replace("]", "%5D"))
                .connectTimeout(Duration.ofMillis(connectTimeoutMs))
                .waitForReady(false)
                .retryMaxAttempts(0)
                .build();
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

    /** How long an answer may take at present. */
    long patienceMs() {
        return patience.ms();
    }

    /** Waits for an answer of etcd, for as long as there is patience. */
    <T> T await(CompletableFuture<T> answer) throws EtcdFailure, InterruptedException {
        long waitMs = patience.ms();
        long askedNs = System.nanoTime();
        try {
            T value = answer.get(waitMs, TimeUnit.MILLISECONDS);
            patience.answered(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - askedNs));
            return value;
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            answer.cancel(false);
            patience.ranOut();
            throw new EtcdFailure("no answer within " + waitMs + " ms", EtcdFailure.Kind.OTHER);
        }
    }

    private static EtcdFailure failure(Throwable cause) {
        EtcdFailure.Kind kind =
                switch (EtcdExceptionFactory.toEtcdException(cause).getErrorCode()) {
                    case NOT_FOUND -> EtcdFailure.Kind.NOT_FOUND;
                    case RESOURCE_EXHAUSTED -> EtcdFailure.Kind.TOO_LARGE;
                    default -> EtcdFailure.Kind.OTHER;
                };
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new EtcdFailure(root.getMessage() == null ? root.toString() : root.getMessage(), kind);
    }

    /**
     * Watches from {@code revision} on. Both callbacks come from jetcd's threads, and none once the session is closed;
     * {@code onEnd} when nothing more can be relied on, whatever jetcd may try by itself.
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
                                        onEnd.accept("watch ended by etcd");
                                    }
                                }));
    }

    /** Has every watch of this session answer with a response that bears no events. */
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
