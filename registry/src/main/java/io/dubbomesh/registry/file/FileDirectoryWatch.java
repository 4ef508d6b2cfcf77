package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.Entries;
import io.dubbomesh.registry.Registry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps a directory equal to the files in a folder, by looking at them several times a second: there are few, and how soon an
 * operating system tells of changes differs widely.
 *
 * <p>A file counts as touched when its time is another one than at the last look, whatever the clock says; only at the first look
 * the clock decides, so that the files of a previous run are not taken for endpoints.
 */
final class FileDirectoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final String ADVICE = "make it readable for this agent's user (files 0644, directories 0755)";

    private final Path folder;
    private final FileTimes times;
    private final Consumer<Directory> listener;
    private final Entries entries = new Entries(0);
    private final Map<Path, Seen> files = new HashMap<>();
    private final Thread thread;
    private Directory delivered;
    private final Set<Path> unreadable = new HashSet<>();
    private boolean away;

    private record Seen(FileTime modified, long atNs, boolean alive) {}

    FileDirectoryWatch(Path folder, FileTimes times, Consumer<Directory> listener) {
        this.folder = folder;
        this.times = times;
        this.listener = listener;
        this.thread = new Thread(this::run, "registry-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                look();
                deliver();
                Thread.sleep(times.pollMs());
            }
        } catch (InterruptedException e) {
            LOG.debug("registry {}: watch closed", folder);
        }
    }

    private void look() {
        try {
            Set<Path> found = new HashSet<>();
            for (Path service : children(folder)) {
                found.addAll(look(service));
            }
            files.keySet().removeIf(file -> !found.contains(file) && forget(file));
            unreadable.removeIf(entry -> !found.contains(entry) && !Files.exists(entry, LinkOption.NOFOLLOW_LINKS));
            away = false;
        } catch (IOException e) {
            if (!away) {
                away = true;
                LOG.warn("registry {} cannot be read: {}; the endpoints known stay; {}", folder, e.toString(), ADVICE);
            }
        }
    }

    /** The files found in the directory of a service; those known before if it cannot be read. */
    private Collection<Path> look(Path service) {
        Set<Path> found;
        try {
            found = children(service);
            unreadable.remove(service);
        } catch (IOException e) {
            reportUnreadable(service, e);
            return files.keySet().stream()
                    .filter(file -> file.getParent().equals(service))
                    .toList();
        }
        for (Path file : found) {
            look(service.getFileName().toString(), file);
        }
        return found;
    }

    private void reportUnreadable(Path entry, IOException reason) {
        if (unreadable.add(entry)) {
            LOG.warn("registry entry {} cannot be read: {}; {}", entry, reason.toString(), ADVICE);
        }
    }

    private static Set<Path> children(Path folder) throws IOException {
        Set<Path> children = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path child : all) {
                if (!child.getFileName().toString().startsWith(".")) {
                    children.add(child);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return children;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return children;
    }

    private void look(String service, Path file) {
        String key = EndpointCodec.ROOT
                + service
                + '/'
                + FileName.address(file.getFileName().toString());
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                return;
            }
            FileTime modified = attributes.lastModifiedTime();
            long nowNs = System.nanoTime();
            Seen before = files.get(file);
            if (before == null || !before.modified().equals(modified)) {
                boolean alive =
                        before != null || Math.abs(System.currentTimeMillis() - modified.toMillis()) < times.staleMs();
                byte[] value = alive ? EndpointFile.read(file) : null;
                if (value != null) {
                    entries.put(key, value);
                }
                unreadable.remove(file);
                files.put(file, new Seen(modified, nowNs, alive));
            } else if (before.alive() && nowNs - before.atNs() > TimeUnit.MILLISECONDS.toNanos(times.staleMs())) {
                files.put(file, new Seen(modified, before.atNs(), false));
                entries.delete(key);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} was deleted while it was read", file);
        } catch (IOException e) {
            reportUnreadable(file, e);
        }
    }

    private boolean forget(Path file) {
        String service = file.getParent().getFileName().toString();
        entries.delete(EndpointCodec.ROOT
                + service
                + '/'
                + FileName.address(file.getFileName().toString()));
        return true;
    }

    private void deliver() {
        Directory directory = entries.directory();
        if (directory != delivered) {
            delivered = directory;
            try {
                listener.accept(directory);
            } catch (RuntimeException e) {
                LOG.error("registry {}: the listener failed", folder, e);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
