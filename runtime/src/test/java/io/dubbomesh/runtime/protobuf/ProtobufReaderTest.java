package io.dubbomesh.runtime.protobuf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProtobufReaderTest {
    private static ProtobufReader reader(String hex) {
        return new ProtobufReader(HexFormat.of().parseHex(hex));
    }

    @Test
    void fieldsAreReadInTheirOrder() {
        ProtobufReader message = reader("08ac02" + "1203c3a478" + "18ffffffffffffffffff01" + "2a0408012002" + "3001");

        assertThat(message.next()).isTrue();
        assertThat(message.field()).isEqualTo(1);
        assertThat(message.varint()).isEqualTo(300);
        assertThat(message.next()).isTrue();
        assertThat(message.text()).isEqualTo("äx");
        assertThat(message.next()).isTrue();
        assertThat(message.varint()).isEqualTo(-1);
        assertThat(message.next()).isTrue();
        ProtobufReader nested = message.message();
        assertThat(nested.next()).isTrue();
        assertThat(nested.varint()).isEqualTo(1);
        assertThat(nested.next()).isTrue();
        assertThat(nested.field()).isEqualTo(4);
        assertThat(nested.varint()).isEqualTo(2);
        assertThat(nested.next()).isFalse();
        assertThat(message.next()).isTrue();
        assertThat(message.bool()).isTrue();
        assertThat(message.next()).isFalse();
    }

    @Test
    void everyTypeIsSkipped() {
        ProtobufReader message = reader("08ac02" + "110102030405060708" + "1a021234" + "2501020304" + "2807");
        for (int field = 1; field <= 4; field++) {
            assertThat(message.next()).isTrue();
            assertThat(message.field()).isEqualTo(field);
            message.skip();
        }
        assertThat(message.next()).isTrue();
        assertThat(message.varint()).isEqualTo(7);
        assertThat(message.next()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08", // no number
                "08ff", // a number that is cut off
                "08ffffffffffffffffffffff01", // of eleven bytes
                "0a05aabb", // longer than the message
                "0affffffffffffffffff01", // of a negative length
                "09aabb", // a fixed number that is cut off
                "0daabb",
                "0b", // a group
                "00", // no field
                "ffffffffff0f" // a field beyond the largest
            })
    void whatIsNoMessageIsRefused(String hex) {
        ProtobufReader message = reader(hex);
        assertThatThrownBy(() -> {
                    while (message.next()) {
                        message.skip();
                    }
                })
                .isInstanceOf(ProtobufReader.Malformed.class)
                .hasMessageStartingWith("malformed protobuf: ");
    }

    @Test
    void aFieldOfAnotherTypeIsRefused() {
        ProtobufReader message = reader("0a01aa");
        message.next();
        assertThatThrownBy(message::varint).hasMessage("malformed protobuf: type 2 of field 1 (expected: 0)");
    }

    @Test
    void randomBytesAreReadOrRefused() {
        Random random = new Random(1);
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            ProtobufReader message = new ProtobufReader(bytes);
            try {
                while (message.next()) {
                    message.skip();
                }
            } catch (ProtobufReader.Malformed e) {
                assertThat(e).hasMessageStartingWith("malformed protobuf: ");
            }
        }
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        byte[] large = new byte[1_000];
        Arrays.fill(large, (byte) 7);
        ProtobufBuffer out = new ProtobufBuffer(4);
        out.bytesField(3, large);
        int end = out.end();
        out.textField(1, "ä");
        out.message(2, end);
        out.varintField(1, Long.MIN_VALUE);

        ProtobufReader message =
                new ProtobufReader(Arrays.copyOfRange(out.array(), out.offset(), out.offset() + out.length()));
        message.next();
        assertThat(message.varint()).isEqualTo(Long.MIN_VALUE);
        message.next();
        ProtobufReader nested = message.message();
        nested.next();
        assertThat(nested.bytes()).isEqualTo("ä".getBytes(UTF_8));
        message.next();
        assertThat(message.bytes()).isEqualTo(large);
        assertThat(message.next()).isFalse();
    }
}
