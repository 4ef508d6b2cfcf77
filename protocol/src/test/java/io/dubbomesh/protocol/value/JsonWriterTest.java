package io.dubbomesh.protocol.value;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JsonWriterTest {
    private static final int MAX_TEXT = 40;

    private final ByteBuf out = Unpooled.copiedBuffer("<", UTF_8);
    private final JsonWriter json = new JsonWriter(MAX_TEXT, ReadingTime.unlimited());

    private String written() {
        return out.toString(UTF_8).substring(1);
    }

    @Test
    void commasAreWrittenBetweenElementsAndMembersOnly() throws MalformedValueException {
        json.begin(out, false);
        json.beginArray();
        json.writeLong(1);
        json.beginObject();
        json.writeText("a");
        json.endKey();
        json.beginArray();
        json.endArray();
        json.writeText("b");
        json.endKey();
        json.writeNull();
        json.endObject();
        json.writeBoolean(true);
        json.endArray();
        json.end();

        assertThat(written()).isEqualTo("[1,{\"a\":[],\"b\":null},true]");
    }

    @Test
    void aCopiedNameHasItsCommaUnlessItIsTheFirst() throws MalformedValueException {
        ByteBuf name = Unpooled.copiedBuffer("..,\"n\":", UTF_8);
        json.begin(out, false);
        json.beginObject();
        json.writeName(name, 2, 5);
        json.writeLong(1);
        json.writeName(name, 2, 5);
        json.writeLong(2);
        json.endObject();
        json.end();

        assertThat(written()).isEqualTo("{\"n\":1,\"n\":2}");
    }

    @Test
    void anObjectCanBeRestartedAsAnArray() throws MalformedValueException {
        json.begin(out, false);
        json.beginArray();
        json.writeLong(0);
        int object = json.beginObject();
        json.writeText("key");
        json.endKey();
        json.writeLong(1);
        json.restartAsArray(object);
        json.writeLong(2);
        json.endArray();
        json.writeLong(3);
        json.endArray();
        json.end();

        assertThat(written()).isEqualTo("[0,[2],3]");
    }

    @Test
    void onlyAStringThatIsTheWholeValueIsWrittenBare() throws MalformedValueException {
        json.begin(out, true);
        json.writeText("a\"b");
        json.end();
        assertThat(written()).isEqualTo("a\"b");

        out.writerIndex(1);
        json.begin(out, true);
        json.beginArray();
        json.writeText("a\"b");
        json.writeDouble(Double.NaN);
        json.endArray();
        json.end();
        assertThat(written()).isEqualTo("[\"a\\\"b\",\"NaN\"]");
    }

    @Test
    void binaryDataIsTheSameBase64InAnyChunks() throws MalformedValueException {
        ByteBuf in = Unpooled.copiedBuffer("abcdefgh", US_ASCII);
        for (int first = 0; first <= 8; first++) {
            for (int second = first; second <= 8; second++) {
                out.writerIndex(1);
                json.begin(out, true);
                json.beginBinary();
                json.appendBinary(in, 0, first);
                json.appendBinary(in, first, second - first);
                json.appendBinary(in, second, 8 - second);
                json.endBinary();
                json.end();

                assertThat(written()).isEqualTo("\"YWJjZGVmZ2g=\"");
            }
        }
    }

    @Test
    void theTextIsBoundedWhateverItIsMadeOf() throws MalformedValueException {
        json.begin(out, false);
        json.writeText("x".repeat(MAX_TEXT - 2));
        json.end();

        json.begin(out, false);
        assertThatThrownBy(() -> {
                    for (int i = 0; i <= MAX_TEXT; i++) {
                        json.beginArray();
                    }
                    json.end();
                })
                .isInstanceOf(MalformedValueException.class)
                .hasMessage("more than 40 bytes of text");
    }

    @Test
    void theDepthIsBounded() throws MalformedValueException {
        json.begin(out, false);
        for (int i = 0; i < JsonWriter.MAX_DEPTH; i++) {
            json.open(i);
        }
        json.close();
        json.open(1);

        assertThatThrownBy(() -> json.open(2)).hasMessage("more than 256 values in each other");
    }

    @Test
    void aReferenceToAnOpenValueIsRefused() throws MalformedValueException {
        json.begin(out, false);
        json.open(5);
        json.open(9);
        json.close();
        json.requireNotOpen(9);

        assertThatThrownBy(() -> json.requireNotOpen(5)).hasMessage("a value that contains itself");
    }

    @Test
    void aMillionValuesMayBeWrittenBecauseOthersReferToThem() throws MalformedValueException {
        JsonWriter writer = new JsonWriter(8 << 20, ReadingTime.unlimited());
        for (int i = 0; i < 2; i++) {
            out.clear();
            writer.begin(out, false);
            writer.beginArray();
            writer.writeLong(1);
            for (int reference = 0; reference < 1 << 10; reference++) {
                writer.beginReference();
                writer.beginReference();
                for (int value = 0; value < 1 << 10; value++) {
                    writer.writeLong(1);
                }
                writer.endReference(1);
                writer.endReference(1);
                writer.writeLong(1);
            }
            writer.beginReference();
            assertThatThrownBy(() -> writer.writeLong(1))
                    .hasMessage("references that repeat their values more often than is allowed");
        }
    }

    @Test
    void fourTimesTheLongestTextMayBeReadAgain() throws MalformedValueException {
        for (int i = 0; i < 2; i++) {
            json.begin(out, false);
            json.chargeReread(3 * MAX_TEXT);
            json.chargeReread(MAX_TEXT);

            assertThatThrownBy(() -> json.chargeReread(1)).isInstanceOf(MalformedValueException.class);
        }
    }
}
