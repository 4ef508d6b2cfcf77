package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.link.EndpointCounters;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.EndpointListener;
import io.dubbomesh.consumer.upstream.link.EndpointMetrics;
import io.dubbomesh.consumer.upstream.link.EndpointState;
import io.dubbomesh.consumer.upstream.link.LinkConnector;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.loadbalance.subset.Subset;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.UnknownExports;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** Endpoints that pools leave and come back to, and the pools that are forgotten. */
@Timeout(30)
class ProviderEndpointTest {
    private final UpstreamFixture fixture = new UpstreamFixture();
    private final EndpointCounters counters = new EndpointCounters(fixture.loop());
    private final List<String> events = new ArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aLinkThatWasBeingOpenedWhenNoPoolNeededItIsNotTakenLater() throws Exception {
        fixture.onLoop(() -> {
            ProviderEndpoint endpoint = newEndpoint(EndpointProtocol.MESH.at("192.0.2.1", 30000));
            EndpointLink first = fake(EndpointLink.class, "first link");
            endpoint.acquireLink();
            endpoint.opening(first);
            endpoint.releaseLink();
            endpoint.acquireLink();
            events.clear();

            endpoint.ready(first, 5);

            assertThat(events).containsExactly("first link: close");
            assertThat(endpoint.link()).isNull();
            return null;
        });
    }

    /** A task of a changed directory may run when its pool has made room for others. */
    @Test
    void aPoolThatWasForgottenTakesNoEndpointsAnyMore() throws Exception {
        SlicedWork work = new SlicedWork(fixture.loop());
        Services services = new Services(
                size -> UpstreamFixture.STRATEGY.newBalancer(size, 0, 0),
                UpstreamFixture.pools(600_000_000_000L),
                listed -> newEndpoint(listed.id()),
                work,
                new Subset(1, 0, 1),
                counters);
        EndpointPool forgotten = fixture.onLoop(() -> {
            services.update(directory(1));
            EndpointPool pool = services.poolOf(route("first.B"), Unpooled.EMPTY_BUFFER);
            while (work.isDone()) {
                work.execute(ProviderEndpointTest::useUpSlice);
            }
            services.update(directory(2));
            for (int i = 0; i < 64; i++) {
                services.poolOf(route("s" + i + ".B"), Unpooled.EMPTY_BUFFER);
            }
            return pool;
        });
        Await.until("the tasks have run", () -> fixture.onLoop(work::isDone));

        assertThat(fixture.onLoop(forgotten::isEmpty)).isTrue();
    }

    @Test
    void aServiceThatIsNotFoundMayBeOneOfTheInstancesThatCannotBeCalled() throws Exception {
        Services services = newServices();
        List<String> reasons = fixture.onLoop(() -> {
            Directory listed = Directory.of(Map.of("a.B", List.of(dubboProvider("192.0.2.9", null)), "a.C", List.of()));
            services.update(listed.withUnknown(UnknownExports.NONE, foreign(1)));
            List<String> told = new ArrayList<>();
            for (String path : List.of("x.Y", "a.C", "a.B")) {
                told.add(refusal(services, path));
            }
            services.update(listed.withUnknown(UnknownExports.NONE, foreign(5)));
            told.add(refusal(services, "x.Y"));
            return told;
        });
        String one = "; it may be a service of the provider 192.0.2.1:20880 (application greeter):"
                + " rest only, cannot be called yet";
        assertThat(reasons.subList(0, 3))
                .allSatisfy(reason -> assertThat(reason).endsWith(one));
        assertThat(reasons.get(0)).startsWith("SERVICE_NOT_FOUND: service x.Y was never registered");
        assertThat(reasons.get(1)).startsWith("NO_PROVIDER: no endpoint of a.C is registered now");
        assertThat(reasons.get(2)).startsWith("METHOD_NOT_FOUND: ").contains("(served: version \"\" and group \"\")");
        assertThat(reasons.get(3))
                .contains("; it may be a service of one of the providers 192.0.2.1:20880 (application greeter): ")
                .contains("; 192.0.2.3:20880 (application greeter): ")
                .endsWith(": rest only, cannot be called yet; and 2 more");
    }

    private static Set<Endpoint> foreign(int count) {
        Set<Endpoint> instances = new HashSet<>();
        for (int i = 1; i <= count; i++) {
            DubboExport export =
                    new DubboExport(Variant.NONE, "greeter", "", "", "", Map.of(DubboExport.PROTOCOL, "rest"));
            instances.add(new Endpoint("192.0.2." + i, 20880, 100, 180, List.of(), List.of(export)));
        }
        return instances;
    }

    /** A service in a version that no provider serves. */
    private static String refusal(Services services, String service) throws Exception {
        Route route = route(service, "?version=3.0");
        try {
            return services.poolOf(route, Unpooled.EMPTY_BUFFER).toString();
        } catch (CallException e) {
            return e.outcome().code() + ": " + e.getMessage();
        }
    }

    @Test
    void eachProviderIsCalledByTheProtocolThatItIsListedWith() throws Exception {
        Services services = newServices();
        List<String> members = fixture.onLoop(() -> {
            services.update(Directory.of(Map.of(
                    "a.B",
                    List.of(dubboProvider("192.0.2.1", null), dubboProvider("192.0.2.2", "tri")),
                    "a.C",
                    List.of(dubboProvider("192.0.2.1", "tri")))));
            services.poolOf(route("a.C"), Unpooled.EMPTY_BUFFER);
            services.poolOf(route("a.B"), Unpooled.EMPTY_BUFFER);
            return services.endpointStates().stream()
                    .map(EndpointState::address)
                    .toList();
        });
        assertThat(members)
                .containsExactlyInAnyOrder("192.0.2.1:20880", "tri://192.0.2.1:20880", "tri://192.0.2.2:20880");
    }

    @Test
    void whatWasCountedOfAnEndpointStaysAsLongAsAnyServiceListsIt() throws Exception {
        Services services = newServices();
        List<Endpoint> listed = List.of(dubboProvider("192.0.2.1", null));
        fixture.onLoop(() -> {
            services.update(Directory.of(Map.of("a.B", listed, "c.D", listed)));
            EndpointPool pool = services.poolOf(route("a.B"), Unpooled.EMPTY_BUFFER);
            pool.open(System.nanoTime());
            pool.members()[0].failed(0, System.nanoTime());
            services.update(Directory.of(Map.of("a.B", List.of(), "c.D", listed)));
            return null;
        });
        Await.until(
                "the endpoint is dropped",
                () -> fixture.onLoop(services::endpointStates).isEmpty());
        assertThat(failures(services)).isEqualTo(1);

        fixture.onLoop(() -> {
            services.update(Directory.of(Map.of("a.B", List.of(), "c.D", List.of())));
            return null;
        });
        Await.until("it is forgotten", () -> failures(services) == 0);
    }

    private double failures(Services services) throws Exception {
        return fixture.onLoop(() -> {
            services.check(System.nanoTime(), false);
            MetricSamples samples = new MetricSamples();
            services.addTo(samples);
            double[] failures = new double[1];
            samples.forEach((metric, byLabels) -> {
                if (metric == EndpointMetrics.FAILURES) {
                    byLabels.values().forEach(sample -> failures[0] += sample.value());
                }
            });
            return failures[0];
        });
    }

    private static Endpoint dubboProvider(String host, String protocol) {
        Map<String, String> parameters = protocol == null ? Map.of() : Map.of(DubboExport.PROTOCOL, protocol);
        DubboExport export = new DubboExport(Variant.NONE, "", "", "", "", parameters);
        return new Endpoint(host, 20880, 100, 180, List.of(Variant.NONE), List.of(export));
    }

    private Services newServices() {
        return new Services(
                size -> UpstreamFixture.STRATEGY.newBalancer(size, 0, 0),
                UpstreamFixture.pools(600_000_000_000L),
                listed -> newEndpoint(listed.id()),
                new SlicedWork(fixture.loop()),
                new Subset(1, 0, 1),
                counters);
    }

    private static void useUpSlice() {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < 1_100_000) {
            Thread.onSpinWait();
        }
    }

    private static Directory directory(int weight) {
        return Directory.ofAnyService(List.of(new Endpoint("192.0.2.1", 30000, weight, 180, List.of())));
    }

    private static Route route(String service) throws Exception {
        return route(service, "");
    }

    private static Route route(String service, String query) throws Exception {
        ByteBuf request = UpstreamFixture.request("/" + service + "/m" + query);
        Route route = UpstreamFixture.parsed(request).route();
        request.release();
        return route;
    }

    private ProviderEndpoint newEndpoint(EndpointId id) {
        return new ProviderEndpoint(
                id,
                fixture.opener(),
                listener -> fake(LinkConnector.class, "connector"),
                UpstreamFixture.LINKS,
                new Turn(fixture.loop()),
                fake(EndpointListener.class, "listener"),
                counters);
    }

    /** Only tells what is called. */
    private <T> T fake(Class<T> type, String name) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    events.add(name + ": " + method.getName());
                    return method.getReturnType() == boolean.class ? Boolean.FALSE : null;
                }));
    }
}
