package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.AnswerReader.Answer;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.protocol.jsonb.Fastjson2;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.net.MalformedURLException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attachments of answers that are no texts, as Dubbo 2.7 and later allow them (dubbo#15934): numbers and booleans are
 * their text, and all others are dropped without failing the answer.
 */
class ResponseAttachmentsTest {
    private static final int EXCEPTION = 3;
    private static final int VALUE = 4;
    private static final int NULL = 5;

    private static final Map<String, String> PASSED = Map.of(
            "text",
            "v",
            "int",
            "5",
            "long",
            "1099511627776",
            "short",
            "-3",
            "double",
            "1.5",
            "flag",
            "false",
            "last",
            "w");

    private final Map<String, Object> attachments = new LinkedHashMap<>();
    private final AnswerReader answers = new AnswerReader();

    private enum As {
        HESSIAN2(2) {
            @Override
            ByteBuf written(Object... values) {
                return HessianLite.write(values);
            }
        },
        FASTJSON2(23) {
            @Override
            ByteBuf written(Object... values) {
                return Fastjson2.writeFramed(values);
            }
        };

        private final int id;

        As(int id) {
            this.id = id;
        }

        abstract ByteBuf written(Object... values);
    }

    @BeforeEach
    void fill() {
        attachments.put("text", "v");
        attachments.put("none", null);
        attachments.put("int", 5);
        attachments.put("long", 1L << 40);
        attachments.put("short", (short) -3);
        attachments.put("map", new HashMap<>(Map.of("inner", new HashMap<>(Map.of("deep", List.of(1, 2))))));
        attachments.put("double", 1.5);
        attachments.put("list", new ArrayList<>(List.of("a", 1)));
        attachments.put("flag", false);
        attachments.put("bytes", new byte[] {1, 2, 3});
        attachments.put("last", "w");
    }

    @ParameterizedTest
    @EnumSource
    void thoseOfAValueArePassedAsFarAsTheyHaveAText(As serialization) {
        assertThat(answers.read(serialization.id, 20, serialization.written(VALUE, "value", attachments), true))
                .isEqualTo(new Answer(Outcome.OK, PASSED, "value"));
    }

    @ParameterizedTest
    @EnumSource
    void soAreThoseOfNull(As serialization) {
        assertThat(answers.read(serialization.id, 20, serialization.written(NULL, attachments), true))
                .isEqualTo(new Answer(Outcome.OK, PASSED, "null"));
    }

    @ParameterizedTest
    @EnumSource
    void soAreThoseOfAnException(As serialization) {
        Answer answer = answers.read(
                serialization.id,
                20,
                serialization.written(EXCEPTION, new IllegalStateException("broken"), attachments),
                true);

        Map<String, String> passed = new HashMap<>(PASSED);
        passed.put(Attachments.EXCEPTION, "java.lang.IllegalStateException");
        assertThat(answer.attachments()).isEqualTo(passed);
        assertThat(answer.document()).contains("broken");
    }

    @ParameterizedTest
    @EnumSource
    void oneThatIsOnlyNullsOrMapsIsNone(As serialization) {
        attachments.clear();
        attachments.put("none", null);
        attachments.put("map", new HashMap<>());
        attachments.put("big", new HashMap<>(Map.of("amount", new BigDecimal("1.50"))));

        assertThat(answers.read(serialization.id, 20, serialization.written(VALUE, 7, attachments), true))
                .isEqualTo(new Answer(Outcome.OK, Map.of(), "7"));
        assertThat(answers.read(serialization.id, 20, serialization.written(VALUE, 7, null), true))
                .isEqualTo(new Answer(Outcome.OK, Map.of(), "7"));
    }

    @ParameterizedTest
    @EnumSource
    void objectsThatAreTextsAreTheirText(As serialization) throws MalformedURLException {
        attachments.clear();
        attachments.put("url", URI.create("http://192.0.2.1/\u4e2d").toURL());
        attachments.put("builder", new StringBuilder("b"));
        attachments.put("lost", List.of(1));

        assertThat(answers.read(serialization.id, 20, serialization.written(VALUE, 7, attachments), true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("url", "http://192.0.2.1/\u4e2d", "builder", "b"), "7"));
    }

    @Test
    void thoseOfFastjsonAreTheSame() {
        String body = "4\n\"value\"\n{\"text\":\"v\",\"none\":null,\"int\":5,\"long\":1099511627776,\"short\":-3,"
                + "\"map\":{\"inner\":{\"deep\":[1,2]}},\"double\":1.5,\"list\":[\"a\",1],\"flag\":false,"
                + "\"bytes\":\"\",\"last\":\"w\"}\n";
        Map<String, String> passed = new HashMap<>(PASSED);
        passed.put("bytes", "");

        assertThat(answers.read(6, 20, Unpooled.copiedBuffer(body, UTF_8), true))
                .isEqualTo(new Answer(Outcome.OK, passed, "value"));
    }
}
