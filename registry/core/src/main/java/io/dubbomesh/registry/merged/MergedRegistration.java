package io.dubbomesh.registry.merged;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** One agent's entries in several registries. The weight in force is that of the first. */
final class MergedRegistration implements Registration {
    private final List<Registration> registrations;

    MergedRegistration(List<Registration> registrations) {
        this.registrations = List.copyOf(registrations);
    }

    @Override
    public void register() {
        registrations.forEach(Registration::register);
    }

    @Override
    public void select(Map<String, List<Variant>> services) {
        registrations.forEach(registration -> registration.select(services));
    }

    @Override
    public CompletableFuture<Void> deregister() {
        return CompletableFuture.allOf(
                registrations.stream().map(Registration::deregister).toArray(CompletableFuture[]::new));
    }

    @Override
    public HostPort address() {
        return registrations.stream()
                .map(Registration::address)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void changeWeight(int weight) {
        registrations.forEach(registration -> registration.changeWeight(weight));
    }

    @Override
    public void changeCapacity(int callsPerSecond) {
        registrations.forEach(registration -> registration.changeCapacity(callsPerSecond));
    }

    @Override
    public int weight() {
        return registrations.get(0).weight();
    }

    /**
     * Returns whether it is registered in one of them: another that is away is no reason to count as not registered.
     */
    @Override
    public boolean registered() {
        return registrations.stream().anyMatch(Registration::registered);
    }

    @Override
    public long leaseLeftNs() {
        return registrations.stream()
                .mapToLong(Registration::leaseLeftNs)
                .filter(left -> left >= 0)
                .min()
                .orElse(-1);
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
    }
}
