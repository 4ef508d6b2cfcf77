package io.dubbomesh.idl;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MessageMethod;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.netty.buffer.ByteBuf;

/**
 * A method with messages.
 *
 * @param service  the name in the path of a call
 * @param input   the message that it takes
 * @param output  the message that it returns
 */
record ProtoMethod(
        String service,
        String name,
        Descriptor input,
        Descriptor output,
        boolean isClientStreaming,
        boolean isServerStreaming,
        MessageJson json)
        implements MessageMethod {
    private static final int MAX_SIGNATURE = 500;

    /** Makes the method of a {@code .proto} file. */
    static ProtoMethod of(MethodDescriptor method, MessageJson json) {
        return new ProtoMethod(
                method.getService().getFullName(),
                method.getName(),
                method.getInputType(),
                method.getOutputType(),
                method.isClientStreaming(),
                method.isServerStreaming(),
                json);
    }

    @Override
    public String signature() {
        return name + '(' + input.getFullName() + ')';
    }

    @Override
    public String request() {
        return input.getFullName();
    }

    @Override
    public String result() {
        return output.getFullName();
    }

    @Override
    public void writeTexts(ByteBuf out, ByteBuf in, int offset, int length) throws CallException {
        int count = 0;
        int text = 0;
        int textLength = 0;
        for (int at = offset; at < offset + length; at += textLength) {
            textLength = offset + length - at < Integer.BYTES ? -1 : in.getInt(at);
            at += Integer.BYTES;
            if (textLength < 0 || textLength > offset + length - at) {
                throw new CallException(Outcome.BAD_REQUEST, "arguments: a length reaches beyond the body");
            }
            text = at;
            count++;
        }
        requireCount(count);
        if (count == 1) {
            json.writeText(input, in, text, textLength, out);
        }
    }

    @Override
    public void writeArray(ByteBuf out, ByteBuf in, int offset, int length) throws CallException {
        requireCount(json.writeElement(input, in, offset, length, out));
    }

    /** A call without arguments is one with the message that has no fields, which takes no bytes. */
    private void requireCount(int count) throws CallException {
        if (count > 1) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "arguments: " + count + " (expected: 1: " + Quoted.plain(signature(), MAX_SIGNATURE) + ')');
        }
    }

    @Override
    public void readMessage(ByteBuf in, int offset, int length, boolean isText, int maxLength, ByteBuf out)
            throws CallException {
        json.read(output, in, offset, length, isText, maxLength, out);
    }
}
