package io.dubbomesh.micro;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A whole Dubbo response frame to the mesh body with the text of the result. Since 2.7 it has Dubbo's version as an attachment. */
public class DubboResponseBenchmark extends Microbenchmark {
    private static final int VALUE = 1;
    private static final int VALUE_WITH_ATTACHMENTS = 4;

    @Param({"2.6", "3.3"})
    public String provider;

    private final DubboResponseReader reader = new DubboResponseReader();
    private final ResultFormat format = ResultFormat.of(true, false, false);
    private ByteBuf frame;
    private ByteBuf out;

    @Setup
    public void setUp() throws IOException {
        frame = ContestCall.buffer();
        out = ContestCall.buffer();
        DubboHeader.write(frame, Serialization.HESSIAN2.id(), DubboStatus.OK, 0x1234500001L, 0);
        Hessian2Output output = HessianLite.output(new ByteBufOutputStream(frame));
        if (provider.equals("2.6")) {
            output.writeInt(VALUE);
            output.writeObject(ContestCall.LETTERS.hashCode());
        } else {
            output.writeInt(VALUE_WITH_ATTACHMENTS);
            output.writeObject(ContestCall.LETTERS.hashCode());
            output.writeObject(new HashMap<>(Map.of("dubbo", "2.0.2")));
        }
        output.flush();
        DubboHeader.bodyLength(frame, 0, frame.writerIndex() - DubboHeader.LENGTH);

        // No attachment of Dubbo's own is for the caller.
        String expected = "\0\0" + ContestCall.RESULT;
        requireEqual(hessianLite().toString(UTF_8), expected);
        requireEqual(agent(), Outcome.OK);
        requireEqual(out.toString(UTF_8), expected);
    }

    @TearDown
    public void tearDown() {
        frame.release();
        out.release();
    }

    @Benchmark
    public Outcome agent() {
        return reader.read(frame, 0, format, out.clear());
    }

    /** As Dubbo's client does it: a new input for each response, with deserializers that are kept. */
    @Benchmark
    public ByteBuf hessianLite() throws IOException {
        int length = DubboHeader.bodyLength(frame, 0);
        Hessian2Input hessian =
                HessianLite.input(new ByteBufInputStream(frame.readerIndex(DubboHeader.LENGTH), length));
        int type = hessian.readInt();
        Object value = hessian.readObject();
        if (type == VALUE_WITH_ATTACHMENTS) {
            Map<?, ?> attachments = (Map<?, ?>) hessian.readObject(Map.class);
            requireEqual(attachments.size(), 1);
        }
        out.clear().writeShort(0);
        ByteBufUtil.writeAscii(out, value.toString());
        frame.readerIndex(0);
        return out;
    }
}
