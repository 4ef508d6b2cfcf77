package io.dubbomesh.registry.fixed;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A fixed list of endpoints, the same for every service. A registration changes nothing but itself. */
public final class FixedRegistry implements Registry {
    private final Directory directory;

    public FixedRegistry(List<Endpoint> endpoints) {
        this.directory = Directory.ofAnyService(endpoints);
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        listener.accept(directory);
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        return new LocalRegistration(request.weight());
    }

    @Override
    public long ageNs() {
        return 0;
    }

    @Override
    public void close() {}

    private static final class LocalRegistration implements Registration {
        private final int weight;
        private volatile boolean registered;

        LocalRegistration(int weight) {
            this.weight = weight;
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
