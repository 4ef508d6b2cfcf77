package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.random.FuzzCorpus;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Inputs from which scripts/fuzz.sh starts, and what it has found; each is read as the fuzzer would. */
@Timeout(120)
class EndpointFuzzTest {
    private static final long FIRST_CALL = 1 << 20;
    private static final int JSON = 2;
    private static final int METHOD_ID_OFFSET = 16;
    private static final int HEADER_LENGTH = 24;

    @Test
    void everyInputHasTheSameResultHoweverItArrives() throws Exception {
        Map<String, byte[]> inputs = FuzzCorpus.read(
                Path.of(getClass().getResource("/fuzz/endpoint.txt").toURI()));
        assertThat(inputs).hasSizeGreaterThan(60);
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            assertThat(FuzzCorpus.nameOf(input.getValue())).isEqualTo(input.getKey());
            try {
                EndpointFuzz.fuzzerTestOneInput(input.getValue());
            } catch (Exception | Error e) {
                throw new AssertionError(input.getKey(), e);
            }
        }
    }

    private static List<String> happened(int choice, String... frames) {
        return new EndpointFeed(ByteBufAllocator.DEFAULT, choice).of(Hex.bytes(String.join("", frames)));
    }

    @Test
    void aClientGetsTheAnswerOfItsCall() {
        List<String> happened =
                happened(0, MeshFrame.hello(8, 8), MeshFrame.response(FIRST_CALL, 0, JSON, "", "[\"answer\"]"));
        assertThat(happened)
                .anySatisfy(
                        answer -> assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n[\"answer\"]"));
    }

    @Test
    void aCallThatIsGivenBackGoesToTheOtherEndpoint() {
        String hello = MeshFrame.hello(8, 8);
        List<String> sent = requests(happened(EndpointFeed.OTHER, hello));
        assertThat(sent).hasSize(1);
        String body = new String(Hex.bytes(sent.get(0).substring(2 * HEADER_LENGTH)), US_ASCII);

        String givenBack = MeshFrame.response(FIRST_CALL, MeshFrame.NOT_EXECUTED, 0, "", body);
        assertThat(requests(happened(EndpointFeed.OTHER, hello, givenBack))).containsExactly(sent.get(0), sent.get(0));
    }

    /** Returns the requests of the first call. */
    private static List<String> requests(List<String> happened) {
        String start = MeshFrame.request(FIRST_CALL, 0, JSON, "").substring(0, 2 * METHOD_ID_OFFSET);
        return happened.stream().filter(frame -> frame.startsWith(start)).toList();
    }

    @Test
    void aClientGetsNoAnswerOfAPeerWithoutAHello() {
        assertThat(happened(0, MeshFrame.response(FIRST_CALL, 0, JSON, "", "[]")))
                .noneMatch(answer -> answer.startsWith("HTTP/1.1 200 "));
    }
}
