package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Promise;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Each state of {@link DubboUpstream}, {@link DubboConnection} and {@link AnswerPause} with each event. */
class DubboStatesTest {
    private static final String EVENT = "dabba200" + "0000000000000000" + "00000002" + "01";
    private static final String HEARTBEAT = "dabbe200" + "0000000000000001" + "00000001" + "4e";
    private static final long SILENCE_MS = 3_000;
    private static final long SHUTDOWN_WAIT_MS = 60_000;

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final MemoryBudget memory = new MemoryBudget(1_000);
    private final Turn turn = new Turn(loop.eventLoop(), memory);
    private final QuietListener calls = new QuietListener();
    private final Deque<Attempt> attempts = new ArrayDeque<>();
    private final List<EmbeddedChannel> opened = new ArrayList<>();

    private record Attempt(DubboConnection connection, Promise<Void> connected) {}

    private DubboUpstream upstream;
    private DubboConnection connection;

    @AfterEach
    void close() {
        opened.forEach(EmbeddedChannel::finishAndReleaseAll);
        loop.finishAndReleaseAll();
    }

    /**
     * The ways to the states, and the events, by letters: o open, c connected, f failed, h a frame, r read-only,
     * w takes calls, s silence while calls wait, t no sign in time, i idle, l lost, n a second passes, x close. A dot
     * stands for an event that changes nothing, a minus for one that cannot happen there.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', nullValues = "-", textBlock = """
                    STATE        | WAY    | o          | c          | f    | n    | x
                    UNUSED       | ''     | CONNECTING | -          | -    | .    | CLOSED
                    CONNECTING   | o      | .          | CHECKING   | GONE | .    | CLOSED
                    RECONNECTING | ochnl  | .          | OPEN       | GONE | .    | CLOSED
                    CHECKING     | oc     | .          | -          | -    | .    | CLOSED
                    OPEN         | och    | .          | -          | -    | .    | CLOSED
                    OPEN         | ochlch | .          | -          | -    | .    | CLOSED
                    READ_ONLY    | ochr   | .          | -          | -    | .    | CLOSED
                    READ_ONLY    | ochrn  | .          | -          | -    | .    | CLOSED
                    RESUMING     | ochrw  | .          | -          | -    | OPEN | CLOSED
                    LEFT         | ochri  | .          | .          | GONE | .    | CLOSED
                    SILENT       | ochs   | .          | -          | -    | .    | CLOSED
                    GONE         | of     | .          | UNANSWERED | .    | .    | CLOSED
                    UNANSWERED   | ofc    | .          | -          | -    | .    | CLOSED
                    CLOSED       | ochx   | .          | -          | -    | .    | .
                    """)
    void anUpstreamFollowsItsTable(String state, String way, String o, String c, String f, String n, String x) {
        upstreamFollows(state, way, "ocfnx", o, c, f, n, x);
    }

    /** In the other states there is no connection. */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE      | WAY    | h    | r         | w        | s      | t          | i    | l
                    CHECKING   | oc     | OPEN | READ_ONLY | OPEN     | .      | UNANSWERED | OPEN | GONE
                    OPEN       | och    | .    | READ_ONLY | .        | SILENT | .          | .    | RECONNECTING
                    OPEN       | ochlch | .    | READ_ONLY | .        | SILENT | .          | .    | GONE
                    READ_ONLY  | ochr   | .    | .         | RESUMING | .      | .          | LEFT | GONE
                    READ_ONLY  | ochrn  | .    | .         | OPEN     | .      | .          | LEFT | GONE
                    RESUMING   | ochrw  | .    | READ_ONLY | .        | .      | OPEN       | .    | GONE
                    SILENT     | ochs   | OPEN | READ_ONLY | OPEN     | .      | .          | OPEN | GONE
                    UNANSWERED | ofc    | OPEN | READ_ONLY | OPEN     | .      | .          | OPEN | GONE
                    """)
    void anUpstreamFollowsTheTableOfItsConnection(
            String state, String way, String h, String r, String w, String s, String t, String i, String l) {
        upstreamFollows(state, way, "hrwstil", h, r, w, s, t, i, l);
    }

    private void upstreamFollows(String state, String way, String events, String... next) {
        for (int event = 0; event < next.length; event++) {
            start(true);
            way.chars().forEach(step -> happen((char) step));
            assertThat(upstream.state()).as(way).hasToString(state);
            if (next[event] != null) {
                happen(events.charAt(event));
                assertThat(upstream.state())
                        .as(way + " " + events.charAt(event))
                        .hasToString(next[event].equals(".") ? state : next[event]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // without dubbo.check each connection is used that was not lost in silence
        "oc, OPEN",
        "ofc, OPEN",
        "ocslc, UNANSWERED",
        "ocslch, OPEN",
        "ocslchlc, OPEN",
    })
    void withoutCheckASilentLossAloneHasTheNextConnectionChecked(String way, String state) {
        start(false);

        way.chars().forEach(step -> happen((char) step));

        assertThat(upstream.state()).hasToString(state);
    }

    @ParameterizedTest
    @CsvSource({"ochri, LEFT", "ochric, LEFT", "ochrimc, UNANSWERED", "ochrimf, GONE"})
    void aPortThatIsOpenLongerThanAShutdownTakesIsConnectedTo(String way, String state) {
        start(true);

        way.chars().forEach(step -> happen((char) step));

        assertThat(upstream.state()).hasToString(state);
    }

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE   | WAY  | e       | h     | s
                    UNHEARD | ''   | AWAITED | HEARD | AWAITED
                    AWAITED | e    | AWAITED | HEARD | AWAITED
                    AWAITED | s    | AWAITED | HEARD | AWAITED
                    HEARD   | h    | -       | HEARD | SILENT
                    SILENT  | hs   | -       | HEARD | SILENT
                    """)
    void aConnectionFollowsItsTable(String state, String way, String e, String h, String s) {
        String[] next = {e, h, s};
        for (int event = 0; event < next.length; event++) {
            start(false);
            happen('o');
            happen('c');
            way.chars().forEach(step -> happen((char) step));
            assertThat(connection.state()).as(way).hasToString(state);
            if (!next[event].equals("-")) {
                happen("ehs".charAt(event));
                assertThat(connection.state())
                        .as(way + " " + "ehs".charAt(event))
                        .hasToString(next[event]);
            }
        }
    }

    /** Answers wait (+) or do not (-), and then a read is complete (c) or 10 ms (p) or a second (n) pass. */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE   | WAY   | +c      | -c      | +p      | -p      | +n      | -n
                    READING | ''    | PAUSED  | READING | READING | READING | READING | READING
                    PAUSED  | +c    | PAUSED  | PAUSED  | PAUSED  | READING | OVERDUE | READING
                    OVERDUE | +c+n  | OVERDUE | READING | OVERDUE | OVERDUE | OVERDUE | OVERDUE
                    """)
    void aPauseFollowsItsTable(
            String state, String way, String wc, String c, String wp, String p, String wn, String n) {
        String[] events = {"+c", "-c", "+p", "-p", "+n", "-n"};
        String[] next = {wc, c, wp, p, wn, n};
        for (int event = 0; event < next.length; event++) {
            EmbeddedChannel provider = new EmbeddedChannel();
            opened.add(provider);
            AnswerPause pause = new AnswerPause(provider, memory);
            pass(provider, pause, way);
            assertThat(pause.state()).as(way).hasToString(state);
            pass(provider, pause, events[event]);
            assertThat(pause.state()).as(way + events[event]).hasToString(next[event]);
            assertThat(provider.config().isAutoRead())
                    .as(way + events[event])
                    .isEqualTo(pause.state() != AnswerPause.State.PAUSED);
        }
    }

    private void pass(EmbeddedChannel provider, AnswerPause pause, String steps) {
        for (char step : steps.toCharArray()) {
            switch (step) {
                case '+' -> memory.add(Use.ANSWERS, 600 - memory.used(Use.ANSWERS));
                case '-' -> memory.release(Use.ANSWERS, memory.used(Use.ANSWERS));
                case 'c' -> pause.onReadComplete();
                case 'p' -> advance(provider, 10);
                default -> {
                    for (int i = 0; i <= 100; i++) {
                        advance(provider, 10);
                    }
                }
            }
        }
    }

    private void start(boolean check) {
        DubboSettings settings = new DubboSettings(
                new HostPort("192.0.2.7", 20880),
                Serialization.HESSIAN2,
                1024,
                600_000,
                SILENCE_MS,
                SHUTDOWN_WAIT_MS,
                50,
                1000,
                check);
        if (upstream != null) {
            upstream.close();
        }
        attempts.clear();
        connection = null;
        upstream = new DubboUpstream(loop.eventLoop(), this::attempt, turn, settings, new SharedEvents());
        upstream.listen(calls, calls);
    }

    private Promise<Void> attempt(Object address, ChannelHandler handler) {
        Attempt attempt =
                new Attempt((DubboConnection) handler, loop.eventLoop().newPromise());
        attempts.add(attempt);
        return attempt.connected;
    }

    private void happen(char event) {
        calls.awaitsAnswers = event != 'i';
        switch (event) {
            case 'o' -> upstream.open();
            case 'c' -> accept();
            case 'f' -> {
                nextAttempt().connected.setFailure(new ConnectException("refused"));
                loop.runPendingTasks();
            }
            case 'h', 'i' -> receive(HEARTBEAT);
            case 'r' -> receive(EVENT + "52");
            case 'w' -> receive(EVENT + "57");
            case 'e' -> connection.expectFrame();
            case 's' -> {
                for (int i = 0; i < 5; i++) {
                    advance(provider(), SILENCE_MS / 3);
                }
            }
            case 't' -> advance(loop, SILENCE_MS);
            case 'l' -> provider().close();
            case 'n' -> advance(loop, 1_000);
            case 'm' -> advance(loop, SHUTDOWN_WAIT_MS);
            default -> upstream.close();
        }
    }

    private void accept() {
        Attempt attempt = nextAttempt();
        connection = attempt.connection;
        EmbeddedChannel provider = new EmbeddedChannel();
        opened.add(provider);
        provider.pipeline().addLast(connection);
        provider.pipeline().fireChannelActive();
        attempt.connected.setSuccess(null);
        loop.runPendingTasks();
    }

    private Attempt nextAttempt() {
        for (int i = 0; i < 40 && attempts.isEmpty(); i++) {
            advance(loop, 50);
        }
        return attempts.remove();
    }

    private EmbeddedChannel provider() {
        return (EmbeddedChannel) connection.channel();
    }

    private void receive(String frame) {
        provider().writeInbound(Hex.buffer(frame));
        loop.runPendingTasks();
    }

    private static void advance(EmbeddedChannel channel, long ms) {
        channel.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }
}
