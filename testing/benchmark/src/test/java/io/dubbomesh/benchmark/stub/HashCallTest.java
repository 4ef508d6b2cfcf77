package io.dubbomesh.benchmark.stub;

import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.testsupport.random.Tries;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HexFormat;

import static org.assertj.core.api.Assertions.assertThat;

class HashCallTest {
    private static final HexFormat HEX = HexFormat.of();

    /** "2.0.2", "s", "0.0.0", "hash", "Ljava/lang/String;". */
    private static final String UP_TO_THE_ARGUMENT =
            "05322e302e32" + "0173" + "05302e302e30" + "0468617368" + "124c6a6176612f6c616e672f537472696e673b";

    private final HashCall call = new HashCall();

    @ParameterizedTest
    @CsvSource({
        "00, 0, the empty text",
        "0568656c6c6f, 99162322, five characters after one byte of length",
        "300568656c6c6f, 99162322, a length of ten bits",
        "53000568656c6c6f, 99162322, a length of sixteen bits",
        "5200026865036c6c6f, 99162322, a chunk and the short rest",
        "52000168520001655300036c6c6f, 99162322, two chunks and the long rest",
        "01c3a9, 233, a character of two bytes",
        "02e4bda0e5a5bd, 652829, characters of three bytes",
        "02eda0bdedb880, 1772899, a pair of surrogates",
    })
    void everyFormOfATextIsHashed(String argument, int hash, String form) {
        assertThat(read(UP_TO_THE_ARGUMENT + argument + "485a")).as(form).isEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // nothing
                "4e", // an argument of null
                "9a", // a number
                "0568656c6c", // one character short
                "30", // an incomplete length
                "5200016853", // a chunk and no rest
                "01c3", // an incomplete character
                "01f09f9880", // four bytes, which Hessian does not have
            })
    void anArgumentThatIsNotATextIsRefused(String argument) {
        assertThat(read(UP_TO_THE_ARGUMENT + argument)).isEqualTo(HashCall.NONE);
    }

    @Test
    void namesMayBeNullButNotThatOfTheMethod() {
        assertThat(read("4e4e4e" + "0468617368" + "4e" + "0161")).isEqualTo(97);
        assertThat(read("4e4e4e" + "0468617369" + "4e" + "0161")).isEqualTo(HashCall.NONE);
        assertThat(read("4e4e4e" + "4e" + "4e" + "0161")).isEqualTo(HashCall.NONE);
    }

    @Test
    void anyTextIsHashedAsJavaDoes() {
        HessianWriter writer = new HessianWriter();
        Tries.run(500, random -> {
            String text = random.between(0, 1) == 0 ? random.chars(3000) : random.chars(3000, 'A', 'z');
            ByteBuf argument = Unpooled.buffer();
            writer.reset(argument).writeString(text);
            assertThat(read(UP_TO_THE_ARGUMENT + ByteBufUtil.hexDump(argument))).isEqualTo(text.hashCode());
        });
    }

    /** With bytes before and after the body that do not belong to it. */
    private long read(String hex) {
        ByteBuf in = Unpooled.wrappedBuffer(HEX.parseHex("ffffff" + hex + "ffff"));
        return call.read(in, 3, hex.length() / 2);
    }
}
