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
 * One agent's files in a folder, touched regularly as a sign of life. A file that was deleted is written again; the weight in
 * one that was changed by hand is adopted. All work is done under one lock, by a thread of its own or by the caller.
 */
final class FileRegistration implements Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final FileTimes times;
    private final RegistrationRequest request;
    private final Map<Path, List<Variant>> files = new TreeMap<>();
    private final Thread thread;
    private boolean wanted;
    private boolean attempted;
    private boolean closed;
    private boolean away;
    private long touchedNs;
    private volatile int weight;
    private volatile boolean registered;

    FileRegistration(Path folder, FileTimes times, RegistrationRequest request) {
        this.times = times;
        this.request = request;
        this.weight = request.weight();
        String host = request.host() == null ? InetAddress.getLoopbackAddress().getHostAddress() : request.host();
        String name = FileName.of(new HostPort(host, request.port()));
        request.services()
                .forEach(
                        (service, variants) -> files.put(folder.resolve(service).resolve(name), variants));
        this.thread = new Thread(this::run, "registry-registration");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public synchronized void register() {
        wanted = !closed;
        attempt();
    }

    @Override
    public synchronized CompletableFuture<Void> deregister() {
        wanted = false;
        try {
            if (attempted) {
                for (Path file : files.keySet()) {
                    Files.deleteIfExists(file);
                }
            }
            if (registered) {
                registered = false;
                LOG.info("registered no more: {}", files.keySet());
            }
            return CompletableFuture.completedFuture(null);
        } catch (IOException e) {
            LOG.warn(
                    "cannot be deregistered, ends {} ms after its last sign of life: {}",
                    times.staleMs(),
                    e.toString());
            return CompletableFuture.failedFuture(e);
        }
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
    public synchronized void close() {
        closed = true;
        thread.interrupt();
        deregister();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(times.pollMs());
                attempt();
            }
        } catch (InterruptedException e) {
            LOG.debug("registration closed: {}", files.keySet());
        }
    }

    private synchronized void attempt() {
        if (!wanted) {
            return;
        }
        attempted = true;
        try {
            if (registered) {
                adopt();
            }
            boolean due = System.nanoTime() - touchedNs > TimeUnit.MILLISECONDS.toNanos(times.touchMs());
            for (Map.Entry<Path, List<Variant>> file : files.entrySet()) {
                write(file.getKey(), value(file.getValue()), due);
            }
            if (due) {
                touchedNs = System.nanoTime();
            }
            if (!registered) {
                registered = true;
                LOG.info("registered, weight {}: {}", weight, files.keySet());
            }
            away = false;
        } catch (IOException e) {
            if (!away) {
                away = true;
                LOG.warn("cannot register: {}", e.toString());
            }
        }
    }

    private void adopt() throws IOException {
        for (Map.Entry<Path, List<Variant>> file : files.entrySet()) {
            byte[] found = EndpointFile.read(file.getKey());
            if (found == null || Arrays.equals(found, value(file.getValue()))) {
                continue;
            }
            try {
                weight = EndpointCodec.parseValue(found).weight();
                LOG.info("weight {}, as set by hand in {}", weight, file.getKey());
            } catch (IllegalArgumentException e) {
                LOG.warn("{} replaced: {}: {}", file.getKey(), EndpointCodec.printable(found), e.getMessage());
            }
        }
    }

    private byte[] value(List<Variant> variants) {
        return EndpointCodec.value(weight, request.limit(), variants).getBytes(UTF_8);
    }

    /** The first time always, since a former run may have left a file that others cannot read. */
    private void write(Path file, byte[] value, boolean touch) throws IOException {
        if (!registered || !Arrays.equals(value, EndpointFile.read(file))) {
            EndpointFile.write(file, value);
        } else if (touch) {
            EndpointFile.touch(file);
        }
    }
}
