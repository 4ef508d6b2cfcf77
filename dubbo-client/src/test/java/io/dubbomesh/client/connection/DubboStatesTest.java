package io.dubbomesh.client.connection;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Each state of {@link DubboUpstream} and of its connection with each event. */
class DubboStatesTest {
    private static final String EVENT = "dabba200" + "0000000000000000" + "00000002" + "01";
    private static final String HEARTBEAT = "dabbe200" + "0000000000000001" + "00000001" + "4e";
    private static final long SILENCE_MS = 3_000;
    private static final long SHUTDOWN_WAIT_MS = 60_000;

    private final EmbeddedProvider provider = new EmbeddedProvider(1_000);
    private final QuietListener calls = new QuietListener();

    private DubboUpstream upstream;
    private DubboConnection connection;

    @AfterEach
    void close() {
        provider.close();
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
            assertThat(connection.watch().state()).as(way).hasToString(state);
            if (!next[event].equals("-")) {
                happen("ehs".charAt(event));
                assertThat(connection.watch().state())
                        .as(way + " " + "ehs".charAt(event))
                        .hasToString(next[event]);
            }
        }
    }

    private void start(boolean check) {
        if (upstream != null) {
            upstream.close();
        }
        provider.attempts.clear();
        connection = null;
        upstream = provider.upstream(EmbeddedProvider.settings(600_000, SILENCE_MS, SHUTDOWN_WAIT_MS, check));
        upstream.listen(calls, calls);
    }

    private void happen(char event) {
        calls.awaitsAnswers = event != 'i';
        switch (event) {
            case 'o' -> upstream.open();
            case 'c' -> accept();
            case 'f' -> provider.refuse();
            case 'h', 'i' -> provider.send(channel(), HEARTBEAT);
            case 'r' -> provider.send(channel(), EVENT + "52");
            case 'w' -> provider.send(channel(), EVENT + "57");
            case 'e' -> connection.watch().expectFrame();
            case 's' -> {
                for (int i = 0; i < 5; i++) {
                    EmbeddedProvider.advance(channel(), SILENCE_MS / 3);
                }
            }
            case 't' -> provider.advance(SILENCE_MS);
            case 'l' -> channel().close();
            case 'n' -> provider.advance(1_000);
            case 'm' -> provider.advance(SHUTDOWN_WAIT_MS);
            default -> upstream.close();
        }
    }

    private void accept() {
        EmbeddedProvider.Attempt attempt = provider.nextAttempt();
        connection = (DubboConnection) attempt.handler();
        provider.accept(attempt);
    }

    private EmbeddedChannel channel() {
        return (EmbeddedChannel) connection.channel();
    }
}
