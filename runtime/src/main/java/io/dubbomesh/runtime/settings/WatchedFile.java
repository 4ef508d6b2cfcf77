package io.dubbomesh.runtime.settings;

import io.dubbomesh.runtime.FileFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A file that is read again when it has changed. What has changed holds once two readings in a row are the same: a file
 * that is rewritten in place can be read when it is in part there. Used by one thread at a time, which may block.
 */
public final class WatchedFile {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);
    private static final int MAX_BYTES = 4 << 20;
    /** Messages about a line begin with its number. */
    private static final Pattern LINE = Pattern.compile("\\d+:");

    private final String setting;
    private final Path path;
    private final Consumer<String> taker;
    /** The text in force. */
    private String text;
    /** The text that was read last, whether it is in force or not. */
    private String last;

    private String problem = "";

    /**
     * Reads it.
     *
     * @param taker takes the text, now and each time that it has changed; throws IllegalArgumentException for a text
     *     that cannot be understood, with a message without secrets, that begins with the number of the line and a
     *     colon where there is one
     * @throws SettingsException if the file cannot be read or understood; names setting, path and reason
     */
    public WatchedFile(String setting, Path path, Consumer<String> taker) {
        this.setting = setting;
        this.path = path;
        this.taker = taker;
        last = read();
        use(last);
    }

    private String read() {
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw wrong("larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            return new String(Files.readAllBytes(path), UTF_8);
        } catch (IOException e) {
            throw wrong(FileFailure.reason(e));
        }
    }

    private SettingsException wrong(String reason) {
        String separator = LINE.matcher(reason).lookingAt() ? ":" : ": ";
        return new SettingsException(setting + ": " + path + separator + reason);
    }

    private void use(String read) {
        try {
            taker.accept(read);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // Its message may have a part of the text.
            throw wrong("cannot be understood (" + e.getClass().getSimpleName() + ')');
        }
        text = read;
    }

    /** Takes the file if it has changed. Until it can be understood, what was read before holds. */
    public void readAgain() {
        try {
            String read = read();
            boolean settled = read.equals(last);
            last = read;
            if (!settled) {
                return;
            }
            if (!read.equals(text)) {
                if (read.isBlank()) {
                    throw wrong("empty (expected: lines; where there may be none, one that begins with #)");
                }
                use(read);
                LOG.info("{}: read again", setting);
            }
            problem = "";
        } catch (SettingsException e) {
            String found = String.valueOf(e.getMessage());
            if (!found.equals(problem)) {
                problem = found;
                LOG.warn("{}; what was read before holds", problem);
            }
        }
    }
}
