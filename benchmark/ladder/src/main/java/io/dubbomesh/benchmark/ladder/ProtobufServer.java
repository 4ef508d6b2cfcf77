package io.dubbomesh.benchmark.ladder;

import com.google.protobuf.ByteString;
import io.dubbomesh.benchmark.ladder.Messages.CallReply;
import io.dubbomesh.benchmark.ladder.Messages.CallRequest;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.protobuf.ProtobufDecoder;
import io.netty.handler.codec.protobuf.ProtobufEncoder;
import io.netty.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import io.netty.handler.codec.protobuf.ProtobufVarint32LengthFieldPrepender;

/** The other end of a {@link ProtobufLink}. */
final class ProtobufServer extends SimpleChannelInboundHandler<CallRequest> {
    private final Callee callee;

    private ProtobufServer(Callee callee) {
        this.callee = callee;
    }

    static void addTo(Channel channel, Callee callee) {
        channel.pipeline()
                .addLast(
                        new ProtobufVarint32FrameDecoder(),
                        new ProtobufDecoder(CallRequest.getDefaultInstance()),
                        new ProtobufVarint32LengthFieldPrepender(),
                        new ProtobufEncoder(),
                        new ProtobufServer(callee));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, CallRequest request) {
        MethodName name = new MethodName(
                request.getService(),
                request.getMethod(),
                request.getParameterTypes(),
                request.getVersion(),
                request.getGroup());
        ByteBuf arguments = Unpooled.wrappedBuffer(request.getArguments().asReadOnlyByteBuffer());
        callee.call(
                name,
                arguments,
                0,
                arguments.readableBytes(),
                (outcome, in, offset, length) -> respond(ctx.channel(), request.getId(), outcome, in, offset, length));
    }

    private static void respond(Channel channel, long id, Outcome outcome, ByteBuf in, int offset, int length) {
        CallReply reply = CallReply.newBuilder()
                .setId(id)
                .setOutcome(outcome.number())
                .setDocument(ByteString.copyFrom(in.nioBuffer(offset, length)))
                .build();
        channel.writeAndFlush(reply, channel.voidPromise());
    }
}
