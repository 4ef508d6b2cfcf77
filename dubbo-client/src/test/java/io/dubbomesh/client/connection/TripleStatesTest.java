package io.dubbomesh.client.connection;

import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Each state of {@link DubboUpstream} before a Triple provider, and of {@link TripleStream}, with each event. */
class TripleStatesTest {
    private static final long SILENCE_MS = 3_000;

    private final EmbeddedProvider provider = new EmbeddedProvider(1_000_000);
    private final MemoryBudget memory = provider.memory();
    private final QuietListener calls = new QuietListener();

    private DubboUpstream upstream;
    private TripleConnection connection;
    private EmbeddedChannel channel;

    @AfterEach
    void close() {
        if (upstream != null) {
            upstream.close();
        }
        provider.close();
    }

    /**
     * The ways to the states, and the events, by letters: o open, c connected, f failed, h a frame, g going away, s
     * silence while a call waits, t no sign in time, l lost, n a second passes, x close. A dot stands for an event that
     * changes nothing, a minus for one that cannot happen there.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', nullValues = "-", textBlock = """
                    STATE        | WAY    | c          | f    | h    | g            | s      | t          | l            | x
                    CONNECTING   | o      | CHECKING   | GONE | -    | -            | -      | -          | -            | CLOSED
                    CHECKING     | oc     | -          | -    | OPEN | RECONNECTING | .      | UNANSWERED | GONE         | CLOSED
                    OPEN         | och    | -          | -    | .    | RECONNECTING | SILENT | .          | RECONNECTING | CLOSED
                    OPEN         | ochgch | -          | -    | .    | GONE         | SILENT | .          | GONE         | CLOSED
                    RECONNECTING | ochg   | OPEN       | GONE | -    | -            | -      | -          | -            | CLOSED
                    SILENT       | ochs   | -          | -    | OPEN | RECONNECTING | .      | .          | GONE         | CLOSED
                    GONE         | of     | UNANSWERED | .    | -    | -            | -      | -          | -            | CLOSED
                    UNANSWERED   | ofc    | -          | -    | OPEN | RECONNECTING | .      | .          | GONE         | CLOSED
                    CLOSED       | ochx   | -          | -    | -    | -            | -      | -          | -            | .
                    """)
    void anUpstreamFollowsItsTable(
            String state, String way, String c, String f, String h, String g, String s, String t, String l, String x) {
        String[] next = {c, f, h, g, s, t, l, x};
        for (int event = 0; event < next.length; event++) {
            start();
            way.chars().forEach(step -> happen((char) step));
            assertThat(upstream.state()).as(way).hasToString(state);
            if (next[event] != null) {
                char letter = "cfhgstlx".charAt(event);
                happen(letter);
                assertThat(upstream.state())
                        .as(way + " " + letter)
                        .hasToString(next[event].equals(".") ? state : next[event]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // A connection that has lived for a second is followed by another at once, as often as it goes away.
        "ochngchngchng, RECONNECTING",
        "ochgchg, GONE",
        "ochgchng, RECONNECTING",
    })
    void aProviderThatKeepsGoingAwayIsConnectedToWithPauses(String way, String state) {
        start();

        way.chars().forEach(step -> happen((char) step));

        assertThat(upstream.state()).hasToString(state);
    }

    /** H header fields, and content: p a prefix, q half of one, m a byte of a message of two, e an empty message. */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', nullValues = "-", textBlock = """
                    STATE    | WAY  | H      | q      | p       | m        | e
                    HEADERS  | ''   | PREFIX | !      | !       | !        | !
                    PREFIX   | H    | -      | PREFIX | MESSAGE | PREFIX   | COMPLETE
                    PREFIX   | Hq   | -      | -      | -       | PREFIX   | -
                    MESSAGE  | Hp   | -      | -      | -       | MESSAGE  | -
                    MESSAGE  | Hpm  | -      | -      | -       | COMPLETE | -
                    COMPLETE | Hpmm | -      | !      | !       | !        | !
                    COMPLETE | He   | -      | !      | !       | !        | !
                    """)
    void aStreamFollowsItsTable(String state, String way, String h, String q, String p, String m, String e) {
        String[] next = {h, q, p, m, e};
        for (int event = 0; event < next.length; event++) {
            TripleStream stream = new TripleStream(memory, 1_000);
            stream.bind(1, AnswerForm.VALUE, 0, 0);
            way.chars().forEach(step -> assertThat(append(stream, (char) step)).isNull());
            assertThat(stream.state()).as(way).hasToString(state);
            if (next[event] != null) {
                char letter = "Hqpme".charAt(event);
                String refusal = append(stream, letter);
                if (next[event].equals("!")) {
                    assertThat(refusal).as(way + " " + letter).isNotNull();
                } else {
                    assertThat(refusal).as(way + " " + letter).isNull();
                    assertThat(stream.state()).as(way + " " + letter).hasToString(next[event]);
                }
            }
            stream.free();
            stream.release();
            assertThat(memory.used()).isZero();
        }
    }

    private static String append(TripleStream stream, char step) {
        if (step == 'H') {
            stream.onHeaders(new DefaultHttp2Headers());
            return null;
        }
        String bytes = switch (step) {
            case 'p' -> "0000000002";
            case 'q' -> "0000";
            case 'm' -> "00";
            default -> "0000000000";
        };
        ByteBuf in = Hex.buffer(bytes);
        return stream.append(in, 0, in.readableBytes(), UnpooledByteBufAllocator.DEFAULT);
    }

    private void start() {
        if (upstream != null) {
            upstream.close();
        }
        provider.attempts.clear();
        upstream = provider.upstream(
                EmbeddedProvider.settings(600_000, SILENCE_MS, 60_000, true), (owner, responses, loopsTurn, same) -> {
                    connection = new TripleConnection(owner, responses, loopsTurn, same, (out, stream, trailers) -> {});
                    return connection;
                });
        upstream.listen(calls, calls);
    }

    private void happen(char event) {
        switch (event) {
            case 'o' -> upstream.open();
            case 'c' -> channel = provider.accept();
            case 'f' -> provider.refuse();
            case 'h' -> provider.send(channel, Http2Peer.settings());
            case 'g' -> provider.send(channel, Http2Peer.settings() + Http2Peer.goAway(Integer.MAX_VALUE, 0));
            case 's' -> {
                if (connection.canSend()) {
                    ByteBuf out = connection.requestBuffer(16);
                    connection.send(out.writeInt(1).writeByte(0x83).writeInt(0), 0, 1, AnswerForm.VALUE, 1_000);
                }
                for (int i = 0; i < 5; i++) {
                    EmbeddedProvider.advance(channel, SILENCE_MS / 3);
                }
            }
            case 't' -> provider.advance(SILENCE_MS);
            case 'l' -> channel.close();
            case 'n' -> provider.advance(1_000);
            default -> upstream.close();
        }
    }
}
