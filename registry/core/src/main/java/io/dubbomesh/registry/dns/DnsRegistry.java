package io.dubbomesh.registry.dns;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.follow.Followers;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * The addresses behind a name in DNS; which they are is decided by the keeper of the zone, so nothing can be registered
 * or changed.
 */
public final class DnsRegistry implements Registry {
    private final DnsUri uri;
    private final DnsTimes times;
    private final Followers watches = new Followers();

    public DnsRegistry(DnsUri uri) {
        this(uri, DnsTimes.DEFAULT);
    }

    DnsRegistry(DnsUri uri, DnsTimes times) {
        this.uri = uri;
        this.times = times;
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        DnsWatch watch = new DnsWatch(uri, times, listener);
        watches.add(watch.start());
    }

    @Override
    public boolean registers() {
        return false;
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        throw new IllegalArgumentException(uri
                + " registers nothing (expected: another registry, or static: if something else registers the agent)");
    }

    @Override
    public long ageNs() {
        return watches.ageNs();
    }

    @Override
    public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
        throw new FixedWeightException("weights behind " + uri.name() + " are those of its DNS records");
    }

    @Override
    public void close() {
        watches.close();
    }
}
