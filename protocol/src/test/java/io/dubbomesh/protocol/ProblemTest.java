package io.dubbomesh.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ProblemTest {
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void aProblemHasStatusTitleDetailAndCode() {
        Problem.write(out, Outcome.HEAD_TOO_LARGE, "65 fields (expected: at most \"64\")\r\n");

        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"status\":431,\"title\":\"Request Header Fields Too Large\","
                        + "\"detail\":\"65 fields (expected: at most \\\"64\\\")\\r\\n\",\"code\":\"TOO_LARGE\"}");
    }

    @Test
    void anExceptionOfTheServiceIsNamed() {
        Problem.write(out, Outcome.SERVICE_EXCEPTION, "it threw", new Thrown("a.B", null), List.of(), List.of());

        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"status\":500,\"title\":\"Internal Server Error\",\"detail\":\"it threw\","
                        + "\"code\":\"SERVICE_EXCEPTION\",\"exceptionClass\":\"a.B\",\"exceptionMessage\":null}");
    }

    @Test
    void causesAndStackAreWrittenIfThereAreAny() {
        Problem.write(
                out,
                Outcome.SERVICE_EXCEPTION,
                "it threw",
                new Thrown("a.B", "m"),
                List.of(new Thrown("a.C", "\"c\""), new Thrown("a.D", null)),
                List.of("a.B.run(B.java:12)"));

        assertThat(out.toString(UTF_8))
                .endsWith(",\"exceptionClass\":\"a.B\",\"exceptionMessage\":\"m\","
                        + "\"causes\":[{\"class\":\"a.C\",\"message\":\"\\\"c\\\"\"},{\"class\":\"a.D\",\"message\":null}],"
                        + "\"stack\":[\"a.B.run(B.java:12)\"]}");
    }

    @Test
    void aSurrogateWithoutItsOtherHalfChangesNothingElse() {
        Problem.write(out, Outcome.PROVIDER_ERROR, "a\ud83d\u4e22,\ud83d\u4e0a\ude00b");

        assertThat(out.toString(UTF_8)).contains("\"detail\":\"a?\u4e22,?\u4e0a?b\"");
    }

    @Test
    void theDetailIsReadBackFromTheDocument() {
        out.writeZero(7);
        Problem.write(out, Outcome.NO_PROVIDER, "no \"endpoint\" at all");

        assertThat(Problem.detail(out, 7, out.writerIndex() - 7)).isEqualTo("no \"endpoint\" at all");
        assertThat(Problem.detail(out, 8, 3)).isEmpty();
    }

    @Test
    void everyOutcomeHasItsOwnNumberAndIsFoundByIt() {
        for (Outcome outcome : Outcome.values()) {
            assertThat(Outcome.ofNumber(outcome.number())).isSameAs(outcome);
        }
        assertThat(Outcome.ofNumber(255)).isNull();
    }
}
