package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Answers whose value is in hessian2, without attachments, and of others the status alone: until the codec of Triple has
 * the rest. No endpoint is called by Triple yet.
 */
final class PlainAnswers implements TripleAnswers {
    private static final int SERVER_ERROR = 80;
    private static final int PREFIX_LENGTH = 5;
    private static final int DATA_FIELD = 0x12;
    /** RESPONSE_VALUE and RESPONSE_NULL_VALUE in hessian2. */
    private static final int VALUE = 0x91;

    private static final int NULL_VALUE = 0x92;

    @Override
    public void write(ByteBuf out, TripleStream stream, Http2Headers trailers) {
        int begin = out.writerIndex();
        ByteBuf content = stream.content();
        boolean executed = content.isReadable() && "0".contentEquals(String.valueOf(trailers.get("grpc-status")));
        int status = executed ? DubboStatus.OK : SERVER_ERROR;
        DubboHeader.write(out, Serialization.HESSIAN2.id(), status, stream.requestId(), 0);
        if (executed) {
            writeResult(out, content.skipBytes(PREFIX_LENGTH));
        } else {
            String text = "grpc-status " + trailers.get("grpc-status") + ": " + trailers.get("grpc-message");
            out.writeBytes(Serialization.HESSIAN2.body(text));
        }
        DubboHeader.bodyLength(out, begin, out.writerIndex() - begin - DubboHeader.LENGTH);
    }

    private static void writeResult(ByteBuf out, ByteBuf message) {
        int at = message.readerIndex();
        while (at < message.writerIndex()) {
            int tag = message.getByte(at++);
            int length = 0;
            int shift = 0;
            byte next;
            do {
                next = message.getByte(at++);
                length |= (next & 0x7f) << shift;
                shift += 7;
            } while (next < 0);
            if (tag == DATA_FIELD && length > 0) {
                out.writeByte(VALUE).writeBytes(message, at, length);
                return;
            }
            at += length;
        }
        out.writeByte(NULL_VALUE);
    }
}
