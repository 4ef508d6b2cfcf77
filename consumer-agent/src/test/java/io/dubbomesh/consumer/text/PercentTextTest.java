package io.dubbomesh.consumer.text;

import io.dubbomesh.testsupport.random.RandomValues;
import io.dubbomesh.testsupport.random.Tries;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class PercentTextTest {
    /**
     * The text, or the fault with an exclamation mark in front; from a buffer that ends with it into one that is not
     * empty.
     */
    private static String decoded(byte[] encoded, char space) {
        ByteBuf in = Unpooled.wrappedBuffer(encoded);
        ByteBuf out = Unpooled.buffer(0).writeByte('>');
        String fault = PercentText.decode(in, 0, encoded.length, out, space);
        assertThat(in.readerIndex()).isZero();
        if (fault != PercentText.FINE) {
            assertThat(out.writerIndex()).isEqualTo(1);
            return "!" + fault;
        }
        return out.toString(UTF_8).substring(1);
    }

    private static String decoded(String encoded) {
        return decoded(encoded.getBytes(ISO_8859_1), '+');
    }

    @Test
    void literalTextIsDecoded() {
        assertThat(decoded("")).isEmpty();
        assertThat(decoded("a")).isEqualTo("a");
        assertThat(decoded("+")).isEqualTo(" ");
        assertThat(decoded("%2B%2b%25")).isEqualTo("++%");
        assertThat(decoded("%00")).isEqualTo("\0");
        assertThat(decoded("Ljava%2Flang%2FString%3B")).isEqualTo("Ljava/lang/String;");
        assertThat(decoded("12345678%4112345678+abcdefg%42")).isEqualTo("12345678A12345678 abcdefgB");
        assertThat(decoded("%E4%BD%A0%f0%9f%98%80")).isEqualTo("\u4f60\ud83d\ude00");
        assertThat(decoded("\u00c3\u00a4%C3\u00a4\u00c3%A4")).isEqualTo("\u00e4\u00e4\u00e4");
    }

    @Test
    void aPlusThatIsNotASpaceIsLeft() {
        assertThat(decoded("a+b%20c".getBytes(ISO_8859_1), '%')).isEqualTo("a+b c");
    }

    @Test
    void malformedEscapesAreRefused() {
        for (String broken :
                List.of("%", "%4", "%zz", "%4g", "%g4", "%%41", "% 41", "%+41", "%\u00b2\u00b2", "%u0041", "a=%")) {
            assertThat(decoded(broken)).as(broken).isEqualTo("!" + PercentText.BROKEN_ESCAPE);
            assertThat(decoded("1234567" + broken)).as(broken).isEqualTo("!" + PercentText.BROKEN_ESCAPE);
        }
        assertThat(decoded("12345678%4")).isEqualTo("!" + PercentText.BROKEN_ESCAPE);
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        for (String broken : List.of(
                "%80",
                "%C3",
                "%C0%80",
                "%C1%BF",
                "%E0%80%80",
                "%E0%9F%BF",
                "%ED%A0%80",
                "%ED%BF%BF",
                "%ED%A0%BD%ED%B8%80",
                "%F0%80%80%80",
                "%F4%90%80%80",
                "%F5%80%80%80",
                "%FF",
                "%FE",
                "%E4%BD",
                "\u00e4")) {
            assertThat(decoded(broken)).as(broken).isEqualTo("!" + PercentText.NOT_UTF_8);
            assertThat(decoded("text+" + broken + "+text")).as(broken).isEqualTo("!" + PercentText.NOT_UTF_8);
        }
    }

    @Test
    void exactlyTheUtf8OfTheJdkIsAccepted() {
        byte[] leads = new byte[256];
        for (int i = 0; i < 256; i++) {
            leads[i] = (byte) i;
        }
        byte[] edges = {
            0, 0x7f, (byte) 0x80, (byte) 0x8f, (byte) 0x90, (byte) 0x9f, (byte) 0xa0, (byte) 0xbf, (byte) 0xc0, -1
        };
        for (byte first : leads) {
            requireAsTheJdk(first);
            for (byte second : leads) {
                requireAsTheJdk(first, second);
            }
            for (byte second : edges) {
                for (byte third : edges) {
                    requireAsTheJdk(first, second, third);
                    for (byte fourth : edges) {
                        requireAsTheJdk(first, second, third, fourth);
                    }
                }
            }
        }
    }

    private static void requireAsTheJdk(byte... bytes) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : bytes) {
            encoded.append('%').append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
        }
        String expected;
        try {
            expected = UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            expected = "!" + PercentText.NOT_UTF_8;
        }
        if (!decoded(encoded.toString()).equals(expected)) {
            assertThat(decoded(encoded.toString())).as(encoded.toString()).isEqualTo(expected);
        }
    }

    @Test
    void anyTextThatTheJdkEncodesIsDecoded() {
        Tries.run(3000, random -> {
            String text = String.join("", random.list(60, () -> part(random)));
            String encoded = URLEncoder.encode(text, UTF_8);
            assertThat(decoded(encoded)).isEqualTo(text);
            assertThat(decoded(encoded.getBytes(UTF_8), '%')).isEqualTo(text.replace(' ', '+'));
        });
    }

    private static String part(RandomValues random) {
        return switch (random.random().nextInt(9)) {
            case 0 -> random.text(1);
            case 1, 2 -> random.pick(" ", "+", "%", "&", "=", ";", "\0", "\ud83d\ude00");
            default -> random.pick("a", "Z", "0", "-", ".", "_", "*", "~", "/", "?", "\u00e4", "\u4f60");
        };
    }

    @Test
    void textEncodedByHandIsDecodedAsTheJdkDoes() {
        Tries.run(3000, random -> {
            String encoded = random.joined(
                    20,
                    "a",
                    "bcdefgh",
                    "%",
                    "%4",
                    "%41",
                    "%C3%A4",
                    "%C3",
                    "%ED%A0%80",
                    "+",
                    "1",
                    "f",
                    "g",
                    "%00",
                    "%F0%9F%98%80");
            String result = decoded(encoded);
            if (!result.startsWith("!")) {
                assertThat(result).isEqualTo(URLDecoder.decode(encoded, UTF_8));
            }
        });
    }
}
