package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class LapsedEndpointsTest {
    private static final Endpoint ONE = endpoint("192.0.2.1");
    private static final Endpoint TWO = endpoint("192.0.2.2");

    private final LapsedEndpoints lapsed = new LapsedEndpoints();
    private final Set<String> alive = new HashSet<>(Set.of(ONE.address(), TWO.address()));
    private Directory directory;

    private static Endpoint endpoint(String host) {
        return new Endpoint(host, 30000, 3, 180, List.of());
    }

    @Test
    void anEndpointWhoseEntryVanishesHasLapsed() {
        list(Map.of("a", List.of(ONE, TWO), "b", List.of(ONE)));
        assertThat(lapsed.isEmpty()).isTrue();
        list(Map.of("a", List.of(TWO), "b", List.of()));
        assertThat(lapsed.of("a")).containsExactly(ONE);
        assertThat(lapsed.of("b")).containsExactly(ONE);
    }

    @Test
    void aProviderThatIsListedByAnotherProtocolHasNotLapsed() {
        Endpoint dubbo = provider(Map.of());
        Endpoint triple = provider(Map.of(DubboExport.PROTOCOL, "tri"));
        alive.add(dubbo.address());
        list(Map.of("a", List.of(dubbo, TWO)));
        list(Map.of("a", List.of(TWO, triple)));

        assertThat(lapsed.isEmpty()).isTrue();
    }

    private static Endpoint provider(Map<String, String> parameters) {
        DubboExport export = new DubboExport(Variant.NONE, "", "", "", "", parameters);
        return new Endpoint("192.0.2.3", 20880, 100, 180, List.of(Variant.NONE), List.of(export));
    }

    @Test
    void itStaysSoWhenOtherThingsChange() {
        list(Map.of("a", List.of(ONE, TWO)));
        list(Map.of("a", List.of(TWO)));
        list(Map.of("a", List.of(TWO), "b", List.of(TWO)));
        assertThat(lapsed.of("a")).containsExactly(ONE);
        list(Map.of("a", List.of(), "b", List.of(TWO)));
        assertThat(lapsed.of("a")).containsExactlyInAnyOrder(ONE, TWO);
    }

    /** A pool is filled again when the list of its service is another one. */
    @Test
    void theListOfAServiceIsTheSameAsLongAsNothingOfItChanges() {
        List<Endpoint> left = List.of(TWO);
        list(Map.of("a", List.of(ONE, TWO)));
        list(Map.of("a", left));
        List<Endpoint> usable = lapsed.withListed("a", left);
        assertThat(usable).containsExactly(ONE, TWO);

        list(Map.of("a", left, "b", List.of(TWO)));
        assertThat(lapsed.withListed("a", left)).isSameAs(usable);
        List<Endpoint> more = List.of(TWO, endpoint("192.0.2.3"));
        assertThat(lapsed.withListed("a", more)).hasSize(3);
        lapsed.remove("a", ONE.address());
        assertThat(lapsed.withListed("a", more)).isSameAs(more);
        assertThat(lapsed.withListed("c", null)).isEmpty();
    }

    @Test
    void aServiceMayVanishWholly() {
        list(Map.of("a", List.of(ONE)));
        list(Map.of());
        assertThat(lapsed.of("a")).containsExactly(ONE);
    }

    @Test
    void anEndpointThatIsListedAgainHasNotLapsed() {
        list(Map.of("a", List.of(ONE)));
        list(Map.of("a", List.of()));
        list(Map.of("a", List.of(ONE)));
        assertThat(lapsed.isEmpty()).isTrue();
    }

    @Test
    void anEndpointThatDeregisteredHasNotLapsed() {
        list(Map.of("a", List.of(ONE), "b", List.of(ONE)));
        list(Map.of("a", List.of(), "b", List.of()), Map.of("a", Set.of(ONE.address())));
        assertThat(lapsed.of("a")).isEmpty();
        assertThat(lapsed.of("b")).containsExactly(ONE);
    }

    @Test
    void anEndpointWithoutALinkHasNotLapsed() {
        alive.remove(ONE.address());
        list(Map.of("a", List.of(ONE, TWO)));
        list(Map.of("a", List.of()));
        assertThat(lapsed.of("a")).containsExactly(TWO);
    }

    @Test
    void anEndpointIsForgottenForAllItsServices() {
        list(Map.of("a", List.of(ONE, TWO), "b", List.of(ONE), "c", List.of(TWO)));
        list(Map.of());
        assertThat(lapsed.remove(ONE.address())).containsExactlyInAnyOrder("a", "b");
        assertThat(lapsed.of("a")).containsExactly(TWO);
        assertThat(lapsed.of("b")).isEmpty();
        assertThat(lapsed.remove(ONE.address())).isEmpty();
        assertThat(lapsed.remove(TWO.address())).containsExactlyInAnyOrder("a", "c");
        assertThat(lapsed.isEmpty()).isTrue();
    }

    @Test
    void aListForAnyServiceDoesNotLapse() {
        take(Directory.ofAnyService(List.of(ONE)));
        take(Directory.ofAnyService(List.of(ONE)));
        assertThat(lapsed.isEmpty()).isTrue();
    }

    private void list(Map<String, List<Endpoint>> services) {
        list(services, Map.of());
    }

    private void list(Map<String, List<Endpoint>> services, Map<String, Set<String>> deregistered) {
        take(Directory.of(services, deregistered));
    }

    private void take(Directory next) {
        lapsed.update(directory, next, endpoint -> alive.contains(endpoint.address()));
        directory = next;
    }
}
