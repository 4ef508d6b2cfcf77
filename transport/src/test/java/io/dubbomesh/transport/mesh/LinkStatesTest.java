package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.metrics.LinkMetrics;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each state of {@link MeshLink} and of {@link LinkOpening} with each event. */
class LinkStatesTest {
    private static final Hello HELLO = new Hello(1, 180, 4096, HelloCredentials.NONE);

    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private EmbeddedChannel channel;
    private Link link;
    private boolean proves;
    private boolean peerReads;
    private int farewells;

    private final class Link extends MeshLink {
        Link(Turn turn) {
            super(turn, Use.ANSWERS, 4096, 600_000, 0, new LinkMetrics());
        }

        @Override
        protected Hello hello() {
            return null;
        }

        @Override
        protected Hello answer(Hello peer) {
            return proves ? new Hello(1, 0, 0, HelloCredentials.of(new byte[32]), 0, 0) : HELLO;
        }

        @Override
        protected void ready(Hello peer) {}

        @Override
        protected void frame(int type, ByteBuf in, int offset, int end) {}

        @Override
        protected void goingAway(String reason) {
            farewells++;
        }

        @Override
        protected void closed(String reason) {}
    }

    @AfterEach
    void close() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    /**
     * The ways to the states, and the events, by letters: h a HELLO, p a PING, g a GOAWAY of the peer, d one of this
     * side, C close while the peer does not read, e the end of the connection.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE         | READY | WAY | p             | g             | d             | C       | e
                    OPEN          | false | ''  | CLOSED        | CLOSED        | DRAINING      | CLOSING | CLOSED
                    OPEN          | true  | h   | OPEN          | PEER_DRAINING | DRAINING      | CLOSING | CLOSED
                    DRAINING      | false | d   | CLOSED        | CLOSED        | DRAINING      | CLOSING | CLOSED
                    DRAINING      | false | hd  | DRAINING      | PEER_DRAINING | DRAINING      | CLOSING | CLOSED
                    DRAINING      | false | dh  | DRAINING      | PEER_DRAINING | DRAINING      | CLOSING | CLOSED
                    PEER_DRAINING | false | hg  | PEER_DRAINING | PEER_DRAINING | PEER_DRAINING | CLOSING | CLOSED
                    PEER_DRAINING | false | hdg | PEER_DRAINING | PEER_DRAINING | PEER_DRAINING | CLOSING | CLOSED
                    CLOSING       | false | hC  | CLOSING       | CLOSING       | CLOSING       | CLOSING | CLOSED
                    CLOSED        | false | he  | -             | -             | CLOSED        | CLOSED  | CLOSED
                    """)
    void aLinkFollowsItsDrawing(
            String state, boolean ready, String way, String p, String g, String d, String c, String e) {
        String[] next = {p, g, d, c, e};
        for (int event = 0; event < next.length; event++) {
            open();
            way.chars().forEach(step -> happen((char) step));
            assertThat(link.state()).as(way).hasToString(state);
            assertThat(link.isReady()).as(way).isEqualTo(ready);
            if (!next[event].equals("-")) {
                happen("pgdCe".charAt(event));
                assertThat(link.state()).as(way + " " + "pgdCe".charAt(event)).hasToString(next[event]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"h, 0", "hg, 1", "hgg, 1", "hdg, 1", "hdgg, 1", "g, 0"})
    void onlyTheFirstGoAwayOfAReadyPeerIsPassedOn(String way, int passedOn) {
        open();

        way.chars().forEach(step -> happen((char) step));

        assertThat(farewells).isEqualTo(passedOn);
    }

    /** The HELLO is answered by a proof: any frame but a GOAWAY shows that it is accepted. */
    @ParameterizedTest
    @CsvSource({"h, OPEN, false", "hp, OPEN, true", "hg, CLOSED, false", "hdp, DRAINING, false", "hh, CLOSED, false"})
    void aLinkThatProvesIsReadyWhenItsPeerGoesOn(String way, String state, boolean ready) {
        proves = true;
        open();

        way.chars().forEach(step -> happen((char) step));

        assertThat(link.state()).hasToString(state);
        assertThat(link.isReady()).isEqualTo(ready);
    }

    @ParameterizedTest
    @CsvSource({
        "'', AWAITING, DONE, PROVING, ''",
        "p, PROVING, -, -, a second HELLO",
        "h, DONE, -, -, a second HELLO",
        "pa, DONE, -, -, a second HELLO"
    })
    void anOpeningFollowsItsDrawing(String way, String state, String plain, String proof, String refusal)
            throws MalformedFrameException {
        assertThat(opening(way).state()).hasToString(state);
        if (refusal.isEmpty()) {
            opening(way).check(HELLO);
            assertThat(opening(way + "h").state()).hasToString(plain);
            assertThat(opening(way + "p").state()).hasToString(proof);
        } else {
            assertThatThrownBy(() -> opening(way).check(HELLO)).hasMessage(refusal);
        }
    }

    private static LinkOpening opening(String way) {
        LinkOpening opening = new LinkOpening();
        for (char step : way.toCharArray()) {
            switch (step) {
                case 'h' -> opening.onHello();
                case 'p' -> opening.onProof(HELLO);
                default -> assertThat(opening.onAccepted()).isSameAs(HELLO);
            }
        }
        return opening;
    }

    private void open() {
        peerReads = true;
        channel = new EmbeddedChannel() {
            @Override
            protected void doWrite(ChannelOutboundBuffer out) throws Exception {
                if (peerReads) {
                    super.doWrite(out);
                }
            }
        };
        channels.add(channel);
        link = new Link(new Turn(channel.eventLoop()));
        channel.pipeline().addLast(link);
        channel.pipeline().fireChannelActive();
    }

    private void happen(char event) {
        switch (event) {
            case 'h' -> receive(out -> FrameWriter.hello(out, HELLO));
            case 'p' -> receive(FrameWriter::ping);
            case 'g' -> receive(out -> FrameWriter.goAway(out, "bye"));
            case 'd' -> link.goAway("restart");
            case 'C' -> {
                peerReads = false;
                link.close("test");
            }
            default -> channel.close();
        }
        channel.runPendingTasks();
    }

    private void receive(Consumer<ByteBuf> writer) {
        ByteBuf frame = Unpooled.buffer();
        writer.accept(frame);
        channel.writeInbound(frame);
    }
}
