package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
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

/** Each state of {@link DubboUpstream} before a Triple provider, and of {@link TripleStream}, with each event. */
class TripleStatesTest {
    private static final long SILENCE_MS = 3_000;

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final MemoryBudget memory = new MemoryBudget(1_000_000);
    private final Turn turn = new Turn(loop.eventLoop(), memory);
    private final QuietListener calls = new QuietListener();
    private final Deque<Attempt> attempts = new ArrayDeque<>();
    private final List<EmbeddedChannel> opened = new ArrayList<>();

    private record Attempt(ChannelHandler handler, Promise<Void> connected) {}

    private DubboUpstream upstream;
    private TripleConnection connection;
    private EmbeddedChannel channel;

    @AfterEach
    void close() {
        if (upstream != null) {
            upstream.close();
        }
        opened.forEach(EmbeddedChannel::finishAndReleaseAll);
        loop.finishAndReleaseAll();
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
        attempts.clear();
        DubboSettings settings = new DubboSettings(
                new HostPort("192.0.2.7", 50051),
                Serialization.HESSIAN2,
                1024,
                600_000,
                SILENCE_MS,
                60_000,
                50,
                1000,
                true);
        upstream = new DubboUpstream(
                loop.eventLoop(),
                (address, handler) -> {
                    Attempt attempt = new Attempt(handler, loop.eventLoop().newPromise());
                    attempts.add(attempt);
                    return attempt.connected;
                },
                turn,
                settings,
                new SharedEvents(),
                (owner, responses, loopsTurn, same) -> {
                    connection = new TripleConnection(owner, responses, loopsTurn, same, (out, stream, trailers) -> {});
                    return connection;
                });
        upstream.listen(calls, calls);
    }

    private void happen(char event) {
        switch (event) {
            case 'o' -> upstream.open();
            case 'c' -> accept();
            case 'f' -> {
                nextAttempt().connected.setFailure(new ConnectException("refused"));
                loop.runPendingTasks();
            }
            case 'h' -> receive(Http2Peer.settings());
            case 'g' -> receive(Http2Peer.settings() + Http2Peer.goAway(Integer.MAX_VALUE, 0));
            case 's' -> {
                if (connection.canSend()) {
                    ByteBuf out = connection.requestBuffer(16);
                    connection.send(out.writeInt(1).writeByte(0x83).writeInt(0), 0, 1, AnswerForm.VALUE, 1_000);
                }
                for (int i = 0; i < 5; i++) {
                    advance(channel, SILENCE_MS / 3);
                }
            }
            case 't' -> advance(loop, SILENCE_MS);
            case 'l' -> channel.close();
            case 'n' -> advance(loop, 1_000);
            default -> upstream.close();
        }
    }

    private void accept() {
        Attempt attempt = nextAttempt();
        channel = new EmbeddedChannel();
        opened.add(channel);
        channel.pipeline().addLast(attempt.handler);
        channel.pipeline().fireChannelActive();
        attempt.connected.setSuccess(null);
        loop.runPendingTasks();
    }

    private Attempt nextAttempt() {
        for (int i = 0; i < 40 && attempts.isEmpty(); i++) {
            advance(loop, 50);
        }
        return attempts.remove();
    }

    private void receive(String frames) {
        channel.writeInbound(Hex.buffer(frames));
        loop.runPendingTasks();
    }

    private static void advance(EmbeddedChannel channel, long ms) {
        channel.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }
}
