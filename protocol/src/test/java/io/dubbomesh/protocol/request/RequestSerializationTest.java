package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.dubbomesh.protocol.request.RequestEncoder.STRING;
import static io.dubbomesh.protocol.request.RequestEncoder.name;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Requests in fastjson and fastjson2. */
class RequestSerializationTest {
    private final RequestEncoder call = new RequestEncoder();
    private final ByteBuf in = call.in;
    private final ByteBuf out = call.out;

    @Test
    void fastjsonIsALineForEachValue() throws CallException {
        DubboRequest request = DubboRequest.prepare(
                new MethodName("a.Greeter", "hi", STRING, "1.0", ""), Serialization.FASTJSON, null);
        call.form("a\"b\n\u4e2d\ud83d\ude00");
        call.encode(request, true);
        String body = "\"2.0.2\"\n\"a.Greeter\"\n\"1.0\"\n\"hi\"\n\"Ljava/lang/String;\"\n"
                + "\"a\\\"b\\n\\u4e2d\\ud83d\\ude00\"\n"
                + "{\"path\":\"a.Greeter\",\"interface\":\"a.Greeter\",\"version\":\"1.0\",\"timeout\":\"5000\",\"_TO\":\"5000\"}\n";
        assertThat(out.slice(0, 12)).isEqualTo(Hex.buffer("dabb c6 00 0000000000000007"));
        assertThat(DubboHeader.bodyLength(out, 0)).isEqualTo(body.length());
        assertThat(out.toString(DubboHeader.LENGTH, body.length(), UTF_8)).isEqualTo(body);
        out.clear();
        in.clear();

        call.attachments("k", "v\"");
        call.form("");
        call.encode(request, true);
        assertThat(out.toString(UTF_8))
                .endsWith(
                        "\"\"\n"
                                + "{\"path\":\"a.Greeter\",\"interface\":\"a.Greeter\",\"version\":\"1.0\",\"timeout\":\"5000\",\"_TO\":\"5000\",\"k\":\"v\\\"\"}\n");
    }

    @Test
    void fastjsonTakesEveryType() throws CallException {
        String descriptor =
                "IJDZC[B[I[[ILjava/util/List<*>;Ljava/util/Map<**>;Ljava/lang/Object;Ljava/util/Date;Ljava/math/BigDecimal;Ljava/math/BigInteger;Ljava/lang/Integer;";
        in.writeCharSequence(
                "[ 1, -9007199254740993, 1.5, true, \"c\", \"AQI=\", [1 , 2], [[1],[]], [null,{}], {\"a\":[1,{\"b\":\"\\n\"}],\"c\":0.1}, \"x\", 5, 1.50, 7, null ]",
                UTF_8);
        call.encode(DubboRequest.prepare(name(descriptor), Serialization.FASTJSON, null), false);
        assertThat(out.toString(UTF_8))
                .contains("\n1\n-9007199254740993\n1.5\ntrue\n\"c\"\n\"AQI=\"\n[1,2]\n[[1],[]]\n[null,{}]\n"
                        + "{\"a\":[1,{\"b\":\"\\n\"}],\"c\":0.1}\n\"x\"\n5\n1.50\n7\nnull\n{\"path\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "D | [\"NaN\"] | args[0]: NaN cannot be sent by the serialization fastjson",
                "Ljava/lang/Object; | [[{\"@type\":\"a.B\"}]] | args[0][0]: key \"@type\" cannot be sent by the serialization fastjson",
                "Ljava/util/Map<**>; | [{\"a\":{\"\\u0024ref\":\"$\"}}] | args[0].a: key \"$ref\" cannot be sent by the serialization fastjson"
            })
    void keysThatFastjsonInterpretsAreRefused(String descriptor, String arguments, String detail) {
        in.writeCharSequence(arguments, UTF_8);
        assertThatThrownBy(
                        () -> call.encode(DubboRequest.prepare(name(descriptor), Serialization.FASTJSON, null), false))
                .hasMessage(detail);
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void fastjson2IsALengthAndJsonbForEachValue() throws CallException {
        DubboRequest request = DubboRequest.prepare(
                new MethodName("a.Greeter", "hi", STRING, "1.0", ""), Serialization.FASTJSON2, null);
        call.form("\u4e2d");
        call.encode(request, true);
        ByteBuf expected = Hex.buffer(
                "00000006 4e'2.0.2' 0000000a 52'a.Greeter' 00000004 4c'1.0' 00000003 4b'hi'"
                        + "00000013 5b'Ljava/lang/String;' 00000005 7a03 e4b8ad"
                        + "00000047 a6 4d'path' 52'a.Greeter' 52'interface' 52'a.Greeter' 50'version' 4c'1.0' 50'timeout' 4d'5000' 4c'_TO' 4d'5000' a5");
        assertThat(out.slice(0, 12)).isEqualTo(Hex.buffer("dabb d7 00 0000000000000007"));
        assertThat(out.slice(DubboHeader.LENGTH, DubboHeader.bodyLength(out, 0)))
                .isEqualTo(expected);
    }

    @Test
    void fastjson2TakesEveryType() throws CallException {
        String descriptor =
                "IJDZC[B[ILjava/util/List<*>;Ljava/util/Map<**>;Ljava/lang/Object;Ljava/util/Date;Ljava/math/BigDecimal;F";
        in.writeCharSequence(
                "[1, 5, 1.5, true, \"c\", \"AQI=\", [1], [null,{}], {\"a\":0.1}, \"x\", 5, 1.50, \"NaN\"]", UTF_8);
        call.encode(DubboRequest.prepare(name(descriptor), Serialization.FASTJSON2, null), false);
        assertThat(Hex.of(out))
                .contains(Hex.of(
                        Hex.buffer("00000001 01 00000001 e5 00000009 b53ff8000000000000 00000001 b1 00000002 4a'c'"
                                + "00000004 91020102 00000007 a44800000001 01 00000009 a44800000002 af a6a5"
                                + "0000000d a6 4a'a' b53fb999999999999a a5 00000002 4a'x' 00000009 ab0000000000000005"
                                + "00000005 b902bad096 00000009 b57ff8000000000000")));
    }

    @Test
    void aKeyThatNamesAClassIsNotSentInFastjson2() {
        in.writeCharSequence("[[{\"@type\":\"a.B\"}]]", UTF_8);
        assertThatThrownBy(() -> call.encode(
                        DubboRequest.prepare(name("Ljava/lang/Object;"), Serialization.FASTJSON2, null), false))
                .hasMessage("args[0][0]: key \"@type\" cannot be sent by the serialization fastjson2");
        assertThat(out.isReadable()).isFalse();
    }
}
