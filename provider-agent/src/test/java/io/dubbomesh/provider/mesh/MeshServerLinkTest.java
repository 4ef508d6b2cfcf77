package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.call.CalledMethod;
import io.dubbomesh.client.call.LimitSettings;
import io.dubbomesh.client.call.LongAnswerThread;
import io.dubbomesh.client.call.LongAnswers;
import io.dubbomesh.client.call.OpenStream;
import io.dubbomesh.client.call.ProviderCalls;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.connection.DubboSettings;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.client.connection.UpstreamListener;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.method.ServedMethods;
import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
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
    /** What streams were told. */
    private final List<String> events = new ArrayList<>();

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

    // --- streams ---

    private static final int TAKES_STREAMS = 0x20;
    private static final MethodName METHOD = new MethodName("com.example.Greeter", "greet", "", "", "");

    /** A stream of the provider, which ends as its call does. */
    private final class Stream implements OpenStream {
        private final long id;

        Stream(long id) {
            this.id = id;
        }

        @Override
        public void consumed(int windowBytes) {
            events.add("consumed " + windowBytes);
        }

        @Override
        public void cancel() {
            events.add("cancelled");
            end();
        }

        @Override
        public void fail(Outcome outcome, String detail) {
            link.responses().failed(id, outcome, detail);
            end();
        }

        private void end() {
            link.responses().streamClosed(id, this);
            link.responses().ended();
        }
    }

    /** Opens a stream with the id 5, and sends the text x as its first message, which takes 9 bytes of the window. */
    private void openStream() throws Exception {
        CalledMethod method = new CalledMethod(
                METHOD,
                DubboRequest.prepare(METHOD, DUBBO.serialization(), null),
                new CallMetrics(CallMetricNames.PROVIDER, 8));
        open();
        receive(MeshFrame.hello(0, 0, TAKES_STREAMS));
        read();
        assertThat(link.takesStreams()).isTrue();
        link.callBegins();
        assertThat(link.responses().streamOpened(5, new Stream(5))).isTrue();
        ResultFormat format = ResultFormat.of(false, false, false);
        ByteBuf message = Hex.buffer("dabb0214" + "0000000000000001" + "00000003" + "91" + "0178");
        assertThat(link.responses().message(5, method, format, message, 0, 9)).isEqualTo(Outcome.OK);
        message.release();
        assertThat(read())
                .isEqualTo("d3e5010400420000" + "0000000000000005" + "00000000" + "00000002" + "0000"
                        + "d3e5010400420000" + "0000000000000005" + "00000009" + "00000005" + "0000" + "227822");
    }

    private void receive(String frame) {
        channel.writeInbound(Hex.buffer(frame));
        channel.runPendingTasks();
    }

    /** Returns the digits of what was sent to the peer. */
    private String read() {
        channel.runPendingTasks();
        StringBuilder digits = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            digits.append(Hex.of(out));
            out.release();
        }
        return digits.toString();
    }

    @Test
    void aStreamIsCreditedAndCancelledByItsPeer() throws Exception {
        openStream();
        receive("d3e5010900000000" + "0000000000000005" + "00000000" + "00000004" + "00000004");
        receive("d3e5010900000000" + "0000000000000005" + "00000000" + "00000004" + "00000005");
        receive("d3e5010a00000000" + "0000000000000005" + "00000000" + "00000000");
        assertThat(events).containsExactly("consumed 4", "consumed 5", "cancelled");
        receive(MeshFrame.credit(5, 1) + MeshFrame.cancel(5) + MeshFrame.cancel(77));
        assertThat(events).hasSize(3);
        assertThat(state()).isEqualTo("ADMITTED");
    }

    @ParameterizedTest
    @CsvSource({
        "00000004 0000000a, CREDIT: 10 bytes of request 5 (expected: 1 to the 9 that were sent)",
        "00000004 00000000, CREDIT: 0 bytes of request 5 (expected: 1 to the 9 that were sent)",
        "00000004 ffffffff, CREDIT: 4294967295 bytes of request 5 (expected: 1 to the 9 that were sent)",
        "00000003 000001, CREDIT: a body of 3 bytes (expected: 4)"
    })
    void aPeerThatCreditsWhatWasNotSentIsRefused(String lengthAndBody, String reason) throws Exception {
        openStream();
        receive("d3e5010900000000" + "0000000000000005" + "00000000" + lengthAndBody.replace(" ", ""));
        assertThat(read()).endsWith(Hex.text(reason));
        assertThat(state()).isEqualTo("CLOSED");
        assertThat(events).containsExactly("cancelled");
    }

    @Test
    void streamsEndAtTheProviderWithTheLink() throws Exception {
        openStream();
        channel.close();
        assertThat(events).containsExactly("cancelled");
    }

    /** It is a call in service, which a drain waits for. */
    @Test
    void streamsGoOnWhileTheAgentDrainsAndEndWithTheirStatus() throws Exception {
        openStream();
        links.drain();
        happen('i');
        assertThat(state()).isEqualTo("DRAINING");
        receive(MeshFrame.credit(5, 9));
        assertThat(events).containsExactly("consumed 9");
        read();
        links.close();
        String end = read();
        assertThat(end).startsWith("d3e5010422020000" + "0000000000000005" + "00000000");
        assertThat(new String(Hex.bytes(end.substring(2 * 26)), UTF_8))
                .contains("\"code\":\"NO_PROVIDER\"", "the provider agent is shutting down");
        assertThat(state()).isEqualTo("CLOSED");
    }

    @Test
    void aPeerThatDoesNotSaySoTakesNoStreams() {
        open();
        happen('h');
        assertThat(link.takesStreams()).isFalse();
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
