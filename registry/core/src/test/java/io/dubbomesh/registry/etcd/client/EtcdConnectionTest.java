package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.registry.etcd.client.ScriptedPeer.Script;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.transport.grpc.GrpcException;
import io.dubbomesh.transport.grpc.GrpcPeer;
import io.dubbomesh.transport.grpc.GrpcStatus;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.registry.etcd.client.ScriptedPeer.DATA;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.END_HEADERS;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.END_STREAM;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.FIRST;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.GRPC;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.HEADERS;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.PING;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.RST_STREAM;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.SETTINGS;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.frame;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.hex;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Servers that are not etcd, or an etcd that ends a connection; connections that are closed. */
@Timeout(60)
class EtcdConnectionTest {
    /** GOAWAY of the last stream 0, ENHANCE_YOUR_CALM, too_many_pings. */
    private static final String CALM =
            "000016" + "07" + "00" + "00000000" + "00000000" + "0000000b" + "746f6f5f6d616e795f70696e6773";
    /** GOAWAY of the last stream 0, NO_ERROR. */
    private static final String GRACEFUL = "000008" + "07" + "00" + "00000000" + "00000000" + "00000000";
    /** GOAWAY of the last stream 1, NO_ERROR. */
    private static final String LAST_IS_FIRST = "000008" + "07" + "00" + "00000000" + "00000001" + "00000000";
    /** SETTINGS: MAX_CONCURRENT_STREAMS of 1. */
    private static final String ONE_STREAM = "000006" + "04" + "00" + "00000000" + "0003" + "00000001";
    /** RST_STREAM of the stream 1, REFUSED_STREAM. */
    private static final String RESET = "000004" + "03" + "00" + "00000001" + "00000007";
    /** HEADERS of the stream 1 that end it: {@code :status: 404}, of the static table. */
    private static final String NOT_FOUND = "000001" + "01" + "05" + "00000001" + "8d";

    private static final String RESPONSE = frame(HEADERS, END_HEADERS, FIRST, GRPC);
    private static final String SOME_PING = frame(PING, 0, 0, "0000000000000000");

    private static EtcdClient client(HostPort address, SslContext tls) {
        GrpcPeer.Tls secured = tls == null ? null : new GrpcPeer.Tls(channel -> tls.newHandler(channel.alloc()), true);
        return new EtcdClient(
                new GrpcPeer(new InetSocketAddress(address.host(), address.port()), address.toString(), secured, 2_000),
                null);
    }

    private static CompletableFuture<RangeResponse> call(EtcdClient client) {
        return client.range(RangeRequest.of("a".getBytes(UTF_8), 0));
    }

    private static GrpcException failure(CompletableFuture<?> answer) {
        Throwable thrown = catchThrowable(() -> answer.get(10, TimeUnit.SECONDS));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        return (GrpcException) thrown.getCause();
    }

    /** Returns why a call failed at a server with that script. */
    private static GrpcException failure(Script script) throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer(script);
                EtcdClient client = client(peer.address(), null)) {
            return failure(call(client));
        }
    }

    /** Returns why a call failed that is answered with these frames. */
    private static GrpcException failure(String... frames) throws Exception {
        return failure(connection -> {
            connection.send(SETTINGS);
            connection.awaitPreface();
            connection.awaitFrame(HEADERS);
            connection.send(frames);
            connection.awaitClosed();
        });
    }

    @Test
    void aServerThatClosesTheConnectionIsUnavailable() throws Exception {
        GrpcException closed = failure(ScriptedPeer.Connection::awaitPreface);
        assertThat(closed.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        // The system may say that it was reset, as not all was read.
        assertThat(closed.getMessage()).containsAnyOf("closed by the peer", "Connection reset", "Broken pipe");
    }

    @Test
    void aServerOfHttp1IsNamed() throws Exception {
        GrpcException http1 = failure(connection -> {
            connection.send(hex("HTTP/1.1 400 Bad Request\r\n\r\n"));
            connection.awaitPreface();
            connection.awaitClosed();
        });
        assertThat(http1.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(http1).hasMessageStartingWith("malformed frame: ");
    }

    @ParameterizedTest
    @CsvSource({
        CALM + ", the peer has ended the connection: ENHANCE_YOUR_CALM too_many_pings",
        GRACEFUL + ", the peer is closing the connection",
        RESET + ", the stream was reset: REFUSED_STREAM",
        NOT_FOUND + ", HTTP status 404 (expected: 200)"
    })
    void aServerThatRefusesTheCallIsQuoted(String frame, String reason) throws Exception {
        GrpcException refused = failure(frame);
        assertThat(refused.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(refused).hasMessage(reason);
    }

    @Test
    void aCallIsRefusedOnAConnectionThatTheServerHasClosed() throws Exception {
        Script script = connection -> {
            connection.send(SETTINGS);
            connection.awaitPreface();
            connection.awaitFrame(HEADERS);
            connection.send(NOT_FOUND);
            connection.end();
            connection.awaitClosed();
        };
        try (ScriptedPeer peer = new ScriptedPeer(script);
                EtcdClient client = client(peer.address(), null)) {
            assertThat(failure(call(client))).hasMessage("HTTP status 404 (expected: 200)");
            peer.awaitEnd();
            GrpcException late = failure(call(client));
            assertThat(late.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
            assertThat(late).hasMessage("closed by the peer");
        }
    }

    @ParameterizedTest
    @CsvSource({
        LAST_IS_FIRST + ", the peer is closing the connection, the peer is closing the connection",
        ONE_STREAM + ", all streams of the connection are in use (at most 1), closed by the peer"
    })
    void aCallThatIsOneTooManyDoesNotEndTheOthers(String frame, String reason, String end) throws Exception {
        CountDownLatch isFull = new CountDownLatch(1);
        CountDownLatch isRefused = new CountDownLatch(1);
        Script script = connection -> {
            connection.send(SETTINGS);
            connection.awaitPreface();
            connection.awaitFrame(HEADERS);
            connection.send(frame, SOME_PING);
            connection.awaitFrame(PING);
            isFull.countDown();
            isRefused.await();
            connection.end();
            connection.awaitClosed();
        };
        try (ScriptedPeer peer = new ScriptedPeer(script);
                EtcdClient client = client(peer.address(), null)) {
            CompletableFuture<RangeResponse> first = call(client);
            assertThat(isFull.await(10, TimeUnit.SECONDS)).isTrue();
            GrpcException refused = failure(call(client));
            assertThat(refused.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
            assertThat(refused).hasMessage(reason);
            assertThat(first).isNotDone();
            isRefused.countDown();
            assertThat(failure(first)).hasMessage(end);
        }
    }

    @Test
    void headersThatAreTooLongAreNamed() throws Exception {
        // Once by its name and value of 3,000 bytes, then 25 times by its index in the dynamic table.
        String header = "40" + "0161" + "7fb916" + "78".repeat(3_000) + "be".repeat(25);
        GrpcException tooLong = failure(frame(HEADERS, END_HEADERS, FIRST, GRPC + header));
        assertThat(tooLong.status()).isEqualTo(GrpcStatus.INTERNAL);
        assertThat(tooLong).hasMessageContaining("Header size exceeded max allowed size (65536)");
    }

    @Test
    void malformedTrailersAreNamed() throws Exception {
        GrpcException malformed = failure(RESPONSE, frame(HEADERS, END_HEADERS | END_STREAM, FIRST, "88"));
        assertThat(malformed.status()).isEqualTo(GrpcStatus.INTERNAL);
        assertThat(malformed).hasMessage("trailers with pseudo-header fields");
    }

    @Test
    void framesWithoutDataEndTheConnection() throws Exception {
        GrpcException flooded = failure(RESPONSE, frame(DATA, 0, FIRST, "").repeat(5_000));
        assertThat(flooded.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        assertThat(flooded).hasMessageContaining("a flood of frames that serve no call");
    }

    @Test
    void aStreamIsResetOnceThoughMoreOfItArrives() throws Exception {
        CompletableFuture<Long> resets = new CompletableFuture<>();
        Script script = connection -> {
            connection.send(SETTINGS);
            connection.awaitPreface();
            connection.awaitFrame(HEADERS);
            connection.send(RESPONSE, frame(DATA, 0, FIRST, "01").repeat(4), SOME_PING);
            connection.awaitFrame(PING);
            resets.complete(connection.count(RST_STREAM));
            connection.awaitClosed();
        };
        try (ScriptedPeer peer = new ScriptedPeer(script);
                EtcdClient client = client(peer.address(), null)) {
            assertThat(failure(call(client))).hasMessageStartingWith("compressed message");
            assertThat(resets.get(10, TimeUnit.SECONDS)).isOne();
        }
    }

    @Test
    void aLeaseIsProlongedByAStreamThatEndsAfterTheAnswer() throws Exception {
        CompletableFuture<String> request = new CompletableFuture<>();
        CompletableFuture<String> end = new CompletableFuture<>();
        Script script = connection -> {
            connection.send(SETTINGS);
            connection.awaitPreface();
            request.complete(connection.awaitFrame(DATA));
            connection.send(RESPONSE, frame(DATA, 0, FIRST, message("1007" + "181e")));
            end.complete(connection.awaitFrame(DATA));
            connection.awaitClosed();
        };
        try (ScriptedPeer peer = new ScriptedPeer(script);
                EtcdClient client = client(peer.address(), null)) {
            LeaseState prolonged = client.prolongLease(7).get(10, TimeUnit.SECONDS);
            assertThat(prolonged.leftSeconds()).isEqualTo(30);
            assertThat(request.get()).isEqualTo(frame(DATA, 0, FIRST, message("0807")));
            assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(frame(DATA, END_STREAM, FIRST, ""));
        }
    }

    @Test
    void callsEndWhenTheConnectionIsClosedWhileItIsOpened() throws Exception {
        SslContext tls = SslContextBuilder.forClient().build();
        try (ScriptedPeer peer = new ScriptedPeer(ScriptedPeer.Connection::awaitClosed)) {
            EtcdClient client = client(peer.address(), tls);
            CompletableFuture<RangeResponse> call = call(client);
            client.close();
            assertThat(failure(call)).hasMessage("closed");
        }
    }

    @Test
    void callsAfterTheEndFail() throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer(ScriptedPeer.Connection::awaitClosed)) {
            EtcdClient client = client(peer.address(), null);
            EtcdClient unused = client(peer.address(), null);
            Set<Thread> others = eventLoops();
            CompletableFuture<RangeResponse> call = call(client);
            client.close();
            unused.close();
            assertThat(failure(call).status()).isEqualTo(GrpcStatus.UNAVAILABLE);
            awaitNoneBut(others);

            assertThat(failure(call(client))).hasMessage("closed");
            assertThat(failure(call(unused))).hasMessage("closed");
            CompletableFuture<RangeResponse> watch = new CompletableFuture<>();
            client.watch(new WatchRequest("a".getBytes(UTF_8), null, 1), Runnable::run, endOf(watch));
            assertThat(failure(watch)).hasMessage("closed");
            client.requestProgress();
            client.close();
            awaitNoneBut(others);
        }
    }

    private static EtcdClient.WatchListener endOf(CompletableFuture<?> watch) {
        return new EtcdClient.WatchListener() {
            @Override
            public void onNext(WatchResponse response) {
                throw new AssertionError(response);
            }

            @Override
            public void onEnd(GrpcException failure) {
                watch.completeExceptionally(failure);
            }
        };
    }

    private static Set<Thread> eventLoops() {
        Set<Thread> loops = new HashSet<>(Thread.getAllStackTraces().keySet());
        loops.removeIf(thread -> !thread.getName().startsWith("registry-etcd"));
        return loops;
    }

    private static void awaitNoneBut(Set<Thread> others) throws Exception {
        Await.until("the event loop ends", () -> others.containsAll(eventLoops()));
    }
}
