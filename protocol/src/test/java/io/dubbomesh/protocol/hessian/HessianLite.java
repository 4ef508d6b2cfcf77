package io.dubbomesh.protocol.hessian;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The library that Dubbo's providers read and write with. */
public final class HessianLite {
    static final Library LIBRARY = new Library() {
        @Override
        public ByteBuf write(Object... values) {
            return HessianLite.write(values);
        }

        @Override
        public List<Object> read(ByteBuf bytes, int values) {
            return HessianLite.read(bytes, values);
        }
    };

    /** A reference that keeps the logger and its level from being collected. */
    private static final Logger NOISE = Logger.getLogger("com.alibaba.com.caucho.hessian");

    static {
        NOISE.setLevel(Level.OFF);
    }

    private HessianLite() {}

    public static ByteBuf write(Object... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            Hessian2Output out = new Hessian2Output(bytes);
            for (Object value : values) {
                out.writeObject(value);
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Unpooled.wrappedBuffer(bytes.toByteArray());
    }

    public static Hessian2Input reader(ByteBuf bytes) {
        return new Hessian2Input(new ByteBufInputStream(bytes.duplicate()));
    }

    public static Object read(ByteBuf bytes) {
        return read(bytes, 1).get(0);
    }

    /** Reads this many values and requires that there are no more. */
    static List<Object> read(ByteBuf bytes, int values) {
        List<Object> read = new ArrayList<>();
        try {
            Hessian2Input in = reader(bytes);
            for (int i = 0; i < values; i++) {
                read.add(in.readObject());
            }
            if (!in.isEnd()) {
                throw new IllegalStateException("more behind the values");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read;
    }
}
