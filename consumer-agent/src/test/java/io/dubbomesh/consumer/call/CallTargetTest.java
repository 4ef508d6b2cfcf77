package io.dubbomesh.consumer.call;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class CallTargetTest {
    private final CallTarget path = new CallTarget();

    @ParameterizedTest
    @ValueSource(strings = {"/", "/?", "/?a/b"})
    void theRootIsOne(String target) {
        assertThat(locate(target)).isEqualTo("ROOT");
    }

    @ParameterizedTest
    @CsvSource({"/a.B, a.B", "/a.B?, a.B", "/a.B?x=/y, a.B", "/%2F, %2F"})
    void oneSegmentIsAService(String target, String service) {
        assertThat(locate(target)).isEqualTo("SERVICE " + service);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi.json", "/openapi.json?", "/openapi.json?service=a.B"})
    void oneNameIsTheDocumentOfAllServices(String target) {
        assertThat(locate(target)).isEqualTo("DOCUMENT");
        assertThat(locate("/openapi.jso")).isEqualTo("SERVICE openapi.jso");
        assertThat(locate("/openapi.json/m")).isEqualTo("METHOD openapi.json m");
    }

    @ParameterizedTest
    @CsvSource({"/a.B/m, a.B m", "/a.B/m?version=1/2, a.B m", "/a%2Fb/+?, a%2Fb +", "/./.., . .."})
    void twoSegmentsAreAMethod(String target, String parts) {
        assertThat(locate(target)).isEqualTo("METHOD " + parts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"//", "/a/", "//a", "/a//", "//?", "/a/b/", "/a/b/c", "//a/b", "/a//b", "/a/?x", "*", "a:1", "?"
            })
    void anythingElseIsNothing(String target) {
        assertThat(locate(target)).isEqualTo("OTHER");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs/errors.md", "/a.B/docs/errors.md", "/a/b/docs/errors.md?x"})
    void theTypeOfAProblemLeadsToThePageOfErrors(String target) {
        assertThat(locate(target)).isEqualTo("ERRORS");
    }

    private String locate(String target) {
        ByteBuf in = Unpooled.copiedBuffer(target, US_ASCII);
        path.locate(in);
        return switch (path.kind()) {
            case SERVICE -> "SERVICE " + service(in);
            case METHOD ->
                "METHOD " + service(in) + ' ' + in.toString(path.methodOffset(), path.methodLength(), US_ASCII);
            case ROOT, DOCUMENT, ERRORS, OTHER -> path.kind().toString();
        };
    }

    private String service(ByteBuf in) {
        return in.toString(path.serviceOffset(), path.serviceLength(), US_ASCII);
    }
}
