package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.upstream.link.LinkListener;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ScriptedProvider;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Each state of a direct link with each event. */
@Timeout(60)
class DirectLinkTest {
    private static final DirectSettings SETTINGS = DirectSettings.from(
            Settings.of("io/dubbomesh/consumer/reference.conf", Map.of("dubbo.check", "false"), Map.of()),
            AgentRole.GATEWAY,
            1 << 20);

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("nio"));
    private final EventLoop eventLoop = loops.loops().get(0);
    private final Route route = route();
    private DirectLoop loop;
    private int port;
    /** Null while it does not listen. */
    private ScriptedProvider provider;

    private DubboConnection connection;
    private DirectLink link;

    DirectLinkTest() throws Exception {
        loop = onLoop(() -> new DirectLoop(
                loops,
                eventLoop,
                new Turn(eventLoop),
                SETTINGS,
                ProviderTls.NONE,
                new ProviderLimits(SETTINGS),
                new ServiceTypes(SETTINGS, ProviderTls.NONE, List.of(), () -> {}),
                new SharedEvents(),
                null));
    }

    private static Endpoint provider(int port) {
        DubboExport export = new DubboExport(Variant.NONE, "", "", "", "", Map.of());
        return new Endpoint("127.0.0.1", port, 1, 1, List.of(), List.of(export));
    }

    @AfterEach
    void close() throws Exception {
        onLoop(() -> {
            loop.close();
            return null;
        });
        stopProvider();
        loops.close();
    }

    /**
     * The ways to the states, and the events, by letters: k connect, a the provider listens and accepts the
     * connection, l it closes both, c close, q a request and close, so that its answer is not passed on yet, n the
     * turn ends, x end. A minus stands for what cannot happen there.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE    | READY | WAY | k       | a     | l       | c        | q        | n      | x
                    NEW      | false | ''  | WAITING | -     | -       | CLOSED   | -        | NEW    | CLOSED
                    WAITING  | false | k   | -       | READY | -       | CLOSED   | -        | -      | CLOSED
                    WAITING  | false | kal | -       | READY | -       | CLOSED   | -        | -      | CLOSED
                    READY    | true  | ka  | -       | -     | WAITING | CLOSED   | DRAINING | READY  | CLOSED
                    DRAINING | false | kaq | -       | -     | -       | DRAINING | -        | CLOSED | CLOSED
                    CLOSED   | false | kac | -       | -     | -       | CLOSED   | -        | CLOSED | CLOSED
                    """)
    void itFollowsItsDrawing(
            String state,
            boolean ready,
            String way,
            String k,
            String a,
            String l,
            String c,
            String q,
            String n,
            String x)
            throws Exception {
        String[] next = {k, a, l, c, q, n, x};
        for (int event = 0; event < next.length; event++) {
            if (!next[event].equals("-")) {
                port = freePort();
                link = onLoop(() -> new DirectLink(loop, provider(port), ignoring()));
                follow(way, "kalcqnx".charAt(event), state, ready, next[event]);
                onLoop(() -> {
                    link.end("the test is over");
                    return null;
                });
                stopProvider();
            }
        }
    }

    private static int freePort() throws IOException {
        try (ScriptedProvider unused = new ScriptedProvider()) {
            return unused.port();
        }
    }

    private void stopProvider() throws IOException {
        if (provider != null) {
            connection.close();
            provider.close();
            provider = null;
        }
    }

    /** The last step and the event are in one turn, unless the provider has to do with it. */
    private void follow(String way, char event, String state, boolean ready, String next) throws Exception {
        boolean isOneTurn = way.endsWith("q");
        String before = isOneTurn ? way.substring(0, way.length() - 1) : way;
        for (char step : before.toCharArray()) {
            happen(step);
            awaitState(way, step == 'a' ? "READY" : step == 'c' ? "CLOSED" : "WAITING");
        }
        if (event == 'a' || event == 'l' || event == 'n') {
            onLoop(() -> {
                if (isOneTurn) {
                    onLink('q');
                }
                assertState(way, state, ready);
                return null;
            });
            happen(event);
            awaitState(way + " " + event, next);
            return;
        }
        onLoop(() -> {
            if (isOneTurn) {
                onLink('q');
            }
            assertState(way, state, ready);
            onLink(event);
            assertThat(link.state()).as(way + " " + event).hasToString(next);
            return null;
        });
    }

    private void assertState(String way, String state, boolean ready) {
        assertThat(link.state()).as(way).hasToString(state);
        assertThat(link.isReady()).as(way).isEqualTo(ready);
        assertThat(link.isDraining()).as(way).isEqualTo(state.equals("DRAINING"));
    }

    private void awaitState(String way, String state) throws Exception {
        Await.until(way + " is " + state, () -> onLoop(link::state).toString().equals(state));
    }

    private void happen(char event) throws Exception {
        switch (event) {
            case 'a' -> {
                provider = new ScriptedProvider(port);
                connection = provider.accept();
            }
            case 'l' -> stopProvider();
            case 'n' -> {}
            default ->
                onLoop(() -> {
                    onLink(event);
                    return null;
                });
        }
    }

    private void onLink(char event) {
        switch (event) {
            case 'k' -> link.connect();
            case 'c' -> link.close();
            case 'q' -> {
                request();
                link.close();
            }
            default -> link.end("the test ends it");
        }
    }

    /** For a service that no provider is listed with, so that the link refuses it. */
    private void request() {
        ByteBuf out = link.buffer(64);
        int frame = FrameWriter.beginRequest(out, Flags.JSON, 1, link.methodId(route));
        out.writeInt(1_000).writeShort(0).writeCharSequence("[]", US_ASCII);
        FrameWriter.endRequest(out, frame);
        link.requested(route, out, frame, System.nanoTime());
    }

    private static Route route() throws Exception {
        CallReader reader = new CallReader(
                new CallSettings(32, 16, 5_000_000_000L, 60_000),
                new Router(16, new CallMetrics(CallMetricNames.CONSUMER, 8)));
        ByteBuf request = Unpooled.copiedBuffer(
                HttpSocket.request("POST /a.Greeter/greet", "[]", "Content-Type: application/json"), US_ASCII);
        try (HttpRequestParser parser =
                new HttpRequestParser(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, reader.newFields())) {
            assertThat(parser.parse(request)).isEqualTo(HttpRequestParser.Result.REQUEST);
            return reader.read(parser).route();
        } finally {
            request.release();
        }
    }

    private static LinkListener ignoring() {
        return (LinkListener) Proxy.newProxyInstance(
                LinkListener.class.getClassLoader(),
                new Class<?>[] {LinkListener.class},
                (proxy, method, arguments) -> null);
    }

    private <T> T onLoop(Callable<T> action) throws Exception {
        return eventLoop.submit(action).get();
    }
}
