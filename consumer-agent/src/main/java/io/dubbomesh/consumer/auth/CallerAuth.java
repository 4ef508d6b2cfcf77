package io.dubbomesh.consumer.auth;

import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The authentication of callers: reads what the settings name, and again when it changes, on a thread of its own. One for the agent. */
public final class CallerAuth implements AutoCloseable {
    private static final long CHECK_MS = 1000;

    private final List<WatchedFile> files = new ArrayList<>();
    private final ScheduledThreadPoolExecutor thread;
    private volatile Policy policy = new Policy(null, null);

    private CallerAuth(AuthSettings settings, long checkMs) {
        if (settings.kinds().contains(AuthSettings.Kind.TOKEN)) {
            files.add(new WatchedFile(
                    AuthSettings.TOKEN_FILE,
                    settings.tokenFile(),
                    text -> policy = policy.with(TokenTable.parse(text))));
        }
        if (settings.rules() != null) {
            files.add(new WatchedFile(
                    AuthSettings.RULES, settings.rules(), text -> policy = policy.with(RuleTable.parse(text))));
        }
        thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("http-auth", true));
        PeriodicTask.start(thread, "files of http.auth", checkMs, () -> files.forEach(WatchedFile::readAgain));
    }

    /**
     * Reads the files.
     *
     * @return null where callers are not authenticated
     * @throws SettingsException if a file cannot be read or understood; names setting, path, line and reason
     */
    public static CallerAuth open(AuthSettings settings) {
        return settings.isOn() ? new CallerAuth(settings, CHECK_MS) : null;
    }

    /** What holds now; for any thread. */
    Policy policy() {
        return policy;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
