package io.dubbomesh.micro;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.HeaderValidator;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.netty.buffer.ByteBuf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A REQUEST with the argument of 512 letters and the RESPONSE to it, written from one buffer to another, and read until every field is
 * known and the payload can be reached.
 */
public class MeshFrameBenchmark extends Microbenchmark {
    private static final long REQUEST_ID = 0x1234500001L;
    private static final int METHOD_ID = 1;
    private static final int TIME_LEFT_MS = 5000;

    private final HeaderValidator headers = new HeaderValidator(8 * 1024 * 1024);
    private final RequestBody parts = new RequestBody();
    private final ByteBuf argument = ContestCall.buffer(ContestCall.LETTERS.getBytes(US_ASCII));
    private final ByteBuf document = ContestCall.buffer(ContestCall.RESULT.getBytes(US_ASCII));
    private final ByteBuf request = ContestCall.buffer();
    private final ByteBuf response = ContestCall.buffer();

    @Setup
    public void setUp() throws MalformedFrameException {
        writeRequest();
        parts.locate(request, MeshHeader.LENGTH, request.writerIndex(), false);
        int text = parts.argumentsOffset() + Integer.BYTES;
        requireEqual(MeshHeader.requestId(request, 0), REQUEST_ID);
        requireEqual(MeshHeader.methodId(request, 0), METHOD_ID);
        requireEqual(parts.timeLeftMs(), (long) TIME_LEFT_MS);
        requireEqual(request.toString(text, request.getInt(text - Integer.BYTES), UTF_8), ContestCall.LETTERS);
        writeResponse();
        text = MeshHeader.LENGTH + Short.BYTES;
        requireEqual(MeshHeader.status(response, 0), Outcome.OK.number());
        requireEqual(response.toString(text, response.writerIndex() - text, UTF_8), ContestCall.RESULT);
    }

    @TearDown
    public void tearDown() {
        argument.release();
        document.release();
        request.release();
        response.release();
    }

    @Benchmark
    public ByteBuf writeRequest() {
        ByteBuf out = request.clear();
        int length = argument.readableBytes();
        int frame = FrameWriter.beginRequest(out, Flags.TEXT, REQUEST_ID, METHOD_ID);
        out.writeInt(TIME_LEFT_MS).writeShort(0);
        out.writeInt(length).writeBytes(argument, 0, length);
        FrameWriter.endRequest(out, frame);
        return out;
    }

    @Benchmark
    public void readRequest(Blackhole fields) throws MalformedFrameException {
        headers.validate(request, 0);
        fields.consume(MeshHeader.requestId(request, 0));
        fields.consume(MeshHeader.methodId(request, 0));
        parts.locate(request, MeshHeader.LENGTH, request.writerIndex(), false);
        fields.consume(parts.timeLeftMs());
        fields.consume(parts.argumentsOffset());
        fields.consume(parts.argumentsLength());
    }

    @Benchmark
    public ByteBuf writeResponse() {
        ByteBuf out = response.clear();
        int frame = FrameWriter.beginResponse(out, REQUEST_ID);
        out.writeShort(0).writeBytes(document, 0, document.readableBytes());
        FrameWriter.endResponse(out, frame, Outcome.OK, Flags.TEXT);
        return out;
    }

    @Benchmark
    public void readResponse(Blackhole fields) throws MalformedFrameException {
        headers.validate(response, 0);
        fields.consume(MeshHeader.requestId(response, 0));
        fields.consume(MeshHeader.status(response, 0));
        fields.consume(response.getUnsignedShort(MeshHeader.LENGTH));
    }
}
