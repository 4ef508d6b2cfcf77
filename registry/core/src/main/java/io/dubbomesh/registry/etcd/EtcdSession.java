package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.registry.etcd.client.EtcdClient;
import io.dubbomesh.registry.etcd.client.WatchRequest;
import io.dubbomesh.registry.etcd.client.WatchResponse;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.transport.grpc.GrpcException;
import io.dubbomesh.transport.grpc.GrpcPeer;
import io.netty.handler.ssl.SslContext;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A connection to one member of etcd, used until its first failure: then nothing of it is known any more. */
final class EtcdSession implements AutoCloseable {
    private static final String EXPIRED_TOKEN = "invalid auth token";
    private static final String OLD_TOKEN = "revision of auth store is old";
    private static final String WRONG_PASSWORD = "authentication failed";
    private static final String NO_USERS = "authentication is not enabled";

    private final HostPort member;
    private final AdaptiveTimeout timeout;
    private final long connectTimeoutMs;
    private final EtcdClient client;
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
        try {
            this.client = new EtcdClient(peer(member, host, access.tls(), connectTimeoutMs), access.readUser());
        } catch (IllegalArgumentException e) {
            throw new EtcdFailure(e.getMessage(), EtcdFailure.Kind.OTHER);
        }
    }

    private static GrpcPeer peer(HostPort member, String host, SslContext tls, long connectTimeoutMs) {
        return new GrpcPeer(
                new InetSocketAddress(member.host(), member.port()),
                new HostPort(host, member.port()).toString(),
                tls == null
                        ? null
                        : new GrpcPeer.Tls(channel -> tls.newHandler(channel.alloc(), host, member.port()), true),
                (int) connectTimeoutMs);
    }

    HostPort member() {
        return member;
    }

    EtcdClient client() {
        return client;
    }

    /** Returns the time that an answer may take at present. */
    long timeoutMs() {
        return timeout.ms();
    }

    /** Opens a connection and closes it, which costs less than an event loop for a server that is not reached. */
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
        if (!(cause instanceof GrpcException failure)) {
            return new EtcdFailure(SocketFailure.reason(cause), EtcdFailure.Kind.OTHER);
        }
        String reason = failure.getMessage();
        EtcdFailure.Kind kind = switch (failure.status()) {
            case NOT_FOUND -> EtcdFailure.Kind.NOT_FOUND;
            case RESOURCE_EXHAUSTED -> EtcdFailure.Kind.TOO_LARGE;
            case UNAUTHENTICATED, PERMISSION_DENIED ->
                reason.contains(EXPIRED_TOKEN) ? EtcdFailure.Kind.OLD_TOKEN : EtcdFailure.Kind.REFUSED;
            case OUT_OF_RANGE -> EtcdFailure.Kind.COMPACTED;
            default -> kind(reason);
        };
        return new EtcdFailure(reason, kind);
    }

    /**
     * Returns the kind of what is an invalid argument to etcd, asks for what it does not have, or ended a watch, of
     * which etcd tells only the reason.
     */
    private static EtcdFailure.Kind kind(String reason) {
        if (reason.contains(OLD_TOKEN) || reason.contains(EXPIRED_TOKEN)) {
            return EtcdFailure.Kind.OLD_TOKEN;
        }
        boolean isRefused = reason.contains(WRONG_PASSWORD) || reason.contains(NO_USERS);
        return isRefused ? EtcdFailure.Kind.REFUSED : EtcdFailure.Kind.OTHER;
    }

    /**
     * Watches what is asked for. Both callbacks are run by {@code tasks}, and not any more when the session is closed;
     * {@code onEnd} once, with the reason, when changes may be missed from now on.
     */
    void watch(WatchRequest request, Executor tasks, Consumer<WatchResponse> onNext, Consumer<EtcdFailure> onEnd) {
        client.watch(request, tasks, new EtcdClient.WatchListener() {
            @Override
            public void onNext(WatchResponse response) {
                if (!closed) {
                    onNext.accept(response);
                }
            }

            @Override
            public void onEnd(GrpcException failure) {
                if (!closed) {
                    boolean isNamed = failure != null && !failure.getMessage().isEmpty();
                    onEnd.accept(
                            isNamed
                                    ? failure(failure)
                                    : new EtcdFailure("etcd ended the watch", EtcdFailure.Kind.OTHER));
                }
            }
        });
    }

    /** Makes every watch of this session answer with a response without events. */
    void requestProgress() {
        client.requestProgress();
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        client.close();
    }
}
