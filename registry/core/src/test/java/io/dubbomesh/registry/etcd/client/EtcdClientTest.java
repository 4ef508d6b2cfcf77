package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.FaultyProxy;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.etcd.EtcdServer;
import io.dubbomesh.testsupport.process.RunningProcess;
import io.dubbomesh.transport.grpc.GrpcException;
import io.dubbomesh.transport.grpc.GrpcPeer;
import io.dubbomesh.transport.grpc.GrpcStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What this client takes for granted of etcd, asked of a real one. */
@Timeout(60)
class EtcdClientTest {
    private static final byte[] KEY = bytes("/a/b");
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    private static Path folder;

    private static EtcdServer etcd;

    private EtcdClient client;

    @BeforeAll
    static void startEtcd() {
        etcd = EtcdServer.start(folder);
    }

    @AfterAll
    static void stopEtcd() {
        etcd.close();
    }

    @BeforeEach
    void open() {
        etcd.startIfEnded();
        etcd.deleteAll("/");
        client = client(etcd.port(), null);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static EtcdClient client(int port, AccessFiles.User user) {
        return new EtcdClient(
                new GrpcPeer(new InetSocketAddress("127.0.0.1", port), "127.0.0.1:" + port, null, 2_000), user);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(10, TimeUnit.SECONDS);
    }

    private static GrpcException failure(CompletableFuture<?> answer) throws Exception {
        try {
            Object value = get(answer);
            throw new AssertionError("answered " + value);
        } catch (ExecutionException e) {
            return (GrpcException) e.getCause();
        }
    }

    @Test
    void aKeyIsPutReadAndDeletedWhereItIsAsKnown() throws Exception {
        TxnResponse put = get(client.txn(TxnRequest.put(KEY, 0, bytes("one"), 0)));
        assertThat(put.succeeded()).isTrue();
        long revision = put.header().revision();

        TxnResponse late = get(client.txn(TxnRequest.put(KEY, 0, bytes("two"), 0)));
        assertThat(late.succeeded()).isFalse();
        assertThat(late.found()).hasSize(1);
        assertThat(late.found().get(0).modRevision()).isEqualTo(revision);

        KeyValue read = get(client.range(RangeRequest.of(KEY, 0))).kvs().get(0);
        assertThat(new String(read.value(), UTF_8)).isEqualTo("one");
        assertThat(read.lease()).isZero();

        TxnResponse deleted = get(client.txn(TxnRequest.delete(KEY, revision)));
        assertThat(deleted.succeeded()).isTrue();
        assertThat(get(client.range(RangeRequest.of(KEY, 0))).kvs()).isEmpty();
        assertThat(get(client.range(RangeRequest.of(KEY, revision))).kvs()).hasSize(1);
        assertThat(get(client.txn(TxnRequest.delete(KEY, revision))).found()).isEmpty();
    }

    @Test
    void aRangeIsReadInParts() throws Exception {
        for (int i = 0; i < 5; i++) {
            etcd.put("/a/" + i, "x");
        }
        etcd.put("/b", "");

        RangeResponse first = get(client.range(new RangeRequest(bytes("/a/"), bytes("/a0"), 3, 0, true)));
        assertThat(first.more()).isTrue();
        assertThat(first.kvs()).extracting(KeyValue::keyText).containsExactly("/a/0", "/a/1", "/a/2");
        assertThat(first.kvs().get(0).value()).isEmpty();

        RangeResponse rest = get(client.range(new RangeRequest(
                bytes("/a/2\0"), bytes("/a0"), 3, first.header().revision(), false)));
        assertThat(rest.more()).isFalse();
        assertThat(rest.kvs()).extracting(KeyValue::keyText).containsExactly("/a/3", "/a/4");
        assertThat(rest.kvs().get(0).value()).isEqualTo(bytes("x"));
    }

    @Test
    void anAnswerMayBeLongerThanTheWindowsButNotLongerThanTheLargestMessage() throws Exception {
        byte[] large = new byte[1_000_000];
        Arrays.fill(large, (byte) 'x');
        for (int i = 0; i < 4; i++) {
            etcd.put("/a/" + i, large);
        }
        RangeRequest all = new RangeRequest(bytes("/a/"), bytes("/a0"), 0, 0, false);
        for (int round = 0; round < 5; round++) {
            assertThat(get(client.range(all)).kvs()).hasSize(4).allMatch(kv -> Arrays.equals(kv.value(), large));
        }

        for (int i = 4; i < 9; i++) {
            etcd.put("/a/" + i, large);
        }
        GrpcException tooLong = failure(client.range(all));
        assertThat(tooLong.status()).isEqualTo(GrpcStatus.RESOURCE_EXHAUSTED);
        assertThat(tooLong).hasMessageStartingWith("gRPC message exceeds maximum size 8388608: 9000");
        assertThat(get(client.range(RangeRequest.of(KEY, 0))).kvs())
                .as("the connection serves on")
                .isEmpty();
    }

    @Test
    void aLeaseIsGrantedProlongedAskedForAndRevoked() throws Exception {
        LeaseState lease = get(client.grantLease(30));
        assertThat(lease.leftSeconds()).isEqualTo(30);
        get(client.txn(TxnRequest.put(KEY, 0, bytes("x"), lease.id())));

        assertThat(get(client.prolongLease(lease.id())).leftSeconds()).isEqualTo(30);
        LeaseState asked = get(client.leaseWithKeys(lease.id()));
        assertThat(asked.grantedSeconds()).isEqualTo(30);
        assertThat(asked.leftSeconds()).isBetween(28L, 30L);
        assertThat(asked.keys()).containsExactly("/a/b");

        get(client.revokeLease(lease.id()));
        assertThat(get(client.range(RangeRequest.of(KEY, 0))).kvs()).isEmpty();
        assertThat(get(client.prolongLease(lease.id())).leftSeconds()).isZero();
        assertThat(get(client.leaseWithKeys(lease.id())).leftSeconds()).isEqualTo(-1);
        GrpcException gone = failure(client.revokeLease(lease.id()));
        assertThat(gone.status()).isEqualTo(GrpcStatus.NOT_FOUND);
        assertThat(gone).hasMessage("NOT_FOUND: etcdserver: requested lease not found");
        assertThat(failure(client.txn(TxnRequest.put(KEY, 0, bytes("x"), lease.id())))
                        .status())
                .isEqualTo(GrpcStatus.NOT_FOUND);
    }

    @Test
    void aLeaseIsProlongedThroughTheProxyOfEtcd() throws Exception {
        int port = Ports.free();
        RunningProcess proxy = RunningProcess.start(
                folder.resolve("proxy.log"),
                List.of(
                        "etcd",
                        "grpc-proxy",
                        "start",
                        "--endpoints=127.0.0.1:" + etcd.port(),
                        "--listen-addr=127.0.0.1:" + port));
        try (EtcdClient far = client(port, null)) {
            Await.until(LIMIT, "the proxy listens", () -> isOpen(port));
            // Each once: the proxy may take a second request at once as one with the first, and answers it ten seconds
            // later.
            for (int i = 0; i < 3; i++) {
                LeaseState lease = get(far.grantLease(30));
                assertThat(get(far.prolongLease(lease.id())).leftSeconds()).isBetween(29L, 30L);
            }
        } finally {
            proxy.kill();
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** What a watch has reported, by the thread of the connection. */
    private static final class Reports implements EtcdClient.WatchListener {
        final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void onNext(WatchResponse response) {
            if (response.events().isEmpty()) {
                all.add("progress");
            }
            for (WatchResponse.Event event : response.events()) {
                all.add((event.deleted() ? "- " : "+ ") + event.kv().keyText());
            }
        }

        @Override
        public void onEnd(GrpcException failure) {
            all.add("end: " + (failure == null ? "" : failure.getMessage()));
        }

        void await(String... expected) throws Exception {
            Await.untilAsserted(LIMIT, () -> assertThat(all).containsExactly(expected));
        }
    }

    @Test
    void watchesReportTheChangesOfTheirKeysAndTheirProgress() throws Exception {
        long revision = get(client.range(RangeRequest.of(KEY, 0))).header().revision();
        Reports range = new Reports();
        Reports one = new Reports();
        client.watch(new WatchRequest(bytes("/a/"), bytes("/a0"), revision + 1), Runnable::run, range);
        client.watch(new WatchRequest(KEY, null, revision + 1), Runnable::run, one);

        etcd.put("/a/b", "1");
        etcd.put("/a/c", "1");
        etcd.delete("/a/b");
        range.await("+ /a/b", "+ /a/c", "- /a/b");
        one.await("+ /a/b", "- /a/b");

        client.requestProgress();
        range.await("+ /a/b", "+ /a/c", "- /a/b", "progress");
        one.await("+ /a/b", "- /a/b", "progress");
    }

    @Test
    void aWatchOfWhatWasCompactedEndsWithItsReason() throws Exception {
        etcd.put("/a/b", "1");
        etcd.put("/a/b", "2");
        etcd.compact();
        Reports reports = new Reports();
        client.watch(new WatchRequest(KEY, null, 1), Runnable::run, reports);
        reports.await("end: etcdserver: mvcc: required revision has been compacted");
        assertThat(failure(client.range(RangeRequest.of(KEY, 1))).status()).isEqualTo(GrpcStatus.OUT_OF_RANGE);
    }

    @Test
    void aWatchWhoseReportsAreNotTakenEnds() throws Exception {
        long revision = get(client.range(RangeRequest.of(KEY, 0))).header().revision();
        List<Runnable> waiting = new CopyOnWriteArrayList<>();
        Reports reports = new Reports();
        client.watch(new WatchRequest(KEY, null, revision + 1), waiting::add, reports);
        byte[] large = new byte[1_000_000];
        Arrays.fill(large, (byte) 'x');
        for (int i = 0; i < 18; i++) {
            etcd.put("/a/b", large);
        }
        Await.untilAsserted(LIMIT, () -> {
            waiting.forEach(Runnable::run);
            waiting.clear();
            assertThat(reports.all).last().asString().startsWith("end: changes of 17");
        });
        assertThat(reports.all).hasSize(17);
        assertThat(get(client.range(RangeRequest.of(KEY, 0))).kvs()).hasSize(1);
    }

    @Test
    void everyCallEndsWithTheConnection() throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(etcd.port());
                EtcdClient far = client(proxy.port(), null)) {
            long revision = get(far.range(RangeRequest.of(KEY, 0))).header().revision();
            Reports reports = new Reports();
            far.watch(new WatchRequest(KEY, null, revision + 1), Runnable::run, reports);
            proxy.stall();
            CompletableFuture<RangeResponse> asked = far.range(RangeRequest.of(KEY, 0));
            assertThatThrownBy(() -> asked.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            proxy.cut();

            assertThat(failure(asked).status()).isEqualTo(GrpcStatus.UNAVAILABLE);
            Await.untilAsserted(LIMIT, () -> assertThat(reports.all).hasSize(1));
            assertThat(reports.all.get(0)).startsWith("end: ");
            assertThat(failure(far.range(RangeRequest.of(KEY, 0))).status()).isEqualTo(GrpcStatus.UNAVAILABLE);
        }
    }

    @Test
    void aClientThatIsClosedEndsItsCalls() throws Exception {
        Reports reports = new Reports();
        try (EtcdClient other = client(etcd.port(), null)) {
            long revision = get(other.range(RangeRequest.of(KEY, 0))).header().revision();
            other.watch(new WatchRequest(KEY, null, revision + 1), Runnable::run, reports);
        }
        Await.untilAsserted(LIMIT, () -> assertThat(reports.all).hasSize(1));
    }

    @Test
    void aMemberThatIsNotThereIsNamedByTheReasonOfTheSystem() throws Exception {
        try (EtcdClient none = client(1, null)) {
            GrpcException refused = failure(none.range(RangeRequest.of(KEY, 0)));
            assertThat(refused.status()).isEqualTo(GrpcStatus.UNAVAILABLE);
            assertThat(refused).hasMessage("Connection refused");
        }
    }

    @Test
    void aUserIsAskedForOnceAndSentWithEachCall() throws Exception {
        try (EtcdServer users = EtcdServer.start(folder.resolve("users"))) {
            users.requireUsers("mesh", "secret-of-mesh");
            byte[] own = bytes("/dubbomesh/a");
            try (EtcdClient mesh = client(users.port(), new AccessFiles.User("mesh", "secret-of-mesh"))) {
                Reports reports = new Reports();
                mesh.watch(new WatchRequest(own, null, 1), Runnable::run, reports);
                assertThat(get(mesh.txn(TxnRequest.put(own, 0, bytes("x"), 0))).succeeded())
                        .isTrue();
                reports.await("+ /dubbomesh/a");
                GrpcException refused = failure(mesh.range(RangeRequest.of(KEY, 0)));
                assertThat(refused.status()).isEqualTo(GrpcStatus.PERMISSION_DENIED);
                assertThat(refused).hasMessage("PERMISSION_DENIED: etcdserver: permission denied");
            }
            try (EtcdClient wrong = client(users.port(), new AccessFiles.User("mesh", "n0t-it"))) {
                Reports reports = new Reports();
                wrong.watch(new WatchRequest(own, null, 1), Runnable::run, reports);
                assertThat(failure(wrong.range(RangeRequest.of(own, 0))))
                        .hasMessage("INVALID_ARGUMENT: etcdserver: authentication failed, invalid user ID or password");
                reports.await("end: INVALID_ARGUMENT: etcdserver: authentication failed, invalid user ID or password");
            }
            try (EtcdClient none = client(users.port(), null)) {
                Reports reports = new Reports();
                none.watch(new WatchRequest(own, null, 1), Runnable::run, reports);
                reports.await("end: rpc error: code = InvalidArgument desc = etcdserver: user name is empty");
            }
        }
        try (EtcdClient mesh = client(etcd.port(), new AccessFiles.User("mesh", "secret-of-mesh"))) {
            assertThat(failure(mesh.range(RangeRequest.of(KEY, 0))))
                    .hasMessage("FAILED_PRECONDITION: etcdserver: authentication is not enabled");
        }
    }
}
