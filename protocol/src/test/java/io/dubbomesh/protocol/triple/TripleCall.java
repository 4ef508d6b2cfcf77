package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.request.ExportedAs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A call written as a request of Triple, and read as HTTP/2 and Protocol Buffers specify its parts. */
final class TripleCall {
    static final String AUTHORITY = "10.0.0.1:50051";
    private static final String[] STATIC_NAMES = {"", ":authority", ":method GET", ":method POST", ":path"};

    final ByteBuf in = Unpooled.buffer();
    /** Not empty, since a request is appended to what is in a batch. */
    final ByteBuf out;

    private final DubboRequest request;
    private int attachmentsLength;
    private long timeLeftMs = 5000;

    /** A part of the wrapper: its tag and its bytes. */
    record Part(int tag, byte[] bytes) {
        String text() {
            return new String(bytes, UTF_8);
        }
    }

    TripleCall(MethodName name, Serialization serialization, ServiceDefinition service, ExportedAs exported)
            throws CallException {
        this(name, serialization, service, exported, Unpooled.buffer());
    }

    TripleCall(
            MethodName name, Serialization serialization, ServiceDefinition service, ExportedAs exported, ByteBuf out)
            throws CallException {
        this.out = out.writeInt(0x01020304);
        request = DubboRequest.prepare(name, TripleRequest.to(AUTHORITY, false, serialization), service, exported);
    }

    static MethodName method(String name, String descriptor) {
        return new MethodName("a.Greeter", name, descriptor, "", "");
    }

    static TripleCall of(String method, String descriptor) throws CallException {
        return new TripleCall(method(method, descriptor), Serialization.HESSIAN2, null, ExportedAs.INTERFACE);
    }

    TripleCall attachments(String... keysAndValues) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Attachments.write(in, keysAndValues[i], keysAndValues[i + 1]);
        }
        attachmentsLength = in.writerIndex();
        return this;
    }

    TripleCall timeLeftMs(long timeLeftMs) {
        this.timeLeftMs = timeLeftMs;
        return this;
    }

    TripleCall form(String... arguments) throws CallException {
        for (String argument : arguments) {
            byte[] bytes = argument.getBytes(UTF_8);
            in.writeInt(bytes.length).writeBytes(bytes);
        }
        return encode(CallArguments.Form.TEXTS);
    }

    TripleCall json(String arguments) throws CallException {
        in.writeCharSequence(arguments, UTF_8);
        return encode(CallArguments.Form.ARRAY);
    }

    TripleCall object(String object) throws CallException {
        in.writeCharSequence('[' + object + ']', UTF_8);
        return encode(CallArguments.Form.OBJECT);
    }

    private TripleCall encode(CallArguments.Form form) throws CallException {
        CallArguments call = new CallArguments()
                .set(form, in, attachmentsLength, in.writerIndex() - attachmentsLength)
                .attachments(0, attachmentsLength)
                .timeLeftMs(timeLeftMs);
        request.encode(out, 7, false, call);
        return this;
    }

    private int blockLength() {
        return out.getInt(Integer.BYTES);
    }

    private int messageAt() {
        return Integer.BYTES + TripleRequest.BLOCK_OFFSET + blockLength();
    }

    /** Returns the bytes of the header block, one character each. */
    String block() {
        return text(Integer.BYTES + TripleRequest.BLOCK_OFFSET, blockLength(), ISO_8859_1);
    }

    private String text(int offset, int length, Charset charset) {
        return out.toString(offset, length, charset);
    }

    /** Returns the header fields, as {@code name value}. */
    List<String> fields() {
        List<String> fields = new ArrayList<>();
        ByteBuf block = out.slice(Integer.BYTES + TripleRequest.BLOCK_OFFSET, blockLength());
        while (block.isReadable()) {
            int first = block.readUnsignedByte();
            if (first >= 0x80) {
                fields.add(
                        switch (first) {
                            case 0x83 -> ":method POST";
                            case 0x86 -> ":scheme http";
                            case 0x87 -> ":scheme https";
                            default -> throw new AssertionError("index " + first);
                        });
                continue;
            }
            assertThat(first).as("literals that are put into no table").isLessThan(0x20);
            int index = first & 0x0f;
            String name;
            if (index == 0x0f) {
                assertThat(block.readUnsignedByte()).isEqualTo((short) 16);
                name = "content-type";
            } else {
                name = index == 0 ? string(block) : STATIC_NAMES[index];
            }
            fields.add(name + ' ' + string(block));
        }
        return fields;
    }

    private static String string(ByteBuf block) {
        int length = block.readUnsignedByte();
        assertThat(length).as("not in Huffman's code").isLessThan(0x80);
        if (length == 0x7f) {
            int shift = 0;
            int group;
            do {
                group = block.readUnsignedByte();
                length += (group & 0x7f) << shift;
                shift += 7;
            } while (group >= 0x80);
        }
        return block.readCharSequence(length, ISO_8859_1).toString();
    }

    /** Returns the parts of the message, whose lengths fill the buffer exactly. */
    List<Part> parts() {
        int at = messageAt();
        int length = out.getInt(at);
        assertThat(at + Integer.BYTES + length).isEqualTo(out.writerIndex());
        assertThat(out.getByte(at + Integer.BYTES)).as("not compressed").isZero();
        assertThat(out.getInt(at + Integer.BYTES + 1)).isEqualTo(length - 5);
        ByteBuf message = out.slice(at + Integer.BYTES + 5, length - 5);
        List<Part> parts = new ArrayList<>();
        while (message.isReadable()) {
            int tag = message.readUnsignedByte();
            int partLength = 0;
            int shift = 0;
            int group;
            do {
                group = message.readUnsignedByte();
                partLength |= (group & 0x7f) << shift;
                shift += 7;
            } while (group >= 0x80);
            assertThat(shift == 7 || group > 0).as("the shortest form").isTrue();
            byte[] bytes = new byte[partLength];
            message.readBytes(bytes);
            parts.add(new Part(tag, bytes));
        }
        return parts;
    }

    /** Returns the streams of the arguments. */
    List<byte[]> arguments() {
        return parts().stream()
                .filter(part -> part.tag == 0x12)
                .map(Part::bytes)
                .toList();
    }

    /** Returns the types of the parameters. */
    List<String> types() {
        return parts().stream().filter(part -> part.tag == 0x1a).map(Part::text).toList();
    }
}
