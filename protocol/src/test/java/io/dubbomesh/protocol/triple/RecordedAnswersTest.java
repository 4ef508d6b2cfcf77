package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.Serialization;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Reads answers that providers of Apache Dubbo gave to requests of {@link TripleRequest}. */
class RecordedAnswersTest {
    private static final String CHECKED = "h.Greeter$Checked: out of stock: 100% +\\n second line \u4e2d\u00fc";

    /** An outcome and the beginning of the document or of its detail. */
    private record Expected(Outcome outcome, String document) {}

    private static final Map<String, Expected> EXPECTED = new LinkedHashMap<>();

    static {
        expect("value", Outcome.OK, "\"hi Bob\"");
        expect("void", Outcome.OK, "null");
        expect("null", Outcome.OK, "null");
        expect("exception", Outcome.SERVICE_EXCEPTION, CHECKED);
        expect("exception without a message", Outcome.SERVICE_EXCEPTION, "java.lang.IllegalStateException");
        expect("nested timeout", Outcome.SERVICE_EXCEPTION, "org.apache.dubbo.rpc.RpcException: nested timeout");
        expect("error", Outcome.SERVICE_EXCEPTION, "java.lang.StackOverflowError");
        expect("exception of a generic call", Outcome.SERVICE_EXCEPTION, CHECKED);
        expect("late", Outcome.TIMEOUT, "provider answered with status 31: ");
        expect(
                "unconvertible argument",
                Outcome.BAD_ARGUMENT,
                "the provider could not convert an argument: java.lang.NumberFormatException: For input string: \\\"a\\\"");
        expect(
                "unconvertible date",
                Outcome.BAD_ARGUMENT,
                "the provider could not convert an argument: java.lang.IllegalStateException: Failed to parse date");
        expect(
                "refused argument",
                Outcome.BAD_ARGUMENT,
                "the provider cannot read an argument: its class check refuses javax.script.SimpleBindings (to be added");
        expect(
                "refused exception",
                Outcome.PROVIDER_ERROR,
                "the provider executed the call, but could not send what it returned or threw: its class check refuses"
                        + " org.hibernate.validator.internal.engine.ConstraintViolationImpl (to be added to");
        expect(
                "unserializable exception",
                Outcome.PROVIDER_ERROR,
                "provider answered with status 50: the provider could not send its exception: java.io.IOException: ");
        expect(
                "unsent exception",
                Outcome.PROVIDER_ERROR,
                "provider answered with status 50: the provider could not send its exception: Internal Server Error");
        expect(
                "too large result",
                Outcome.PROVIDER_ERROR,
                "provider answered with status 50: the provider could not send its result: Response Entity Too Large");
        expect("too few arguments", Outcome.BAD_REQUEST, "arguments: not as many as the method has parameters");
        expect("overloaded", Outcome.BAD_REQUEST, "method over is overloaded: name the parameter types in the header");
        expect("no method", Outcome.METHOD_NOT_FOUND, "provider answered with status 40: no such method by Triple: ");
        expect(
                "no method of these types",
                Outcome.METHOD_NOT_FOUND,
                "provider answered with status 40: no such method by Triple: ");
        expect(
                "no method of a generic call",
                Outcome.METHOD_NOT_FOUND,
                "provider answered with status 70: org.apache.dubbo.rpc.RpcException: No such method nope in class");
        expect(
                "no such signature of a generic call",
                Outcome.METHOD_NOT_FOUND,
                "provider answered with status 70: org.apache.dubbo.rpc.RpcException: io.dubbomesh.demo.conformance.");
        expect(
                "no class",
                Outcome.METHOD_NOT_FOUND,
                "provider answered with status 70: org.apache.dubbo.rpc.RpcException: a.Unknown");
        expect(
                "no service",
                Outcome.SERVICE_NOT_FOUND,
                "provider answered with status 60: no such service by Triple: ");
        expect("no token", Outcome.PROVIDER_REFUSED_TOKEN, "the provider demands a token, and none is set");
    }

    private static void expect(String name, Outcome outcome, String document) {
        EXPECTED.put(name, new Expected(outcome, document));
    }

    /** Returns the answers of a file by their names. */
    private static Map<String, String> answers(String file) {
        try (InputStream in = RecordedAnswersTest.class.getResourceAsStream("/triple/dubbo-" + file + ".txt")) {
            Map<String, String> answers = new LinkedHashMap<>();
            for (String part : new String(in.readAllBytes(), UTF_8).split("(?m)^== ")) {
                int line = part.indexOf('\n');
                if (line > 0) {
                    answers.put(part.substring(0, line), part.substring(line + 1));
                }
            }
            return answers;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> answersHaveTheOutcomesThatDubbo2Has() {
        List<DynamicTest> tests = new ArrayList<>();
        for (String file : List.of(
                "3.0.15-hessian2",
                "3.1.11-hessian2",
                "3.2.19-hessian2",
                "3.2.19-fastjson2",
                "3.3.6-hessian2",
                "3.3.6-fastjson2")) {
            answers(file).forEach((name, text) -> {
                Expected expected = EXPECTED.get(name);
                if (expected != null) {
                    tests.add(DynamicTest.dynamicTest(file + " " + name, () -> check(name, text, expected)));
                }
            });
        }
        assertThat(tests).hasSizeGreaterThan(50);
        return tests.stream();
    }

    private static void check(String name, String text, Expected expected) {
        AnswerOf answer = AnswerOf.recorded(text);
        if (name.contains("generic") || name.equals("unconvertible date")) {
            answer.generic();
        }
        answer.read();

        assertThat(answer.outcome).as(answer.document).isEqualTo(expected.outcome);
        String shown = expected.outcome == Outcome.OK ? answer.document : answer.detail();
        assertThat(shown).startsWith(expected.document);
        boolean isNative = name.equals("no method") || name.equals("no method of these types");
        String method = name.equals("no method") ? "nope" : "over";
        assertThat(answer.isUnknownMethod("h.Greeter", method))
                .as("is called again through $invoke")
                .isEqualTo(isNative);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.1.11-hessian2", "3.2.19-hessian2", "3.3.6-hessian2", "3.3.6-fastjson2"})
    void attachmentsOfResultsHaveTheirNames(String file) {
        AnswerOf answer = AnswerOf.recorded(answers(file).get("attachments")).read();

        assertThat(answer.document).startsWith("\"7 of {");
        assertThat(answer.attachments)
                .containsEntry("plainKey", "v 1+%\u00fc")
                .containsEntry("number", "7")
                .containsEntry("lower", "x")
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.1.11-hessian2", "3.2.19-hessian2", "3.3.6-hessian2"})
    void anArgumentThatCannotBeReadIsSaid(String file) {
        AnswerOf answer =
                AnswerOf.recorded(answers(file).get("unreadable argument")).read();

        assertThat(answer.outcome).isEqualTo(Outcome.BAD_ARGUMENT);
        assertThat(answer.detail())
                .startsWith("the provider cannot read an argument:"
                        + " com.alibaba.com.caucho.hessian.io.HessianProtocolException:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.1.11-hessian2", "3.2.19-hessian2"})
    void aSerializationThatTheProviderRefusesIsSaid(String file) {
        AnswerOf answer = AnswerOf.recorded(answers(file).get("other serialization"))
                .requests(Serialization.FASTJSON2)
                .read();

        assertThat(answer.outcome).isEqualTo(Outcome.BAD_REQUEST);
        assertThat(answer.detail()).contains("(see dubbo.serialization): Unexpected serialization id: ");
    }
}
