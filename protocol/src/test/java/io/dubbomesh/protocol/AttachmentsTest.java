package io.dubbomesh.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AttachmentsTest {
    private final ByteBuf block = Unpooled.buffer();

    @Test
    void anEntryIsTwoTextsWithSixteenBitLengths() {
        Attachments.write(block, "a", "ü");

        assertThat(ByteBufUtil.hexDump(block)).isEqualTo("000161" + "0002c3bc");
    }

    @Test
    void everyEntryIsVisitedInOrder() throws CallException {
        Attachments.write(block, "tag", "grey");
        Attachments.write(block, "empty", "");

        assertThat(entries(0, block.writerIndex())).containsExactly("tag=grey", "empty=");
    }

    @Test
    void anEntryThatReachesBeyondTheBlockIsRefused() {
        Attachments.write(block, "tag", "grey");
        for (int length = 1; length < block.writerIndex(); length++) {
            int end = length;
            assertThatThrownBy(() -> entries(0, end))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("reaches beyond");
        }
    }

    @Test
    void anEntryIsFoundByItsKeyAlone() {
        block.writeByte('!');
        Attachments.write(block, "tag", "grey");
        Attachments.write(block, "", "");
        Attachments.write(block, "grey", "tag");
        int length = block.writerIndex() - 1;

        int value = Attachments.find(block, 1, length, "grey".getBytes(UTF_8));

        assertThat(value).isEqualTo(1 + length - 3);
        assertThat(block.getUnsignedShort(value - Short.BYTES)).isEqualTo(3);
        assertThat(Attachments.find(block, 1, length, "gre".getBytes(UTF_8))).isEqualTo(-1);
        assertThat(Attachments.find(block, 1, length, "white".getBytes(UTF_8))).isEqualTo(-1);
    }

    @Test
    void whatReachesBeyondTheBlockIsNotFound() {
        Attachments.write(block, "tag", "grey");
        for (int length = 0; length < block.writerIndex(); length++) {
            assertThat(Attachments.find(block, 0, length, "tag".getBytes(UTF_8)))
                    .isEqualTo(-1);
        }
        assertThat(Attachments.find(block, 0, block.writerIndex(), "tag".getBytes(UTF_8)))
                .isEqualTo(7);
    }

    private List<String> entries(int offset, int length) throws CallException {
        List<String> entries = new ArrayList<>();
        Attachments.forEach(
                block,
                offset,
                length,
                (in, key, keyLength, value, valueLength) ->
                        entries.add(in.toString(key, keyLength, UTF_8) + '=' + in.toString(value, valueLength, UTF_8)));
        return entries;
    }
}
