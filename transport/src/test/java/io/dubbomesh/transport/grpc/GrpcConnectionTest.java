package io.dubbomesh.transport.grpc;

import io.dubbomesh.testsupport.Await;
import io.netty.channel.ChannelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class GrpcConnectionTest {
    private static final String THREADS = "grpc-connection-test";

    @Test
    void aChannelThatCannotBeOpenedFailsItsCallsAndIsClosed() throws Exception {
        CompletableFuture<String> end = new CompletableFuture<>();
        GrpcPeer peer = new GrpcPeer(new InetSocketAddress("127.0.0.1", 1), "127.0.0.1:1", null, 2_000);
        try (GrpcConnection connection = new GrpcConnection(peer, THREADS, () -> {
            throw new ChannelException("Too many open files");
        })) {
            connection.call(new GrpcRequest("/a", "application/grpc", Map.of(), new byte[0]), new GrpcReceiver() {
                @Override
                public void onMessage(byte[] message) {
                    end.complete("a message");
                }

                @Override
                public void onEnd(GrpcException failure) {
                    end.complete(failure.getMessage());
                }
            });
            assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo("Too many open files");
        }
        Await.until(
                "the event loop ends",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith(THREADS)));
    }
}
