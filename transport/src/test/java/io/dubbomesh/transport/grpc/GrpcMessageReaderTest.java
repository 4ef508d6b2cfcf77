package io.dubbomesh.transport.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GrpcMessageReaderTest {
    /** A message of three bytes, an empty one, one of one byte. */
    private static final byte[] DATA = HexFormat.of().parseHex("0000000003010203" + "0000000000" + "00000000017f");

    private static List<String> read(GrpcMessageReader reader, byte[] bytes, int from, int to) throws GrpcException {
        List<String> messages = new ArrayList<>();
        ByteBuf data = Unpooled.wrappedBuffer(bytes, from, to - from);
        for (byte[] message = reader.read(data); message != null; message = reader.read(data)) {
            messages.add(HexFormat.of().formatHex(message));
        }
        assertThat(data.isReadable()).isFalse();
        return messages;
    }

    @Test
    void theMessagesAreTheSameHoweverTheBytesArrive() throws Exception {
        for (int first = 0; first <= DATA.length; first++) {
            for (int second = first; second <= DATA.length; second++) {
                GrpcMessageReader reader = new GrpcMessageReader();
                List<String> messages = new ArrayList<>(read(reader, DATA, 0, first));
                messages.addAll(read(reader, DATA, first, second));
                messages.addAll(read(reader, DATA, second, DATA.length));
                assertThat(messages).as("%s, %s", first, second).containsExactly("010203", "", "7f");
            }
        }
    }

    @Test
    void aMessageThatIsTooLongIsRefusedByItsPrefix() throws Exception {
        GrpcMessageReader longest = new GrpcMessageReader();
        assertThat(read(longest, HexFormat.of().parseHex("0000800000"), 0, 5)).isEmpty();

        assertThatThrownBy(() -> read(new GrpcMessageReader(), HexFormat.of().parseHex("0000800001"), 0, 5))
                .hasMessage("gRPC message exceeds maximum size 8388608: 8388609");
        assertThatThrownBy(() -> read(new GrpcMessageReader(), HexFormat.of().parseHex("00ffffffff"), 0, 5))
                .hasMessageEndingWith(": 4294967295");
    }

    @Test
    void aCompressedMessageIsRefused() {
        assertThatThrownBy(() -> read(new GrpcMessageReader(), new byte[] {1}, 0, 1))
                .isInstanceOf(GrpcException.class)
                .hasMessageStartingWith("compressed message");
    }
}
