package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.AnswerReader.Answer;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.protocol.jsonb.Fastjson2;
import io.dubbomesh.testsupport.Hex;
import org.junit.jupiter.api.Test;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@SuppressWarnings("serial")
class ServiceExceptionTest {
    private final AnswerReader answers = new AnswerReader();

    static final class OutOfMilk extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused")
        final List<String> shops = new ArrayList<>(List.of("a", "b"));

        OutOfMilk(String message, Throwable cause) {
            super(message, cause);
        }
    }

    @Test
    void anExceptionIsReportedWithItsClassAndMessage() {
        OutOfMilk thrown = new OutOfMilk("no \"milk\"", new IllegalStateException("inner"));
        thrown.addSuppressed(new IllegalArgumentException("aside"));
        String name = OutOfMilk.class.getName();
        Answer expected = new Answer(
                Outcome.SERVICE_EXCEPTION,
                Map.of(Attachments.EXCEPTION, name),
                "{\"status\":500,\"title\":\"Internal Server Error\",\"detail\":\"" + name + ": no \\\"milk\\\"\","
                        + "\"code\":\"SERVICE_EXCEPTION\",\"exceptionClass\":\"" + name
                        + "\",\"exceptionMessage\":\"no \\\"milk\\\"\",\"properties\":{\"shops\":[\"a\",\"b\"]},\"causes\":[{\"class\":"
                        + "\"java.lang.IllegalStateException\",\"message\":\"inner\"}]}");
        assertThat(answers.read(2, 20, HessianLite.write(0, thrown), true)).isEqualTo(expected);
        assertThat(answers.read(2, 20, HessianLite.write(3, thrown, new HashMap<>(Map.of("dubbo", "2.0.2"))), false))
                .isEqualTo(expected);
        assertThat(answers.read(2, 20, HessianLite.write(3, thrown, new HashMap<>(Map.of("k", "v"))), false)
                        .attachments())
                .isEqualTo(Map.of("k", "v", Attachments.EXCEPTION, name));
    }

    @Test
    void anExceptionMayHaveNoMessage() {
        Answer answer = answers.read(2, 20, HessianLite.write(0, new NullPointerException()), true);
        assertThat(answer.document())
                .endsWith("\"detail\":\"java.lang.NullPointerException\",\"code\":\"SERVICE_EXCEPTION\","
                        + "\"exceptionClass\":\"java.lang.NullPointerException\",\"exceptionMessage\":null}");
    }

    @Test
    void theExceptionOfAGenericCallIsTheOneThatItWraps() {
        Answer answer = answers.hessian(
                "90 'C' 30 2e 'com.alibaba.dubbo.rpc.service.GenericException' 93 0d'detailMessage' 0e'exceptionClass' 10'exceptionMessage'"
                        + "60 05'outer' 06'a.Boom' 05'inner'",
                true);
        assertThat(answer.attachments()).isEqualTo(Map.of(Attachments.EXCEPTION, "a.Boom"));
        assertThat(answer.document())
                .contains("\"detail\":\"a.Boom: inner\"")
                .contains("\"exceptionMessage\":\"inner\"");
        Answer other =
                answers.hessian("90 'C' 03'a.B' 92 0e'exceptionClass' 0d'detailMessage' 60 06'a.Boom' 05'outer'", true);
        assertThat(other.attachments()).isEqualTo(Map.of(Attachments.EXCEPTION, "a.B"));
        assertThat(other.document()).contains("\"exceptionMessage\":\"outer\"");
    }

    private static final class Office implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused")
        private final String key = String.valueOf("secret");

        private final class Closed extends RuntimeException {
            private static final long serialVersionUID = 1L;

            @SuppressWarnings("unused")
            private final int until = Integer.parseInt("9");

            @Override
            public String getMessage() {
                return key;
            }
        }
    }

    @Test
    void theObjectAroundAnExceptionIsNoneOfItsProperties() {
        Throwable thrown = new Office().new Closed();
        for (Answer answer : List.of(
                answers.read(2, 20, HessianLite.write(0, thrown), true),
                answers.read(23, 20, Fastjson2.writeFramed(0, thrown), true))) {
            assertThat(answer.document()).contains("\"properties\":{\"until\":9}");
        }
    }

    private static String string(String text) {
        return String.format("53 %04x ", text.length()) + Hex.text(text);
    }

    @Test
    void anArgumentThatTheProviderCannotPassIsNotAnExceptionOfTheService() {
        String stack =
                "java.lang.ClassCastException: x\n\tat org.apache.dubbo.common.bytecode.Wrapper1.invokeMethod(Wrapper1.java)";
        for (boolean fastjson : new boolean[] {false, true}) {
            Answer answer = fastjson
                    ? answers.fastjson(
                            "0\n{\"@type\":\"com.alibaba.dubbo.rpc.service.GenericException\",\"exceptionClass\":\"java.lang.ClassCastException\","
                                    + "\"exceptionMessage\":\"java.lang.String cannot be cast to [B\",\"message\":\""
                                    + stack.replace("\n", "\\n").replace("\t", "\\t") + "\"}\n",
                            true)
                    : answers.hessian(
                            "90 'C' 30 2e 'com.alibaba.dubbo.rpc.service.GenericException' 93 0d'detailMessage' 0e'exceptionClass' 10'exceptionMessage'"
                                    + "60" + string(stack) + string("java.lang.ClassCastException")
                                    + string("java.lang.String cannot be cast to [B"),
                            true);
            assertThat(answer.outcome()).isEqualTo(Outcome.BAD_ARGUMENT);
            assertThat(answer.attachments()).isEmpty();
            assertThat(answer.document())
                    .contains(
                            "could not convert an argument: java.lang.String cannot be cast to [B (expected: a list of numbers");
        }
    }

    @Test
    void theMessageOfAnExceptionIsBounded() {
        RuntimeException thrown = new RuntimeException("\r\n" + "\u4e2d".repeat(1_000_000));
        Answer answer = answers.read(2, 20, HessianLite.write(0, thrown), true);
        assertThat(answer.outcome()).isEqualTo(Outcome.SERVICE_EXCEPTION);
        assertThat(answer.document()).contains("\"exceptionMessage\":\"\\r\\n" + "\u4e2d".repeat(2730) + "\"");
        assertThat(answer.document().getBytes(UTF_8)).hasSizeLessThan(12_000);

        Answer hostile = answers.hessian("90 'C' 07'a\r\n: b\"' 90 60", true);
        assertThat(hostile.attachments()).isEqualTo(Map.of(Attachments.EXCEPTION, "a????b?"));
    }
}
