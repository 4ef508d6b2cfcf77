package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.etcd.client.ScriptedPeer;
import io.dubbomesh.registry.etcd.client.WatchRequest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static io.dubbomesh.registry.etcd.client.ScriptedPeer.DATA;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.END_HEADERS;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.FIRST;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.GRPC;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.HEADERS;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.frame;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.hex;
import static io.dubbomesh.registry.etcd.client.ScriptedPeer.message;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class EtcdSessionTest {
    private static final String CANCELED = "2001";
    private static final String CANCEL_REASON = "32";

    @ParameterizedTest
    @CsvSource({
        "rpc error: code = Unauthenticated desc = etcdserver: invalid auth token, OLD_TOKEN",
        "etcdserver: revision of auth store is old, OLD_TOKEN",
        "rpc error: code = InvalidArgument desc = etcdserver: user name is empty, OTHER"
    })
    void theEndOfAWatchHasTheKindOfItsReason(String reason, EtcdFailure.Kind kind) throws Exception {
        EtcdFailure ended = ended(CANCELED + CANCEL_REASON + String.format("%02x", reason.length()) + hex(reason));
        assertThat(ended.kind()).isEqualTo(kind);
        assertThat(ended).hasMessage(reason);
    }

    @ParameterizedTest
    @CsvSource({CANCELED, CANCELED + CANCEL_REASON + "00"})
    void theEndOfAWatchWithoutAReasonIsNamed(String response) throws Exception {
        EtcdFailure ended = ended(response);
        assertThat(ended.kind()).isEqualTo(EtcdFailure.Kind.OTHER);
        assertThat(ended).hasMessage("etcd ended the watch");
    }

    /** Returns what a watch is told that is answered with this response. */
    private static EtcdFailure ended(String response) throws Exception {
        CompletableFuture<EtcdFailure> ended = new CompletableFuture<>();
        ScriptedPeer.Script script = connection -> {
            connection.send(ScriptedPeer.SETTINGS);
            connection.awaitPreface();
            connection.awaitFrame(HEADERS);
            connection.send(frame(HEADERS, END_HEADERS, FIRST, GRPC), frame(DATA, 0, FIRST, message(response)));
            connection.awaitClosed();
        };
        try (ScriptedPeer etcd = new ScriptedPeer(script);
                EtcdSession session = new EtcdSession(
                        etcd.address(), "127.0.0.1", EtcdAccess.OPEN, 2_000, new AdaptiveTimeout(2_000))) {
            WatchRequest request = new WatchRequest(EtcdSession.bytes("a"), null, 1);
            session.watch(request, Runnable::run, next -> {}, ended::complete);
            return ended.get(10, TimeUnit.SECONDS);
        }
    }
}
