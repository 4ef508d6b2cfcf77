package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.netty.buffer.ByteBufUtil;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class DeadlineTest extends AgentTest {
    private static final int SERVICE_EXCEPTION = 30;

    @Test
    void aGoodAnswerThatComesAfterTheDeadlineIsNotPassedOn() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();

        for (int i = 0; i < 20; i++) {
            client.send(HttpClient.form("hi", "X-Request-Timeout: 1"));
            FakeProviderAgent.Frame request = provider.nextRequest();
            // Past the deadline, and mostly before the sweep that ends the call without an answer.
            parkAtLeast(TimeUnit.MILLISECONDS.toNanos(1));
            provider.answer(request, 0, Flags.TEXT, "null");

            HttpClient.Answer answer = client.receive();
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.body()).contains("TIMEOUT");
        }
    }

    @Test
    void whatWentWrongIsPassedOnHoweverLate() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of(), provider);
        HttpClient client = client();

        boolean passedOn = false;
        for (int i = 0; i < 1000 && !passedOn; i++) {
            client.send(HttpClient.form("hi", "X-Request-Timeout: 1"));
            FakeProviderAgent.Frame request = provider.nextRequest();
            parkAtLeast(TimeUnit.MILLISECONDS.toNanos(1));
            provider.answer(request, SERVICE_EXCEPTION, Flags.JSON, "{}");
            passedOn = client.receive().status() == 500;
        }
        assertThat(passedOn).isTrue();
    }

    @Test
    void aRequestWhoseDeadlinePassedBehindAnotherOneIsNotSent() throws Exception {
        FakeProviderAgent provider = provider(180);
        start(Map.of("http.max-pipelined", "1"), provider);
        HttpClient client = client();

        client.send(HttpClient.form("first")
                + HttpClient.form("second", "X-Request-Timeout: 20")
                + HttpClient.form("third", "X-Request-Timeout: 30000"));
        FakeProviderAgent.Frame first = provider.nextRequest();
        parkAtLeast(TimeUnit.MILLISECONDS.toNanos(100));
        provider.answer(first, 0, Flags.TEXT, "1");

        assertThat(client.receive().status()).isEqualTo(200);
        assertThat(client.receive().status()).isEqualTo(504);
        FakeProviderAgent.Frame third = provider.nextRequest();
        assertThat(third.hex())
                .as("the time that is left is less than the timeout")
                .matches("0000(6|7[0-4]).*" + ByteBufUtil.hexDump("third".getBytes(US_ASCII)));
        provider.answer(third, 0, Flags.TEXT, "3");
        assertThat(client.receive().body()).isEqualTo("3");
    }

    private static void parkAtLeast(long ns) {
        long start = System.nanoTime();
        for (long left = ns; left > 0; left = ns - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
        }
    }
}
