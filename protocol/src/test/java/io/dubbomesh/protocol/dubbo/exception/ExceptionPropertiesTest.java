package io.dubbomesh.protocol.dubbo.exception;

import io.dubbomesh.protocol.value.CostlyValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ExceptionPropertiesTest {
    @Test
    void noMoreThan64FieldsAreWrittenEvenIfTheyAreLeftOut() throws CostlyValueException {
        ExceptionProperties properties = new ExceptionProperties(ReadingTime.unlimited());
        AtomicInteger written = new AtomicInteger();
        String tooLong = '"' + "a".repeat(ExceptionProperties.MAX_LENGTH) + '"';
        for (int round = 1; round <= 2; round++) {
            properties.begin();
            properties.add("first", out -> out.writeByte('1'));
            for (int i = 0; i < 1000; i++) {
                properties.add("field" + i, out -> {
                    written.incrementAndGet();
                    out.writeCharSequence(tooLong, UTF_8);
                });
            }

            assertThat(written.get()).isEqualTo(round * 63);
            assertThat(properties.end()).isEqualTo("{\"first\":1}");
        }
    }
}
