package io.dubbomesh.consumer.key;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashSet;
import java.util.Set;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class XxHash64Test {
    private static long hash(String text) {
        ByteBuf in = Unpooled.copiedBuffer("..." + text, US_ASCII);
        return XxHash64.of(in, 3, in.writerIndex());
    }

    /** The numbers are those of other implementations. */
    @ParameterizedTest
    @CsvSource({
        "'', ef46db3751d8e999",
        "a, d24ec4f1a98c6e5b",
        "as, 1c330fb2d66be179",
        "asd, 631c37ce72a97393",
        "asdf, 415872f599cea71e",
        "abc, 44bc2cf5ad770999",
        "Call me Ishmael. Some years ago--never mind how long precisely-, 02a2e85470d6fd96"
    })
    void theHashIsThatOfTheSpecification(String text, String hash) {
        assertThat(hash(text)).isEqualTo(Long.parseUnsignedLong(hash, 16));
    }

    @Test
    void textsOfEveryLengthHaveDifferentHashes() {
        Set<Long> hashes = new HashSet<>();
        for (int length = 0; length < 200; length++) {
            hashes.add(hash("x".repeat(length)));
        }
        assertThat(hashes).hasSize(200);
    }

    @Test
    void theOrderOfMergedHashesCounts() {
        assertThat(XxHash64.merge(hash("a"), hash("b"))).isNotEqualTo(XxHash64.merge(hash("b"), hash("a")));
    }
}
