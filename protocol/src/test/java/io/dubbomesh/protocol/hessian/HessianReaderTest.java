package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.JsonWriter;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
class HessianReaderTest {
    private final HessianReader reader = new HessianReader();

    private HessianReader over(String bytes) {
        ByteBuf in = Hex.buffer("ff ff" + bytes + "ff");
        return reader.reset(in, 2, in.readableBytes() - 3);
    }

    @ParameterizedTest
    @CsvSource({
        "90, 0",
        "bf, 47",
        "80, -16",
        "c830, 48",
        "c7ef, -17",
        "cfff, 2047",
        "c000, -2048",
        "d40800, 2048",
        "d3f7ff, -2049",
        "d7ffff, 262143",
        "d00000, -262144",
        "4900000000, 0",
        "4980000000, -2147483648",
        "497fffffff, 2147483647"
    })
    void everyFormOfAnInt(String bytes, int value) throws MalformedValueException {
        assertThat(over(bytes).readInt()).isEqualTo(value);
        assertThat(reader.isAtEnd()).isTrue();
        assertThat(over(bytes).readLong()).isEqualTo(value);
        assertThat(reader.isAtEnd()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "e0, 0",
        "ef, 15",
        "d8, -8",
        "f810, 16",
        "f7f7, -9",
        "ffff, 2047",
        "f000, -2048",
        "3c0800, 2048",
        "3bf7ff, -2049",
        "3fffff, 262143",
        "380000, -262144",
        "59ffffffff, -1",
        "5900040000, 262144",
        "4cffffffffffffffff, -1",
        "4c8000000000000000, -9223372036854775808"
    })
    void everyFormOfALong(String bytes, long value) throws MalformedValueException {
        assertThat(over(bytes).peek()).isEqualTo(HessianType.LONG);
        assertThat(reader.readLong()).isEqualTo(value);
        assertThat(reader.isAtEnd()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "5b, 0",
        "5c, 1",
        "5d80, -128",
        "5d7f, 127",
        "5e8000, -32768",
        "5e7fff, 32767",
        "5f000005dc, 1.5",
        "5fffffffff, -0.001",
        "5f00000009, 0.009000000000000001",
        "443ff8000000000000, 1.5",
        "447ff8000000000000, NaN"
    })
    void everyFormOfADouble(String bytes, double value) throws MalformedValueException {
        assertThat(over(bytes).readDouble()).isEqualTo(Double.valueOf(value));
        assertThat(reader.isAtEnd()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"4b00000001, 60000", "4bffffffff, -60000", "4a000000d04b9284b8, 894621091000", "4affffffffffffffff, -1"
    })
    void bothFormsOfADate(String bytes, long value) throws MalformedValueException {
        assertThat(over(bytes).readDate()).isEqualTo(value);
        assertThat(reader.isAtEnd()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "00, ''",
        "0161, a",
        "300161, a",
        "53000161, a",
        "02c3bce4b8ad, \u00fc\u4e2d",
        "02eda0bdedb880, \ud83d\ude00",
        "5200016101 62, ab",
        "520000 520001 61 300162, ab",
        "520001eda0bd 01edb880, \ud83d\ude00"
    })
    void everyFormOfAString(String bytes, String value) throws MalformedValueException {
        assertThat(over(bytes).readString(100)).isEqualTo(value);
        assertThat(reader.isAtEnd()).isTrue();

        ByteBuf out = Unpooled.buffer();
        over(bytes).readString(out);
        assertThat(out.toString(UTF_8)).isEqualTo(value);

        over(bytes).skip();
        assertThat(reader.isAtEnd()).isTrue();
    }

    @Test
    void theRestOfALongStringIsLeftOut() throws MalformedValueException {
        assertThat(over("05 'hello' 90").readString(3)).isEqualTo("hel");
        assertThat(reader.readInt()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"01 eda0bd", "01 edb880", "02 eda0bd 61", "02 edb880 eda0bd", "520001 eda0bd 00"})
    void aSurrogateWithoutItsOtherHalfBecomesAReplacement(String bytes) throws MalformedValueException {
        ByteBuf out = Unpooled.buffer();
        over(bytes).readString(out);
        assertThat(out.toString(UTF_8)).contains("\ufffd").doesNotContain("?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'U' 06 '[short' 91 92 'Z'",
                "'V' 06 '[short' 92 91 92",
                "'W' 91 92 'Z'",
                "'X' 92 91 92",
                "72 06 '[short' 91 92",
                "7a 91 92"
            })
    void everyFormOfAList(String bytes) throws MalformedValueException {
        int length = over(bytes).beginList();
        assertThat(reader.readInt()).isEqualTo(1);
        assertThat(reader.readInt()).isEqualTo(2);
        if (length < 0) {
            assertThat(reader.readEnd()).isTrue();
        } else {
            assertThat(length).isEqualTo(2);
        }
        assertThat(reader.isAtEnd()).isTrue();

        over(bytes).skip();
        assertThat(reader.isAtEnd()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"'H' 01 'a' 91 'Z'", "'M' 01 't' 01 'a' 91 'Z'"})
    void everyFormOfAMap(String bytes) throws MalformedValueException {
        over(bytes).beginMap();
        assertThat(reader.readEnd()).isFalse();
        assertThat(reader.readString(9)).isEqualTo("a");
        assertThat(reader.readInt()).isEqualTo(1);
        assertThat(reader.readEnd()).isTrue();
        assertThat(reader.isAtEnd()).isTrue();

        over(bytes).skip();
        assertThat(reader.isAtEnd()).isTrue();
    }

    @Test
    void typesAreNamedOnceAndThenReferredTo() throws MalformedValueException {
        over("7d 71 04'[int' 91 'M' 01't' 'Z' 72 90 91 92 'V' 91 90 'M' 91 'Z'").skip();
        assertThat(reader.isAtEnd()).isTrue();
        // Read again, a type gets no second number.
        over("7a 71 04'[int' 91 'M' 01't' 'Z' 'U' 92 'Z'").beginList();
        for (int i = 0; i < 3; i++) {
            reader.seek(2 + 1);
            reader.skip();
        }
        reader.skip();
        assertThatThrownBy(reader::skip).hasMessage("at byte 14: reference to type 2, of 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"60 91 02 'xy'", "'O' 90 91 02 'xy'"})
    void everyFormOfAnObject(String bytes) throws MalformedValueException {
        over("'C' 05 'a.Car' 92 01 'n' 05 'owner'" + bytes);
        assertThat(reader.peek()).isEqualTo(HessianType.OBJECT);
        int definition = reader.beginObject();
        assertThat(reader.className(definition, 100)).isEqualTo("a.Car");
        assertThat(reader.fieldNames(definition, 100)).containsExactly("n", "owner");
        assertThat(reader.readInt()).isEqualTo(1);
        assertThat(reader.readString(9)).isEqualTo("xy");
        assertThat(reader.isAtEnd()).isTrue();
    }

    @Test
    void aReferenceIsThePositionOfItsTarget() throws MalformedValueException {
        over("79 'H' 'Z' 'Q' 91 'Q' 90");
        reader.skip();
        assertThat(reader.readReference()).isEqualTo(2 + 1);
        assertThat(reader.readReference()).isEqualTo(2);
    }

    @Test
    void whatIsReadAgainIsNotNumberedAgain() throws MalformedValueException {
        over("'C' 01 'A' 90 79 60 60 'Q' 92");
        int first = reader.position();
        reader.skip();
        int second = reader.position();
        for (int i = 0; i < 3; i++) {
            reader.seek(first);
            reader.skip();
            assertThat(reader.position()).isEqualTo(second);
        }
        reader.skip();
        assertThat(reader.readReference()).isEqualTo(second);
    }

    @Test
    void binaryDataOfEveryFormIsSkipped() throws MalformedValueException {
        for (String bytes : new String[] {"20", "21 01", "3401 01", "420001 01", "410001 01 420001 02", "410000 20"}) {
            over(bytes).skip();
            assertThat(reader.isAtEnd()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "40",
                "45",
                "47",
                "50",
                "5a",
                "49000000",
                "4c00000000000000",
                "44",
                "4a00",
                "4b00",
                "5d",
                "5e00",
                "5f0000",
                "05 'hell'",
                "30",
                "53ffff",
                "520001 'a'",
                "520001 'a' 90",
                "01 80",
                "01 c1bf",
                "01 e08080",
                "01 f0",
                "02 f09f9880",
                "01 e4b8",
                "25 00",
                "410000 00",
                "'C'",
                "'C' 91",
                "'C' 01 'A' 49ffffffff",
                "'C' 01 'A' 497fffffff",
                "'C' 01 'A' 91 91",
                "'C' 01 'A' 'C' 01 'A' 90",
                "'C' 01 'A' 90 61",
                "60",
                "'O' 8f",
                "'O' 90",
                "'Q' 90",
                "'Q' 8f",
                "'Q' 01 'a'",
                "78 'Q' 91",
                "'X' 497fffffff 90",
                "'X' 49ffffffff",
                "'V' 01 'a' 497fffffff",
                "'V' 8f 90",
                "'V' 'T' 90",
                "7f 90",
                "'W' 90",
                "'U' 01 'a'",
                "'H' 90",
                "'H' 90 'Z'",
                "'M' 'Z'"
            })
    void bytesThatAreNotAValueAreADeclaredError(String bytes) {
        assertThatThrownBy(() -> {
                    over(bytes).skip();
                    reader.skip();
                })
                .isInstanceOf(MalformedValueException.class);
    }

    @Test
    void theDepthOfValuesIsBounded() throws MalformedValueException {
        over("79".repeat(JsonWriter.MAX_DEPTH) + "90").skip();
        assertThat(reader.isAtEnd()).isTrue();
        assertThatThrownBy(() -> over("79".repeat(1_000_000) + "90").skip()).hasMessageContaining("256 values");
    }

    @Test
    void anUndefinedTypeIsADeclaredError() {
        assertThatThrownBy(() -> over("90").readString(1)).hasMessage("at byte 0: INT where STRING is expected");
        assertThatThrownBy(() -> over("01 'a'").readInt()).hasMessage("at byte 0: STRING where INT is expected");
    }
}
