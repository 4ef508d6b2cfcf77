package io.dubbomesh.registry.merged;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.UnknownExports;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MergedRegistryTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final ScriptedRegistry first = new ScriptedRegistry();
    private final ScriptedRegistry second = new ScriptedRegistry();
    private final Watcher watcher = new Watcher();

    @Test
    void listsWhatAnyOfThemLists() throws InterruptedException {
        watch(60_000);
        first.tell(Map.of("a", List.of(endpoint("192.0.2.2", 1))));
        assertThat(watcher.all()).isEmpty();
        second.tell(Map.of("a", List.of(endpoint("192.0.2.1", 1)), "b", List.of(endpoint("192.0.2.3", 1))));

        watcher.awaitEndpoints(LIMIT, "a", "192.0.2.1:1*1", "192.0.2.2:1*1");
        watcher.awaitEndpoints(LIMIT, "b", "192.0.2.3:1*1");
    }

    @Test
    void ofAnAddressThatTwoListTheFirstCounts() throws InterruptedException {
        watch(60_000);
        first.tell(Map.of("a", List.of(endpoint("192.0.2.1", 7))));
        second.tell(Map.of("a", List.of(endpoint("192.0.2.1", 9))));

        watcher.awaitEndpoints(LIMIT, "a", "192.0.2.1:1*7");
    }

    @Test
    void ofAProviderThatTwoListByDifferentProtocolsTheFirstCounts() throws InterruptedException {
        watch(60_000);
        first.tell(Map.of("a", List.of(provider("1.0", Map.of()))));
        second.tell(Map.of(
                "a",
                List.of(provider("1.0", Map.of(DubboExport.PROTOCOL, "tri"))),
                "b",
                List.of(provider("1.0", Map.of(DubboExport.PROTOCOL, "tri")))));

        watcher.awaitEndpoints(LIMIT, "a", "192.0.2.1:20880*100");
        watcher.awaitEndpoints(LIMIT, "b", "tri://192.0.2.1:20880*100");

        first.tell(Map.of("a", List.of(provider("2.0", Map.of()))));
        watcher.awaitEndpoints(LIMIT, "a", "192.0.2.1:20880*100", "tri://192.0.2.1:20880*100");
    }

    private static Endpoint provider(String version, Map<String, String> parameters) {
        Variant variant = new Variant(version, "");
        DubboExport export = new DubboExport(variant, "", "", "", "", parameters);
        return new Endpoint("192.0.2.1", 20880, 100, 180, List.of(variant), List.of(export));
    }

    @Test
    void aRegistryThatDoesNotAnswerDelaysTheFirstDirectoryOnlySoLong() throws InterruptedException {
        watch(50);
        second.tell(Map.of("a", List.of(endpoint("192.0.2.1", 1))));

        watcher.awaitEndpoints(LIMIT, "a", "192.0.2.1:1*1");
        first.tell(Map.of("b", List.of(endpoint("192.0.2.2", 1))));
        watcher.awaitEndpoints(LIMIT, "b", "192.0.2.2:1*1");
    }

    @Test
    void aRegistryThatHasNotAnsweredMayListWhatTheOthersDoNot() throws InterruptedException {
        watch(50);
        second.tell(Directory.of(Map.of())
                .withUnknown(new UnknownExports(1, List.of("greeter: it is being asked")), Set.of()));

        UnknownExports unknown = watcher.await(LIMIT, directory -> true).unknownExports();
        assertThat(unknown.isEmpty()).isFalse();
        assertThat(unknown.reason())
                .isEqualTo(
                        "the registry etcd://192.0.2.8:2379 has not answered since the start; it may be a service of an"
                                + " application whose metadata was not found yet: greeter: it is being asked");
        first.tell(Map.of());
        second.tell(Map.of());
        watcher.await(LIMIT, directory -> directory.unknownExports().isEmpty());
    }

    @Test
    void theListOfAServiceIsTheSameObjectAsLongAsNothingAboutItChanged() throws InterruptedException {
        watch(60_000);
        List<Endpoint> ofA = List.of(endpoint("192.0.2.1", 1));
        first.tell(Map.of("a", ofA));
        List<Endpoint> alsoOfA = List.of(endpoint("192.0.2.2", 1));
        second.tell(Map.of("a", alsoOfA));
        Directory before = watcher.await(LIMIT, directory -> true);
        second.tell(Map.of("a", alsoOfA, "b", ofA));
        Directory after = watcher.await(LIMIT, directory -> directory.endpoints("b") != null);

        assertThat(after.endpoints("a")).isSameAs(before.endpoints("a"));
        assertThat(after.endpoints("b")).isSameAs(ofA);
    }

    @Test
    void anEndpointDeregisteredIfOneSaysSoAndNoneListsIt() throws InterruptedException {
        watch(60_000);
        first.tell(Directory.of(Map.of("a", List.of()), Map.of("a", Set.of("192.0.2.1:1", "192.0.2.2:1"))));
        second.tell(Map.of("a", List.of(endpoint("192.0.2.2", 1))));
        Directory directory = watcher.await(LIMIT, any -> true);

        assertThat(directory.isDeregistered("a", "192.0.2.1:1")).isTrue();
        assertThat(directory.isDeregistered("a", "192.0.2.2:1")).isFalse();
    }

    @Test
    void aWeightIsChangedWhereTheEndpointHasAnEntry() {
        MergedRegistry registry = merged(1);
        first.failure = new FixedWeightException("no entry");
        assertThatCode(() -> registry.changeWeight(List.of("a"), new HostPort("192.0.2.1", 1), 5))
                .doesNotThrowAnyException();
        assertThat(second.weights).containsExactly(5);

        second.failure = new IOException("silent");
        assertThatThrownBy(() -> registry.changeWeight(List.of("a"), new HostPort("192.0.2.1", 1), 5))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("no entry; silent");

        second.failure = new FixedWeightException("read only");
        assertThatThrownBy(() -> registry.changeWeight(List.of("a"), new HostPort("192.0.2.1", 1), 5))
                .isInstanceOf(FixedWeightException.class)
                .hasMessage("no entry; read only");
    }

    @Test
    void itsAgeIsThatOfTheOldest() {
        MergedRegistry registry = merged(1);
        first.ageNs = 7;
        assertThat(registry.ageNs()).isEqualTo(-1);
        second.ageNs = 9;
        assertThat(registry.ageNs()).isEqualTo(9);
    }

    @Test
    void eachIsToldWhoseRulesAreFollowed() {
        merged(1).followRulesOf("shop");

        assertThat(first.consumer).isEqualTo("shop");
        assertThat(second.consumer).isEqualTo("shop");
    }

    private void watch(long firstWaitMs) {
        merged(firstWaitMs).watch(watcher);
    }

    private MergedRegistry merged(long firstWaitMs) {
        return new MergedRegistry(
                List.of(
                        new MergedRegistry.Named("etcd://192.0.2.8:2379", first),
                        new MergedRegistry.Named("zookeeper://192.0.2.9:2181", second)),
                firstWaitMs);
    }

    private static Endpoint endpoint(String host, int weight) {
        return new Endpoint(host, 1, weight, Endpoint.DEFAULT_LIMIT, List.of());
    }

    private static final class ScriptedRegistry implements Registry {
        private final List<Integer> weights = new ArrayList<>();
        private Consumer<Directory> listener;
        private IOException failure;
        private long ageNs = -1;
        private String consumer;

        void tell(Map<String, List<Endpoint>> services) {
            tell(Directory.of(services));
        }

        void tell(Directory directory) {
            listener.accept(directory);
        }

        @Override
        public void followRulesOf(String application) {
            consumer = application;
        }

        @Override
        public void watch(Consumer<Directory> listener) {
            this.listener = listener;
        }

        @Override
        public Registration registration(RegistrationRequest request) {
            throw new IllegalArgumentException("not here");
        }

        @Override
        public long ageNs() {
            return ageNs;
        }

        @Override
        public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
            if (failure != null) {
                throw failure;
            }
            weights.add(weight);
        }

        @Override
        public void close() {}
    }
}
