package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.follow.DirectoryFollower;
import io.dubbomesh.registry.follow.Entries;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.runtime.FileFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps a directory of endpoints equal to the files in a folder, by scanning them several times a second: there are
 * few, and how soon an operating system reports changes differs widely.
 *
 * <p>A file counts as touched when its time differs from that of the last scan; the clock does not matter. Only the
 * first scan goes by the clock, so that the files of a former run are not taken for endpoints.
 */
final class FileDirectoryWatch {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final String ADVICE = "make it readable for this agent's user (files 0644, directories 0755)";

    private static final int LINES_PER_MINUTE = 60;

    private final Path folder;
    private final FileTimes times;
    private final DirectoryFollower follower;
    private final Entries entries = new Entries(0);
    private final Map<Path, Seen> files = new HashMap<>();
    private final Set<Path> unreadable = new HashSet<>();
    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);
    private boolean away;
    /** Whether the next scan puts every file, be it touched or not. */
    private boolean putsAll;

    /** A file as the last scan found it. */
    private record Seen(FileTime modified, long touchedNs, boolean alive) {}

    FileDirectoryWatch(Path folder, FileTimes times, Consumer<Directory> listener) {
        this.folder = folder;
        this.times = times;
        this.follower = new DirectoryFollower("registry-watch", folder, this::read, listener);
        follower.start();
    }

    DirectoryFollower follower() {
        return follower;
    }

    private long read() {
        scan();
        if (follower.isConfirmed()) {
            deliver();
        }
        return times.pollMs();
    }

    private void scan() {
        try {
            Set<Path> found = new HashSet<>();
            for (Path service : children(folder)) {
                found.add(service);
                found.addAll(scanService(service));
            }
            files.keySet().removeIf(file -> !found.contains(file) && delete(file));
            unreadable.retainAll(found);
            putsAll = false;
            away = false;
            follower.confirm(System.nanoTime());
        } catch (IOException e) {
            if (!away) {
                away = true;
                LOG.warn(
                        "registry {} cannot be read: {}; {}; {}",
                        folder,
                        FileFailure.reason(e),
                        follower.consequence(),
                        ADVICE);
            }
        }
    }

    /** Returns the files found there; those known before if the directory cannot be read. */
    private Collection<Path> scanService(Path service) {
        Set<Path> found;
        try {
            if (Files.isSymbolicLink(service)) {
                filesOf(service).forEach(this::remove);
                throw new FileSystemException(service.toString(), null, "a symbolic link");
            }
            found = children(service);
            unreadable.remove(service);
        } catch (IOException e) {
            reportUnreadable(service, e);
            return filesOf(service);
        }
        found.forEach(this::scanFile);
        return found;
    }

    private List<Path> filesOf(Path service) {
        return files.keySet().stream()
                .filter(file -> file.getParent().equals(service))
                .toList();
    }

    /** Removes a file in whose place something else is. */
    private void remove(Path file) {
        if (files.remove(file) != null) {
            delete(file);
        }
    }

    private static Set<Path> children(Path parent) throws IOException {
        Set<Path> children = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent)) {
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

    private void scanFile(Path file) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                remove(file);
                if (attributes.isDirectory()) {
                    return;
                }
                throw new FileSystemException(file.toString(), null, "a symbolic link, or no file");
            }
            FileTime modified = attributes.lastModifiedTime();
            Seen before = files.get(file);
            if (before == null || !before.modified().equals(modified)) {
                boolean alive = before != null || isRecent(modified);
                byte[] value = alive ? EndpointFile.read(file) : null;
                if (value != null) {
                    entries.put(EndpointFile.key(file), value, System.nanoTime());
                }
                unreadable.remove(file);
                files.put(file, new Seen(modified, System.nanoTime(), alive));
            } else if (before.alive() && putsAll) {
                putAgain(file);
            } else if (before.alive() && isStale(before)) {
                files.put(file, new Seen(modified, before.touchedNs(), false));
                entries.delete(EndpointFile.key(file), System.nanoTime());
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} was deleted while it was read", file);
        } catch (IOException e) {
            reportUnreadable(file, e);
        }
    }

    private void putAgain(Path file) throws IOException {
        byte[] value = EndpointFile.read(file);
        if (value != null) {
            entries.put(EndpointFile.key(file), value, System.nanoTime());
        }
    }

    private boolean isRecent(FileTime modified) {
        return Math.abs(System.currentTimeMillis() - modified.toMillis()) < times.staleMs();
    }

    private boolean isStale(Seen file) {
        return System.nanoTime() - file.touchedNs() > TimeUnit.MILLISECONDS.toNanos(times.staleMs());
    }

    private void reportUnreadable(Path entry, IOException reason) {
        if (unreadable.add(entry) && logLimit.tryLog(System.nanoTime())) {
            LOG.warn("registry entry {} cannot be read: {}; {}", entry, FileFailure.reason(reason), ADVICE);
        }
    }

    private boolean delete(Path file) {
        entries.delete(EndpointFile.key(file), System.nanoTime());
        return true;
    }

    private void deliver() {
        entries.expire(System.nanoTime());
        putsAll |= entries.pollRoom();
        follower.delivery().deliver(entries.directory());
    }
}
