package io.dubbomesh.protocol.hessian;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JsonValuesTest {

    private static ByteBuf hessian(String json) throws IOException {
        return hessian(Unpooled.copiedBuffer(json, UTF_8));
    }

    private static ByteBuf hessian(ByteBuf in) throws IOException {
        ByteBuf out = Unpooled.buffer();
        try (JsonParser parser = JsonValues.parser(in, 0, in.readableBytes())) {
            parser.nextToken();
            JsonValues.copy(parser, new HessianWriter().reset(out));
            assertThat(parser.nextToken()).isNull();
        }
        return out;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "null | 'N'",
                "true | 'T'",
                "5 | 95",
                "-0 | 90",
                "2147483647 | 497fffffff",
                "2147483648 | 'L' 0000000080000000",
                "-9223372036854775808 | 'L' 8000000000000000",
                "9223372036854775808 | 'C' 14'java.math.BigInteger' 92 06'signum' 03'mag' 60 91 7a 4980000000 90",
                "0.1 | 5f00000064",
                "0.0001 | 'D' 3f1a36e2eb1c432d",
                "-1.5 | 5ffffffa24",
                "-1.50 | 'C' 14'java.math.BigDecimal' 91 05'value' 60 05'-1.50'",
                "100.0 | 5d64",
                "0.0 | 5b",
                "0.00 | 'C' 14'java.math.BigDecimal' 91 05'value' 60 04'0.00'",
                "1e2 | 5d64",
                "0.10000000000000000001 | 'C' 14'java.math.BigDecimal' 91 05'value' 60 16'0.10000000000000000001'",
                "1e400 | 'C' 14'java.math.BigDecimal' 91 05'value' 60 06'1E+400'",
                "\"a\\u00e9\" | 02 'a' c3a9",
                "[] | 'X' 'I' 00000000",
                "[1,[2]] | 'X' 'I' 00000002 91 'X' 'I' 00000001 92",
                "{\"a\":{\"b\":null}} | 'H' 01'a' 'H' 01'b' 'N' 'Z' 'Z'",
            })
    void jsonHasItsHessian(String json, String bytes) throws IOException {
        assertThat(hessian(json)).isEqualTo(Hex.buffer(bytes));
    }

    @Test
    void hessianLiteReadsIt() throws IOException {
        assertThat(HessianLite.read(hessian(
                        "{\"a\":[1,2.5,true,null,\"x\"],\"b\":{},\"c\":[],\"d\":12345678901234567890,\"e\":1e400}")))
                .isEqualTo(Map.of(
                        "a", Arrays.asList(1, 2.5, true, null, "x"),
                        "b", Map.of(),
                        "c", List.of(),
                        "d", new BigInteger("12345678901234567890"),
                        "e", new BigDecimal("1e400")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "[1,]",
                "{\"a\"}",
                "nul",
                "01",
                "\"a",
                "[1}",
                "{1:2}",
                "'a'",
                "NaN",
                "\"\u0001\"",
                "// c",
                "]"
            })
    void malformedJsonIsADeclaredError(String json) {
        assertThatThrownBy(() -> hessian(json)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void jsonIsUtf8() {
        assertThatThrownBy(() -> hessian(Unpooled.copiedBuffer("[1]", UTF_16))).hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> hessian(Hex.buffer("5b 00 31 00 5d 00"))).hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> hessian(Hex.buffer("22 ff 22"))).hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> hessian(Hex.buffer("22 c080 22"))).hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> hessian(Hex.buffer("22 eda0bd 22"))).hasMessageContaining("not UTF-8");
    }

    @Test
    void depthAndNumbersAreBounded() {
        assertThatThrownBy(() -> hessian("[".repeat(100_000))).isInstanceOf(JsonProcessingException.class);
        assertThatThrownBy(() -> hessian("1".repeat(100_000))).isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400000080000001", "[-1.5E-99999999999]", "1e2147483650", "1e-2147483650"})
    void exponentsThatNoNumberHasAreADeclaredError(String json) {
        assertThatThrownBy(() -> hessian(json)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void bytesOffTheHeapAreReadToo() throws IOException {
        ByteBuf in = Unpooled.directBuffer();
        try {
            in.writeBytes(" [7]".getBytes(UTF_8));
            assertThat(hessian(in)).isEqualTo(Hex.buffer("'X' 'I' 00000001 97"));
        } finally {
            in.release();
        }
    }
}
