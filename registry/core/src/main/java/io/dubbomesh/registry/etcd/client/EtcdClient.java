package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.runtime.protobuf.ProtobufBuffer;
import io.dubbomesh.runtime.protobuf.ProtobufReader;
import io.dubbomesh.transport.grpc.GrpcConnection;
import io.dubbomesh.transport.grpc.GrpcException;
import io.dubbomesh.transport.grpc.GrpcPeer;
import io.dubbomesh.transport.grpc.GrpcReceiver;
import io.dubbomesh.transport.grpc.GrpcRequest;
import io.dubbomesh.transport.grpc.GrpcStatus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Calls of etcd at one member, over one connection that the first of them opens. A user gets a token before the first
 * call, and none after it: when the token has expired, or the connection has failed, every call fails, and another
 * client is needed. Answers and failures, each a {@link GrpcException}, come on the connection's event loop. A call has
 * no timeout of its own. Used by one thread.
 */
public final class EtcdClient implements AutoCloseable {
    private static final int CAPACITY = 128;
    /** The most bytes of changes that wait to be taken by their watch. */
    static final int MAX_WAITING = 16 << 20;
    /** What a response takes beside its bytes. */
    private static final int RESPONSE_OVERHEAD = 256;

    private static final String API = "/etcdserverpb.";
    /** The fields of requests that have nothing but these. */
    private static final int FIRST = 1;

    private static final int SECOND = 2;
    private static final int TOKEN = 2;

    private final GrpcConnection connection;
    private final AccessFiles.User user;
    /** Null before the first call; completed with null where there is no user. */
    private CompletableFuture<String> token;

    private final List<CompletableFuture<GrpcConnection.Started>> watches = new ArrayList<>();

    /** Takes what a watch reports; called by the executor that the watch has been given. */
    public interface WatchListener {
        /** Called with changes, and with the answer to {@link EtcdClient#requestProgress}. */
        void onNext(WatchResponse response);

        /** Called once, when changes may be missed from now on; {@code failure} is null if etcd gives no reason. */
        void onEnd(GrpcException failure);
    }

    /** @param user null for none */
    public EtcdClient(GrpcPeer member, AccessFiles.User user) {
        this.connection = new GrpcConnection(member, "registry-etcd");
        this.user = user;
    }

    public CompletableFuture<RangeResponse> range(RangeRequest request) {
        return unary("KV/Range", request::write, RangeResponse::read);
    }

    public CompletableFuture<TxnResponse> txn(TxnRequest request) {
        return unary("KV/Txn", request::write, TxnResponse::read);
    }

    /** Asks for a lease that ends after so many seconds unless it is prolonged. */
    public CompletableFuture<LeaseState> grantLease(long seconds) {
        return unary("Lease/LeaseGrant", out -> out.varintField(FIRST, seconds), LeaseState::readGrant);
    }

    public CompletableFuture<LeaseState> prolongLease(long id) {
        byte[] message = message(out -> out.varintField(FIRST, id));
        return token().thenCompose(own -> {
            CompletableFuture<LeaseState> answer = new CompletableFuture<>();
            GrpcConnection.Started call = connection.begin(
                    request("Lease/LeaseKeepAlive", own, message), new FirstAnswer<>(answer, LeaseState::readGrant));
            return answer.whenComplete((state, failure) -> call.finish());
        });
    }

    /** Asks for the lease and for the keys that are attached to it. */
    public CompletableFuture<LeaseState> leaseWithKeys(long id) {
        return unary(
                "Lease/LeaseTimeToLive",
                out -> {
                    out.varintField(SECOND, 1);
                    out.varintField(FIRST, id);
                },
                LeaseState::read);
    }

    public CompletableFuture<?> revokeLease(long id) {
        return unary("Lease/LeaseRevoke", out -> out.varintField(FIRST, id), answer -> id);
    }

    /**
     * Watches until etcd or the connection ends it, or until changes of more than {@value #MAX_WAITING} bytes wait to
     * be taken.
     *
     * @param tasks runs the listener in the order of the reports
     */
    public void watch(WatchRequest request, Executor tasks, WatchListener listener) {
        byte[] message = message(request::write);
        Watching watching = new Watching(tasks, listener);
        watches.add(token().whenComplete((own, failure) -> {
                    if (failure != null) {
                        watching.onEnd((GrpcException) failure);
                    }
                })
                .thenApply(own -> connection.begin(request("Watch/Watch", own, message), watching)));
    }

    /** Makes every watch report how far it is, by a response without events. */
    public void requestProgress() {
        byte[] message = message(WatchRequest::writeProgress);
        watches.forEach(watch -> watch.thenAccept(started -> started.send(message)));
    }

    private CompletableFuture<String> token() {
        if (token == null) {
            token = user == null ? CompletableFuture.completedFuture(null) : authenticate();
        }
        return token;
    }

    private CompletableFuture<String> authenticate() {
        byte[] message = message(out -> {
            out.textField(SECOND, user.password());
            out.textField(FIRST, user.name());
        });
        return unary("Auth/Authenticate", null, message, EtcdClient::readToken);
    }

    private static String readToken(ProtobufReader message) {
        String token = "";
        while (message.next()) {
            if (message.field() == TOKEN) {
                token = message.text();
            } else {
                message.skip();
            }
        }
        return token;
    }

    private <T> CompletableFuture<T> unary(
            String method, Consumer<ProtobufBuffer> request, Function<ProtobufReader, T> read) {
        byte[] message = message(request);
        return token().thenCompose(own -> unary(method, own, message, read));
    }

    private <T> CompletableFuture<T> unary(
            String method, String own, byte[] message, Function<ProtobufReader, T> read) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        connection.call(request(method, own, message), new Answer<>(answer, read));
        return answer;
    }

    /** @param own a token; null for none */
    private static GrpcRequest request(String method, String own, byte[] message) {
        Map<String, String> fields = new LinkedHashMap<>();
        // A member without a leader refuses at once instead of letting the request wait.
        fields.put("hasleader", "true");
        if (own != null) {
            fields.put("token", own);
        }
        return new GrpcRequest(API + method, "application/grpc", fields, message);
    }

    private static byte[] message(Consumer<ProtobufBuffer> request) {
        ProtobufBuffer out = new ProtobufBuffer(CAPACITY);
        request.accept(out);
        return Arrays.copyOfRange(out.array(), out.offset(), out.offset() + out.length());
    }

    /** The one message of an answer, which counts when the call has ended well. */
    private static class Answer<T> implements GrpcReceiver {
        private final CompletableFuture<T> answer;
        private final Function<ProtobufReader, T> read;
        /** Null before it has come. */
        private T value;

        Answer(CompletableFuture<T> answer, Function<ProtobufReader, T> read) {
            this.answer = answer;
            this.read = read;
        }

        @Override
        public void onMessage(byte[] message) {
            value = read.apply(new ProtobufReader(message));
        }

        @Override
        public void onEnd(GrpcException failure) {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (value == null) {
                answer.completeExceptionally(new GrpcException(GrpcStatus.INTERNAL, "an answer without a message"));
            } else {
                answer.complete(value);
            }
        }
    }

    /**
     * An answer that is complete with its first message. The client ends its side of the call only then: {@code etcd
     * grpc-proxy} drops an answer that would come after that.
     */
    private static final class FirstAnswer<T> extends Answer<T> {
        FirstAnswer(CompletableFuture<T> answer, Function<ProtobufReader, T> read) {
            super(answer, read);
        }

        @Override
        public void onMessage(byte[] message) {
            super.onMessage(message);
            onEnd(null);
        }
    }

    /** A watch, whose reports wait for the thread that takes them. */
    private static final class Watching implements GrpcReceiver {
        private final Executor tasks;
        private final WatchListener listener;
        private final AtomicInteger waiting = new AtomicInteger();

        Watching(Executor tasks, WatchListener listener) {
            this.tasks = tasks;
            this.listener = listener;
        }

        @Override
        public void onMessage(byte[] message) throws GrpcException {
            WatchResponse response = WatchResponse.read(new ProtobufReader(message));
            if (response.canceled()) {
                throw canceled(response);
            }
            if (!response.created()) {
                pass(response, message.length + RESPONSE_OVERHEAD);
            }
        }

        private void pass(WatchResponse response, int size) throws GrpcException {
            int all = waiting.addAndGet(size);
            // One alone is bounded by the longest message.
            if (all > MAX_WAITING && all > size) {
                throw new GrpcException(
                        GrpcStatus.RESOURCE_EXHAUSTED,
                        "changes of " + all + " bytes wait (expected: at most " + MAX_WAITING + ")");
            }
            tasks.execute(() -> {
                waiting.addAndGet(-size);
                listener.onNext(response);
            });
        }

        private static GrpcException canceled(WatchResponse response) {
            return response.compactRevision() == 0
                    ? new GrpcException(GrpcStatus.CANCELLED, response.cancelReason())
                    : new GrpcException(
                            GrpcStatus.OUT_OF_RANGE, "etcdserver: mvcc: required revision has been compacted");
        }

        @Override
        public void onEnd(GrpcException failure) {
            tasks.execute(() -> listener.onEnd(failure));
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
