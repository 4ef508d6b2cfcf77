package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** The other end of a {@link MeshLink}. */
final class MeshServer implements FrameReceiver {
    private final Channel channel;
    private final Callee callee;
    private final RequestBody body = new RequestBody();

    MeshServer(Channel channel, Callee callee) {
        this.channel = channel;
        this.callee = callee;
    }

    @Override
    public void frame(ByteBuf in, int offset, int length) throws MalformedFrameException {
        int type = MeshHeader.type(in, offset);
        int methodId = MeshHeader.methodId(in, offset);
        int flags = MeshHeader.flags(in, offset);
        if (type != FrameType.REQUEST || methodId != 0 || flags != Flags.TEXT) {
            throw new MalformedFrameException("type " + type + ", flags " + flags + ", method id " + methodId
                    + " (expected: a REQUEST with text arguments and names)");
        }
        body.locate(in, offset + MeshHeader.LENGTH, offset + length, true);
        MethodName name = MethodNames.read(in, body.namesOffset(), offset + length);
        long id = MeshHeader.requestId(in, offset);
        callee.call(
                name,
                in,
                body.argumentsOffset(),
                body.argumentsLength(),
                (outcome, document, documentOffset, documentLength) ->
                        respond(id, outcome, document, documentOffset, documentLength));
    }

    private void respond(long id, Outcome outcome, ByteBuf in, int offset, int length) {
        ByteBuf out = channel.alloc().directBuffer(MeshHeader.LENGTH + Short.BYTES + length);
        int frame = FrameWriter.beginResponse(out, id);
        out.writeShort(0).writeBytes(in, offset, length);
        FrameWriter.endResponse(out, frame, outcome, Flags.TEXT);
        channel.writeAndFlush(out, channel.voidPromise());
    }
}
