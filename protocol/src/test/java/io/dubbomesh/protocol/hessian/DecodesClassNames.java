package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbValues;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Runs in a separate JVM: reads values that name the classes given as arguments, in every place where a name is
 * possible.
 */
final class DecodesClassNames {
    private static final byte[] FIELD = {'x'};

    private DecodesClassNames() {}

    public static void main(String[] names) throws MalformedValueException {
        DubboResponseReader reader = new DubboResponseReader(1 << 20, true, Serialization.HESSIAN2);
        for (String name : names) {
            System.out.println(read(reader, object(0x91, name)));
            System.out.println(read(reader, object(0x90, name)));
            System.out.println(read(reader, typed(0x71, name).writeByte(0x91)));
            System.out.println(
                    read(reader, typed('M', name).writeByte(0).writeByte(0x91).writeByte('Z')));
            System.out.println(read(
                    reader,
                    typed('M', "java.util.HashMap")
                            .writeBytes(string("class"))
                            .writeBytes(string(name))
                            .writeByte('Z')));
            System.out.println(readJsonb(name));
        }
    }

    private static ByteBuf string(String text) {
        ByteBuf out = Unpooled.buffer();
        new HessianWriter().reset(out).writeString(text);
        return out;
    }

    private static ByteBuf object(int resultType, String name) {
        ByteBuf out = Unpooled.buffer().writeByte(resultType);
        HessianWriter writer = new HessianWriter().reset(out);
        writer.beginObject(name, "detailMessage", "x");
        writer.writeString("m");
        writer.writeInt(1);
        return out;
    }

    private static ByteBuf typed(int tag, String name) {
        return Unpooled.buffer().writeByte(0x91).writeByte(tag).writeBytes(string(name));
    }

    private static String read(DubboResponseReader reader, ByteBuf body) {
        ByteBuf in =
                Unpooled.buffer().writeShort(0xdabb).writeByte(2).writeByte(20).writeLong(1);
        in.writeInt(body.readableBytes()).writeBytes(body);
        ByteBuf out = Unpooled.buffer();
        return reader.read(in, 0, ResultFormat.of(false, true, true), out) + " "
                + out.toString(UTF_8).replaceAll("[^ -~]", "?");
    }

    /** An object with one field. */
    private static String readJsonb(String name) throws MalformedValueException {
        ByteBuf in = Unpooled.buffer().writeByte(0x92).writeByte(0x79).writeByte(0x38);
        in.writeByte(name.length()).writeCharSequence(name, UTF_8);
        in.writeByte(0).writeByte(0xa6).writeByte(0x7f).writeByte(0x4a).writeBytes(FIELD);
        in.writeByte(1).writeByte(5).writeByte(0xa5);
        JsonbReader reader = new JsonbReader();
        reader.reset(in, 0, in.readableBytes());
        ByteBuf out = Unpooled.buffer();
        new ValueToJson(new JsonbValues(reader), 1 << 20).writeJson(out, ClassNames.WRITE);
        return out.toString(UTF_8);
    }
}
