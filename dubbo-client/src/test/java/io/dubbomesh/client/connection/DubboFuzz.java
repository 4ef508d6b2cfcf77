package io.dubbomesh.client.connection;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.random.FuzzedInput;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;

/**
 * Feeds what a provider sends on a connection, headers and bodies: the same answers are handed over, the same frames
 * written back and the connection ends for the same reason, however the bytes arrive. What is kept of a frame follows
 * what has come of it, and none is left behind.
 */
public final class DubboFuzz {
    private static final int LEAST_BUFFER = 1024;
    private static final DubboSettings SETTINGS = new DubboSettings(
            new HostPort("provider", 20880), Serialization.HESSIAN2, 1024, 60_000, 60_000, 10_000, 1000, 1000, false);

    private DubboFuzz() {}

    /** Called by Jazzer: to log why millions of inputs are refused would take most of the time. */
    public static void fuzzerInitialize() {
        ((Logger) LoggerFactory.getLogger("io.dubbomesh")).setLevel(Level.OFF);
        FuzzedInput.countAllBuffers();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> FuzzedInput.requireSameInPieces(input, cuts -> of(allocator, input, cuts)));
        }
    }

    private static List<String> of(ByteBufAllocator allocator, byte[] bytes, int... cuts) {
        List<String> happened = new ArrayList<>();
        MemoryBudget memory = new MemoryBudget(1 << 20);
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(allocator);
        // No timer depends on how busy the machine is.
        channel.freezeTime();
        Turn turn = new Turn(channel.eventLoop(), memory);
        DubboUpstream upstream =
                new DubboUpstream(channel.eventLoop(), (address, handler) -> null, turn, SETTINGS, new SharedEvents());
        Witness witness = new Witness(happened);
        upstream.listen(witness, witness);
        DubboConnection connection = new DubboConnection(upstream.connectionListener(), witness, turn, SETTINGS);
        channel.pipeline().addLast(connection);
        ChannelHandlerContext context = channel.pipeline().context(connection);
        channel.pipeline().fireChannelActive();
        int at = 0;
        for (int piece = 0; piece <= cuts.length; piece++) {
            int end = piece < cuts.length ? cuts[piece] : bytes.length;
            if (end > at && channel.isOpen()) {
                // Not through the pipeline, by which the connection ends with any exception as it does with a bad
                // frame.
                connection.channelRead(context, allocator.buffer(end - at).writeBytes(bytes, at, end - at));
                connection.channelReadComplete(context);
                channel.runPendingTasks();
                if (memory.used(Use.PARTIAL_FRAMES) > LEAST_BUFFER + 2 * end || memory.used(Use.FRAMES) > 0) {
                    throw new AssertionError(memory.used() + " bytes are kept of " + end);
                }
            }
            at = end;
        }
        // What was not sent yet when it ended is dropped.
        String written = written(channel);
        happened.add(channel.isOpen() ? "open, " + written : "closed");
        channel.finishAndReleaseAll();
        if (memory.used() != 0) {
            throw new AssertionError(memory.used() + " bytes counted after the connection");
        }
        return happened;
    }

    private static String written(EmbeddedChannel channel) {
        StringBuilder text = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            text.append(ByteBufUtil.hexDump(out));
            out.release();
        }
        return text.toString();
    }

    /** Attempts to connect again are reported at some time, and are no part of what happened. */
    private static final class Witness extends QuietListener {
        private final List<String> happened;

        Witness(List<String> happened) {
            this.happened = happened;
            awaitsAnswers = true;
        }

        @Override
        public boolean answered(ProviderConnection connection, ByteBuf in, int offset) {
            int length = DubboHeader.LENGTH + DubboHeader.bodyLength(in, offset);
            happened.add("answer " + ByteBufUtil.hexDump(in, offset, length));
            return true;
        }

        @Override
        public void connectionLost(ProviderConnection connection, String reason) {
            if (!reason.endsWith("closed by the provider")) {
                happened.add("lost: " + reason);
            }
        }
    }
}
