package io.dubbomesh.registry.file;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One agent's files in a directory, touched at intervals to show that the agent is running. A file that was deleted is
 * written again; the weight in a file that was changed by hand is adopted. When the agent deregisters, its files say so
 * for as long as consumer agents need to read them, and are deleted then. All work is done under one lock, by a thread
 * of its own or by the caller.
 */
final class FileRegistration implements Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    /** Scans in which consumer agents find that the agent leaves. */
    private static final int LEAVING_SCANS = 2;

    private static final long CLOSE_MS = 2_000;

    private enum Target {
        DEREGISTERED,
        REGISTERED,
        CLOSED
    }

    private final FileTimes times;
    private final RegistrationRequest request;
    private final Path directory;
    private final HostPort address;
    private final String provider;
    /** What is written while the agent is registered. */
    private Map<Path, List<Variant>> files;
    /** Files of services that are not selected any more: they say so until their time, and are deleted then. */
    private final Map<Path, Long> retired = new TreeMap<>();

    private final Thread thread;
    private volatile int weight;
    private volatile boolean registered;

    // Guarded by the lock.
    private Target target = Target.DEREGISTERED;
    private boolean mayHaveWritten;
    private boolean away;
    /** False until the files have a weight that was changed here. */
    private boolean adoptsWeight = true;

    private long touchedNs;
    /** Null unless the files say that the agent leaves. */
    private CompletableFuture<Void> deregistration;

    private long deleteNs;

    FileRegistration(Path directory, FileTimes times, RegistrationRequest request) {
        this.times = times;
        this.request = request;
        this.weight = request.weight();
        String host = request.host() == null ? InetAddress.getLoopbackAddress().getHostAddress() : request.host();
        this.directory = directory;
        this.address = new HostPort(host, request.port());
        this.provider = request.providerAddress(host);
        this.files = files(request.services());
        this.thread = new Thread(this::run, "registry-registration");
        thread.setDaemon(true);
        thread.start();
    }

    private Map<Path, List<Variant>> files(Map<String, List<Variant>> services) {
        Map<Path, List<Variant>> named = new TreeMap<>();
        services.forEach(
                (service, variants) -> named.put(EndpointFile.of(directory.resolve(service), address), variants));
        return named;
    }

    @Override
    public synchronized void register() {
        if (target != Target.CLOSED) {
            target = Target.REGISTERED;
            if (deregistration != null) {
                deregistration.cancel(false);
                deregistration = null;
            }
            writeFiles();
        }
    }

    @Override
    public synchronized void select(Map<String, List<Variant>> services) {
        Map<Path, List<Variant>> selected = files(services);
        if (selected.equals(files)) {
            return;
        }
        for (Map.Entry<Path, List<Variant>> file : files.entrySet()) {
            if (mayHaveWritten && !selected.containsKey(file.getKey())) {
                retire(file.getKey(), file.getValue());
            }
        }
        Map<Path, List<Variant>> before = files;
        files = selected;
        retired.keySet().removeAll(selected.keySet());
        if (registered) {
            writeChanged(before);
            LOG.info("registered, weight {}: {}", weight, files.keySet());
        }
    }

    /**
     * At once: the weight in a file is adopted if the file is not as it was written, but not from one that a former run
     * has left.
     */
    private void writeChanged(Map<Path, List<Variant>> before) {
        try {
            for (Map.Entry<Path, List<Variant>> file : files.entrySet()) {
                if (!file.getValue().equals(before.get(file.getKey()))) {
                    EndpointFile.write(file.getKey(), value(weight, file));
                }
            }
        } catch (IOException e) {
            LOG.debug("cannot register: {}; trying again", e.toString());
        }
    }

    private void retire(Path file, List<Variant> variants) {
        try {
            EndpointFile.write(file, leavingValue(variants));
        } catch (IOException e) {
            LOG.debug("cannot write that this agent leaves: {}", e.toString());
        }
        retired.put(file, leavingEndNs());
    }

    private long leavingEndNs() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAVING_SCANS * times.pollMs());
    }

    private void deleteRetired(boolean all) {
        long nowNs = System.nanoTime();
        retired.entrySet().removeIf(file -> {
            if (!all && nowNs - file.getValue() < 0) {
                return false;
            }
            try {
                Files.deleteIfExists(file.getKey());
            } catch (IOException e) {
                LOG.debug("cannot delete {}: {}", file.getKey(), e.toString());
            }
            return true;
        });
    }

    @Override
    public synchronized CompletableFuture<Void> deregister() {
        if (target != Target.CLOSED) {
            target = Target.DEREGISTERED;
        }
        return leave();
    }

    private CompletableFuture<Void> leave() {
        if (deregistration != null) {
            return deregistration;
        }
        if (!mayHaveWritten) {
            return CompletableFuture.completedFuture(null);
        }
        try {
            for (Map.Entry<Path, List<Variant>> file : files.entrySet()) {
                EndpointFile.write(file.getKey(), leavingValue(file.getValue()));
            }
        } catch (IOException e) {
            LOG.debug("cannot write that this agent leaves: {}", e.toString());
        }
        if (registered) {
            registered = false;
            LOG.info("deregistered: {}", files.keySet());
        }
        deregistration = new CompletableFuture<>();
        deleteNs = leavingEndNs();
        notifyAll();
        return deregistration;
    }

    private void deleteFiles() {
        CompletableFuture<Void> ended = deregistration;
        deregistration = null;
        try {
            for (Path file : files.keySet()) {
                Files.deleteIfExists(file);
            }
            deleteRetired(true);
            mayHaveWritten = false;
            ended.complete(null);
        } catch (IOException e) {
            LOG.warn(
                    "cannot deregister: {}; the files are ignored {} ms after they were touched last",
                    e.toString(),
                    times.staleMs());
            ended.completeExceptionally(e);
        }
    }

    @Override
    public HostPort address() {
        return address;
    }

    @Override
    public synchronized void changeWeight(int changed) {
        adoptsWeight = false;
        weight = changed;
        writeFiles();
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
        synchronized (this) {
            target = Target.CLOSED;
            leave();
            notifyAll();
        }
        try {
            thread.join(CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void run() {
        try {
            while (target != Target.CLOSED || deregistration != null) {
                long nowNs = System.nanoTime();
                if (deregistration != null && nowNs - deleteNs >= 0) {
                    deleteFiles();
                } else {
                    long pauseNs = TimeUnit.MILLISECONDS.toNanos(times.pollMs());
                    TimeUnit.NANOSECONDS.timedWait(this, deregistration == null ? pauseNs : deleteNs - nowNs);
                    deleteRetired(false);
                    writeFiles();
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("registration interrupted: {}", files.keySet());
        }
    }

    private void writeFiles() {
        if (target != Target.REGISTERED) {
            return;
        }
        mayHaveWritten = true;
        try {
            if (registered && adoptsWeight) {
                adoptWeight();
            }
            boolean due = System.nanoTime() - touchedNs > TimeUnit.MILLISECONDS.toNanos(times.touchMs());
            for (Map.Entry<Path, List<Variant>> file : files.entrySet()) {
                write(file.getKey(), value(weight, file), due);
            }
            if (due) {
                touchedNs = System.nanoTime();
            }
            if (!registered) {
                registered = true;
                LOG.info("registered, weight {}: {}", weight, files.keySet());
            }
            away = false;
            adoptsWeight = true;
        } catch (IOException e) {
            if (!away) {
                away = true;
                LOG.warn("cannot register: {}; trying again", e.toString());
            }
        }
    }

    private void adoptWeight() throws IOException {
        int before = weight;
        for (Map.Entry<Path, List<Variant>> file : files.entrySet()) {
            byte[] found = EndpointFile.read(file.getKey());
            // A file that was not changed must not undo the change of another one.
            if (found == null || Arrays.equals(found, value(before, file))) {
                continue;
            }
            try {
                weight = EndpointCodec.parseValue(found).weight();
                LOG.info("weight {}, as set in {}", weight, file.getKey());
            } catch (IllegalArgumentException e) {
                LOG.warn("value of {} replaced: {}: {}", file.getKey(), EndpointCodec.printable(found), e.getMessage());
            }
        }
    }

    private byte[] value(int ofWeight, Map.Entry<Path, List<Variant>> file) {
        String service = file.getKey().getParent().getFileName().toString();
        return request.value(service, ofWeight, file.getValue(), provider).getBytes(UTF_8);
    }

    private byte[] leavingValue(List<Variant> variants) {
        return EndpointCodec.leavingValue(weight, request.limit(), variants).getBytes(UTF_8);
    }

    /** The first time in any case, since a former run may have left a file that others cannot read. */
    private void write(Path file, byte[] value, boolean touch) throws IOException {
        if (!registered || !Arrays.equals(value, EndpointFile.read(file))) {
            EndpointFile.write(file, value);
        } else if (touch) {
            EndpointFile.touch(file);
        }
    }
}
