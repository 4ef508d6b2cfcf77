package io.dubbomesh.consumer.auth;

import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.runtime.settings.WatchedFile;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Ticker;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The authentication of callers: reads what the settings name, and again when it changes, on a thread of its own. One
 * for the agent.
 */
public final class CallerAuth implements AutoCloseable {
    private static final long CHECK_MS = 1000;
    private static final long FETCH_PAUSE_MS = 5000;
    private static final long FETCH_LIMIT_MS = 10_000;

    private final List<WatchedFile> files = new ArrayList<>();
    /** Null where there are no tokens of a file. */
    private final SecretFile tokenFile;

    private final boolean acceptsSeveralKinds;
    /** Null where clients cannot log in themselves. */
    private final ProtectedResource resource;
    /** Returns null where there are no JWTs. */
    private final JwtVerifier jwt;
    /** Null where keys are not fetched. */
    private final JwksUrl jwks;

    private final ScheduledThreadPoolExecutor thread;
    /** A server of keys may take its time: the files do not wait for it. Null where keys are not fetched. */
    private final ScheduledThreadPoolExecutor keysThread;

    private volatile AuthState state = new AuthState(null, null, null);

    private CallerAuth(AuthSettings settings, Ticker ticker) {
        acceptsSeveralKinds = settings.kinds().size() > 1;
        boolean readsTokens = settings.kinds().contains(AuthSettings.Kind.TOKEN);
        tokenFile = readsTokens ? new SecretFile(AuthSettings.TOKEN_FILE, settings.tokenFile()) : null;
        if (readsTokens) {
            files.add(new WatchedFile(
                    AuthSettings.TOKEN_FILE,
                    settings.tokenFile(),
                    text -> use(TokenTable.parse(text), AuthState::withTokens)));
        }
        if (settings.rules() != null) {
            files.add(new WatchedFile(
                    AuthSettings.RULES,
                    settings.rules(),
                    text -> use(RuleTable.parse(text, settings.kinds()), AuthState::withRules)));
        }
        JwtSettings jwtSettings = settings.jwt();
        resource = ProtectedResource.of(jwtSettings);
        jwks = jwtSettings == null || !jwtSettings.isUrl()
                ? null
                : new JwksUrl(URI.create(jwtSettings.jwks()), this::useKeys, FETCH_PAUSE_MS, FETCH_LIMIT_MS, ticker);
        if (jwtSettings != null && jwks == null) {
            files.add(new WatchedFile(JwtSettings.JWKS, Path.of(jwtSettings.jwks()), this::useKeys));
        }
        jwt = jwtSettings == null ? null : new JwtVerifier(jwtSettings, jwks == null ? () -> {} : jwks::want);
        warnIfTokensArePublic();
        thread = newThread("http-auth");
        keysThread = jwks == null ? null : newThread("http-auth-keys");
    }

    private static ScheduledThreadPoolExecutor newThread(String name) {
        return new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory(name, true));
    }

    /**
     * Reads the files, and begins to follow them.
     *
     * @return null where callers are not authenticated
     * @throws SettingsException if a file cannot be read or understood; names setting, path, line and reason
     */
    public static CallerAuth open(AuthSettings settings) {
        return open(settings, Ticker.systemTicker());
    }

    /** Opens it likewise, with the pauses between attempts to fetch keys in the time of {@code ticker}. */
    public static CallerAuth open(AuthSettings settings, Ticker ticker) {
        if (!settings.isOn()) {
            return null;
        }
        CallerAuth auth = new CallerAuth(settings, ticker);
        if (auth.jwks != null) {
            auth.keysThread.execute(auth.jwks::fetchIfDue);
            PeriodicTask.start(auth.keysThread, "keys of http.auth", CHECK_MS, auth.jwks::fetchIfDue);
        }
        PeriodicTask.start(auth.thread, "files of http.auth", CHECK_MS, auth::readAgain);
        return auth;
    }

    /** Has {@link Settings#check} report each file that {@link #open} would refuse. */
    public static void check(Settings settings, AuthSettings auth) {
        JwtSettings jwt = auth.jwt();
        String keys = jwt == null || jwt.isUrl() || jwt.jwks().isEmpty() ? null : jwt.jwks();
        checkFile(settings, AuthSettings.TOKEN_FILE, auth.tokenFile(), text -> {
            boolean hasPlainTokens = TokenTable.parse(text).hasPlainTokens();
            new SecretFile(AuthSettings.TOKEN_FILE, auth.tokenFile()).warnIfPublic(hasPlainTokens);
        });
        checkFile(settings, AuthSettings.RULES, auth.rules(), text -> RuleTable.parse(text, auth.kinds()));
        checkFile(settings, JwtSettings.JWKS, keys == null ? null : Path.of(keys), SigningKeys::parse);
    }

    /** @param path null for no file */
    private static void checkFile(Settings settings, String setting, Path path, Consumer<String> use) {
        if (path != null) {
            settings.tryCheck(() -> new WatchedFile(setting, path, use));
        }
    }

    private void useKeys(String text) {
        use(SigningKeys.parse(text), AuthState::withKeys);
    }

    private synchronized <T> void use(T read, BiFunction<AuthState, T, AuthState> with) {
        state = with.apply(state, read);
    }

    private void readAgain() {
        files.forEach(WatchedFile::readAgain);
        warnIfTokensArePublic();
    }

    private void warnIfTokensArePublic() {
        if (tokenFile != null) {
            tokenFile.warnIfPublic(state.tokens().hasPlainTokens());
        }
    }

    /** Returns whether the keys that tokens are verified by were never fetched. */
    public boolean awaitsKeys() {
        return jwks != null && !jwks.isLoaded();
    }

    /** Returns the state in force. Called by any thread. */
    AuthState state() {
        return state;
    }

    /** Returns the name of a caller in answers and logs, as a rule has it. */
    String nameOf(Caller caller) {
        return acceptsSeveralKinds ? caller.kind().prefix() + caller.subject() : caller.subject();
    }

    /** Null where clients cannot log in themselves. */
    ProtectedResource resource() {
        return resource;
    }

    /** Null where there are no JWTs. */
    JwtVerifier jwt() {
        return jwt;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        if (keysThread != null) {
            keysThread.shutdownNow();
        }
    }
}
