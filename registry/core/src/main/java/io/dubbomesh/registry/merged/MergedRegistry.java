package io.dubbomesh.registry.merged;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.SilentRegistries;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/**
 * Several registries as one: lists what any of them lists, and registers in all of them that agents can register in.
 *
 * <p>The first directory is that of all registries; or of those that answered, if another does not for some seconds: it
 * may be away for long, and the services of the others can be called.
 */
public final class MergedRegistry implements Registry {
    private static final long FIRST_WAIT_MS = 3_000;

    private final List<String> names;
    private final List<Registry> registries;
    private final long firstWaitMs;

    /** A registry and its name for clients. */
    public record Named(String name, Registry registry) {}

    /** @param registries in the order in which they count where two list one address */
    public MergedRegistry(List<Named> registries) {
        this(registries, FIRST_WAIT_MS);
    }

    MergedRegistry(List<Named> registries, long firstWaitMs) {
        this.names = registries.stream().map(Named::name).toList();
        this.registries = registries.stream().map(Named::registry).toList();
        this.firstWaitMs = firstWaitMs;
    }

    @Override
    public void followRulesOf(String application) {
        registries.forEach(registry -> registry.followRulesOf(application));
    }

    @Override
    public void prefer(EndpointProtocol protocol) {
        registries.forEach(registry -> registry.prefer(protocol));
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        Watch watch = new Watch(registries.size(), listener);
        for (int i = 0; i < registries.size(); i++) {
            int part = i;
            registries.get(i).watch(directory -> watch.accept(part, directory));
        }
    }

    /** Called by the threads of all registries. */
    private final class Watch {
        private final Directory[] parts;
        private final Consumer<Directory> listener;
        private final MergedDirectory merged = new MergedDirectory();
        private boolean anyArrived;
        private boolean waitIsOver;

        Watch(int count, Consumer<Directory> listener) {
            this.parts = new Directory[count];
            this.listener = listener;
        }

        synchronized void accept(int part, Directory directory) {
            parts[part] = directory;
            if (!anyArrived) {
                anyArrived = true;
                CompletableFuture.delayedExecutor(firstWaitMs, TimeUnit.MILLISECONDS)
                        .execute(this::endWait);
            }
            if (waitIsOver || Arrays.stream(parts).allMatch(Objects::nonNull)) {
                waitIsOver = true;
                deliver();
            }
        }

        private synchronized void endWait() {
            if (!waitIsOver) {
                waitIsOver = true;
                deliver();
            }
        }

        private void deliver() {
            Directory all =
                    merged.of(Arrays.stream(parts).filter(Objects::nonNull).toList());
            listener.accept(all.withUnknown(all.unknownExports().with(silent()), all.foreignInstances()));
        }

        private SilentRegistries silent() {
            return new SilentRegistries(IntStream.range(0, parts.length)
                    .filter(part -> parts[part] == null)
                    .mapToObj(names::get)
                    .toList());
        }
    }

    @Override
    public List<MetadataReport> metadataReports() {
        return registries.stream()
                .flatMap(registry -> registry.metadataReports().stream())
                .toList();
    }

    @Override
    public boolean registers() {
        return registries.stream().anyMatch(Registry::registers);
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        List<Registry> able = registries.stream().filter(Registry::registers).toList();
        if (able.isEmpty()) {
            return registries.get(0).registration(request);
        }
        List<Registration> registrations = new ArrayList<>();
        try {
            able.forEach(registry -> registrations.add(registry.registration(request)));
        } catch (IllegalArgumentException e) {
            registrations.forEach(Registration::close);
            throw e;
        }
        return registrations.size() == 1 ? registrations.get(0) : new MergedRegistration(registrations);
    }

    /** Returns the age of the registry that was confirmed the longest ago; -1 as long as one has not been read. */
    @Override
    public long ageNs() {
        long oldest = 0;
        for (Registry registry : registries) {
            long age = registry.ageNs();
            if (age < 0) {
                return -1;
            }
            oldest = Math.max(oldest, age);
        }
        return oldest;
    }

    /** Changes the weight in each registry that has an entry of the endpoint. */
    @Override
    public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (Registry registry : registries) {
            try {
                registry.changeWeight(services, endpoint, weight);
            } catch (IOException e) {
                failures.add(e);
            }
        }
        if (failures.size() == registries.size()) {
            String reasons = failures.stream().map(IOException::getMessage).collect(joining("; "));
            throw failures.stream().allMatch(FixedWeightException.class::isInstance)
                    ? new FixedWeightException(reasons)
                    : new IOException(reasons);
        }
    }

    @Override
    public void close() {
        registries.forEach(Registry::close);
    }
}
