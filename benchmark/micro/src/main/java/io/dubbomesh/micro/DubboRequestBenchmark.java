package io.dubbomesh.micro;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.dubbo.CallArguments;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A whole Dubbo request frame, from the arguments as they stand in a mesh frame. */
public class DubboRequestBenchmark extends Microbenchmark {
    private static final long REQUEST_ID = 0x1234500001L;
    private static final int TIMEOUT_MS = 5000;

    private final Map<String, String> attachments = new HashMap<>();
    private DubboRequest request;
    private ByteBuf arguments;
    private ByteBuf out;
    private final CallArguments call = new CallArguments();

    @Setup
    public void setUp() throws CallException, IOException {
        request = DubboRequest.prepare(ContestCall.NAME, Serialization.HESSIAN2, null);
        attachments.put("path", ContestCall.SERVICE);
        attachments.put("interface", ContestCall.SERVICE);
        attachments.put("timeout", Integer.toString(TIMEOUT_MS));
        attachments.put("_TO", Integer.toString(TIMEOUT_MS));
        arguments = ContestCall.meshArguments(ContestCall.LETTERS);
        out = ContestCall.buffer();
        // The attachments may stand in either order, so that values are compared and not bytes.
        List<Object> values = List.of(
                "2.0.2",
                ContestCall.SERVICE,
                "0.0.0",
                ContestCall.METHOD,
                ContestCall.DESCRIPTOR,
                ContestCall.LETTERS,
                attachments);
        requireEqual(valuesOf(hessianLite()), values);
        String header = ByteBufUtil.hexDump(out, 0, DubboHeader.LENGTH);
        requireEqual(valuesOf(agent()), values);
        requireEqual(ByteBufUtil.hexDump(out, 0, DubboHeader.LENGTH), header);
    }

    private static List<Object> valuesOf(ByteBuf frame) throws IOException {
        ByteBuf body = frame.slice(DubboHeader.LENGTH, DubboHeader.bodyLength(frame, 0));
        Hessian2Input hessian = HessianLite.input(new ByteBufInputStream(body));
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            values.add(hessian.readObject());
        }
        requireEqual(hessian.isEnd(), true);
        return values;
    }

    @TearDown
    public void tearDown() {
        arguments.release();
        out.release();
    }

    @Benchmark
    public ByteBuf agent() throws CallException {
        request.encode(
                out.clear(),
                REQUEST_ID,
                false,
                call.form(arguments, 0, arguments.writerIndex()).timeLeftMs(TIMEOUT_MS));
        return out;
    }

    /** As Dubbo's client does it: a new output for each request, with serializers that are kept. */
    @Benchmark
    public ByteBuf hessianLite() throws IOException {
        String argument = arguments.toString(Integer.BYTES, arguments.getInt(0), UTF_8);
        int flags = DubboHeader.REQUEST | DubboHeader.TWO_WAY | Serialization.HESSIAN2.id();
        DubboHeader.write(out.clear(), flags, 0, REQUEST_ID, 0);
        Hessian2Output hessian = HessianLite.output(new ByteBufOutputStream(out));
        hessian.writeString("2.0.2");
        hessian.writeString(ContestCall.SERVICE);
        hessian.writeString("0.0.0");
        hessian.writeString(ContestCall.METHOD);
        hessian.writeString(ContestCall.DESCRIPTOR);
        hessian.writeObject(argument);
        hessian.writeObject(attachments);
        hessian.flush();
        DubboHeader.bodyLength(out, 0, out.writerIndex() - DubboHeader.LENGTH);
        return out;
    }
}
