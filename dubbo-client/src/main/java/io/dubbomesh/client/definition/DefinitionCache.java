package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.ServiceKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Definitions in files, for the time when the registry is away. A file is written by rename, so agents may share the
 * directory; its first line is the SHA-256 of the rest, so that a damaged one is noticed. Those that were not used for
 * longest are deleted when there are too many. What cannot be read or written is logged once, and the agent does
 * without. Thread-safe.
 */
public final class DefinitionCache {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionCache.class);

    static final int MAX_FILES = 2_000;
    static final long MAX_BYTES = 64L * 1024 * 1024;
    private static final int HASH_LENGTH = 64;
    private static final int MAX_FILE_BYTES = 8 * 1024 * 1024;
    private static final String SUFFIX = ".json";
    private static final String UNFINISHED = ".tmp";
    /** An agent that was killed while it wrote one has left it. */
    private static final long UNFINISHED_SECONDS = 60;

    private final Path directory;
    private final int maxFiles;
    private final long maxBytes;
    private boolean failureLogged;

    private record CachedFile(Path path, long bytes, FileTime used) {}

    public DefinitionCache(Path directory) {
        this(directory, MAX_FILES, MAX_BYTES);
    }

    DefinitionCache(Path directory, int maxFiles, long maxBytes) {
        this.directory = directory;
        this.maxFiles = maxFiles;
        this.maxBytes = maxBytes;
    }

    /** Returns null if there is none, or a damaged one, which the next {@link #put} replaces. */
    synchronized String get(ServiceKey service, String application, String revision) {
        Path file = file(service, application, revision);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_FILE_BYTES) {
                return null;
            }
            String text = Files.readString(file, UTF_8);
            boolean sound = text.length() > HASH_LENGTH
                    && text.charAt(HASH_LENGTH) == '\n'
                    && text.startsWith(hash(text.substring(HASH_LENGTH + 1)));
            if (!sound) {
                LOG.info("types.cache: {} is damaged and not used", file);
                return null;
            }
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return text.substring(HASH_LENGTH + 1);
        } catch (IOException e) {
            logFailure(e);
            return null;
        }
    }

    synchronized void put(ServiceKey service, String application, String revision, String definition) {
        Path file = file(service, application, revision);
        byte[] content = (hash(definition) + '\n' + definition).getBytes(UTF_8);
        if (content.length > MAX_FILE_BYTES) {
            return;
        }
        Path unfinished = null;
        try {
            Files.createDirectories(directory);
            makeRoom(file, content.length);
            unfinished = Files.createTempFile(directory, "", UNFINISHED);
            Files.write(unfinished, content);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            failureLogged = false;
        } catch (IOException e) {
            logFailure(e);
            delete(unfinished);
        }
    }

    /** @param written is not counted, since it is about to be replaced */
    private void makeRoom(Path written, long bytes) throws IOException {
        List<CachedFile> files = new ArrayList<>();
        Instant unfinishedSince = Instant.now().minusSeconds(UNFINISHED_SECONDS);
        try (Stream<Path> listed = Files.list(directory)) {
            for (Path path : (Iterable<Path>) listed::iterator) {
                String name = path.getFileName().toString();
                try {
                    FileTime used = Files.getLastModifiedTime(path);
                    if (name.endsWith(SUFFIX) && !path.equals(written)) {
                        files.add(new CachedFile(path, Files.size(path), used));
                    } else if (name.endsWith(UNFINISHED) && used.toInstant().isBefore(unfinishedSince)) {
                        delete(path);
                    }
                } catch (IOException e) {
                    // Another agent has deleted it.
                    LOG.debug("types.cache: {}", e.toString());
                }
            }
        }
        files.sort(Comparator.comparing(CachedFile::used));
        int count = files.size() + 1;
        long sum = bytes + files.stream().mapToLong(CachedFile::bytes).sum();
        for (CachedFile oldest : files) {
            if (count <= maxFiles && sum <= maxBytes) {
                return;
            }
            delete(oldest.path);
            count--;
            sum -= oldest.bytes;
        }
    }

    private static void delete(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.debug("types.cache: {}", e.toString());
        }
    }

    private void logFailure(IOException e) {
        if (!failureLogged) {
            failureLogged = true;
            LOG.warn("types.cache: {}; going on without it", e.toString());
        }
    }

    /** The interface's name is for people who look into the directory. */
    private Path file(ServiceKey service, String application, String revision) {
        String key = String.join("\n", service.service(), service.version(), service.group(), application, revision);
        String name = service.service().replaceAll("[^A-Za-z0-9_.$]", "_");
        String shown = name.length() <= 100 ? name : name.substring(name.length() - 100);
        return directory.resolve(shown + '-' + hash(key).substring(0, 32) + SUFFIX);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
