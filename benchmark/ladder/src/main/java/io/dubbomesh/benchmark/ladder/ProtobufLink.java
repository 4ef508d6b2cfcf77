package io.dubbomesh.benchmark.ladder;

import com.google.protobuf.ByteString;
import io.dubbomesh.benchmark.ladder.Messages.CallReply;
import io.dubbomesh.benchmark.ladder.Messages.CallRequest;
import io.dubbomesh.protocol.MalformedFrameException;
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

import java.net.InetSocketAddress;

/** A link to a provider agent in protobuf messages, each behind its length. */
final class ProtobufLink extends Connection {
    ProtobufLink(Connector connector, InetSocketAddress address) {
        super(connector, address);
    }

    @Override
    protected void addHandlers(Channel channel) {
        channel.pipeline()
                .addLast(
                        new ProtobufVarint32FrameDecoder(),
                        new ProtobufDecoder(CallReply.getDefaultInstance()),
                        new ProtobufVarint32LengthFieldPrepender(),
                        new ProtobufEncoder(),
                        new Replies());
    }

    @Override
    protected void write(long id, MethodName name, ByteBuf in, int offset, int length) {
        CallRequest request = CallRequest.newBuilder()
                .setId(id)
                .setService(name.service())
                .setMethod(name.method())
                .setParameterTypes(name.descriptor())
                .setVersion(name.version())
                .setGroup(name.group())
                .setArguments(ByteString.copyFrom(in.nioBuffer(offset, length)))
                .build();
        channel().writeAndFlush(request, channel().voidPromise());
    }

    private final class Replies extends SimpleChannelInboundHandler<CallReply> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, CallReply reply) throws MalformedFrameException {
            Outcome outcome = Outcome.ofNumber(reply.getOutcome());
            if (outcome == null) {
                throw new MalformedFrameException("outcome " + reply.getOutcome());
            }
            ByteBuf document = Unpooled.wrappedBuffer(reply.getDocument().asReadOnlyByteBuffer());
            answered(reply.getId(), outcome, document, 0, document.readableBytes());
        }
    }
}
