package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A folder for the agents of one machine: {@code DIR/{interface}/{host}_{port}}, with the values that etcd would have. */
public final class FileRegistry implements Registry {
    private final Path folder;
    private final FileTimes times;
    private final List<FileDirectoryWatch> watches = new CopyOnWriteArrayList<>();
    private final List<FileRegistration> registrations = new CopyOnWriteArrayList<>();

    public FileRegistry(Path folder) {
        this(folder, FileTimes.DEFAULT);
    }

    FileRegistry(Path folder, FileTimes times) {
        this.folder = folder;
        this.times = times;
    }

    @Override
    public void watch(Consumer<Directory> listener) {
        watches.add(new FileDirectoryWatch(folder, times, listener));
    }

    @Override
    public Registration registration(RegistrationRequest request) {
        FileRegistration registration = new FileRegistration(folder, times, request);
        registrations.add(registration);
        return registration;
    }

    @Override
    public long ageNs() {
        return watches.stream().mapToLong(FileDirectoryWatch::ageNs).max().orElse(-1);
    }

    @Override
    public void close() {
        registrations.forEach(FileRegistration::close);
        watches.forEach(FileDirectoryWatch::close);
    }
}
