package io.dubbomesh.micro;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import io.dubbomesh.micro.proto.Request;
import io.dubbomesh.micro.proto.Response;
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

import java.io.IOException;
import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A REQUEST with the argument of 512 letters and the RESPONSE to it, written from bytes in one buffer to another, and read so far that
 * every field is known and the payload can be reached. Protobuf's messages have a 32-bit length in front, as a stream needs it.
 */
public class MeshFrameBenchmark extends Microbenchmark {
    private static final long REQUEST_ID = 0x1234500001L;
    private static final int METHOD_ID = 1;
    private static final int TIME_LEFT_MS = 5000;

    private final HeaderValidator headers = new HeaderValidator(8 * 1024 * 1024);
    private final RequestBody parts = new RequestBody();
    private ByteBuf argument;
    private ByteBuf document;
    private ByteBuf request;
    private ByteBuf response;
    private ByteBuf protobufRequest;
    private ByteBuf protobufResponse;

    @Setup
    public void setUp() throws IOException, MalformedFrameException {
        argument = ContestCall.buffer(ContestCall.LETTERS.getBytes(US_ASCII));
        document = ContestCall.buffer(ContestCall.RESULT.getBytes(US_ASCII));
        request = ContestCall.buffer();
        response = ContestCall.buffer();
        protobufRequest = ContestCall.buffer();
        protobufResponse = ContestCall.buffer();
        writeRequestAgent();
        writeRequestProtobuf();
        writeResponseAgent();
        writeResponseProtobuf();
        checkRequests();
        checkResponses();
    }

    private void checkRequests() throws IOException, MalformedFrameException {
        parts.locate(request, MeshHeader.LENGTH, request.writerIndex(), false);
        int text = parts.argumentsOffset() + Integer.BYTES;
        String read = MeshHeader.requestId(request, 0)
                + " " + MeshHeader.methodId(request, 0)
                + " " + parts.timeLeftMs()
                + " " + request.toString(text, request.getInt(text - Integer.BYTES), UTF_8);
        Request message = readRequestProtobuf();
        requireEqual(read, REQUEST_ID + " " + METHOD_ID + " " + TIME_LEFT_MS + " " + ContestCall.LETTERS);
        requireEqual(
                message.getRequestId()
                        + " " + message.getMethodId()
                        + " " + message.getTimeLeftMs()
                        + " " + message.getArguments(0).toStringUtf8(),
                read);
    }

    private void checkResponses() throws IOException {
        int text = MeshHeader.LENGTH + Short.BYTES;
        String read = MeshHeader.requestId(response, 0)
                + " " + MeshHeader.status(response, 0)
                + " " + response.toString(text, response.writerIndex() - text, UTF_8);
        Response message = readResponseProtobuf();
        requireEqual(read, REQUEST_ID + " " + Outcome.OK.number() + " " + ContestCall.RESULT);
        requireEqual(
                message.getRequestId()
                        + " " + message.getStatus()
                        + " " + message.getDocument().toStringUtf8(),
                read);
    }

    @TearDown
    public void tearDown() {
        argument.release();
        document.release();
        request.release();
        response.release();
        protobufRequest.release();
        protobufResponse.release();
    }

    @Benchmark
    public ByteBuf writeRequestAgent() {
        ByteBuf out = request.clear();
        int length = argument.readableBytes();
        int frame = FrameWriter.beginRequest(out, Flags.TEXT, REQUEST_ID, METHOD_ID);
        out.writeInt(TIME_LEFT_MS).writeShort(0);
        out.writeInt(length).writeBytes(argument, 0, length);
        FrameWriter.endRequest(out, frame);
        return out;
    }

    @Benchmark
    public ByteBuf writeRequestProtobuf() throws IOException {
        Request message = Request.newBuilder()
                .setRequestId(REQUEST_ID)
                .setMethodId(METHOD_ID)
                .setTimeLeftMs(TIME_LEFT_MS)
                .addArguments(bytes(argument))
                .build();
        return write(message, protobufRequest);
    }

    @Benchmark
    public void readRequestAgent(Blackhole fields) throws MalformedFrameException {
        fields.consume(header(request));
        fields.consume(MeshHeader.methodId(request, 0));
        parts.locate(request, MeshHeader.LENGTH, request.writerIndex(), false);
        fields.consume(parts.timeLeftMs());
        fields.consume(parts.argumentsOffset());
        fields.consume(parts.argumentsLength());
    }

    @Benchmark
    public Request readRequestProtobuf() throws IOException {
        return Request.parseFrom(stream(protobufRequest));
    }

    @Benchmark
    public ByteBuf writeResponseAgent() {
        ByteBuf out = response.clear();
        int frame = FrameWriter.beginResponse(out, REQUEST_ID);
        out.writeShort(0).writeBytes(document, 0, document.readableBytes());
        FrameWriter.endResponse(out, frame, Outcome.OK, Flags.TEXT);
        return out;
    }

    @Benchmark
    public ByteBuf writeResponseProtobuf() throws IOException {
        Response message = Response.newBuilder()
                .setRequestId(REQUEST_ID)
                .setStatus(Outcome.OK.number())
                .setText(true)
                .setDocument(bytes(document))
                .build();
        return write(message, protobufResponse);
    }

    @Benchmark
    public void readResponseAgent(Blackhole fields) throws MalformedFrameException {
        fields.consume(header(response));
        fields.consume(MeshHeader.status(response, 0));
        fields.consume(response.getUnsignedShort(MeshHeader.LENGTH));
    }

    @Benchmark
    public Response readResponseProtobuf() throws IOException {
        return Response.parseFrom(stream(protobufResponse));
    }

    /** The checks that a link makes of every header; returns the request id. */
    private long header(ByteBuf in) throws MalformedFrameException {
        headers.validate(in, 0);
        return MeshHeader.requestId(in, 0);
    }

    /** Without a copy, as what the agent writes and reads: nobody changes the bytes while the message lives. */
    private static ByteString bytes(ByteBuf in) {
        return UnsafeByteOperations.unsafeWrap(in.nioBuffer());
    }

    private static CodedInputStream stream(ByteBuf in) {
        ByteBuffer message = in.nioBuffer(Integer.BYTES, in.getInt(0));
        CodedInputStream stream = UnsafeByteOperations.unsafeWrap(message).newCodedInput();
        stream.enableAliasing(true);
        return stream;
    }

    private static ByteBuf write(MessageLite message, ByteBuf out) throws IOException {
        int length = message.getSerializedSize();
        out.clear().writeInt(length).ensureWritable(length);
        CodedOutputStream stream = CodedOutputStream.newInstance(out.internalNioBuffer(Integer.BYTES, length));
        message.writeTo(stream);
        stream.flush();
        return out.writerIndex(Integer.BYTES + length);
    }
}
