package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint.State;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.ReportedLoad;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Every event in every state of an endpoint: the state that follows, and what is done to connector and link. */
class ProviderEndpointStatesTest {
    private final EventLoops loops = new EventLoops("test", 1, Transport.of("nio"));
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Turn turn = new Turn(channel.eventLoop());
    private final List<String> done = new ArrayList<>();
    private final EndpointLink link = fake(EndpointLink.class, "link");
    private final ProviderEndpoint endpoint = new ProviderEndpoint(
            EndpointProtocol.DUBBO.at("192.0.2.1", 20880),
            UpstreamFixture.opener(loops, new EndpointLoads(1), null),
            listener -> fake(LinkConnector.class, "connector"),
            new LinkSettings(1 << 20, 1000, EndpointHeader.NEVER),
            turn,
            fake(EndpointListener.class, "listener"),
            new EndpointCounters(Runnable::run));

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        loops.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "nothing", textBlock = """
                IDLE       | acquire          | CONNECTING | connector.connect
                IDLE       | not connected    | IDLE       | nothing
                IDLE       | ready            | IDLE       | link.close
                IDLE       | unavailable soon | IDLE       | nothing
                IDLE       | unavailable      | IDLE       | nothing
                IDLE       | going away       | IDLE       | nothing
                IDLE       | lost             | IDLE       | nothing
                IDLE       | last call ended  | IDLE       | nothing
                IDLE       | retire           | RETIRED    | nothing
                CONNECTING | acquire          | CONNECTING | nothing
                CONNECTING | release          | IDLE       | connector.close
                CONNECTING | not connected    | RETRYING   | nothing
                CONNECTING | ready            | READY      | connector.connected listener.roomAdded
                CONNECTING | unavailable soon | CONNECTING | nothing
                CONNECTING | unavailable      | CONNECTING | nothing
                CONNECTING | going away       | CONNECTING | nothing
                CONNECTING | lost             | RETRYING   | connector.connectLater
                CONNECTING | last call ended  | CONNECTING | nothing
                CONNECTING | retire           | RETIRED    | connector.close
                RETRYING   | acquire          | RETRYING   | nothing
                RETRYING   | release          | IDLE       | connector.close
                RETRYING   | not connected    | RETRYING   | nothing
                RETRYING   | ready            | READY      | connector.connected listener.roomAdded
                RETRYING   | unavailable soon | RETRYING   | nothing
                RETRYING   | unavailable      | RETRYING   | nothing
                RETRYING   | going away       | RETRYING   | nothing
                RETRYING   | lost             | RETRYING   | connector.connectLater
                RETRYING   | last call ended  | RETRYING   | nothing
                RETRYING   | retire           | RETIRED    | connector.close
                READY      | acquire          | READY      | nothing
                READY      | release          | IDLE       | connector.close link.leave listener.unavailable
                READY      | not connected    | RETRYING   | nothing
                READY      | ready            | READY      | link.close
                READY      | unavailable soon | CONNECTING | listener.unavailable
                READY      | unavailable      | RETRYING   | listener.unavailable
                READY      | going away       | READY      | listener.unavailable
                READY      | lost             | RETRYING   | connector.connectLater listener.unavailable
                READY      | last call ended  | READY      | nothing
                READY      | retire           | RETIRED    | connector.close link.leave
                RETIRED    | not connected    | RETIRED    | nothing
                RETIRED    | ready            | RETIRED    | link.close
                RETIRED    | unavailable soon | RETIRED    | nothing
                RETIRED    | unavailable      | RETIRED    | nothing
                RETIRED    | going away       | RETIRED    | nothing
                RETIRED    | lost             | RETIRED    | nothing
                RETIRED    | last call ended  | RETIRED    | nothing
                RETIRED    | retire           | RETIRED    | nothing
                """)
    void anEventInAStateLeadsTo(State before, String event, State after, String actions) {
        bring(before);
        done.clear();

        happen(event);
        turn.run();

        assertThat(endpoint.linkState()).isEqualTo(after);
        assertThat(done).containsExactlyElementsOf(actions == null ? List.of() : List.of(actions.split(" ")));
    }

    /** Another process may answer at the address by then. */
    @Test
    void anAnswerOnALinkBeforeTheLastOneTellsNoLoad() {
        bring(State.READY);
        ByteBuf answer = Unpooled.buffer().writeZero(MeshHeader.LENGTH);
        ReportedLoad.write(answer, 0, 5, 2, 1_000_000);
        endpoint.reported(link, answer, 0, 0);
        assertThat(endpoint.load().isKnown()).isTrue();

        endpoint.unavailable(link, "read-only", true);
        EndpointLink second = fake(EndpointLink.class, "second");
        endpoint.opening(second);
        endpoint.ready(second, 5);
        endpoint.reported(link, answer, 0, 0);
        assertThat(endpoint.load().isKnown()).isFalse();
        endpoint.reported(second, answer, 0, 0);
        assertThat(endpoint.load().isKnown()).isTrue();
    }

    private void bring(State state) {
        switch (state) {
            case IDLE -> {}
            case CONNECTING -> {
                endpoint.acquireLink();
                endpoint.opening(link);
            }
            case RETRYING -> {
                bring(State.CONNECTING);
                endpoint.notConnected("refused");
            }
            case READY -> {
                bring(State.CONNECTING);
                endpoint.ready(link, 5);
            }
            case RETIRED -> endpoint.retire();
        }
        turn.run();
        assertThat(endpoint.linkState()).isEqualTo(state);
    }

    private void happen(String event) {
        switch (event) {
            case "acquire" -> endpoint.acquireLink();
            case "release" -> endpoint.releaseLink();
            case "not connected" -> endpoint.notConnected("refused");
            case "ready" -> endpoint.ready(link, 5);
            case "unavailable soon" -> endpoint.unavailable(link, "read-only", true);
            case "unavailable" -> endpoint.unavailable(link, "read-only", false);
            case "going away" -> endpoint.goingAway(link, "restart");
            case "lost" -> endpoint.lost(link, "closed by the peer", false);
            case "last call ended" -> {
                endpoint.sent();
                endpoint.ended();
            }
            case "retire" -> endpoint.retire();
            default -> throw new AssertionError(event);
        }
    }

    /** Writes down what is called; a link is ready. */
    private <T> T fake(Class<T> type, String name) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getReturnType() == boolean.class) {
                        return method.getName().equals("isReady");
                    }
                    done.add(name + '.' + method.getName());
                    return null;
                }));
    }
}
