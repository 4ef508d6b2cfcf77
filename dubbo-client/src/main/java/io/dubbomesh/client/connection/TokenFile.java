package io.dubbomesh.client.connection;

import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The file of {@code dubbo.token-file}: an entry of {@link ServiceTokens} in each line; blank lines and those that begin with {@code #} do not
 * count. A thread of its own reads it again every second, since a file system may block. What has changed holds once two readings in a row are the
 * same: a file that is rewritten in place can be read when it is empty, or in part.
 */
public final class TokenFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    private static final String SETTING = "dubbo.token-file";
    private static final long CHECK_MS = 1000;
    private static final int MAX_BYTES = 1 << 20;

    private final Path path;
    private final Consumer<ServiceTokens> listener;
    private final ScheduledThreadPoolExecutor thread;
    /** What holds. */
    private String text;
    /** What was read last, whether it holds or not. */
    private String last;

    private String problem = "";

    /** @param checkMs between readings */
    TokenFile(Path path, Consumer<ServiceTokens> listener, long checkMs) {
        this.path = path;
        this.listener = listener;
        last = read();
        use(last);
        thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("token-file", true));
        PeriodicTask.start(thread, "token file", checkMs, this::readAgain);
    }

    /**
     * Reads the file.
     *
     * @param listener is given the tokens before this returns, and later, on another thread, each time that they have changed
     * @throws SettingsException if the file cannot be read or understood; names setting, path and reason
     */
    public static TokenFile open(Path path, Consumer<ServiceTokens> listener) {
        return new TokenFile(path, listener, CHECK_MS);
    }

    private String read() {
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw wrong("larger than 1 MiB");
            }
            return new String(Files.readAllBytes(path), UTF_8);
        } catch (NoSuchFileException e) {
            throw wrong("no such file");
        } catch (AccessDeniedException e) {
            throw wrong("permission denied");
        } catch (IOException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private SettingsException wrong(String reason) {
        return new SettingsException(SETTING + ": " + path + ": " + reason);
    }

    private void use(String read) {
        List<String> entries = new ArrayList<>();
        for (String line : read.split("\\R")) {
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                entries.add(line.strip());
            }
        }
        try {
            listener.accept(ServiceTokens.parse(entries));
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        text = read;
    }

    /** Takes a file that has changed. Until it can be understood, what was read before holds. */
    void readAgain() {
        try {
            String read = read();
            boolean settled = read.equals(last);
            last = read;
            if (!settled) {
                return;
            }
            if (!read.equals(text)) {
                if (read.isBlank()) {
                    throw wrong("empty (expected: tokens, or a line that begins with # for none)");
                }
                use(read);
                LOG.info("{}: read again", SETTING);
            }
            problem = "";
        } catch (RuntimeException e) {
            String found = String.valueOf(e.getMessage());
            if (!found.equals(problem)) {
                problem = found;
                LOG.warn("{}; the tokens that were read before hold", problem);
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
