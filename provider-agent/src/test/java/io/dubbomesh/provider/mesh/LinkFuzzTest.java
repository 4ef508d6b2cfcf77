package io.dubbomesh.provider.mesh;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.random.FuzzCorpus;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Inputs from which scripts/fuzz.sh starts, and what it has found; each is read as the fuzzer would. */
@Timeout(120)
class LinkFuzzTest {
    private static final String QUESTION_MARKS = "3f".repeat(32);
    private static final String CALL =
            MeshFrame.define(1, MeshFrame.names("com.example.Greeter", "greet", "Ljava/lang/String;", "", ""))
                    + MeshFrame.request(1, 1, MeshFrame.FORM, MeshFrame.formBody(5000, "you"));

    @Test
    void everyInputHasTheSameResultHoweverItArrives() throws Exception {
        Map<String, byte[]> inputs =
                FuzzCorpus.read(Path.of(getClass().getResource("/fuzz/link.txt").toURI()));
        assertThat(inputs).hasSizeGreaterThan(100);
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            assertThat(FuzzCorpus.nameOf(input.getValue())).isEqualTo(input.getKey());
            try {
                LinkFuzz.fuzzerTestOneInput(input.getValue());
            } catch (Exception | Error e) {
                throw new AssertionError(input.getKey(), e);
            }
        }
    }

    private static int executed(int choice, String... frames) {
        LinkFeed feed = new LinkFeed(ByteBufAllocator.DEFAULT, choice);
        feed.of(Hex.bytes(String.join("", frames)));
        return feed.executed();
    }

    @Test
    void theProviderGetsTheCallsOfPeersWhoseHelloLetsThem() {
        assertThat(executed(0, MeshFrame.hello(0, 0), CALL)).isOne();
        assertThat(executed(LinkFeed.LEAVES, MeshFrame.hello(0, 0), CALL)).isOne();
        assertThat(executed(LinkFeed.TOKEN | LinkFeed.PROOF, MeshFrame.helloWith(QUESTION_MARKS, 7), CALL))
                .isOne();
    }

    @Test
    void theProviderGetsNoOtherCalls() {
        assertThat(executed(0, CALL)).isZero();
        assertThat(executed(LinkFeed.TOKEN, MeshFrame.hello(0, 0), CALL)).isZero();
        assertThat(executed(LinkFeed.TOKEN, MeshFrame.helloWith(QUESTION_MARKS, 7), CALL))
                .isZero();
        assertThat(executed(LinkFeed.UNREACHABLE, MeshFrame.hello(0, 0), CALL)).isZero();
        assertThat(executed(LinkFeed.DRAINING, MeshFrame.hello(0, 0), CALL)).isZero();
    }

    @Test
    void thePeerGetsTheAnswerOfItsCall() {
        List<String> happened = new LinkFeed(ByteBufAllocator.DEFAULT, 0).of(Hex.bytes(MeshFrame.hello(0, 0) + CALL));
        assertThat(happened).hasSize(4).last().isEqualTo("open");
        assertThat(happened.get(2)).endsWith(" hello");
    }
}
