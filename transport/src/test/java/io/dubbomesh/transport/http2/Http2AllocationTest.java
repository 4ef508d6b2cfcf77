package io.dubbomesh.transport.http2;

import com.sun.management.ThreadMXBean;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** What is allocated for a frame or a call, beyond what grows once. */
class Http2AllocationTest {
    private static final int TIMES = 2000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private interface Step {
        void run() throws Exception;
    }

    /** Returns the bytes of a run, once all that is allocated once is. */
    private static long bytesOf(Step step) throws Exception {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < TIMES; i++) {
                step.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least / TIMES;
    }

    private static final class Connection {
        /** The frames of a test do not use up these windows. */
        private static final Http2Limits LIMITS = new Http2Limits(4096, 1 << 20, 16 << 20, 64 * 1024, 1 << 20);

        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final Http2Client client = new Http2Client(new Turn(channel.eventLoop()), LIMITS, new Silent());
        private final ByteBuf request =
                channel.alloc().directBuffer().writeByte(0x83).writeZero(100);

        Connection() throws Exception {
            channel.freezeTime();
            channel.pipeline().addLast(client);
            channel.pipeline().fireChannelActive();
            frame(PlayedPeer.SETTINGS);
        }

        int open() {
            return client.open(request, 0, 1, 1, 100);
        }

        void frame(String hex) throws Exception {
            frame(Unpooled.wrappedBuffer(Hex.bytes(hex)));
        }

        void frame(ByteBuf in) throws Exception {
            client.frame(in, 0, in.readableBytes());
        }

        /** Drops much that was written, without the embedded channel, which keeps all of it. */
        void dropIfMuch() {
            if (client.batch().buffer().readableBytes() > 100 * 1024) {
                client.batch().takeUnflushed().release();
            }
        }

        void end() {
            request.release();
            channel.finishAndReleaseAll();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            DATA          | 000005 00 00 00000001 'hello'
            padded DATA   | 000007 00 08 00000001 01 'hello' 00
            WINDOW_UPDATE | 000004 08 00 00000000 00000001
            PRIORITY      | 000005 02 00 00000001 0000000000
            late DATA     | 000005 00 00 00000003 'hello'
            late reset    | 000004 03 00 00000003 00000008
            """)
    void nothingIsAllocatedForAFrameWithoutHeaderFields(String name, String hex) throws Exception {
        Connection connection = new Connection();
        connection.open();
        connection.open();
        connection.frame(PlayedPeer.HEAD);
        connection.frame("000004 03 00 00000003 00000008");
        ByteBuf frame = Unpooled.wrappedBuffer(Hex.bytes(hex));

        long bytes = bytesOf(() -> {
            connection.client.frame(frame, 0, frame.readableBytes());
            connection.channel.advanceTimeBy(1, TimeUnit.SECONDS);
        });
        connection.end();

        assertThat(bytes).isLessThan(8);
    }

    @Test
    void aCallAllocatesItsHeaderFieldsAlone() throws Exception {
        Connection connection = new Connection();
        ByteBuf head = Unpooled.wrappedBuffer(Hex.bytes(PlayedPeer.HEAD));
        ByteBuf data = Unpooled.wrappedBuffer(Hex.bytes("000005 00 00 00000001 'hello'"));
        ByteBuf trailers = Unpooled.wrappedBuffer(Hex.bytes(PlayedPeer.TRAILERS));
        ByteBuf window = Unpooled.wrappedBuffer(Hex.bytes("000004 08 00 00000000 00000064"));
        ReceivedFields block = new ReceivedFields(1024, connection.channel.alloc(), MemoryBudget.unlimited());
        long decoding = bytesOf(() -> {
            block.decode(1, head, 9, head.readableBytes() - 9);
            block.decode(1, trailers, 9, trailers.readableBytes() - 9);
        });
        long call = bytesOf(() -> {
            int id = connection.open();
            head.setInt(5, id);
            data.setInt(5, id);
            trailers.setInt(5, id);
            connection.client.frame(window, 0, window.readableBytes());
            connection.client.frame(head, 0, head.readableBytes());
            connection.client.frame(data, 0, data.readableBytes());
            connection.client.frame(trailers, 0, trailers.readableBytes());
            connection.dropIfMuch();
        });
        connection.end();

        // Netty's buffers make a ByteBuffer for each copy from another one, here of the fields and of the content.
        assertThat(call).isLessThan(decoding + 200);
    }

    private static final class Silent implements Http2Listener {
        @Override
        public void active() {}

        @Override
        public void headers(int streamId, Http2Headers headers, boolean endStream) {}

        @Override
        public void data(int streamId, ByteBuf in, int offset, int length, boolean endStream) {}

        @Override
        public void reset(int streamId, long errorCode) {}

        @Override
        public void failed(int streamId, String reason) {}

        @Override
        public void goAway(int lastStreamId, long errorCode, String debug) {}

        @Override
        public void lost(String reason) {}
    }
}
