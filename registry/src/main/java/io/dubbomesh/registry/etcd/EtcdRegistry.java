package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.HostPort;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Etcd, with each watch and each registration on a thread and a connection of its own. */
public final class EtcdRegistry implements Registry {
    private final List<HostPort> members;
    private final EtcdTimes times;
    private final List<EtcdDirectoryWatch> watches = new CopyOnWriteArrayList<>();
    private final List<EtcdRegistration> registrations = new CopyOnWriteArrayList<>();

    /** @param lease how long a registration outlives its agent */
    public EtcdRegistry(List<HostPort> members, Duration lease) {
        this(members, EtcdTimes.of(lease));
    }

    EtcdRegistry(List<HostPort> members, EtcdTimes times) {
        this.members = members;
        this.times = times;
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        EtcdDirectoryWatch watch = new EtcdDirectoryWatch(members(), times, listener);
        watches.add(watch);
        watch.start();
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        EtcdRegistration registration = new EtcdRegistration(members(), times, request);
        registrations.add(registration);
        registration.start();
        return registration;
    }

    private EtcdMembers members() {
        return new EtcdMembers(members, times.timeoutMs());
    }

    @Override
    public long ageNs() {
        return watches.stream().mapToLong(EtcdDirectoryWatch::ageNs).max().orElse(-1);
    }

    @Override
    public void close() {
        registrations.forEach(EtcdRegistration::close);
        watches.forEach(EtcdDirectoryWatch::close);
    }
}
