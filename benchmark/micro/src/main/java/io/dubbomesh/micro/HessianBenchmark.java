package io.dubbomesh.micro;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The strings and ints of a call, one behind the other: written from what is at hand as {@code String} and {@code int}, and read so
 * that the text is at last UTF-8 in a buffer. The library's objects are reused, which spares it their 4 KiB buffers.
 */
public class HessianBenchmark extends Microbenchmark {
    private static final String[] STRINGS = {
        "2.0.2", ContestCall.SERVICE, "0.0.0", ContestCall.METHOD, ContestCall.DESCRIPTOR, ContestCall.LETTERS
    };
    /** One for each length that an int can have. */
    private static final int[] INTS = {1, 200, 20_880, ContestCall.LETTERS.hashCode()};

    private final HessianWriter writer = new HessianWriter();
    private final HessianReader reader = new HessianReader();
    private final Hessian2Output output = HessianLite.output(null);
    private final Hessian2Input input = HessianLite.input(null);
    /** The strings, one behind the other, all of them ASCII. */
    private ByteBuf utf8;

    private ByteBuf hessian;
    private ByteBuf out;

    @Setup
    public void setUp() throws IOException, MalformedValueException {
        String text = String.join("", STRINGS);
        utf8 = ContestCall.buffer(text.getBytes(UTF_8));
        hessian = ContestCall.buffer();
        out = ContestCall.buffer();
        ByteBuf expected = writeHessianLite().copy();
        requireEqual(writeAgent(), expected);
        requireEqual(writeUtf8Agent(), expected);
        expected.release();

        int sum = 0;
        for (int value : INTS) {
            sum += value;
        }
        requireEqual(readHessianLite(), sum);
        requireEqual(out.toString(UTF_8), text);
        requireEqual(readAgent(), sum);
        requireEqual(out.toString(UTF_8), text);
    }

    @TearDown
    public void tearDown() {
        utf8.release();
        hessian.release();
        out.release();
    }

    @Benchmark
    public ByteBuf writeAgent() {
        writer.reset(hessian.clear());
        for (String value : STRINGS) {
            writer.writeString(value);
        }
        for (int value : INTS) {
            writer.writeInt(value);
        }
        return hessian;
    }

    /** As the agent has them in fact: the text is UTF-8 already. */
    @Benchmark
    public ByteBuf writeUtf8Agent() throws MalformedValueException {
        writer.reset(hessian.clear());
        int at = 0;
        for (String value : STRINGS) {
            writer.writeUtf8(utf8, at, value.length());
            at += value.length();
        }
        for (int value : INTS) {
            writer.writeInt(value);
        }
        return hessian;
    }

    @Benchmark
    public ByteBuf writeHessianLite() throws IOException {
        output.init(new ByteBufOutputStream(hessian.clear()));
        for (String value : STRINGS) {
            output.writeString(value);
        }
        for (int value : INTS) {
            output.writeInt(value);
        }
        output.flush();
        return hessian;
    }

    /** Returns the sum of the ints; the strings are in {@link #out}. */
    @Benchmark
    public int readAgent() throws MalformedValueException {
        reader.reset(hessian, 0, hessian.writerIndex());
        out.clear();
        for (int i = 0; i < STRINGS.length; i++) {
            reader.readString(out);
        }
        int sum = 0;
        for (int i = 0; i < INTS.length; i++) {
            sum += reader.readInt();
        }
        return sum;
    }

    @Benchmark
    public int readHessianLite() throws IOException {
        input.init(new ByteBufInputStream(hessian.readerIndex(0)));
        out.clear();
        for (int i = 0; i < STRINGS.length; i++) {
            ByteBufUtil.writeUtf8(out, input.readString());
        }
        int sum = 0;
        for (int i = 0; i < INTS.length; i++) {
            sum += input.readInt();
        }
        return sum;
    }
}
