package io.dubbomesh.client.token;

import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.runtime.settings.WatchedFile;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Consumer;

/**
 * The file of {@code dubbo.token-file}: an entry of {@link ServiceTokens} in each line; blank lines and those that
 * begin with {@code #} do not count. A thread of its own reads it again every second, since a file system may block.
 */
public final class ServiceTokenFile implements AutoCloseable {
    private static final String SETTING = "dubbo.token-file";
    private static final long CHECK_MS = 1000;

    private final WatchedFile file;
    private final SecretFile secretFile;
    private final ScheduledThreadPoolExecutor thread;
    private boolean hasTokens;

    /** @param checkMs between readings */
    ServiceTokenFile(Path path, Consumer<ServiceTokens> listener, long checkMs) {
        secretFile = new SecretFile(SETTING, path);
        file = new WatchedFile(SETTING, path, text -> {
            ServiceTokens tokens = parse(text);
            hasTokens = !tokens.values().isEmpty();
            listener.accept(tokens);
        });
        secretFile.warnIfPublic(hasTokens);
        thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("token-file", true));
        PeriodicTask.start(thread, "token file", checkMs, this::readAgain);
    }

    /**
     * Reads the file.
     *
     * @param listener is given the tokens before this returns, and later, on another thread, each time that they have
     *     changed
     * @throws SettingsException if the file cannot be read or understood; names setting, path and reason
     */
    public static ServiceTokenFile open(Path path, Consumer<ServiceTokens> listener) {
        return new ServiceTokenFile(path, listener, CHECK_MS);
    }

    /**
     * Has {@link Settings#check} report a file that {@link #open} would refuse.
     *
     * @param path null for none
     */
    public static void check(Settings settings, Path path) {
        if (path != null) {
            settings.tryCheck(() -> open(path, tokens -> {}).close());
        }
    }

    private static ServiceTokens parse(String text) {
        List<String> entries = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                entries.add(line.strip());
            }
        }
        return ServiceTokens.parse(entries);
    }

    void readAgain() {
        file.readAgain();
        secretFile.warnIfPublic(hasTokens);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
