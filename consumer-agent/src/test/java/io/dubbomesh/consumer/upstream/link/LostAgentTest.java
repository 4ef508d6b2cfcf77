package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.merged.ProvidersBehindAgents;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;

/** When the end of a link has the provider called without its agent. */
@Timeout(30)
class LostAgentTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final String PROVIDER = "192.0.2.1:20880";
    private static final LinkSettings LINKS = new LinkSettings(1 << 20, 60_000, EndpointHeader.NEVER);

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("nio"));
    private final EventLoop loop = loops.loops().get(0);
    private final List<Directory> shown = new CopyOnWriteArrayList<>();
    private final ProvidersBehindAgents behind = new ProvidersBehindAgents(shown::add, Runnable::run, 0);
    private final LinkOpener opener = UpstreamFixture.opener(loops, new EndpointLoads(1), null, behind);
    private ProviderPeer agent;
    private ProviderEndpoint endpoint;

    @BeforeEach
    void connect() throws Exception {
        agent = new ProviderPeer(180, 4096);
        EndpointId id = EndpointProtocol.MESH.at("127.0.0.1", agent.port());
        List<Variant> variants = List.of(Variant.NONE);
        Endpoint listed = new Endpoint("127.0.0.1", agent.port(), 1, 180, variants, PROVIDER, List.of(), Map.of());
        DubboExport export = new DubboExport(Variant.NONE, "", "", "", "", Map.of());
        Endpoint provider = new Endpoint("192.0.2.1", 20880, 100, 180, variants, List.of(export));
        behind.update(Directory.of(Map.of(SERVICE, List.of(listed, provider))));
        endpoint = onLoop(() -> {
            ProviderEndpoint opened = new ProviderEndpoint(
                    id, opener, null, LINKS, new Turn(loop), ignoring(), new EndpointCounters(loop));
            opened.acquireLink();
            return opened;
        });
        awaitConnection(1);
        shown.clear();
    }

    private static EndpointListener ignoring() {
        return (EndpointListener) Proxy.newProxyInstance(
                EndpointListener.class.getClassLoader(),
                new Class<?>[] {EndpointListener.class},
                (proxy, method, arguments) -> method.getReturnType() == boolean.class ? Boolean.FALSE : null);
    }

    @AfterEach
    void close() throws Exception {
        agent.close();
        loops.close();
    }

    @Test
    void anAgentWhoseLinkEndsWithoutAWordIsLost() throws Exception {
        agent.closeLinks();

        awaitConnection(2);
        assertThat(shown).first().satisfies(LostAgentTest::hasProvider);
    }

    @Test
    void anAgentThatSaysItTakesNoMoreCallsIsNotLostWhenItsLinkEnds() throws Exception {
        agent.goAway("draining");

        awaitConnection(2);
        assertThat(shown).noneSatisfy(LostAgentTest::hasProvider);
    }

    @Test
    void anAgentThatSaidSoIsLostWhenItsPortIsClosed() throws Exception {
        agent.goAway("shutting down");
        agent.close();

        Await.until("the provider is shown", () -> !shown.isEmpty());
        assertThat(shown).first().satisfies(LostAgentTest::hasProvider);
    }

    private static void hasProvider(Directory directory) {
        assertThat(directory.endpoints(SERVICE)).extracting(Endpoint::address).contains(PROVIDER);
    }

    private void awaitConnection(int number) throws Exception {
        Await.until("connection " + number, () -> onLoop(() -> endpoint.isAlive() && endpoint.connection() == number));
    }

    private <T> T onLoop(Callable<T> action) throws Exception {
        return loop.submit(action).get();
    }
}
