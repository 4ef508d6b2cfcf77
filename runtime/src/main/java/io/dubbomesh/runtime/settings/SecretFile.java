package io.dubbomesh.runtime.settings;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;

/**
 * A file with secrets, which not every user of the machine should be able to read. Used by one thread at a time, which
 * may block.
 */
public final class SecretFile {
    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);

    private final String setting;
    private final Path path;
    private boolean isPublic;

    /** @param setting that names the file */
    public SecretFile(String setting, Path path) {
        this.setting = setting;
        this.path = path;
    }

    /**
     * Logs a warning if every user can read secrets in the file, and could not when this was called last.
     *
     * @param hasSecrets whether there are any in it now
     */
    public void warnIfPublic(boolean hasSecrets) {
        boolean isPublicNow = hasSecrets && isReadableByOthers();
        if (isPublicNow && !isPublic) {
            LOG.warn("{}: {} can be read by every user of this machine (expected: chmod o-rwx)", setting, path);
        }
        isPublic = isPublicNow;
    }

    private boolean isReadableByOthers() {
        try {
            return Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException e) {
            // Gone since it was read, or on a file system that knows no others.
            return false;
        }
    }
}
