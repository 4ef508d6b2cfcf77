package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.netty.buffer.ByteBufUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class KeptDocumentsTest {
    private static final int MAX_BYTES = 1600;
    private static final long NOW_NS = Long.MAX_VALUE - 1;

    private final KeptDocuments kept = new KeptDocuments(MAX_BYTES);

    /**
     * Each word keeps or asks for the document of a letter, and the rest of the row has those that are there at the
     * end. A document of a small letter has 100 bytes and is kept as it is, one of a large letter 1,600 that cannot be
     * compressed; three of them that can.
     */
    @ParameterizedTest
    @CsvSource({
        "+a, a",
        "+a +b, a b",
        "+a +a, a",
        "+a +b +c +d +e +f +g +h +i +j +k +l +m +n +o +p, a b c d e f g h i j k l m n o p",
        "+a +b +c +d +e +f +g +h +i +j +k +l +m +n +o +p +q, b c d e f g h i j k l m n o p q",
        "+a +b +c +d +e +f +g +h +i +j +k +l +m +n +o +p ?a +q, a c d e f g h i j k l m n o p q",
        "+a +X, a",
        "+a +b +V, V a b",
    })
    void theOnesThatWereAskedForLatelyAreKeptAsFarAsThereIsRoom(String events, String expected) {
        for (String event : events.split(" ")) {
            String name = event.substring(1);
            if (event.startsWith("+")) {
                kept.keep(name, document(name));
            } else {
                kept.find(name);
            }
        }

        StringBuilder found = new StringBuilder();
        for (char name = 'A'; name <= 'z'; name++) {
            KeptDocuments.Kept document = kept.find(String.valueOf(name));
            if (document != null) {
                found.append(' ').append(name);
                assertThat(document.open()).isEqualTo(document(String.valueOf(name)));
            }
        }
        assertThat(found.substring(1)).isEqualTo(expected);
    }

    private static Document document(String name) {
        byte[] bytes = new byte[Character.isLowerCase(name.charAt(0)) ? 100 : 100_000];
        if (name.equals("X")) {
            new Random(1).nextBytes(bytes);
        }
        bytes[0] = (byte) name.charAt(0);
        return Document.of(bytes);
    }

    @Test
    void aLargeDocumentIsKeptCompressed() {
        kept.keep("small", document("a"));
        kept.keep("large", document("V"));

        assertThat(kept.find("small").isCompressed()).isFalse();
        assertThat(kept.find("large").isCompressed()).isTrue();
        assertThat(kept.find("large").bytes()).hasSizeLessThan(1000);
        assertThat(kept.find("other")).isNull();
    }

    /** A key is fresh for five seconds after the last time, with a clock of either sign. */
    @Test
    void aDocumentIsFreshForAShortWhile() {
        kept.keep("r1", document("a"));
        kept.keep("r2", document("b"));
        assertThat(kept.findFresh(key(1), NOW_NS)).isNull();

        kept.refresh(key(1), "r1", NOW_NS);
        assertThat(kept.findFresh(key(1), NOW_NS + KeptDocuments.FRESH_NS).open())
                .isEqualTo(document("a"));
        assertThat(kept.findFresh(key(1), NOW_NS + KeptDocuments.FRESH_NS + 1)).isNull();
        assertThat(kept.findFresh(key(2), NOW_NS)).isNull();

        kept.refresh(key(1), "r2", NOW_NS + 1);
        assertThat(kept.findFresh(key(1), NOW_NS + KeptDocuments.FRESH_NS + 1).open())
                .isEqualTo(document("b"));
    }

    @Test
    void aFreshDocumentThatIsNotKeptIsMadeAgain() {
        kept.refresh(key(1), "gone", NOW_NS);
        assertThat(kept.findFresh(key(1), NOW_NS)).isNull();
    }

    @Test
    void thereIsABoundOfFreshOnesAndOldOnesMakeRoom() {
        kept.keep("r", document("a"));
        for (int i = 0; i <= KeptDocuments.MAX_FRESH; i++) {
            kept.refresh(key(i), "r", NOW_NS);
        }
        assertThat(kept.findFresh(key(KeptDocuments.MAX_FRESH - 1), NOW_NS)).isNotNull();
        assertThat(kept.findFresh(key(KeptDocuments.MAX_FRESH), NOW_NS)).isNull();

        long laterNs = NOW_NS + KeptDocuments.FRESH_NS + 1;
        kept.refresh(key(KeptDocuments.MAX_FRESH), "r", laterNs);
        assertThat(kept.findFresh(key(KeptDocuments.MAX_FRESH), laterNs)).isNotNull();
    }

    private static DocumentKey key(int number) {
        return new DocumentKey(
                List.of(new MethodName("a.S" + number, MethodName.DESCRIBE, "", "", "")), true, SchemaForms.CANONICAL);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32 * 1024 - 1, 32 * 1024, 32 * 1024 + 1, 100_000})
    void aDocumentOfAnyLengthIsTheSameInPartsAndCompressed(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Document.Output out = new Document.Output();
        int half = length / 2;
        out.write(bytes, 0, half);
        for (int i = half; i < Math.min(length, half + 3); i++) {
            out.write(bytes[i]);
        }
        int written = Math.min(length, half + 3);
        out.write(bytes, written, length - written);

        assertThat(out.document().length()).isEqualTo(length);
        assertThat(out.document().toBytes()).isEqualTo(bytes);
        assertThat(ByteBufUtil.getBytes(out.document().content())).isEqualTo(bytes);
        assertThat(Document.decompress(out.document().compressed()).toBytes()).isEqualTo(bytes);
        assertThat(Document.of(bytes)).isEqualTo(out.document());
    }
}
