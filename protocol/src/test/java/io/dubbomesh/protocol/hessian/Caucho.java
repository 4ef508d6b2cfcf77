package io.dubbomesh.protocol.hessian;

import com.caucho.hessian.io.Hessian2Input;
import com.caucho.hessian.io.Hessian2Output;
import com.caucho.hessian.io.SerializerFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The library of the format's authors. */
final class Caucho implements Library {
    /** Keeps the serializers of the classes that it has seen. */
    private final SerializerFactory serializers = new SerializerFactory();

    @Override
    public ByteBuf write(Object... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            Hessian2Output out = new Hessian2Output(bytes);
            out.setSerializerFactory(serializers);
            for (Object value : values) {
                out.writeObject(value);
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Unpooled.wrappedBuffer(bytes.toByteArray());
    }

    @Override
    public List<Object> read(ByteBuf bytes, int values) {
        List<Object> read = new ArrayList<>();
        try {
            Hessian2Input in = new Hessian2Input(new ByteBufInputStream(bytes.duplicate()));
            in.setSerializerFactory(serializers);
            for (int i = 0; i < values; i++) {
                read.add(in.readObject());
            }
            if (in.read() >= 0) {
                throw new IllegalStateException("more behind the values");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read;
    }
}
