package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.MeshFrame.formBody;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the times of a call that the provider agent tells if the request asks for them. */
@Timeout(60)
class TimingTest {
    private static final int TIMED_FORM = 0x11;
    private static final Pattern TIMING =
            Pattern.compile(":timing..(\\d+) (\\d+) 127\\.0\\.0\\.1:(\\d+)", Pattern.DOTALL);

    private final AgentFixture mesh = new AgentFixture();

    TimingTest() throws Exception {}

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    @Test
    void theAnswerOfATimedCallSaysHowLongItWaitedAndHowLongTheProviderTook() throws Exception {
        mesh.with("lb.limit", 1);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(timed(1) + timed(2));
        DubboFrame first = provider.read();
        long waitedFromNs = System.nanoTime();
        Await.until("the second waits", () -> mesh.agent.limit().waiting() == 1);
        while (System.nanoTime() - waitedFromNs < TimeUnit.MILLISECONDS.toNanos(20)) {
            Thread.onSpinWait();
        }
        provider.answerInt(first.id(), 1);

        MeshFrame one = peer.read();
        assertThat(one.document()).isEqualTo("1");
        Matcher timing = timing(one);
        assertThat(Long.parseLong(timing.group(1))).isZero();
        assertThat(Long.parseLong(timing.group(2))).isGreaterThan(20_000_000);
        assertThat(timing.group(3)).isEqualTo(String.valueOf(mesh.stub.port()));
        provider.answerInt(provider.read().id(), 2);
        Matcher second = timing(peer.read());
        assertThat(Long.parseLong(second.group(1))).isGreaterThan(20_000_000);
    }

    @Test
    void itStandsBeforeTheAttachmentsOfTheResult() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(timed(1));
        provider.answer(provider.read().id(), 20, "94" + "91" + "48" + "01" + text("k") + "01" + text("v") + "5a");

        MeshFrame answer = peer.read();
        assertThat(answer.body())
                .contains("0007" + text(":timing"))
                .endsWith("0001" + text("k") + "0001" + text("v") + text("1"));
        assertThat(answer.document()).isEqualTo("1");
    }

    @Test
    void anErrorOfTheProviderIsTimedToo() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(timed(1));
        provider.answer(provider.read().id(), 70, text("no"));

        MeshFrame answer = peer.read();
        assertThat(answer.document()).contains("\"status\":502");
        timing(answer);
    }

    @Test
    void whatTheProviderHasNotAnsweredHasNoTimes() throws Exception {
        mesh.with("lb.limit", 1).with("dubbo.queue", 0);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(timed(1) + timed(2));
        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 1, 0, 2, "0000" + formBody(5000, "a")));
        provider.read();
        provider.close();

        MeshFrame lost = peer.read();
        assertThat(lost.requestId()).isEqualTo(1);
        assertThat(lost.body()).startsWith("0000");
    }

    @Test
    void aCallThatIsNotTimedIsAnsweredWithoutThem() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a") + timed(2) + hash(3, "a"));
        for (int i = 0; i < 3; i++) {
            provider.answer(provider.read().id(), 20, "91" + "91");
        }
        assertThat(peer.read().body()).isEqualTo("0000" + text("1"));
        timing(peer.read());
        assertThat(peer.read().body()).isEqualTo("0000" + text("1"));
    }

    private static String timed(long requestId) {
        return request(requestId, 1, TIMED_FORM, formBody(5000, "a"));
    }

    private static Matcher timing(MeshFrame answer) {
        String attachments = answer.body()
                .substring(4, 4 + 2 * Integer.parseInt(answer.body().substring(0, 4), 16));
        Matcher timing = TIMING.matcher(new String(Hex.bytes(attachments), ISO_8859_1));
        assertThat(timing.find()).as(answer.bodyText()).isTrue();
        return timing;
    }
}
