package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

    private static void parkAtLeast(long ns) {
        long start = System.nanoTime();
        for (long left = ns; left > 0; left = ns - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
        }
    }
}
