package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.upstream.call.QueueSettings;
import io.dubbomesh.consumer.upstream.call.StreamSettings;
import io.dubbomesh.consumer.upstream.call.Upstream;
import io.dubbomesh.consumer.upstream.call.UpstreamSettings;
import io.dubbomesh.consumer.upstream.directory.EndpointWeights;
import io.dubbomesh.consumer.upstream.link.DirectLinks;
import io.dubbomesh.consumer.upstream.link.EndpointHeader;
import io.dubbomesh.consumer.upstream.link.EndpointLoads;
import io.dubbomesh.consumer.upstream.link.LinkOpener;
import io.dubbomesh.consumer.upstream.link.LinkSettings;
import io.dubbomesh.consumer.upstream.pool.PoolSettings;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.loadbalance.hash.HashParameters;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.merged.ProvidersBehindAgents;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** One event loop, and what the upstream of a test is made of. */
public final class UpstreamFixture implements AutoCloseable {
    public static final RoutedConsumer CONSUMER = new RoutedConsumer("shop", "192.0.2.100", "", false);
    public static final Strategy STRATEGY = Strategy.WEIGHTED_ROUND_ROBIN;
    public static final LinkSettings LINKS = new LinkSettings(1 << 20, 1000, EndpointHeader.FAILURES);

    private static final HealthSettings HEALTH = new HealthSettings(false, 5, 1_000_000_000, 3, 500, 4000, 50, 0);
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("auto"));
    private final EventLoop loop = loops.loops().get(0);
    private final EndpointLoads loads = new EndpointLoads(1);
    private final LinkOpener opener = opener(loops, loads, null);
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);

    public EventLoop loop() {
        return loop;
    }

    public EndpointLoads loads() {
        return loads;
    }

    public LinkOpener opener() {
        return opener;
    }

    /** @param tokens null for a mesh without tokens */
    public static LinkOpener opener(EventLoops loops, EndpointLoads loads, MeshTokenFile tokens) {
        return opener(loops, loads, tokens, new ProvidersBehindAgents(directory -> {}, Runnable::run, 0));
    }

    /** The same, which tells these of lost agents. */
    public static LinkOpener opener(
            EventLoops loops, EndpointLoads loads, MeshTokenFile tokens, ProvidersBehindAgents behind) {
        return new LinkOpener(loops, loops.loops().get(0), null, SOCKETS, tokens, 7, loads, new SharedEvents(), behind);
    }

    /** @param warm the services whose links are opened without a call */
    public static PoolSettings pools(long idleNs, String... warm) {
        return new PoolSettings(
                idleNs, Set.of(warm), "", new EndpointWeights(25, 400), 20, HEALTH, CONSUMER, List.of("static:"));
    }

    /** @param direct null if there are no endpoints that are called without a provider agent */
    public Upstream newUpstream(PoolSettings pools, DirectLinks direct, Consumer<Route> executed) {
        return new Upstream(
                opener,
                direct,
                new UpstreamSettings(
                        new QueueSettings(16, 1 << 20, 1_000_000_000, 1_000_000_000),
                        new StreamSettings(60_000_000_000L, 600_000_000_000L),
                        pools,
                        LINKS,
                        STRATEGY,
                        HashParameters.DEFAULT),
                new Turn(loop),
                size -> STRATEGY.newBalancer(size, 0, 0),
                executed,
                response);
    }

    /** Returns the bytes of a call with the argument 1, which the caller releases. */
    public static ByteBuf request(String target, String... headers) {
        String[] all = new String[headers.length + 1];
        all[0] = "Content-Type: application/json";
        System.arraycopy(headers, 0, all, 1, headers.length);
        return Unpooled.copiedBuffer(HttpSocket.request("POST " + target, "[1]", all), US_ASCII);
    }

    /** Returns the call of a request, of which it needs the bytes. */
    public static ParsedCall parsed(ByteBuf request) throws Exception {
        CallReader reader = new CallReader(
                new CallSettings(32, 16, 5_000_000_000L, 60_000),
                new Router(16, new CallMetrics(CallMetricNames.CONSUMER, 8)));
        HttpRequestParser parser =
                new HttpRequestParser(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, reader.newFields());
        assertThat(parser.parse(request)).isEqualTo(HttpRequestParser.Result.REQUEST);
        return reader.read(parser);
    }

    public <T> T onLoop(Callable<T> action) throws Exception {
        return loop.submit(action).get();
    }

    @Override
    public void close() {
        loops.close();
        response.close();
    }
}
