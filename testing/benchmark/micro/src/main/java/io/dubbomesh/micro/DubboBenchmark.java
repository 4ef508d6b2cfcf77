package io.dubbomesh.micro;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.DubboRequest;
import io.netty.buffer.ByteBuf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The provider agent's part of a call: whole Dubbo frames with Hessian 2. */
public class DubboBenchmark extends Microbenchmark {
    private static final long REQUEST_ID = 0x1234500001L;
    private static final int TIMEOUT_MS = 5000;
    private static final int VALUE = 1;
    private static final int VALUE_WITH_ATTACHMENTS = 4;

    private final CallArguments call = new CallArguments();
    private final DubboResponseReader reader = new DubboResponseReader();
    private final ResultFormat format = ResultFormat.of(true, false, false);
    private final ByteBuf arguments = ContestCall.meshArguments(ContestCall.LETTERS);
    private final ByteBuf answerOf26 = answer(VALUE);
    private final ByteBuf answerOf33 = answer(VALUE_WITH_ATTACHMENTS);
    private final ByteBuf out = ContestCall.buffer();
    private DubboRequest request;

    /** Reads an answer, which has Dubbo's version as an attachment since 2.7. */
    private static ByteBuf answer(int type) {
        ByteBuf frame = ContestCall.buffer();
        DubboHeader.write(frame, Serialization.HESSIAN2.id(), DubboStatus.OK, REQUEST_ID, 0);
        HessianWriter writer = new HessianWriter().reset(frame);
        writer.writeInt(type);
        writer.writeInt(ContestCall.LETTERS.hashCode());
        if (type == VALUE_WITH_ATTACHMENTS) {
            writer.beginMap();
            writer.writeString("dubbo");
            writer.writeString("2.0.2");
            writer.endMap();
        }
        DubboHeader.bodyLength(frame, 0, frame.writerIndex() - DubboHeader.LENGTH);
        return frame;
    }

    @Setup
    public void setUp() throws CallException {
        request = DubboRequest.prepare(ContestCall.NAME, Serialization.HESSIAN2, null);
        requireEqual(DubboHeader.bodyLength(request(), 0), out.writerIndex() - DubboHeader.LENGTH);
        requireEqual(out.toString(UTF_8).contains(ContestCall.LETTERS), true);
        // No attachment of Dubbo's own is for the caller.
        String expected = "\0\0" + ContestCall.LETTERS.hashCode();
        requireEqual(answer26(), Outcome.OK);
        requireEqual(out.toString(UTF_8), expected);
        requireEqual(answer33(), Outcome.OK);
        requireEqual(out.toString(UTF_8), expected);
    }

    @TearDown
    public void tearDown() {
        arguments.release();
        answerOf26.release();
        answerOf33.release();
        out.release();
    }

    /** Makes a request from the arguments as they stand in a mesh frame. */
    @Benchmark
    public ByteBuf request() throws CallException {
        call.form(arguments, 0, arguments.writerIndex()).timeLeftMs(TIMEOUT_MS);
        request.encode(out.clear(), REQUEST_ID, false, call);
        return out;
    }

    /** To the mesh body with the text of the result. */
    @Benchmark
    public Outcome answer26() {
        return reader.read(answerOf26, 0, format, out.clear());
    }

    @Benchmark
    public Outcome answer33() {
        return reader.read(answerOf33, 0, format, out.clear());
    }
}
