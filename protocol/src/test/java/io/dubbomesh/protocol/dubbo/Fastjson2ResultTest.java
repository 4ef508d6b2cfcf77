package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.jsonb.Fastjson2;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class Fastjson2ResultTest {
    private static final Map<String, String> NONE = Map.of();

    private final DubboResponseReader reader = new DubboResponseReader(1 << 20, false, Serialization.HESSIAN2);

    private record Answer(Outcome outcome, Map<String, String> attachments, String document) {}

    private Answer read(int status, ByteBuf body, ResultFormat format) throws CallException {
        ByteBuf in = Unpooled.buffer().writeZero(3);
        DubboHeader.write(in, Serialization.FASTJSON2.id(), status, 7, body.readableBytes());
        in.writeBytes(body.duplicate()).writeZero(5);
        ByteBuf out = Unpooled.buffer();
        Outcome outcome = reader.read(in, 3, format, out);
        int length = out.readUnsignedShort();
        Map<String, String> attachments = new LinkedHashMap<>();
        Attachments.forEach(
                out,
                out.readerIndex(),
                length,
                (block, key, keyLength, value, valueLength) -> attachments.put(
                        block.toString(key, keyLength, UTF_8), block.toString(value, valueLength, UTF_8)));
        out.skipBytes(length);
        return new Answer(outcome, attachments, out.toString(UTF_8));
    }

    private Answer read(ByteBuf body, boolean text) throws CallException {
        return read(20, body, ResultFormat.of(text, false, false));
    }

    private Answer read(String body) throws CallException {
        return read(Hex.buffer(body), true);
    }

    /** The values with their lengths. */
    private static ByteBuf framed(String... values) {
        ByteBuf out = Unpooled.buffer();
        for (String value : values) {
            ByteBuf bytes = Hex.buffer(value);
            out.writeInt(bytes.readableBytes()).writeBytes(bytes);
        }
        return out;
    }

    private static Answer ok(String document) {
        return new Answer(Outcome.OK, NONE, document);
    }

    @Test
    void aResultIsItsTypeItsValueAndItsAttachments() throws CallException {
        assertThat(read("00000002 bd01 00000005 4805e918d2")).isEqualTo(ok("99162322"));
        assertThat(read("00000001 01 00000003 4b'hi'")).isEqualTo(ok("hi"));
        assertThat(read("00000002 bd02")).isEqualTo(ok("null"));
        assertThat(read("00000002 bd05 00000001 af")).isEqualTo(ok("null"));
        assertThat(read("00000002 bd01 00000001 af")).isEqualTo(ok("null"));
        assertThat(read(
                        framed("bd04", "95 4a'a'", "a6 4e'dubbo' 4e'2.0.2' 4a'k' 7c02 2d4e 4a'n' 01 4a'o' 95 4a'x' a5"),
                        true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", "\u4e2d", "n", "1"), "[\"a\"]"));
        assertThat(read(framed("bd05", "92 4b'TM' 00 a6 4a'k' 49 a5"), true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", ""), "null"));
    }

    @Test
    void theFormatDecidesTheDocument() throws CallException {
        ByteBuf body = framed("bd01", "96 92 4c'a.B' 00 a6 7f 4a'n' 01 01 a5 a6 4e'class' 4b'aC' a5");
        assertThat(read(20, body, ResultFormat.of(true, false, false)).document())
                .isEqualTo("[{\"n\":1},{\"class\":\"aC\"}]");
        assertThat(read(20, body, ResultFormat.of(false, true, false)).document())
                .isEqualTo("[{\"class\":\"a.B\",\"n\":1},{\"class\":\"aC\"}]");
        assertThat(read(20, body, ResultFormat.of(false, false, true)).document())
                .isEqualTo("[{\"n\":1},{}]");
        assertThat(read(Hex.buffer("00000002 bd01 00000003 4b'hi'"), false)).isEqualTo(ok("\"hi\""));
    }

    @Test
    void anExceptionIsOneOfTheService() throws CallException {
        Answer answer = read(
                framed("bd03", "92 4f'a.Boom' 00 a6 7f 56'detailMessage' 01 4b'no' a5", "a6 4a'k' 4a'v' a5"), true);
        assertThat(answer.outcome()).isEqualTo(Outcome.SERVICE_EXCEPTION);
        assertThat(answer.attachments()).isEqualTo(Map.of("k", "v", Attachments.EXCEPTION, "a.Boom"));
        assertThat(answer.document()).contains("\"detail\":\"a.Boom: no\"");
    }

    @Test
    void anErrorIsReportedWithItsText() throws CallException {
        Answer answer = read(
                80, Fastjson2.writeFramed("java.lang.Error: \u4e2d\n at a.B"), ResultFormat.of(true, false, false));
        assertThat(answer.outcome()).isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(answer.document()).contains("provider answered with status 80: java.lang.Error: \u4e2d\"");
        assertThat(read(80, Unpooled.EMPTY_BUFFER, ResultFormat.of(true, false, false))
                        .document())
                .contains("provider answered with status 80\"");
    }

    /** Dubbo 3.3.6 answers so if it does not accept hessian2. */
    @Test
    void anAnswerInAnotherSerializationThatRefusesTheRequestNamesTheSetting() throws CallException {
        ResultFormat format = ResultFormat.of(true, false, false);
        ByteBuf text = Fastjson2.writeFramed(
                "Fail to decode request due to: RpcInvocation [methodName=hash, parameterTypes=null]");
        assertThat(read(DubboStatus.BAD_REQUEST, text, format).document())
                .contains("status 40 in fastjson2 to a request in hessian2 (see dubbo.serialization): Fail to decode");
        assertThat(read(DubboStatus.SERVER_ERROR, text, format).document()).doesNotContain("dubbo.serialization");
    }

    @Test
    void whatDubboWritesIsRead() throws CallException {
        Map<String, Object> map = new TreeMap<>(Map.of("a", new ArrayList<>(List.of(1, 2L, 'x')), "b", "\u4e2d"));
        Answer answer = read(Fastjson2.writeFramed((byte) 4, map, new HashMap<>(Map.of("dubbo", "2.0.2"))), true);
        assertThat(answer).isEqualTo(ok("{\"a\":[1,2,\"x\"],\"b\":\"\u4e2d\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "000000",
                "00000000",
                "00000001",
                "00000002 bd06",
                "00000002 bdff",
                "00000002 4a'1'",
                "00000002 bd01",
                "00000003 bd0101 00000001 01",
                "00000002 bd01 7fffffff 01",
                "00000002 bd01 ffffffff 01",
                "00000002 bd01 00000000",
                "00000002 bd01 00000002 01",
                "00000002 bd01 00000002 0101",
                "00000002 bd01 00000001 01 00",
                "00000002 bd01 00000001 01 00000001 af",
                "00000002 bd02 00000001 af",
                "00000002 bd04 00000001 01",
                "00000002 bd05 00000001 01",
                "00000002 bd05 00000002 a6a6",
                "00000002 bd05 00000003 a6a501",
                "00000002 bd00 00000002 4a'x'",
                "00000002 bd00 00000003 a6a501"
            })
    void aMalformedBodyIsTheProvidersError(String body) throws CallException {
        for (boolean text : new boolean[] {true, false}) {
            Answer answer = read(Hex.buffer(body), text);
            assertThat(answer.outcome()).isEqualTo(Outcome.PROVIDER_ERROR);
            assertThat(answer.document()).contains("provider's answer: ");
        }
    }

    @Test
    void aBodyCutShortIsTheProvidersError() throws CallException {
        ByteBuf body =
                Fastjson2.writeFramed((byte) 4, new ArrayList<>(List.of("a", 1)), new HashMap<>(Map.of("k", "v")));
        assertThat(read(body, true).outcome()).isEqualTo(Outcome.OK);
        for (int length = body.readableBytes() - 1; length >= 0; length--) {
            assertThat(read(body.slice(0, length), true).outcome()).isEqualTo(Outcome.PROVIDER_ERROR);
        }
    }
}
