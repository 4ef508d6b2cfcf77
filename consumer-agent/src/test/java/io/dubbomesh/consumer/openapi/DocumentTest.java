package io.dubbomesh.consumer.openapi;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class DocumentTest {
    private static final int MAX_PLAIN = 1000;

    private static Document written(byte[] bytes, int piece) throws IOException {
        try (Document.Output out = new Document.Output(MAX_PLAIN)) {
            if (bytes.length > 0) {
                out.write(bytes[0]);
            }
            for (int at = 1; at < bytes.length; at += piece) {
                out.write(bytes, at, Math.min(piece, bytes.length - at));
            }
            return out.document();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, false",
        "1, 1, false",
        "999, 10, false",
        "1000, 10, false",
        "1001, 10, true",
        "1001, 2000, true",
        "100000, 1, true",
        "100000, 8000, true",
    })
    void aDocumentOfAnyLengthIsReadAsItWasWritten(int length, int piece, boolean isCompressed) throws Exception {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);

        Document document = written(bytes, piece);

        assertThat(document.isCompressed()).isEqualTo(isCompressed);
        assertThat(document.length()).isEqualTo(length);
        assertThat(document.toBytes()).isEqualTo(bytes);
        byte[] read = new byte[length + 7];
        try (DocumentReader reader = new DocumentReader(document)) {
            int at = 0;
            while (!reader.isAtEnd()) {
                at += reader.read(read, at, Math.min(97, read.length - at));
            }
            assertThat(at).isEqualTo(length);
            assertThat(reader.read(read, at, 7)).isZero();
        }
        assertThat(Arrays.copyOf(read, length)).isEqualTo(bytes);
    }

    @Test
    void documentsAreEqualIfClientsGetTheSame() throws Exception {
        byte[] bytes = new byte[2000];

        assertThat(written(bytes, 1))
                .isEqualTo(new Document(bytes, false, 2000))
                .hasSameHashCodeAs(written(bytes, 9));
        assertThat(written(bytes, 1).bytes()).hasSizeLessThan(100);
        bytes[5] = 1;
        assertThat(written(bytes, 1)).isNotEqualTo(written(new byte[2000], 1));
    }
}
