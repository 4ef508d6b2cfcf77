package io.dubbomesh.registry.file;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The file of one endpoint, {@code DIR/{interface}/{host}_{port}}: its name, and how it is read and written. Windows
 * allows no colons in names, so those of IPv6 become dashes: {@code 192.0.2.7_30000}, {@code [2001-db8--7]_30000}.
 * Agents of other users read it too, so the umask of this process is ignored.
 */
final class EndpointFile {
    /** The limit of the usual file systems for one name of a path. */
    static final int MAX_NAME_BYTES = 255;

    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwxr-xr-x");

    private EndpointFile() {}

    static Path of(Path service, HostPort address) {
        String host = address.host();
        String printed = host.indexOf(':') < 0 ? host : '[' + host.replace(':', '-') + ']';
        return service.resolve(printed + '_' + address.port());
    }

    /** Returns the number of bytes of the longest name in a path: in UTF-8, as no other locale's names are longer. */
    static int longestName(Path path) {
        int longest = 0;
        for (Path name : path) {
            longest = Math.max(longest, name.toString().getBytes(UTF_8).length);
        }
        return longest;
    }

    /** Returns the key that it would have in etcd; whether it is one shows when the key is parsed. */
    static String key(Path file) {
        String service = file.getParent().getFileName().toString();
        String name = file.getFileName().toString();
        int underscore = name.lastIndexOf('_');
        if (underscore < 0) {
            return EndpointCodec.ROOT + service + '/' + name;
        }
        String host = name.substring(0, underscore);
        String address = host.startsWith("[") ? host.replace('-', ':') : host;
        return EndpointCodec.ROOT + service + '/' + address + ':' + name.substring(underscore + 1);
    }

    /**
     * Returns null if there is no such file, or none but a link, whose file is another user's and may be secret, or a
     * pipe, which would keep the reader waiting: other users may write to the directory.
     */
    static byte[] read(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(EndpointCodec.MAX_VALUE_LENGTH + 1);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Creates or replaces the file by a rename, so that no reader sees half a value. */
    static void write(Path file, byte[] value) throws IOException {
        if (Files.isSymbolicLink(file.getParent())) {
            throw new FileSystemException(file.getParent().toString(), null, "a symbolic link");
        }
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

    /** Sets the permissions of those that it creates, and leaves existing ones as they are. */
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
