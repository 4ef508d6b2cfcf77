package io.dubbomesh.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ProblemTest {
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void aProblemTellsStatusTitleDetailAndCode() {
        Problem.write(out, Outcome.HEAD_TOO_LARGE, "65 fields (expected: at most \"64\")\r\n");

        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"status\":431,\"title\":\"Request Header Fields Too Large\","
                        + "\"detail\":\"65 fields (expected: at most \\\"64\\\")\\r\\n\",\"code\":\"TOO_LARGE\"}");
    }

    @Test
    void anExceptionOfTheServiceIsNamed() {
        Problem.write(out, Outcome.SERVICE_EXCEPTION, "it threw", "a.B", null);

        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"status\":500,\"title\":\"Internal Server Error\",\"detail\":\"it threw\","
                        + "\"code\":\"SERVICE_EXCEPTION\",\"exceptionClass\":\"a.B\",\"exceptionMessage\":null}");
    }

    @Test
    void everyOutcomeIsFoundByItsNumberAndHasOneOfItsOwn() {
        for (Outcome outcome : Outcome.values()) {
            assertThat(Outcome.ofNumber(outcome.number())).isSameAs(outcome);
        }
        assertThat(Outcome.ofNumber(255)).isNull();
    }
}
