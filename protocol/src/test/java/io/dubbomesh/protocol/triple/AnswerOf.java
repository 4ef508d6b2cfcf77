package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** An answer of Triple, turned into a Dubbo response and read as one. */
final class AnswerOf {
    private static final long REQUEST_ID = 0x123456789abcL;

    private final List<Map.Entry<CharSequence, CharSequence>> headers = new ArrayList<>();
    private List<Map.Entry<CharSequence, CharSequence>> trailers;
    private final ByteBuf data = Unpooled.buffer().writeByte('x');
    private Serialization requests = Serialization.HESSIAN2;
    private boolean isGeneric;
    private boolean isMessage;

    final ByteBuf out = Unpooled.buffer().writeByte('x');
    Outcome outcome;
    String document;
    Map<String, String> attachments;

    /** Begins an answer with the header fields that all have whose message is one of gRPC. */
    static AnswerOf grpc() {
        return new AnswerOf().header(":status", "200").header("content-type", "application/grpc+proto");
    }

    AnswerOf() {
        data.skipBytes(1);
    }

    /** Reads an answer as it was recorded: header fields, {@code data} in Base64, and trailers. */
    static AnswerOf recorded(String text) {
        AnswerOf answer = new AnswerOf();
        boolean isTrailer = false;
        for (String line : text.split("\n")) {
            if (line.startsWith("data ")) {
                answer.data.writeBytes(Base64.getDecoder().decode(line.substring(5)));
            } else if (line.equals("trailers")) {
                isTrailer = true;
                answer.trailers = new ArrayList<>();
            } else {
                int colon = line.indexOf(": ");
                if (isTrailer) {
                    answer.trailer(line.substring(0, colon), line.substring(colon + 2));
                } else {
                    answer.header(line.substring(0, colon), line.substring(colon + 2));
                }
            }
        }
        if (!isTrailer) {
            answer.trailers = answer.headers;
        }
        return answer;
    }

    AnswerOf header(String name, String value) {
        headers.add(new SimpleEntry<>(name, value));
        return this;
    }

    AnswerOf trailer(String name, String value) {
        if (trailers == null) {
            trailers = new ArrayList<>();
        }
        trailers.add(new SimpleEntry<>(name, value));
        return this;
    }

    /** Adds the lines of a stack as the details of a status. */
    AnswerOf stack(String... lines) {
        ByteBuf info = Unpooled.buffer();
        for (String line : lines) {
            field(info, 1, Unpooled.copiedBuffer(line, UTF_8));
        }
        ByteBuf any = Unpooled.buffer();
        field(any, 1, Unpooled.copiedBuffer("type.googleapis.com/google.rpc.DebugInfo", UTF_8));
        field(any, 2, info);
        ByteBuf status = Unpooled.buffer();
        field(status, 3, any);
        return header(
                "grpc-status-details-bin",
                Base64.getEncoder().withoutPadding().encodeToString(ByteBufUtil.getBytes(status)));
    }

    private static void field(ByteBuf out, int number, ByteBuf value) {
        int length = value.readableBytes();
        out.writeByte(number << 3 | 2).writeByte(length & 0x7f | 0x80).writeByte(length >> 7);
        out.writeBytes(value);
    }

    /** Ends an answer that has header fields alone. */
    AnswerOf alone() {
        trailers = headers;
        return this;
    }

    AnswerOf data(byte[] bytes) {
        data.writeBytes(bytes);
        return this;
    }

    /** @param bytes one character each */
    AnswerOf data(String bytes) {
        data.writeCharSequence(bytes, ISO_8859_1);
        return this;
    }

    /** Adds a message that is not compressed. */
    AnswerOf message(byte[] bytes) {
        data.writeByte(0).writeInt(bytes.length).writeBytes(bytes);
        return this;
    }

    AnswerOf message(String bytes) {
        return message(bytes.getBytes(ISO_8859_1));
    }

    AnswerOf requests(Serialization serialization) {
        requests = serialization;
        return this;
    }

    AnswerOf generic() {
        isGeneric = true;
        return this;
    }

    AnswerOf bareMessage() {
        isMessage = true;
        return this;
    }

    AnswerOf read() {
        int begin = out.writerIndex();
        int readable = data.readableBytes();
        TripleAnswer answer = new TripleAnswer(requests);
        if (isMessage) {
            answer.writeMessage(out, REQUEST_ID, headers, trailers, data);
        } else {
            answer.write(out, REQUEST_ID, headers, trailers, data);
        }
        assertThat(data.readableBytes()).isEqualTo(readable);
        assertThat(DubboHeader.magic(out, begin)).isEqualTo(DubboHeader.MAGIC);
        assertThat(DubboHeader.isRequest(out, begin)).isFalse();
        assertThat(DubboHeader.requestId(out, begin)).isEqualTo(REQUEST_ID);
        assertThat(DubboHeader.bodyLength(out, begin)).isEqualTo(out.writerIndex() - begin - DubboHeader.LENGTH);
        ByteBuf body = Unpooled.buffer();
        outcome = new DubboResponseReader(1 << 20, false, requests)
                .read(out, begin, ResultFormat.of(false, false, isGeneric), body);
        attachments = new LinkedHashMap<>();
        int end = body.getUnsignedShort(0) + 2;
        for (int at = 2; at < end; ) {
            int key = body.getUnsignedShort(at);
            int value = body.getUnsignedShort(at + 2 + key);
            attachments.put(body.toString(at + 2, key, UTF_8), body.toString(at + 4 + key, value, UTF_8));
            at += 4 + key + value;
        }
        document = body.toString(end, body.writerIndex() - end, UTF_8);
        return this;
    }

    int status() {
        return DubboHeader.status(out, 1);
    }

    boolean isUnknownMethod(String service, String method) {
        return new UnknownMethod(service, method).isMeant(out, 1);
    }

    boolean isUnexported() {
        return DubboStatus.isUnexported(out, 1);
    }

    /** Returns the bytes of the response behind its header. */
    String body() {
        int begin = 1 + DubboHeader.LENGTH;
        return out.toString(begin, out.writerIndex() - begin, ISO_8859_1);
    }

    /** Returns the member {@code detail} of a problem document. */
    String detail() {
        int begin = document.indexOf("\"detail\":\"") + 10;
        int end = document.indexOf("\",\"code\"");
        return document.substring(begin, end);
    }
}
