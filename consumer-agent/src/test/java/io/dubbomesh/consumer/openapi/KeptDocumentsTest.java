package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.schema.SchemaForms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class KeptDocumentsTest {
    private static final int MAX_BYTES = 1600;
    private static final long NOW_NS = Long.MAX_VALUE - 1;

    private final KeptDocuments kept = new KeptDocuments(MAX_BYTES);

    /**
     * Each word keeps or asks for the document of a letter, and the rest of the row has those that are there at the
     * end. A document of a small letter takes 100 bytes, one of a large letter 700, and X more than there is room for.
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
        "+V +W +a +b, V W a b",
        "+V +W +a +b +c, W a b c",
        "+V +W +a ?V +b +c, V a b c",
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
            Document document = kept.find(String.valueOf(name));
            if (document != null) {
                found.append(' ').append(name);
                assertThat(document).isEqualTo(document(String.valueOf(name)));
            }
        }
        assertThat(found.substring(1)).isEqualTo(expected);
    }

    private static Document document(String name) {
        byte[] bytes = new byte[name.equals("X") ? MAX_BYTES + 1 : Character.isLowerCase(name.charAt(0)) ? 100 : 700];
        bytes[0] = (byte) name.charAt(0);
        return new Document(bytes, false, bytes.length);
    }

    /**
     * Each word is an event for the request or the document of a number: {@code +} keeps the document, {@code !}
     * refreshes the request, whose document it is or that of another number, {@code @} sets the seconds since the
     * first, with {@code e} a nanosecond more. The rest of the row has the documents that the requests 1 and 2 have at
     * the end, and a dash where the services must be asked.
     */
    @ParameterizedTest
    @CsvSource({
        "+1, - -",
        "!1, - -",
        "+1 !1, 1 -",
        "!1 +1, 1 -",
        "+1 !1 @5, 1 -",
        "+1 !1 @5e, - -",
        "+1 !1 @4 !1 @9, 1 -",
        "+1 !1 @4 !1 @9e, - -",
        "+1 +2 !1 !2, 1 2",
        "+1 +2 !1 @5e !2, - 2",
        "+1 +2 !1=2, 2 -",
        "+1 +2 !1 !1=2, 2 -",
        "+1 !1 !2=1, 1 1",
        "+1 !1 @5e !1, 1 -",
    })
    void aRequestIsFreshForFiveSecondsAfterItsDocumentWasMade(String events, String expected) {
        long nowNs = NOW_NS;
        for (String event : events.split(" ")) {
            int number = event.charAt(1) - '0';
            switch (event.charAt(0)) {
                case '+' -> kept.keep("r" + number, document(String.valueOf(number)));
                case '!' -> kept.refresh(key(number), "r" + event.charAt(event.length() - 1), nowNs);
                default -> nowNs = NOW_NS + TimeUnit.SECONDS.toNanos(number) + (event.endsWith("e") ? 1 : 0);
            }
        }

        StringBuilder fresh = new StringBuilder();
        for (int number = 1; number <= 2; number++) {
            Document document = kept.findFresh(key(number), nowNs);
            fresh.append(' ').append(document == null ? '-' : (char) document.bytes()[0]);
        }
        assertThat(fresh.substring(1)).isEqualTo(expected);
    }

    @Test
    void aFreshDocumentThatWasRemovedIsMadeAgain() {
        kept.keep("r1", document("V"));
        kept.refresh(key(1), "r1", NOW_NS);
        kept.keep("r2", document("W"));
        kept.keep("r3", document("Y"));

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
}
