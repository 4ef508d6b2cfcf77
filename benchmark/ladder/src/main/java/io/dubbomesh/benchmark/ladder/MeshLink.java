package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

import java.net.InetSocketAddress;

/** A link to a provider agent in REQUEST and RESPONSE frames of the mesh protocol, the names in each request (method id 0). */
final class MeshLink extends Connection implements FrameReceiver {
    private final Switches switches;

    MeshLink(Connector connector, InetSocketAddress address) {
        super(connector, address);
        switches = connector.switches();
    }

    @Override
    protected void addHandlers(Channel channel) {
        FrameFormat.MESH.addDecoder(channel, switches.decode(), this);
    }

    @Override
    protected void write(long id, MethodName name, ByteBuf in, int offset, int length) {
        byte[] names = MethodNames.encode(name);
        ByteBuf out =
                channel().alloc().directBuffer(MeshHeader.LENGTH + Integer.BYTES + Short.BYTES + names.length + length);
        int frame = FrameWriter.beginRequest(out, Flags.TEXT, id, 0);
        out.writeInt(TIMEOUT_S * 1000).writeShort(0);
        out.writeBytes(names).writeBytes(in, offset, length);
        FrameWriter.endRequest(out, frame);
        channel().writeAndFlush(out, channel().voidPromise());
    }

    @Override
    public void frame(ByteBuf in, int offset, int length) throws MalformedFrameException {
        int documentOffset = offset + MeshHeader.LENGTH + Short.BYTES;
        int documentLength = offset + length - documentOffset;
        Outcome outcome = Outcome.ofNumber(MeshHeader.status(in, offset));
        if (MeshHeader.type(in, offset) != FrameType.RESPONSE || documentLength < 0 || outcome == null) {
            throw new MalformedFrameException("no response");
        }
        answered(MeshHeader.requestId(in, offset), outcome, in, documentOffset, documentLength);
    }
}
