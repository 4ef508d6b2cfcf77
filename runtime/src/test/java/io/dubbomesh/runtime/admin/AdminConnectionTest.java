package io.dubbomesh.runtime.admin;

import io.dubbomesh.testsupport.EmbeddedDuplexChannel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Each state of a connection of the admin port with each event. */
class AdminConnectionTest {
    private final List<Client> clients = new ArrayList<>();
    private Client client;
    private AdminConnection connection;

    /** A client that reads nothing until it is told to. */
    private static final class Client extends EmbeddedDuplexChannel {
        private boolean reads;

        @Override
        protected void doWrite(ChannelOutboundBuffer out) throws Exception {
            if (reads) {
                super.doWrite(out);
            }
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }
    }

    @AfterEach
    void close() {
        clients.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    /**
     * The ways to the states, and the events, by letters: h a head, l the end of its request, m a malformed head, s the
     * answer of the server, w the client reads what is written, t the time is over, x a failure, e the client ends the
     * connection. A dot stands for an event that changes nothing, a minus for one that cannot happen there: nothing is
     * read and no time is over while a request is served.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE     | WAY  | h | l      | m         | s         | w       | t      | x      | e
                    READING   | ''   | . | -      | ANSWERING | .         | .       | CLOSED | CLOSED | CLOSED
                    READING   | h    | . | SERVED | ANSWERING | .         | .       | CLOSED | CLOSED | CLOSED
                    READING   | hlsw | . | -      | ANSWERING | .         | .       | CLOSED | CLOSED | CLOSED
                    SERVED    | hl   | . | .      | .         | ANSWERING | .       | -      | CLOSED | CLOSED
                    ANSWERING | hls  | . | .      | .         | .         | READING | CLOSED | CLOSED | CLOSED
                    ANSWERING | hlhs | . | .      | .         | .         | ENDING  | CLOSED | CLOSED | CLOSED
                    ANSWERING | m    | . | .      | .         | .         | ENDING  | CLOSED | CLOSED | CLOSED
                    ENDING    | mw   | . | .      | .         | .         | .       | CLOSED | CLOSED | CLOSED
                    CLOSED    | e    | . | .      | .         | .         | .       | .      | -      | .
                    CLOSED    | hle  | . | .      | .         | .         | .       | .      | -      | .
                    """)
    void itFollowsItsDrawing(
            String state, String way, String h, String l, String m, String s, String w, String t, String x, String e) {
        String[] next = {h, l, m, s, w, t, x, e};
        for (int event = 0; event < next.length; event++) {
            if (next[event].equals("-")) {
                continue;
            }
            open();
            way.chars().forEach(step -> happen((char) step));
            assertThat(connection.state()).as(way).hasToString(state);
            happen("hlmswtxe".charAt(event));
            assertThat(connection.state())
                    .as(way + " " + "hlmswtxe".charAt(event))
                    .hasToString(next[event].equals(".") ? state : next[event]);
            assertThat(client.isOpen()).isEqualTo(connection.state() != AdminConnection.State.CLOSED);
        }
    }

    private void open() {
        client = new Client();
        clients.add(client);
        connection = new AdminConnection(
                new AdminConnections(client.eventLoop(), Ticker.systemTicker()), (request, from) -> {});
        client.pipeline().addLast(connection);
        client.pipeline().fireChannelActive();
    }

    private void happen(char event) {
        switch (event) {
            case 'h' -> receive(head());
            case 'l' -> receive(LastHttpContent.EMPTY_LAST_CONTENT);
            case 'm' -> {
                HttpRequest head = head();
                head.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("thrown by the test")));
                receive(head);
            }
            case 's' -> connection.answer(PageAnswer.line(200, "an answer"));
            case 'w' -> {
                client.reads = true;
                client.flush();
                client.reads = false;
            }
            case 't' -> connection.checkTimeout(Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1));
            case 'x' -> client.pipeline().fireExceptionCaught(new IOException("reset"));
            default -> client.close();
        }
        client.runPendingTasks();
    }

    private static HttpRequest head() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/metrics");
    }

    /** Past the inbound queue of the channel, which is closed in some states. */
    private void receive(Object part) {
        client.pipeline().fireChannelRead(part);
    }
}
