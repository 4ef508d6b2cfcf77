package io.dubbomesh.benchmark.stub;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.transport.frame.FrameHandler;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.OutboundBatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * One accepted connection, which reads Dubbo frames and writes the answers of a turn at once. Owned by its event loop.
 */
final class StubConnection extends FrameHandler implements StubCaller {
    private static final int MAX_BODY = 8 * 1024 * 1024;
    private static final int BATCH_CAPACITY = 4096;

    private static final int RESPONSE = Serialization.HESSIAN2.id();
    private static final int OK = 20;
    private static final int BAD_REQUEST = 40;
    private static final int SERVER_ERROR = 80;
    private static final int POOL_EXHAUSTED = 100;

    private static final int VALUE = 0x91;
    private static final int NULL = 'N';

    private static final byte[] FAILURE = shortText("the service is broken");
    private static final byte[] REFUSAL = shortText("threadpool is exhausted");
    private static final byte[] NO_SUCH_CALL = shortText("not a call of hash(String)");

    private final StubService service;
    private final Turn turn;
    private final HashCall call;
    private final HessianResult result = new HessianResult();
    private ChannelHandlerContext ctx;
    private OutboundBatch out;

    StubConnection(StubService service, Turn turn, HashCall call) {
        super(DubboHeader.LENGTH);
        this.service = service;
        this.turn = turn;
        this.call = call;
    }

    /** A Hessian string of up to 31 characters. */
    private static byte[] shortText(String text) {
        return ((char) text.length() + text).getBytes(US_ASCII);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        super.handlerAdded(added);
        ctx = added;
        out = new OutboundBatch(added.channel(), turn, Use.ANSWERS, BATCH_CAPACITY);
        service.opened(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        service.closed(this);
        inactive.fireChannelInactive();
    }

    @Override
    protected long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
        int bodyLength = DubboHeader.bodyLength(in, offset);
        if (DubboHeader.magic(in, offset) != DubboHeader.MAGIC || bodyLength < 0 || bodyLength > MAX_BODY) {
            throw new MalformedFrameException("not the header of a Dubbo frame of at most 8 MiB");
        }
        return DubboHeader.LENGTH + bodyLength;
    }

    @Override
    protected void frame(ByteBuf in, int offset, int length) {
        if (!DubboHeader.isRequest(in, offset) || !DubboHeader.isTwoWay(in, offset)) {
            return;
        }
        long requestId = DubboHeader.requestId(in, offset);
        if (DubboHeader.isEvent(in, offset)) {
            DubboHeader.write(out.buffer(), RESPONSE | DubboHeader.EVENT, OK, requestId, Byte.BYTES);
            out.buffer().writeByte(NULL);
            return;
        }
        long hash = DubboHeader.serialization(in, offset) == Serialization.HESSIAN2.id()
                ? call.read(in, offset + DubboHeader.LENGTH, length - DubboHeader.LENGTH)
                : HashCall.NONE;
        if (hash == HashCall.NONE) {
            write(BAD_REQUEST, requestId, NO_SUCH_CALL);
        } else {
            service.call(this, requestId, (int) hash);
        }
    }

    @Override
    public void answer(long requestId, int hash, int length) {
        if (!ctx.channel().isActive()) {
            return;
        }
        ByteBuf buffer = out.buffer();
        int offset = buffer.writerIndex();
        DubboHeader.write(buffer, RESPONSE, OK, requestId, 0);
        buffer.writeByte(VALUE);
        result.write(buffer, hash, length);
        DubboHeader.bodyLength(buffer, offset, buffer.writerIndex() - offset - DubboHeader.LENGTH);
    }

    @Override
    public void refuse(long requestId) {
        write(POOL_EXHAUSTED, requestId, REFUSAL);
    }

    @Override
    public void fail(long requestId) {
        write(SERVER_ERROR, requestId, FAILURE);
    }

    private void write(int status, long requestId, byte[] body) {
        ByteBuf buffer = out.buffer();
        DubboHeader.write(buffer, RESPONSE, status, requestId, body.length);
        buffer.writeBytes(body);
    }

    @Override
    protected void malformed(String reason) {
        ctx.close();
    }

    /** Stops reading from a peer that does not read the answers. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        readIfPossible();
    }

    @Override
    public void readIfPossible() {
        ctx.channel()
                .config()
                .setAutoRead(ctx.channel().isWritable() && !service.behaviour().frozen());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        failed.close();
    }
}
