package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.schema.ToolTypes;
import io.dubbomesh.consumer.mcp.tool.ToolFile;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

/** When a list of tools is written, and what is asked before. */
class ToolListerTest {
    private static final String TOOLS = "tools { t { service = a.B, method = m }, u { service = a.C, method = m } }";

    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final CallReader calls = new CallReader(
            new CallSettings(32, 64, SECONDS.toNanos(5), 60_000),
            new Router(64, new CallMetrics(CallMetricNames.CONSUMER, 64)));
    private final Deque<Runnable> turns = new ArrayDeque<>();
    private final Deque<Runnable> toMake = new ArrayDeque<>();
    private final Deque<Responder> asked = new ArrayDeque<>();
    private final List<String> listed = new ArrayList<>();
    private final ToolTypes types = new ToolTypes(ToolFile.parse(TOOLS));
    private final ToolTypes others = new ToolTypes(ToolFile.parse("tools { v { service = a.D, method = m } }"));
    private long nowNs;
    private boolean canSend = true;
    private boolean canMake = true;
    private final ToolLister lister = new ToolLister(calls, this::send, turns::add, this::make, () -> nowNs);

    private void send(ParsedCall call, Responder responder, long receivedNs, long nowNs) throws CallException {
        if (!canSend) {
            throw new CallException(Outcome.NO_PROVIDER, "none");
        }
        asked.add(responder);
    }

    private void make(Runnable task) {
        if (!canMake) {
            throw new RejectedExecutionException();
        }
        toMake.add(task);
    }

    @AfterEach
    void close() {
        response.close();
    }

    /** Each word is an event; what is behind it is the state, and how many lists are written then. */
    @ParameterizedTest
    @CsvSource({
        "list ASKING 0",
        "list ASKING 0 list ASKING 0",
        "list ASKING 0 turn ASKING 0 answer ASKING 0 list ASKING 0 answer ASKING 0 turn MAKING 0 list MAKING 0 "
                + "make MAKING 0 turn IDLE 3",
        "list ASKING 0 turn ASKING 0 answer ASKING 0 answer ASKING 0 turn MAKING 0 make MAKING 0 turn IDLE 1 list IDLE 2",
        "unable ASKING 0 turn MAKING 0 make MAKING 0 turn IDLE 1 list IDLE 2",
        "list ASKING 0 turn ASKING 0 other ASKING 0 answer ASKING 0 answer ASKING 0 turn MAKING 0 make MAKING 0 "
                + "turn ASKING 1 turn ASKING 1 list ASKING 1 answer ASKING 1 turn MAKING 1 make MAKING 1 turn IDLE 3",
        "list ASKING 0 fail ASKING 0 list ASKING 0 turn ASKING 0 answer ASKING 0 answer ASKING 0 turn MAKING 0 "
                + "make MAKING 0 turn IDLE 2",
        "list ASKING 0 late ASKING 0 turn MAKING 0 make MAKING 0 turn IDLE 1 list ASKING 1",
        "list ASKING 0 turn ASKING 0 answer ASKING 0 ends ASKING 0 answer ASKING 0 turn MAKING 0 turn IDLE 1",
    })
    void aListIsWrittenWhenTheTypesAreKnown(String events) {
        String[] words = events.split(" ");
        for (int i = 0; i < words.length; i += 3) {
            switch (words[i]) {
                case "list" -> list();
                case "unable" -> {
                    canSend = false;
                    list();
                }
                case "other" -> lister.whenKnown(others, () -> listed.add("other"));
                case "fail" ->
                    lister.whenKnown(types, () -> {
                        throw new AssertionError("for the test");
                    });
                case "late" -> nowNs += SECONDS.toNanos(4);
                case "ends" -> canMake = false;
                case "turn" -> turn();
                case "answer" -> asked.remove().respond(response.problem(Outcome.NOT_FOUND, "none"));
                case "make" -> toMake.remove().run();
                default -> throw new IllegalArgumentException(words[i]);
            }
            assertThat(lister.state()).as("%s, %d", events, i).hasToString(words[i + 1]);
            assertThat(listed).as("%s, %d", events, i).hasSize(Integer.parseInt(words[i + 2]));
        }
    }

    private void list() {
        lister.whenKnown(types, () -> listed.add("one"));
    }

    private void turn() {
        for (int left = turns.size(); left > 0; left--) {
            turns.remove().run();
        }
    }

    /** Services that hang take no time of their own: those that were not asked are the first of the next list. */
    @Test
    void aListWaitsForAllServicesTogether() {
        String tools = IntStream.range(0, 40)
                .mapToObj(i -> "t" + i + " { service = a.S" + i + ", method = m }")
                .collect(Collectors.joining(", ", "tools { ", " }"));
        ToolTypes many = new ToolTypes(ToolFile.parse(tools));
        lister.whenKnown(many, () -> listed.add("first"));
        turns();
        assertThat(asked).hasSize(16);

        nowNs += TimeUnit.MILLISECONDS.toNanos(ToolLister.TIMEOUT_MS);
        timeOut();
        turns();
        assertThat(asked).isEmpty();
        assertThat(lister.state()).isEqualTo(ToolLister.State.MAKING);
        toMake.remove().run();
        turns();
        assertThat(listed).containsExactly("first");
        assertThat(many.stale(nowNs)).hasSize(24);

        nowNs += TimeUnit.SECONDS.toNanos(60);
        lister.whenKnown(many, () -> listed.add("second"));
        turns();
        assertThat(asked).hasSize(16);
        timeOut();
        turns();
        assertThat(asked).hasSize(16);
        timeOut();
        turns();
        assertThat(asked).hasSize(8);
    }

    /** Not all services are asked in one turn. */
    private void turns() {
        while (!turns.isEmpty()) {
            turn();
        }
    }

    private void timeOut() {
        while (!asked.isEmpty()) {
            asked.remove().respond(response.problem(Outcome.TIMEOUT, "late"));
        }
    }
}
