package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
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
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        for (int i = 0; i < 20; i++) {
            client.send(Requests.form("hi", "X-Request-Timeout: 1"));
            ProviderPeer.Received request = provider.nextRequest();
            // Past the deadline, and mostly before the sweep that ends the call without an answer.
            parkAtLeast(TimeUnit.MILLISECONDS.toNanos(1));
            provider.answer(request, 0, Flags.TEXT, "null");

            HttpAnswer answer = client.answer();
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.text()).contains("TIMEOUT");
        }
    }

    @Test
    void whatWentWrongIsPassedOnHoweverLate() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        boolean passedOn = false;
        for (int i = 0; i < 1000 && !passedOn; i++) {
            client.send(Requests.form("hi", "X-Request-Timeout: 1"));
            ProviderPeer.Received request = provider.nextRequest();
            parkAtLeast(TimeUnit.MILLISECONDS.toNanos(1));
            provider.answer(request, SERVICE_EXCEPTION, Flags.JSON, "{}");
            passedOn = client.answer().status() == 500;
        }
        assertThat(passedOn).isTrue();
    }

    @Test
    void aRequestWhoseDeadlinePassedBehindAnotherOneIsNotSent() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of("http.max-pipelined", "1"), provider);
        HttpSocket client = client();

        client.send(Requests.form("first")
                + Requests.form("second", "X-Request-Timeout: 20")
                + Requests.form("third", "X-Request-Timeout: 30000"));
        ProviderPeer.Received first = provider.nextRequest();
        parkAtLeast(TimeUnit.MILLISECONDS.toNanos(100));
        provider.answer(first, 0, Flags.TEXT, "1");

        assertThat(client.answer().status()).isEqualTo(200);
        assertThat(client.answer().status()).isEqualTo(504);
        ProviderPeer.Received third = provider.nextRequest();
        assertThat(third.body())
                .as("the time that is left is less than the timeout")
                .matches("0000(6|7[0-4]).*" + ByteBufUtil.hexDump("third".getBytes(US_ASCII)));
        provider.answer(third, 0, Flags.TEXT, "3");
        assertThat(client.answer().text()).isEqualTo("3");
    }

    private static void parkAtLeast(long ns) {
        long start = System.nanoTime();
        for (long left = ns; left > 0; left = ns - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
        }
    }
}
