package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TokenRedactionTest {
    private static final String SECRET = "5f3a-9c.1_b";
    private static final String DUBBO_URL = "dubbo://192.0.2.2:20880/a.Greeter?token=other-1&side=provider";

    private final TokenRedaction tokens = new TokenRedaction();

    /** An exception of a service that shows what it has been called with. */
    static final class LeakyException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String url;
        private final int number = 123_456;
        private final Map<String, Object> attachments;

        LeakyException(String message, String url, Map<String, Object> attachments, Throwable cause) {
            super(message, cause);
            this.url = url;
            this.attachments = new HashMap<>(attachments);
        }
    }

    private static String document(DubboResponseReader reader, Throwable thrown) {
        ByteBuf body = HessianLite.write(0, thrown);
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, 2, 20, 7, body.readableBytes());
        in.writeBytes(body);
        ByteBuf out = Unpooled.buffer();
        reader.read(in, 0, ResultFormat.of(true, false, false), out);
        return out.skipBytes(out.readUnsignedShort()).toString(UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "token was 5f3a-9c.1_b# token was ...",
                "5f3a-9c.1_b, (5f3a-9c.1_b) and '5f3a-9c.1_b'# ..., (...) and '...'",
                "5f3a-9c.1_b.# ....",
                "x5f3a-9c.1_b 5f3a-9c.1_b7# x5f3a-9c.1_b 5f3a-9c.1_b7",
                "the token is wrong# the token is wrong",
                "dubbo: the token is wrong# dubbo: the token is ...",
                "RpcInvocation [attachments={token=other, path=a.B}]# RpcInvocation [attachments={token=..., path=a.B}]",
            })
    void aTokenThatIsSentIsHiddenWhereverItStandsAndWhatDubboCallsOne(String text, String expected) {
        tokens.use(List.of(SECRET));
        assertThat(tokens.text(text, false)).isEqualTo(expected);
    }

    @Test
    void theTokensBeforeTheLastChangeAreHiddenToo() {
        tokens.use(List.of(SECRET));
        tokens.use(List.of("second"));
        assertThat(tokens.text(SECRET + " second", false)).isEqualTo("... ...");
        tokens.use(List.of("third"));
        assertThat(tokens.text(SECRET + " second third", false)).isEqualTo(SECRET + " ... ...");
    }

    @Test
    void aTokenThatBeginsAnotherLeavesNothingOfIt() {
        tokens.use(List.of("5f3a", SECRET, "1_b-z", "c.1_b-z"));
        assertThat(tokens.text(SECRET + " 5f3a c.1_b-z", false)).isEqualTo("... ... ...");
        assertThat(tokens.json("{\"s\":\"" + SECRET + "\"}", false)).isEqualTo("{\"s\":\"...\"}");
        tokens.use(List.of("5f3a"));
        assertThat(tokens.text(SECRET + " 5f3a", false)).as("the one before").isEqualTo("... ...");
    }

    @Test
    void aTokenOfFewCharactersMayBeAnyWord() {
        tokens.use(List.of("not"));
        assertThat(tokens.text("is not a token", false)).isEqualTo("is not a token");
    }

    @Test
    void namesKeepWhatMayBeAPartOfThem() {
        tokens.use(List.of(SECRET, "orders"));
        assertThat(tokens.name("com.example.orders.SoldOutException")).isEqualTo("com.example.orders.SoldOutException");
        assertThat(tokens.name("a.B.c(" + SECRET + ":1)")).isEqualTo("a.B.c(...:1)");
    }

    @Test
    void jsonStaysJson() {
        tokens.use(List.of("123456", "true", SECRET));
        assertThat(tokens.json("{\"n\":123456,\"b\":true,\"s\":\"123456\",\"t\":\"a \\\"" + SECRET + "\\\"\"}", false))
                .isEqualTo("{\"n\":123456,\"b\":true,\"s\":\"...\",\"t\":\"a \\\"...\\\"\"}");
        assertThat(tokens.json("{\"url\":\"dubbo://a?token=x-1\",\"map\":{\"token\":\"y\\\"z\"},\"k\":1}", false))
                .isEqualTo("{\"url\":\"dubbo://a?token=...\",\"map\":{\"token\":\"...\"},\"k\":1}");
        assertThat(tokens.json("{\"token\":\"of a coupon\"}", false)).isEqualTo("{\"token\":\"of a coupon\"}");
    }

    @Test
    void noMemberOfAProblemDocumentHasAToken() {
        DubboResponseReader reader = new DubboResponseReader(1 << 20, true, Serialization.HESSIAN2);
        reader.redact(List.of(SECRET));
        Throwable cause = new LeakyException("cause " + SECRET, DUBBO_URL, Map.of("token", "other-2"), null);
        Throwable thrown = new LeakyException("refused: " + SECRET, DUBBO_URL, Map.of("token", SECRET), cause);
        thrown.setStackTrace(new StackTraceElement[] {new StackTraceElement("a.B", "c", SECRET, 1)});

        assertThat(document(reader, thrown))
                .doesNotContain(SECRET, "other-1", "other-2")
                .contains(
                        "\"exceptionMessage\":\"refused: ...\"",
                        "\"number\":123456",
                        "\"url\":\"dubbo://192.0.2.2:20880/a.Greeter?token=...&side=provider\"",
                        "\"token\":\"...\"",
                        "\"message\":\"cause ...\"",
                        "\"a.B.c(...:1)\"");
    }

    @Test
    void violationsHaveNoToken() {
        DubboResponseReader reader = new DubboResponseReader(1 << 20, false, Serialization.HESSIAN2);
        reader.redact(List.of(SECRET));
        String message =
                "Failed to validate service: a.SignUp, method: register, cause: [ConstraintViolationImpl{interpolatedMessage='not "
                        + SECRET + "', propertyPath=name, rootBeanClass=class a.Account}]";
        String document =
                document(reader, new RuntimeException("javax.validation.ConstraintViolationException: " + message));

        assertThat(document)
                .contains("\"code\":\"" + Outcome.VALIDATION_FAILED.code(), "\"message\":\"not ...\"")
                .doesNotContain(SECRET);
    }
}
