package io.dubbomesh.benchmark.client;

import io.dubbomesh.benchmark.client.LoadPlan.Connections;
import io.dubbomesh.benchmark.client.Request.Expected;
import io.dubbomesh.benchmark.client.Request.Format;
import io.dubbomesh.benchmark.ledger.Call;
import io.dubbomesh.benchmark.ledger.Ledger;
import io.dubbomesh.benchmark.ledger.NumberedText;
import io.dubbomesh.benchmark.ledger.Outcome;
import io.dubbomesh.benchmark.ledger.Verdict;
import io.dubbomesh.benchmark.ledger.Verdict.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The client and its ledger before a server that does things wrong, each of which the verdict has to find. */
@Timeout(60)
class LoadClientTest {
    private static final int CALLS = 60;
    private static final int BAD = 20;
    private static final Duration TIME = Duration.ofMillis(300);

    private ScriptedAgent agent;

    @AfterEach
    void close() throws IOException {
        agent.close();
    }

    @ParameterizedTest
    @CsvSource({"FORM, HASH", "FORM, TEXT", "JSON, HASH", "JSON, TEXT"})
    void rightAnswersAreGoodInBothFormatsAndForBothKindsOfResult(Format format, Expected expected) throws Exception {
        start(exchange -> {
            int hash = exchange.execute();
            String quote = format == Format.JSON ? "\"" : "";
            exchange.answer(expected == Expected.HASH ? hash : quote + exchange.parameter() + quote);
            assertThat(exchange.head())
                    .startsWith(format == Format.FORM ? "post / http/1.1\r\n" : "post /a.service/call http/1.1\r\n");
        });
        Request request =
                Request.DEFAULT.withFormat(format).withService("a.Service").withMethod("call", expected);

        Verdict verdict = judge(open().withRequest(request));

        assertThat(verdict.isClean()).as(verdict.toString()).isTrue();
        assertThat(verdict.count(Outcome.GOOD)).isEqualTo(CALLS);
    }

    @Test
    void longAnswersAreComparedToTheirEnd() throws Exception {
        start(exchange -> {
            String digits = Integer.toString(exchange.execute());
            String filler = "x".repeat(1000 - digits.length());
            exchange.answer(digits + (exchange.index() == BAD ? filler.substring(1) + "y" : filler));
        });
        Verdict verdict = judge(open().withRequest(Request.DEFAULT.withLengths(200_000, 1000)));
        assertOnly(verdict, Fault.WRONG, 1);
    }

    @Test
    void aWrongValueIsFound() throws Exception {
        start(exchange -> exchange.answer(exchange.execute() + (exchange.index() == BAD ? 7_000_000_000L : 0L)));
        assertOnly(judge(open()), Fault.WRONG, 1);
    }

    @Test
    void answersThatWereSwappedBetweenConnectionsAreCrossed() throws Exception {
        BlockingQueue<Integer> other = new LinkedBlockingQueue<>();
        BlockingQueue<Integer> back = new LinkedBlockingQueue<>();
        start(exchange -> {
            int hash = exchange.execute();
            if (exchange.index() == BAD) {
                other.put(hash);
                exchange.answer(back.take());
            } else if (exchange.index() == BAD + 1) {
                back.put(hash);
                exchange.answer(other.take());
            } else {
                exchange.answer(hash);
            }
        });
        assertOnly(judge(open()), Fault.CROSSED, 2);
    }

    @Test
    void answersInTheWrongOrderOnOneConnectionAreCrossed() throws Exception {
        int[] kept = new int[1];
        start(exchange -> {
            int hash = exchange.execute();
            if (exchange.index() == BAD) {
                kept[0] = hash;
            } else {
                exchange.answer(hash);
                if (exchange.index() == BAD + 1) {
                    exchange.answer(kept[0]);
                }
            }
        });
        assertOnly(judge(open().withConnections(Connections.of(1).withDepth(8))), Fault.CROSSED, 2);
    }

    @Test
    void anAnswerThatComesTwiceIsFound() throws Exception {
        start(exchange -> {
            int hash = exchange.execute();
            exchange.answer(hash);
            if (exchange.index() == BAD) {
                exchange.answer(hash);
                exchange.socket().shutdownOutput();
            }
        });
        Verdict verdict = judge(open());
        assertThat(verdict.count(Fault.SURPLUS) + verdict.count(Fault.CROSSED)).isEqualTo(1);
    }

    @Test
    void aConnectionThatEndsInsteadOfAnAnswerLosesItsCalls() throws Exception {
        start(exchange -> {
            int hash = exchange.execute();
            if (exchange.index() == BAD) {
                exchange.socket().close();
            } else {
                exchange.answer(hash);
            }
        });
        assertOnly(judge(open()), Fault.LOST, 1);
    }

    @Test
    void anAnswerThatEndsEarlyIsLost() throws Exception {
        start(exchange -> {
            int hash = exchange.execute();
            exchange.answer(200, exchange.index() == BAD ? "X-Length: 1\r\nContent-Length: 99\r\nX-" : "", hash);
            if (exchange.index() == BAD) {
                exchange.socket().close();
            }
        });
        assertOnly(judge(open()), Fault.LOST, 1);
    }

    @Test
    void aCallWithoutAnAnswerIsLostAfterTheTimeout() throws Exception {
        start(exchange -> {
            int hash = exchange.execute();
            if (exchange.index() != BAD) {
                exchange.answer(hash);
            }
        });
        Ledger ledger = LoadClient.run(open().withTimeout(Duration.ofSeconds(3)));
        assertOnly(ledger.verdict(agent.executions()), Fault.LOST, 1);
        assertThat(ledger.all().count(Outcome.LOST)).isEqualTo(1);
    }

    @Test
    void anExecutionOfARefusedCallAndASecondExecutionAreFound() throws Exception {
        start(exchange -> {
            int hash = exchange.execute();
            if (exchange.index() == BAD) {
                exchange.answer(503, "Retry-After: 1\r\n", "full");
            } else {
                exchange.answer(hash);
            }
            if (exchange.index() == BAD + 1) {
                exchange.execute();
            }
        });
        Verdict verdict = judge(open());
        assertThat(verdict.count(Fault.EXECUTED_THOUGH_REFUSED)).isEqualTo(1);
        assertThat(verdict.count(Fault.EXECUTED_TWICE)).isEqualTo(1);
        assertThat(verdict.count(Outcome.REFUSED)).isEqualTo(1);
    }

    @Test
    void anInternalErrorIsAFaultAndAnExceptionOfTheServiceIsNone() throws Exception {
        start(exchange -> {
            int hash = exchange.execute();
            switch (exchange.index()) {
                case BAD -> exchange.answer(500, "", "{}");
                case BAD + 1 -> exchange.answer(500, "X-Dubbo-Exception: a.B\r\n", "{}");
                default -> exchange.answer(hash);
            }
        });
        Verdict verdict = judge(open());
        assertOnly(verdict, Fault.UNTAGGED_500, 1);
        assertThat(verdict.count(Outcome.FAILED)).isEqualTo(1);
    }

    @Test
    void callsBehindALastAnswerAreSentAgainOnAnotherConnection() throws Exception {
        start(exchange -> {
            if (exchange.index() == BAD) {
                exchange.answer(200, "Connection: close\r\n", exchange.execute());
                exchange.socket().close();
            } else {
                exchange.answer(exchange.execute());
            }
        });
        Verdict verdict = judge(open().withConnections(Connections.of(1).withDepth(8)));
        assertThat(verdict.isClean()).as(verdict.toString()).isTrue();
        assertThat(verdict.count(Outcome.GOOD)).isEqualTo(CALLS);
        assertThat(agent.connections()).isEqualTo(2);
    }

    @Test
    void everyCallHasAConnectionOfItsOwnIfThePlanSaysSo() throws Exception {
        start(exchange -> {
            assertThat(exchange.head()).contains("\r\nconnection: close\r\n");
            exchange.answer(200, "Connection: close\r\n", exchange.execute());
        });
        Verdict verdict = judge(open().withConnections(Connections.of(100).withNewOnes()));
        assertThat(verdict.isClean()).as(verdict.toString()).isTrue();
        assertThat(agent.connections()).isEqualTo(CALLS);
    }

    @Test
    void aClosedLoopHasOneCallAfterTheOtherOnEachConnection() throws Exception {
        start(exchange -> exchange.answer(exchange.execute()));
        Verdict verdict = judge(LoadPlan.closedLoop(agent.address(), 4, TIME));
        assertThat(verdict.isClean()).as(verdict.toString()).isTrue();
        assertThat(verdict.count(Outcome.GOOD)).isGreaterThan(4).isEqualTo(verdict.calls());
        assertThat(agent.connections()).isEqualTo(4);
    }

    /** A server that stands still for a time delays the calls that were to be sent meanwhile, too. */
    @Test
    void latencyCountsFromTheIntendedTime() throws Exception {
        start(exchange -> {
            if (exchange.index() == BAD) {
                TimeUnit.MILLISECONDS.sleep(150);
            }
            exchange.answer(exchange.execute());
        });
        Ledger ledger = LoadClient.run(open().withConnections(Connections.of(1)));

        List<Call> calls = ledger.calls().toList();
        Call slow = calls.get(BAD);
        assertThat(slow.endNs() - slow.sentNs()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(150));
        Call behind = calls.get(BAD + 1);
        assertThat(behind.sentNs()).isGreaterThanOrEqualTo(slow.endNs());
        assertThat(behind.latencyNs()).isGreaterThan(behind.endNs() - behind.sentNs());
        assertThat(behind.intendedNs() - slow.intendedNs()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
    }

    @Test
    void callsGoToAnotherTargetIfOneRefusesConnections() throws Exception {
        start(exchange -> exchange.answer(exchange.execute()));
        Verdict verdict = judge(open().withTargets(List.of(closedPort(), agent.address())));
        assertThat(verdict.isClean()).as(verdict.toString()).isTrue();
        assertThat(verdict.count(Outcome.GOOD)).isEqualTo(CALLS);
    }

    @Test
    void withoutAnyConnectionNoCallIsSentAndNoneIsLost() throws Exception {
        start(exchange -> exchange.answer(exchange.execute()));
        LoadPlan plan = open().withTargets(List.of(closedPort())).withTimeout(Duration.ofMillis(200));
        Verdict verdict = judge(plan);
        assertThat(verdict.isClean()).as(verdict.toString()).isTrue();
        assertThat(verdict.count(Outcome.UNSENT)).isEqualTo(CALLS);
    }

    @Test
    void aClosedLoopGivesUpWhenNoConnectionCanBeMade() throws Exception {
        start(exchange -> {
            exchange.answer(exchange.execute());
            if (exchange.index() == BAD) {
                agent.close();
            }
        });
        LoadPlan plan =
                LoadPlan.closedLoop(agent.address(), 1, Duration.ofMinutes(5)).withGiveUp(Duration.ofMillis(200));
        assertThat(judge(plan).count(Outcome.GOOD)).isBetween((long) BAD, BAD + 1L);
    }

    @Test
    void aClientThatHasNoFurtherNumberFailsInsteadOfLosingCalls() throws Exception {
        start(exchange -> exchange.answer(exchange.execute()));
        LoadPlan plan = open().withFirstNumber(NumberedText.COUNT - BAD);
        assertThatThrownBy(() -> LoadClient.run(plan))
                .hasMessage("the load client failed")
                .rootCause()
                .hasMessageContaining("20 calls from number 308915756 on");
    }

    /** 60 calls, one each 5 ms. */
    private LoadPlan open() {
        return LoadPlan.openLoop(agent.address(), CALLS / 0.3, TIME).withFirstNumber(LoadPlan.numbersOf(3));
    }

    private void start(ScriptedAgent.Script script) throws IOException {
        agent = new ScriptedAgent(script);
    }

    private Verdict judge(LoadPlan plan) throws InterruptedException {
        return LoadClient.run(plan).verdict(agent.executions());
    }

    private static void assertOnly(Verdict verdict, Fault fault, long count) {
        for (Fault each : Fault.values()) {
            assertThat(verdict.count(each)).as(verdict.toString()).isEqualTo(each == fault ? count : 0);
        }
    }

    private static InetSocketAddress closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }
}
