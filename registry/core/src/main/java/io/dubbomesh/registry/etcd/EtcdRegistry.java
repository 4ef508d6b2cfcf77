package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.etcd.layout.MeshLayout;
import io.dubbomesh.registry.follow.Followers;
import io.dubbomesh.registry.keep.RegistrationKeeper;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Etcd, with each watch and each registration on a thread and a connection of its own. */
public final class EtcdRegistry implements Registry {
    private final List<HostPort> members;
    private final EtcdAccess access;
    private final EtcdTimes times;
    private final Followers watches = new Followers();
    private final List<RegistrationKeeper> registrations = new CopyOnWriteArrayList<>();

    /** @param lease how long a registration outlives its agent */
    public EtcdRegistry(List<HostPort> members, EtcdAccess access, Duration lease) {
        this(members, access, EtcdTimes.of(lease));
    }

    EtcdRegistry(List<HostPort> members, EtcdAccess access, EtcdTimes times) {
        this.members = members;
        this.access = access;
        this.times = times;
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        EtcdDirectoryWatch watch = new EtcdDirectoryWatch(
                members(), times, wake -> new MeshLayout(TimeUnit.SECONDS.toNanos(times.leaseSeconds())), listener);
        watches.add(watch.start());
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        RegistrationKeeper registration =
                new RegistrationKeeper(tasks -> new EtcdEntryStore(members(), times, tasks), request, times.closeMs());
        registrations.add(registration);
        registration.start();
        return registration;
    }

    @Override
    public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
        List<String> keys = new ArrayList<>();
        services.forEach(service -> keys.add(new EndpointCodec.Key(service, endpoint).toString()));
        EtcdMembers all = members();
        IOException failure = new IOException(all + " was not asked");
        for (int attempt = 0; attempt < members.size(); attempt++) {
            try (EtcdSession session = all.next()) {
                session.checkReachable();
                if (EtcdWeights.change(session, keys, weight) == 0) {
                    throw new FixedWeightException(all + " has no key of " + endpoint);
                }
                return;
            } catch (EtcdFailure e) {
                failure = new IOException("registry " + all + ": " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }
        throw failure;
    }

    private EtcdMembers members() {
        return new EtcdMembers(members, access, times.timeoutMs());
    }

    @Override
    public long ageNs() {
        return watches.ageNs();
    }

    @Override
    public void close() {
        registrations.forEach(RegistrationKeeper::close);
        watches.close();
    }
}
