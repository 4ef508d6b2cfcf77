package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Providers that fail, hang, leave or are full. */
abstract class FailingProviders extends FailureTopic {
    /** Less than the deadline of a call that names none. */
    private static final Duration BEFORE_THE_DEADLINE = Duration.ofSeconds(4);

    @Test
    void aProviderThatClosesItsConnectionFailsTheCallsInFlight() throws Exception {
        assertRefused(Form.post(Form.call(STUB, "die", Form.STRING, "x")), 502, "PROVIDER_ERROR");
        awaitStub(STUB);
    }

    @Test
    void aProviderThatSendsGarbageFailsTheCallsInFlight() throws Exception {
        assertRefused(Form.post(Form.call(STUB, "garbage", Form.STRING, "x")), 502, "PROVIDER_ERROR");
        awaitStub(STUB);
    }

    @ParameterizedTest
    @CsvSource({
        "25, 502, PROVIDER_ERROR",
        "30, 502, PROVIDER_ERROR",
        "31, 504, TIMEOUT",
        "35, 502, PROVIDER_ERROR",
        "40, 400, BAD_REQUEST",
        "50, 502, PROVIDER_ERROR",
        "60, 502, PROVIDER_ERROR",
        "70, 502, PROVIDER_ERROR",
        "80, 502, PROVIDER_ERROR",
        "90, 502, PROVIDER_ERROR",
        "100, 503, OVERLOADED",
        "105, 502, PROVIDER_ERROR",
    })
    void aDubboStatusBecomesAnHttpStatus(int status, int http, String code) throws Exception {
        awaitStub(STUB);
        Map<String, String> problem =
                assertRefused(Form.post(Form.call(STUB, "status" + status, Form.STRING, "x")), http, code);
        if (status != 100) {
            assertThat(problem.get("detail")).contains("the stub says " + status);
        }
    }

    @Test
    void anExceptionOfTheServiceIsPassedOn() throws Exception {
        awaitStub(STUB);
        HttpAnswer answer = HttpSocket.once(port, Form.post(Form.call(STUB, "throwing", Form.STRING, "x")));
        assertThat(answer.assertProblem(500, "SERVICE_EXCEPTION"))
                .containsEntry("exceptionClass", "java.lang.IllegalStateException")
                .containsEntry("exceptionMessage", "no\r\nway");
        assertThat(answer.header("x-dubbo-exception")).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void aServiceWithoutProvidersIsRefusedAtOnce() throws Exception {
        long startNs = System.nanoTime();
        assertRefused(Form.post(Form.call(GONE, "hash", Form.STRING, "x")), 503, "NO_PROVIDER");
        assertThat(System.nanoTime() - startNs).isLessThan(BEFORE_THE_DEADLINE.toNanos());
    }

    @Test
    void aCallWithoutAnAnswerEndsAtItsDeadline() throws Exception {
        awaitStub(STUB);
        try (HttpSocket client = new HttpSocket(port)) {
            client.call(HELLO).assertHash("hello");
            long startNs = System.nanoTime();
            client.call(Form.post(Form.call(STUB, "silent", Form.STRING, "x"), "X-Request-Timeout: 20"))
                    .assertProblem(504, "TIMEOUT");
            assertThat(System.nanoTime() - startNs)
                    .isBetween(Duration.ofMillis(20).toNanos(), BEFORE_THE_DEADLINE.toNanos());
            client.call(HELLO).assertHash("hello");
        }
    }

    @Test
    void anAnswerAfterTheDeadlineIsDropped() throws Exception {
        awaitStub(STUB);
        stub.forgetHeld();
        int before = stub.executed();
        try (HttpSocket client = new HttpSocket(port)) {
            client.call(Form.post(Form.call(STUB, "held", Form.STRING, "x"), "X-Request-Timeout: 50"))
                    .assertProblem(504, "TIMEOUT");
            assertThat(stub.executed()).isEqualTo(before + 1);
            client.send(Form.post(Form.call(STUB, "held", Form.STRING, "x")));
            // The late answer, and that of the second call.
            stub.releaseNext();
            stub.releaseNext();
            assertThat(client.answer().text()).isEqualTo("7");
            client.call(HELLO).assertHash("hello");
        }
    }

    @Test
    void callsAboveTheLimitWaitInTheQueueAndAboveItAreRefused() throws Exception {
        awaitStub(NARROW);
        executeHeld();
        int before = narrowStub.executed();
        List<HttpSocket> clients = new ArrayList<>();
        try {
            String held = Form.post(Form.call(NARROW, "held", Form.STRING, "x"));
            for (int i = 0; i < 1 + QUEUE; i++) {
                HttpSocket client = new HttpSocket(port);
                clients.add(client);
                client.send(held);
                if (i == 0) {
                    Await.until("the first call is in service", () -> narrowStub.executed() > before);
                }
            }
            // Those in the queue have been read when a call behind them on the same loop is answered.
            Await.until(
                    "the queue is full",
                    () -> HttpSocket.once(
                                            port,
                                            Form.post(
                                                    Form.call(NARROW, "hash", Form.STRING, "x"),
                                                    "X-Request-Timeout: 1"))
                                    .status()
                            == 503);
            try (HttpSocket refused = new HttpSocket(port)) {
                refused.call(held).assertProblem(503, "OVERLOADED");
                refused.call(HELLO).assertHash("hello");
            }
            for (HttpSocket client : clients) {
                narrowStub.releaseNext();
                HttpAnswer answer = client.answer();
                assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                assertThat(answer.text()).isEqualTo("7");
            }
        } finally {
            for (HttpSocket client : clients) {
                client.close();
            }
        }
        awaitStub(NARROW);
    }

    /** Calls of a method that was never executed would get half of the queue. */
    private static void executeHeld() throws Exception {
        int before = narrowStub.executed();
        try (HttpSocket client = new HttpSocket(port)) {
            client.send(Form.post(Form.call(NARROW, "held", Form.STRING, "x")));
            Await.until("the call is in service", () -> narrowStub.executed() > before);
            narrowStub.releaseNext();
            assertThat(client.answer().text()).isEqualTo("7");
        }
    }

    @Test
    void aCallThatExpiredInTheQueueDoesNotReachTheProvider() throws Exception {
        awaitStub(NARROW);
        int before = narrowStub.executed();
        try (HttpSocket first = new HttpSocket(port);
                HttpSocket second = new HttpSocket(port)) {
            first.send(Form.post(Form.call(NARROW, "held", Form.STRING, "x")));
            Await.until("the first call is in service", () -> narrowStub.executed() > before);
            second.call(Form.post(Form.call(NARROW, "held", Form.STRING, "x"), "X-Request-Timeout: 100"))
                    .assertProblem(504, "TIMEOUT");
            narrowStub.releaseNext();
            assertThat(first.answer().text()).isEqualTo("7");
            second.call(Form.post(Form.call(NARROW, "hash", Form.STRING, "x")));
            assertThat(narrowStub.executed() - before)
                    .as("the first call and the last")
                    .isEqualTo(2);
        }
    }
}
