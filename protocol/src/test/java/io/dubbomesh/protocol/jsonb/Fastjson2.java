package io.dubbomesh.protocol.jsonb;

import com.alibaba.fastjson2.JSONB;
import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.JSONWriter;
import com.alibaba.fastjson2.filter.ContextAutoTypeBeforeHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** The library that Dubbo's providers use, with their settings. */
public final class Fastjson2 {
    /** Dubbo trusts the classes of its services and their packages. */
    private static final ContextAutoTypeBeforeHandler TRUSTED =
            new ContextAutoTypeBeforeHandler(true, "io.dubbomesh.", "java.time.", "java.util.");

    private Fastjson2() {}

    /** The value without the length that Dubbo writes before it. */
    public static ByteBuf write(Object value) {
        return Unpooled.wrappedBuffer(JSONB.toBytes(
                value,
                JSONWriter.Feature.WriteClassName,
                JSONWriter.Feature.FieldBased,
                JSONWriter.Feature.ErrorOnNoneSerializable,
                JSONWriter.Feature.ReferenceDetection,
                JSONWriter.Feature.WriteNulls,
                JSONWriter.Feature.NotWriteDefaultValue,
                JSONWriter.Feature.NotWriteHashMapArrayListClassName,
                JSONWriter.Feature.WriteNameAsSymbol));
    }

    /** Several values as Dubbo frames them. */
    public static ByteBuf writeFramed(Object... values) {
        ByteBuf out = Unpooled.buffer();
        for (Object value : values) {
            ByteBuf bytes = write(value);
            out.writeInt(bytes.readableBytes()).writeBytes(bytes);
        }
        return out;
    }

    public static <T> T read(ByteBuf bytes, Class<T> type) {
        return JSONB.parseObject(
                ByteBufUtil.getBytes(bytes),
                type,
                TRUSTED,
                JSONReader.Feature.UseDefaultConstructorAsPossible,
                JSONReader.Feature.ErrorOnNoneSerializable,
                JSONReader.Feature.IgnoreAutoTypeNotMatch,
                JSONReader.Feature.UseNativeObject,
                JSONReader.Feature.FieldBased);
    }

    /** Reads a value after its length, which must be exactly that of the value. */
    public static <T> T readFramed(ByteBuf bytes, Class<T> type) {
        if (bytes.getInt(0) != bytes.readableBytes() - Integer.BYTES) {
            throw new IllegalArgumentException("length " + bytes.getInt(0) + " of " + bytes.readableBytes());
        }
        return read(bytes.slice(Integer.BYTES, bytes.getInt(0)), type);
    }
}
