package io.dubbomesh.registry.file;

import io.dubbomesh.registry.EndpointCodec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Reads and writes the file of one endpoint. Agents of other users read it too, whatever the umask of this process is. */
final class EndpointFile {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwxr-xr-x");

    private EndpointFile() {}

    /** Null if there is no such file. */
    static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(EndpointCodec.MAX_VALUE_LENGTH + 1);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Creates or replaces the file by a rename, so that nobody reads half a value. */
    static void write(Path file, byte[] value) throws IOException {
        createDirectories(file.getParent());
        Path draft = Files.createTempFile(file.getParent(), ".", null);
        try {
            Files.write(draft, value);
            setPermissions(draft, FILE);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    static void touch(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
    }

    /** Sets the permissions of those that it creates; the others belong to somebody else. */
    private static void createDirectories(Path directory) throws IOException {
        if (directory == null || Files.isDirectory(directory)) {
            return;
        }
        createDirectories(directory.getParent());
        Files.createDirectories(directory);
        setPermissions(directory, DIRECTORY);
    }

    private static void setPermissions(Path path, Set<PosixFilePermission> permissions) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, permissions);
        }
    }
}
