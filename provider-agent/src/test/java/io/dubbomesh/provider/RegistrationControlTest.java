package io.dubbomesh.provider;

import io.dubbomesh.provider.discovery.ServiceDefinitions;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

import static org.assertj.core.api.Assertions.assertThat;

class RegistrationControlTest {
    private final List<String> events = new ArrayList<>();
    private final List<CompletableFuture<ServiceDefinitions>> discoveries = new ArrayList<>();
    private boolean loopsAreClosed;
    private final RegistrationControl control =
            new RegistrationControl(new HostPort("192.0.2.1", 20880), this::startDiscovery, this::define);

    private CompletableFuture<ServiceDefinitions> startDiscovery() {
        CompletableFuture<ServiceDefinitions> discovery = new CompletableFuture<>();
        discoveries.add(discovery);
        return discovery;
    }

    private void define(ServiceDefinitions definitions) {
        if (loopsAreClosed) {
            throw new RejectedExecutionException();
        }
        events.add("define");
    }

    private void completeDiscovery(int number) {
        discoveries.get(number).complete(ServiceDefinitions.NONE);
    }

    private final class Recorded implements Registration {
        private boolean registered;

        @Override
        public void register() {
            registered = true;
            events.add("register");
        }

        @Override
        public CompletableFuture<Void> deregister() {
            registered = false;
            events.add("deregister");
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public int weight() {
            return 1;
        }

        @Override
        public boolean registered() {
            return registered;
        }

        @Override
        public void close() {}
    }

    @Test
    void theAgentRegistersAfterTheDiscoveryOfAProviderThatTakesCalls() {
        control.open(new Recorded());
        control.providerChanged(true);
        assertThat(control.unreadiness()).isEqualTo("provider 192.0.2.1:20880 takes no calls");
        assertThat(events).isEmpty();

        completeDiscovery(0);

        assertThat(events).containsExactly("define", "register");
        assertThat(control.unreadiness()).isNull();
    }

    @Test
    void aDiscoveryThatEndsBeforeTheAgentListensIsNotLost() {
        control.providerChanged(true);
        completeDiscovery(0);
        assertThat(control.unreadiness()).isEqualTo("not registered yet");

        control.open(new Recorded());

        assertThat(events).containsExactly("define", "register");
    }

    @Test
    void theAgentDeregistersWhenTheProviderTakesNoCalls() {
        control.open(new Recorded());
        control.providerChanged(true);
        completeDiscovery(0);

        control.providerChanged(false);
        control.providerChanged(false);

        assertThat(events).containsExactly("define", "register", "deregister");
    }

    @Test
    void theResultOfAnOutdatedDiscoveryIsIgnored() {
        control.open(new Recorded());
        control.providerChanged(true);
        control.providerChanged(false);
        control.providerChanged(true);

        completeDiscovery(0);
        assertThat(events).isEmpty();
        completeDiscovery(1);
        assertThat(events).containsExactly("define", "register");
    }

    @Test
    void aReconnectedProviderIsDiscoveredAgainWhileTheAgentStaysRegistered() {
        control.open(new Recorded());
        control.providerChanged(true);
        completeDiscovery(0);
        control.providerChanged(true);
        completeDiscovery(1);

        assertThat(events).containsExactly("define", "register", "define");
    }

    @Test
    void anAgentThatStopsDeregistersAndDoesNotRegisterAgain() {
        control.open(new Recorded());
        control.providerChanged(true);
        completeDiscovery(0);

        assertThat(control.stop()).isCompleted();
        control.providerChanged(false);
        control.providerChanged(true);
        completeDiscovery(1);

        assertThat(events).containsExactly("define", "register", "deregister", "define");
        assertThat(control.unreadiness()).isEqualTo("shutting down");
    }

    @Test
    void theAgentDoesNotRegisterWhenItsLoopsAreClosed() {
        control.open(new Recorded());
        control.providerChanged(true);
        loopsAreClosed = true;

        completeDiscovery(0);

        assertThat(events).isEmpty();
    }
}
