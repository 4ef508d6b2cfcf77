package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.call.LimitSettings;
import io.dubbomesh.client.call.LongAnswerThread;
import io.dubbomesh.client.call.LongAnswers;
import io.dubbomesh.client.call.ProviderCalls;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.connection.DubboSettings;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.client.connection.UpstreamListener;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.method.ServedMethods;
import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Each state of a link from a consumer agent with each event. */
class MeshServerLinkTest {
    private static final long NEVER_MS = TimeUnit.DAYS.toMillis(1);
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final DubboSettings DUBBO = new DubboSettings(
            new HostPort("192.0.2.1", 20880),
            Serialization.HESSIAN2,
            1024,
            NEVER_MS,
            NEVER_MS,
            NEVER_MS,
            NEVER_MS,
            NEVER_MS,
            false);

    private final List<Runnable> closings = new ArrayList<>();
    private EmbeddedChannel channel;
    private LinkLimit connections;
    private MeshLinks links;
    private MeshServerLink link;

    @AfterEach
    void close() {
        closings.forEach(Runnable::run);
    }

    /**
     * The ways to the states, and the events, by letters: h a HELLO, f a HELLO that finds no place, p the agent pauses,
     * d it drains the link, b a call begins, i the link has been idle for long unless a call is in service, e the
     * connection ends.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE    | TAKES | WAY | h        | f      | p        | d        | i        | e
                    STRANGER | false | ''  | ADMITTED | CLOSED | STRANGER | LEAVING  | STRANGER | CLOSED
                    STRANGER | false | p   | DRAINING | CLOSED | STRANGER | LEAVING  | STRANGER | CLOSED
                    LEAVING  | false | d   | DRAINING | CLOSED | LEAVING  | LEAVING  | CLOSED   | CLOSED
                    ADMITTED | true  | h   | CLOSED   | CLOSED | DRAINING | DRAINING | ADMITTED | CLOSED
                    DRAINING | false | hp  | CLOSED   | CLOSED | DRAINING | DRAINING | CLOSED   | CLOSED
                    DRAINING | false | dh  | CLOSED   | CLOSED | DRAINING | DRAINING | CLOSED   | CLOSED
                    DRAINING | false | ph  | CLOSED   | CLOSED | DRAINING | DRAINING | CLOSED   | CLOSED
                    DRAINING | false | hbd | CLOSED   | CLOSED | DRAINING | DRAINING | DRAINING | CLOSED
                    """)
    void itFollowsItsDrawing(
            String state, boolean takes, String way, String h, String f, String p, String d, String i, String e) {
        String[] next = {h, f, p, d, i, e};
        for (int event = 0; event < next.length; event++) {
            open();
            way.chars().forEach(step -> happen((char) step));
            assertThat(state()).as(way).isEqualTo(state);
            assertThat(link.takesRequests()).as(way).isEqualTo(takes);
            happen("hfpdie".charAt(event));
            assertThat(state()).as(way + " " + "hfpdie".charAt(event)).isEqualTo(next[event]);
        }
    }

    private String state() {
        return channel.isOpen() ? link.serverState().toString() : "CLOSED";
    }

    private void open() {
        channel = new EmbeddedChannel();
        connections = new LinkLimit(1, 1);
        MemoryBudget memory = new MemoryBudget(1 << 20);
        Turn turn = new Turn(channel.eventLoop(), memory);
        SharedEvents events = new SharedEvents();
        ServiceLimit limit = new ServiceLimit(new LimitSettings(4, false, 1, 0, 1, 1));
        DubboUpstream upstream = new DubboUpstream(
                channel.eventLoop(),
                (address, handler) -> channel.newFailedFuture(new ConnectException("refused")),
                turn,
                DUBBO,
                events);
        DubboResponseReader results =
                new DubboResponseReader(DubboResponseReader.MAX_DOCUMENT, true, DUBBO.serialization());
        LongAnswerThread thread = new LongAnswerThread(channel.eventLoop(), Runnable::run);
        LongAnswers longAnswers = new LongAnswers(thread, results, memory);
        ProviderCalls calls = new ProviderCalls(turn, upstream, limit, memory, longAnswers, DUBBO, null, () -> {});
        upstream.listen(calls, new Unheard());
        ServedMethods methods = new ServedMethods(
                ServedServices.parse(List.of("com.example.Greeter")),
                DUBBO.serialization(),
                DUBBO.provider(),
                new CallMetrics(CallMetricNames.PROVIDER, 8));
        MeshSettings settings = new MeshSettings(1, 1, 1024, 8, null, NEVER_MS, NEVER_MS, true);
        links = new MeshLinks(channel.eventLoop(), settings, upstream, limit, connections, null, 1, events);
        RequestReader reader =
                new RequestReader(methods, new RequestServer(methods, calls, AgentRole.PROVIDER), memory.capacity());
        link = new MeshServerLink(links, settings, turn, reader, results);
        EmbeddedChannel opened = channel;
        closings.add(() -> {
            opened.finishAndReleaseAll();
            calls.close();
            upstream.close();
        });
        channel.pipeline().addLast(link);
        channel.pipeline().fireChannelActive();
        channel.runPendingTasks();
    }

    private void happen(char event) {
        switch (event) {
            case 'h' -> receiveHello();
            case 'f' -> {
                connections.helloReceived();
                receiveHello();
            }
            case 'p' -> links.pause("paused");
            case 'd' -> link.drain("shutting down");
            case 'b' -> link.callBegins();
            case 'i' -> link.closeIfIdle(System.nanoTime() + 2 * LINGER_NS, LINGER_NS);
            default -> channel.close();
        }
        channel.runPendingTasks();
    }

    private void receiveHello() {
        ByteBuf frame = Unpooled.buffer();
        FrameWriter.hello(frame, new Hello(1, 0, 0, HelloCredentials.NONE, 7, Hello.TAKES_LIMIT));
        channel.writeInbound(frame);
    }

    private static final class Unheard implements UpstreamListener {
        @Override
        public void stateChanged() {}

        @Override
        public void attemptFailed(boolean accepted, String how) {}

        @Override
        public void silenceChanged() {}

        @Override
        public void writabilityChanged() {}
    }
}
