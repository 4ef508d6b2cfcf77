package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.transport.frame.FrameHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;

/** The formats whose header begins with a 16-bit magic number and ends with the 32-bit length of the body. */
enum FrameFormat {
    MESH(MeshHeader.MAGIC, MeshHeader.LENGTH),
    DUBBO(DubboHeader.MAGIC, DubboHeader.LENGTH);

    private static final int MAX_FRAME = 8 * 1024 * 1024;

    private final int magic;
    private final int headerLength;

    FrameFormat(int magic, int headerLength) {
        this.magic = magic;
        this.headerLength = headerLength;
    }

    /** Lets {@code receiver} have the frames that come on this channel. */
    void addDecoder(Channel channel, Switches.Decode decode, FrameReceiver receiver) {
        switch (decode) {
            case FRAME ->
                channel.pipeline()
                        .addLast(
                                new LengthFieldBasedFrameDecoder(MAX_FRAME, bodyLengthOffset(), Integer.BYTES),
                                new FrameByFrame(receiver));
            case BATCH -> channel.pipeline().addLast(new Batch(channel, receiver));
        }
    }

    private int bodyLengthOffset() {
        return headerLength - Integer.BYTES;
    }

    private void requireMagic(ByteBuf in, int offset) throws MalformedFrameException {
        if (in.getUnsignedShort(offset) != magic) {
            throw new MalformedFrameException("not the header of a frame of " + this);
        }
    }

    private final class FrameByFrame extends SimpleChannelInboundHandler<ByteBuf> {
        private final FrameReceiver receiver;

        FrameByFrame(FrameReceiver receiver) {
            this.receiver = receiver;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) throws MalformedFrameException {
            requireMagic(frame, frame.readerIndex());
            receiver.frame(frame, frame.readerIndex(), frame.readableBytes());
        }
    }

    private final class Batch extends FrameHandler {
        private final Channel channel;
        private final FrameReceiver receiver;

        Batch(Channel channel, FrameReceiver receiver) {
            super(headerLength);
            this.channel = channel;
            this.receiver = receiver;
        }

        @Override
        protected long frameLength(ByteBuf in, int offset) throws MalformedFrameException {
            requireMagic(in, offset);
            int bodyLength = in.getInt(offset + bodyLengthOffset());
            if (bodyLength < 0 || bodyLength > MAX_FRAME) {
                throw new MalformedFrameException("a body of " + bodyLength + " bytes (expected: 0-" + MAX_FRAME + ")");
            }
            return headerLength + bodyLength;
        }

        @Override
        protected void frame(ByteBuf in, int offset, int length) throws MalformedFrameException {
            receiver.frame(in, offset, length);
        }

        @Override
        protected void malformed(String reason) {
            channel.pipeline().fireExceptionCaught(new MalformedFrameException(reason));
        }
    }
}
