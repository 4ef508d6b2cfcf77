package io.dubbomesh.registry.fixed;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A fixed list of endpoints, the same for every service. A registration changes nothing but itself, a changed weight
 * only what this agent sees, until it ends.
 */
public final class FixedRegistry implements Registry {
    private final List<Consumer<Directory>> listeners = new ArrayList<>();
    private List<Endpoint> endpoints;

    public FixedRegistry(List<Endpoint> endpoints) {
        this.endpoints = List.copyOf(endpoints);
    }

    @Override
    public synchronized void watch(Consumer<Directory> listener) {
        listeners.add(listener);
        listener.accept(Directory.ofAnyService(endpoints));
    }

    @Override
    public synchronized void changeWeight(Collection<String> services, HostPort endpoint, int weight)
            throws IOException {
        List<Endpoint> changed = new ArrayList<>();
        boolean found = false;
        for (Endpoint each : endpoints) {
            boolean isIt = each.host().equals(endpoint.host()) && each.port() == endpoint.port();
            found |= isIt;
            changed.add(isIt ? each.withWeight(weight) : each);
        }
        if (!found) {
            throw new FixedWeightException(endpoint + " is not on the list of static:");
        }
        endpoints = List.copyOf(changed);
        Directory directory = Directory.ofAnyService(endpoints);
        listeners.forEach(listener -> listener.accept(directory));
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        return new LocalRegistration(request);
    }

    @Override
    public long ageNs() {
        return 0;
    }

    @Override
    public void close() {}

    private static final class LocalRegistration implements Registration {
        private final HostPort address;
        private volatile int weight;
        private volatile boolean registered;

        LocalRegistration(RegistrationRequest request) {
            address = request.host() == null ? null : new HostPort(request.host(), request.port());
            weight = request.weight();
        }

        @Override
        public void register() {
            registered = true;
        }

        @Override
        public void select(Map<String, List<Variant>> services) {}

        @Override
        public CompletableFuture<Void> deregister() {
            registered = false;
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public HostPort address() {
            return address;
        }

        @Override
        public void changeWeight(int changed) {
            weight = changed;
        }

        @Override
        public void changeCapacity(int callsPerSecond) {}

        @Override
        public int weight() {
            return weight;
        }

        @Override
        public boolean registered() {
            return registered;
        }

        @Override
        public void close() {
            registered = false;
        }
    }
}
