package io.dubbomesh.client.grpc;

import io.netty.buffer.ByteBufUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the provider sends is written before the call begins; it reads nothing. */
@Timeout(20)
class BlockingGrpcConnectionTest {
    private static final String SETTINGS = "00000004" + "00" + "00000000";
    private static final String PING = "00000806" + "00" + "00000000" + "0102030405060708";
    /** The status 200, a message of no bytes, and grpc-status 0. */
    private static final String ANSWER = "00000101" + "04" + "00000001" + "88" + "00000500" + "00" + "00000001"
            + "0000000000" + "00000f01" + "05" + "00000001" + "000b" + "677270632d737461747573" + "0130";

    private static byte[] call(String bytes) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                BlockingGrpcConnection connection = new BlockingGrpcConnection(
                        listener.getInetAddress().getHostAddress(),
                        listener.getLocalPort(),
                        System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
                Socket provider = listener.accept()) {
            provider.getOutputStream().write(ByteBufUtil.decodeHexDump(bytes));
            return connection.call("/a.B/c", "application/grpc", Map.of(), new byte[0]);
        }
    }

    @ParameterizedTest
    @CsvSource({PING + ", 1001", SETTINGS + ", 1001", PING + SETTINGS + ", 501"})
    void soManyFramesThatWantAnAnswerEndTheConnection(String frames, int times) {
        assertThatThrownBy(() -> call(frames.repeat(times) + ANSWER))
                .isInstanceOf(IOException.class)
                .hasMessage("more than 1000 SETTINGS and PINGs during a call");
    }

    @Test
    void asManyAsACallMayHaveAreAnswered() throws Exception {
        assertThat(call(PING.repeat(1000) + ANSWER)).isEmpty();
    }

    @Test
    void aPingOfAnotherLengthIsNotHttp2() {
        assertThatThrownBy(() -> call("00000906" + "00" + "00000000" + "010203040506070809" + ANSWER))
                .hasMessage("the answer is not HTTP/2");
    }
}
