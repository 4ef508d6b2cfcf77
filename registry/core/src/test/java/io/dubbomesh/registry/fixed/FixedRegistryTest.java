package io.dubbomesh.registry.fixed;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FixedRegistryTest {
    private static Endpoint endpoint(String host, int weight) {
        return new Endpoint(host, 30000, weight, Endpoint.DEFAULT_LIMIT, List.of());
    }

    @Test
    void theEndpointsServeEveryServiceInEveryVariant() {
        Watcher watcher = new Watcher();
        try (Registry registry = new FixedRegistry(List.of(endpoint("192.0.2.7", 3), endpoint("192.0.2.8", 1)))) {
            registry.watch(watcher);

            Directory directory = watcher.all().get(0);
            assertThat(Watcher.texts(directory, "any.Service"))
                    .containsExactly("192.0.2.7:30000*3", "192.0.2.8:30000*1");
            assertThat(directory.services()).isEmpty();
            assertThat(directory.endpoints("any.Service").get(0).serves("1.0", "a"))
                    .isTrue();
        }
    }

    @Test
    void aRegistrationIsRegisteredImmediately() {
        try (Registry registry = new FixedRegistry(List.of(endpoint("192.0.2.7", 1)))) {
            Registration registration = registry.registration(new RegistrationRequest(null, 1, 7, 1, Map.of()));
            registration.register();
            assertThat(registration.registered()).isTrue();
            assertThat(registration.weight()).isEqualTo(7);
            assertThat(registration.deregister()).isCompleted();
            assertThat(registration.registered()).isFalse();
        }
    }

    @Test
    void aChangedWeightIsThatOfThisAgentUntilItEnds() throws Exception {
        Watcher watcher = new Watcher();
        try (Registry registry = new FixedRegistry(List.of(endpoint("192.0.2.7", 3), endpoint("192.0.2.8", 1)))) {
            registry.watch(watcher);

            registry.changeWeight(List.of(), new HostPort("192.0.2.8", 30000), 5);

            watcher.awaitEndpoints(Duration.ofSeconds(1), "any.Service", "192.0.2.7:30000*3", "192.0.2.8:30000*5");
            assertThatThrownBy(() -> registry.changeWeight(List.of(), new HostPort("192.0.2.9", 30000), 5))
                    .isInstanceOf(FixedWeightException.class)
                    .hasMessage("192.0.2.9:30000 is not on the list of static:");
        }
    }
}
