package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.keep.AgentEntry;
import io.dubbomesh.registry.keep.EntryStore;
import io.dubbomesh.registry.keep.StoreFailure;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One agent's files in a directory, touched at intervals to show that the agent is running. When the agent deregisters,
 * its files say so for as long as consumer agents need to read them, and are deleted then. Belongs to the keeper's
 * thread.
 */
final class FileEntryStore implements EntryStore, EntryStore.Session {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    /** Scans in which consumer agents find that the agent leaves. */
    private static final int LEAVING_SCANS = 2;

    private static final String UNFINISHED = "the time was too short";

    private final Path directory;
    private final FileTimes times;
    private final List<FileEntry> entries = new ArrayList<>();
    private long touchedNs = System.nanoTime();
    private boolean isFailing;
    /** The reason for which the files are not as they should be. */
    private String reason = UNFINISHED;

    FileEntryStore(Path directory, FileTimes times) {
        this.directory = directory;
        this.times = times;
    }

    @Override
    public long run(Work work) throws InterruptedException {
        try {
            work.run(this);
        } catch (StoreFailure e) {
            LOG.debug("registry {}: {}", directory, e.getMessage());
        }
        return times.pollMs();
    }

    @Override
    public AgentEntry entry(String service, HostPort address, List<Variant> variants) {
        String path = directory + "/" + service;
        Path file;
        try {
            file = EndpointFile.of(directory.resolve(service), address);
        } catch (InvalidPathException e) {
            return new UnnamableEntry(
                    service, path, variants, e.getReason() + "; expected: a locale with UTF-8, as LC_ALL=C.UTF-8");
        }
        int bytes = EndpointFile.longestName(file);
        if (bytes > EndpointFile.MAX_NAME_BYTES) {
            return new UnnamableEntry(
                    service, path, variants, bytes + " bytes; expected: " + EndpointFile.MAX_NAME_BYTES + " at most");
        }
        FileEntry entry = new FileEntry(this, service, file, variants);
        entries.add(entry);
        return entry;
    }

    @Override
    public String localHost() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    @Override
    public long leavingMs() {
        return LEAVING_SCANS * times.pollMs();
    }

    @Override
    public long check() {
        long nowNs = System.nanoTime();
        if (nowNs - touchedNs > TimeUnit.MILLISECONDS.toNanos(times.touchMs())) {
            for (FileEntry entry : entries) {
                entry.touch();
            }
            touchedNs = nowNs;
        }
        return TimeUnit.MILLISECONDS.toNanos(times.pollMs());
    }

    @Override
    public void written() {
        isFailing = false;
        reason = UNFINISHED;
    }

    /** Logs once that the files cannot be written, and returns what ends the session. */
    StoreFailure failed(IOException failure, boolean registering) {
        reason = failure.toString();
        if (registering && !isFailing) {
            isFailing = true;
            LOG.warn("cannot register: {}; trying again", reason);
        }
        return new StoreFailure(reason);
    }

    @Override
    public void abandoned() {
        LOG.warn(
                "cannot deregister: {}; the files are ignored {} ms after they were touched last",
                reason,
                times.staleMs());
    }

    @Override
    public String toString() {
        return "file:" + directory;
    }
}
