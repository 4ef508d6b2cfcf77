package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.AnswerReader.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static io.dubbomesh.protocol.dubbo.AnswerReader.assertProviderError;
import static io.dubbomesh.protocol.dubbo.AnswerReader.ok;
import static org.assertj.core.api.Assertions.assertThat;

class FastjsonResultTest {
    private final AnswerReader answers = new AnswerReader();

    @Test
    void fastjsonIsReadByItsLines() {
        assertThat(answers.fastjson("1\n99162322\n", true)).isEqualTo(ok("99162322"));
        assertThat(answers.fastjson("1\n-5", false)).isEqualTo(ok("-5"));
        assertThat(answers.fastjson("2\n", true)).isEqualTo(ok("null"));
        assertThat(answers.fastjson("1\nnull\n", true)).isEqualTo(ok("null"));
        assertThat(answers.fastjson("1\n1.5\n", true)).isEqualTo(ok("1.5"));
        assertThat(answers.fastjson("1\ntrue\n", true)).isEqualTo(ok("true"));
        assertThat(answers.fastjson("1\n\"a\\\"\\u4e2d\"\n", true)).isEqualTo(ok("a\"\u4e2d"));
        assertThat(answers.fastjson("1\n\"a\\\"\\u4e2d\"\n", false)).isEqualTo(ok("\"a\\\"\\u4e2d\""));
        assertThat(answers.fastjson("1\n{\"a\":[1]}\n", true)).isEqualTo(ok("{\"a\":[1]}"));
        assertThat(answers.fastjson("4\n\"x\"\n{\"dubbo\":\"2.0.2\",\"k\":\"v\",\"n\":1,\"o\":{}}\n", true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", "v", "n", "1"), "x"));
        assertThat(answers.fastjson("5\nnull\n", true)).isEqualTo(ok("null"));
        assertThat(answers.fastjson("4\n\"\\ud83d\\u4e22\"\n{\"k\":\"\\ud83d\\u4e22\"}\n", true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", "\ufffd\u4e22"), "\ufffd\u4e22"));
    }

    @Test
    void fastjsonExceptionsBecomeProblemDocuments() {
        Answer answer = answers.fastjson(
                "0\n{\"cause\":{\"message\":\"inner\"},\"localizedMessage\":\"m\",\"message\":\"m\",\"stackTrace\":[{}]}\n",
                true);
        assertThat(answer.outcome()).isEqualTo(Outcome.SERVICE_EXCEPTION);
        assertThat(answer.attachments()).isEqualTo(Map.of(Attachments.EXCEPTION, "java.lang.Throwable"));
        assertThat(answer.document()).contains("\"exceptionMessage\":\"m\"", "\"message\":\"inner\"");
        assertThat(answers.fastjson("3\n{\"@type\":\"a.Boom\"}\n{\"k\":\"v\"}\n", true)
                        .attachments())
                .isEqualTo(Map.of("k", "v", Attachments.EXCEPTION, "a.Boom"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "1",
                "1\n",
                "1\n\n",
                "6\n1\n",
                "x\n1\n",
                "11\n1\n",
                "1\n01\n",
                "1\n-\n",
                "1\n1 2\n",
                "1\n{\"a\":1\n",
                "1\n{a:1}\n",
                "1\nfoo\n",
                "1\n1\n1\n",
                "2\nnull\n",
                "4\n1\n",
                "4\n1\n5\n",
                "0\n5\n",
                "0\n{\n",
                "0\nnull\n",
                "1\n\"a\u0001\"\n",
                "1\n[1]]\n"
            })
    void aMalformedFastjsonBodyIsTheProvidersError(String body) {
        assertProviderError(answers.fastjson(body, true), "provider's answer: ");
        assertProviderError(answers.fastjson(body, false), "provider's answer: ");
    }
}
