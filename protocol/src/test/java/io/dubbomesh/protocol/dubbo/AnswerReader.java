package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.LinkedHashMap;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Reads a provider's answer and takes the body of the mesh response apart. */
final class AnswerReader {
    static final Map<String, String> NONE = Map.of();

    final DubboResponseReader reader;

    AnswerReader() {
        this(1 << 20);
    }

    AnswerReader(int maxText) {
        reader = new DubboResponseReader(maxText, false, Serialization.HESSIAN2);
    }

    record Answer(Outcome outcome, Map<String, String> attachments, String document) {}

    Answer read(int serialization, int status, ByteBuf body, boolean text) {
        ByteBuf in = Unpooled.buffer();
        in.writeZero(3);
        DubboHeader.write(in, serialization, status, 7, body.readableBytes());
        in.writeBytes(body.duplicate()).writeZero(5);
        ByteBuf out = Unpooled.copiedBuffer("<", UTF_8);
        Outcome outcome = reader.read(in, 3, ResultFormat.of(text, false, false), out);
        assertThat(in.refCnt()).isOne();
        assertThat(out.readByte()).isEqualTo((byte) '<');
        int length = out.readUnsignedShort();
        Map<String, String> attachments = new LinkedHashMap<>();
        try {
            Attachments.forEach(
                    out,
                    out.readerIndex(),
                    length,
                    (block, key, keyLength, value, valueLength) -> attachments.put(
                            block.toString(key, keyLength, UTF_8), block.toString(value, valueLength, UTF_8)));
        } catch (CallException e) {
            throw new AssertionError(e);
        }
        out.skipBytes(length);
        return new Answer(outcome, attachments, out.toString(UTF_8));
    }

    Answer hessian(String body, boolean text) {
        return read(2, 20, Hex.buffer(body), text);
    }

    Answer fastjson(String body, boolean text) {
        return read(6, 20, Unpooled.copiedBuffer(body, UTF_8), text);
    }

    static Answer ok(String document) {
        return new Answer(Outcome.OK, NONE, document);
    }

    static void assertProviderError(Answer answer, String detail) {
        assertThat(answer.outcome()).isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(answer.attachments()).isEmpty();
        assertThat(answer.document())
                .startsWith("{\"status\":502,")
                .contains(detail)
                .endsWith("}");
    }
}
