package io.dubbomesh.client.connection;

import io.dubbomesh.client.watch.AnswerPause;
import io.dubbomesh.client.watch.ProviderWatch;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.SocketFailure;
import io.dubbomesh.transport.frame.FrameHandler;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;

import java.util.Locale;

/**
 * One TCP connection to the provider by the protocol of Dubbo 2: reads its answers and events. A {@link ProviderWatch}
 * keeps it alive, and has its states. Owned by its event loop.
 */
final class DubboConnection extends FrameHandler implements UpstreamConnection {
    private static final int STATUS_OK = 20;
    private static final int STATUS_BAD_REQUEST = 40;
    /** Events are null or a short string, of which protostuff makes 60 bytes. */
    private static final int MAX_EVENT_LENGTH = 256;

    private static final String NO_CALLBACKS = "callbacks are refused";

    private final ConnectionListener upstream;
    private final ResponseListener responses;
    private final Turn turn;
    private final DubboSettings settings;
    private Channel channel;
    private OutboundBatch batch;
    private ProviderWatch watch;
    private AnswerPause answerPause;
    private long lastHeartbeatId;
    private String closeReason = "closed by the provider";

    DubboConnection(ConnectionListener upstream, ResponseListener responses, Turn turn, DubboSettings settings) {
        super(DubboHeader.LENGTH, turn.memory());
        this.upstream = upstream;
        this.responses = responses;
        this.turn = turn;
        this.settings = settings;
    }

    Channel channel() {
        return channel;
    }

    @Override
    public ProviderWatch watch() {
        return watch;
    }

    @Override
    public ConnectionListener listener() {
        return upstream;
    }

    @Override
    public ResponseListener responses() {
        return responses;
    }

    @Override
    public ChannelHandler handler() {
        return this;
    }

    @Override
    public boolean canSend() {
        return true;
    }

    @Override
    public ByteBuf requestBuffer(int bytes) {
        return batch.buffer(bytes);
    }

    @Override
    public int bodyLength(ByteBuf request, int offset) {
        return DubboHeader.bodyLength(request, offset);
    }

    /** The frame stands in the batch, which is flushed at the end of the turn. */
    @Override
    public long send(ByteBuf request, int offset, long requestId, AnswerForm form, long timeLeftMs) {
        return batch.number();
    }

    /** What no system call has taken is unsent. */
    @Override
    public boolean isUnsent(long batchNumber) {
        return batch.isUnsent(batchNumber);
    }

    /** Its answer may still come, and finds no call. */
    @Override
    public void cancel(long batchNumber) {}

    @Override
    public ByteBufAllocator allocator() {
        return channel.alloc();
    }

    @Override
    public String heartbeat() {
        return "a heartbeat in " + settings.serialization().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public int maxCalls() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean awaitsAnswers() {
        return responses.awaitsAnswers(this);
    }

    @Override
    public boolean flush() {
        batch.flush();
        return watch.unwritten() == 0;
    }

    @Override
    public void close(String reason) {
        stopReading();
        onLost(reason);
        channel.close();
    }

    /** Called before the channel is closed, so that nothing more is written to it. */
    private void onLost(String reason) {
        upstream.onLost(this, reason);
        ByteBuf unsent = batch.takeUnsent();
        if (unsent != null) {
            unsent.release();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        batch = OutboundBatch.recoverable(channel, turn, Use.UNREAD_REQUESTS, 32 * 1024);
        answerPause = new AnswerPause(channel, turn.memory());
        watch = new ProviderWatch(this, settings.heartbeatMs(), settings.silenceMs(), channel, batch);
        upstream.onConnected(this);
    }

    @Override
    public boolean canExpectSign() {
        return true;
    }

    @Override
    public int writeHeartbeat() {
        Serialization serialization = settings.serialization();
        int flags = DubboHeader.REQUEST | DubboHeader.TWO_WAY | DubboHeader.EVENT | serialization.id();
        byte[] body = serialization.body(null);
        // Calls have positive ids.
        write(flags, 0, --lastHeartbeatId, body);
        return DubboHeader.LENGTH + body.length;
    }

    private void write(int flags, int status, long id, byte[] body) {
        // First, since it may fail: then nothing of the frame is written.
        ByteBuf out = batch.buffer().ensureWritable(DubboHeader.LENGTH + body.length);
        DubboHeader.write(out, flags, status, id, body.length);
        out.writeBytes(body);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        watch.closeIfIdle();
        answerPause.onReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        batch.countUnwritten();
        upstream.onWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (channel == null) {
            return;
        }
        watch.end();
        onLost(closeReason);
        batch.countUnwritten();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        FatalErrors.check(cause);
        closeReason = SocketFailure.reason(cause);
        ctx.close();
    }

    @Override
    protected long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
        if (DubboHeader.magic(in, offset) != DubboHeader.MAGIC) {
            throw new MalformedFrameException(
                    String.format("magic 0x%04x (expected: 0xdabb)", DubboHeader.magic(in, offset)));
        }
        int length = DubboHeader.bodyLength(in, offset);
        boolean event = DubboHeader.isEvent(in, offset);
        int longest = event ? MAX_EVENT_LENGTH : settings.maxPayload();
        if (length < 0 || length > longest) {
            throw new MalformedFrameException(
                    (event ? "an event" : "a body") + " of " + length + " bytes (expected: 0 to " + longest + ")");
        }
        int serialization = DubboHeader.serialization(in, offset);
        // Heartbeats have the serialization that the provider prefers, which may be any: they are echoed, not read. An
        // answer in one that the agent does not read becomes a problem document.
        if (!event && Serialization.dubboName(serialization) == null) {
            throw new MalformedFrameException("serialization id " + serialization + " (expected: that of "
                    + String.join(", ", Serialization.names()) + ")");
        }
        return DubboHeader.LENGTH + length;
    }

    @Override
    protected void received(int bytes) {
        watch.onBytes();
    }

    @Override
    protected void frame(ByteBuf in, int offset, int length) {
        watch.onFrame();
        if (DubboHeader.isEvent(in, offset)) {
            if (DubboHeader.isRequest(in, offset)) {
                event(in, offset, length - DubboHeader.LENGTH);
            }
        } else if (DubboHeader.isRequest(in, offset)) {
            refuseCallback(in, offset);
        } else {
            watch.onAnswer(responses.answered(this, in, offset));
        }
    }

    private void event(ByteBuf in, int offset, int bodyLength) {
        int body = offset + DubboHeader.LENGTH;
        if (DubboHeader.isTwoWay(in, offset)) {
            echo(in, offset, bodyLength);
        } else if (contains(in, body, bodyLength, 'R')) {
            upstream.onReadOnly();
        } else if (contains(in, body, bodyLength, 'W')) {
            upstream.onTakesCalls();
        }
    }

    /**
     * Answers a heartbeat. A provider that does not read what there is gets no answer: it has enough to read, and one
     * that reads nothing would have them pile up.
     */
    private void echo(ByteBuf in, int offset, int bodyLength) {
        if (isWritable()) {
            ByteBuf out = batch.buffer().ensureWritable(DubboHeader.LENGTH + bodyLength);
            int flags = DubboHeader.EVENT | DubboHeader.serialization(in, offset);
            DubboHeader.write(out, flags, STATUS_OK, DubboHeader.requestId(in, offset), bodyLength);
            out.writeBytes(in, offset + DubboHeader.LENGTH, bodyLength);
        }
    }

    /**
     * The event strings are one letter, which every serialization writes as that byte; none of their other bytes is a
     * letter.
     */
    private static boolean contains(ByteBuf in, int offset, int length, char letter) {
        return length <= 8 && in.indexOf(offset, offset + length, (byte) letter) >= 0;
    }

    private void refuseCallback(ByteBuf in, int offset) {
        if (!DubboHeader.isTwoWay(in, offset) || !isWritable()) {
            return;
        }
        Serialization asked = Serialization.of(DubboHeader.serialization(in, offset));
        Serialization serialization = asked == null ? settings.serialization() : asked;
        byte[] body = serialization.body(NO_CALLBACKS);
        write(serialization.id(), STATUS_BAD_REQUEST, DubboHeader.requestId(in, offset), body);
    }

    @Override
    protected void malformed(String reason) {
        close("malformed frame: " + reason);
    }
}
