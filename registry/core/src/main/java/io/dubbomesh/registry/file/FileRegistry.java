package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.FixedWeightException;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.follow.Followers;
import io.dubbomesh.registry.keep.RegistrationKeeper;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A folder for the agents of one machine: {@code DIR/{interface}/{host}_{port}}, with the values that etcd would have.
 */
public final class FileRegistry implements Registry {
    private static final long CLOSE_MS = 2_000;

    private final Path folder;
    private final FileTimes times;
    private final Followers watches = new Followers();
    private final List<RegistrationKeeper> registrations = new CopyOnWriteArrayList<>();

    public FileRegistry(Path folder) {
        this(folder, FileTimes.DEFAULT);
    }

    FileRegistry(Path folder, FileTimes times) {
        this.folder = folder;
        this.times = times;
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        watches.add(new FileDirectoryWatch(folder, times, listener).follower());
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        RegistrationKeeper registration =
                new RegistrationKeeper(tasks -> new FileEntryStore(folder, times), request, CLOSE_MS);
        registrations.add(registration);
        registration.start();
        return registration;
    }

    /** The agent whose files they are puts its own value over it if it has not read this one. */
    @Override
    public void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException {
        boolean found = false;
        for (String service : services) {
            found |= changeWeight(service, endpoint, weight);
        }
        if (!found) {
            throw new FixedWeightException("no file of " + endpoint + " in " + folder);
        }
    }

    /** Returns whether there is a file to change; there is none of a service whose name the file system cannot have. */
    private boolean changeWeight(String service, HostPort endpoint, int weight) throws IOException {
        Path file;
        try {
            file = EndpointFile.of(folder.resolve(service), endpoint);
        } catch (InvalidPathException e) {
            return false;
        }
        byte[] value = EndpointFile.read(file);
        if (value == null) {
            return false;
        }
        EndpointFile.write(file, EndpointCodec.replaceWeight(value, weight));
        return true;
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
