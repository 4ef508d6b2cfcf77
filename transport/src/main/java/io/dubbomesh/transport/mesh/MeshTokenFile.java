package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.runtime.settings.WatchedFile;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * The file of {@code mesh.token-file} with the tokens of the mesh. A thread of its own reads it again every second,
 * since a file system may block. What has changed holds for new links. Used by all event loops.
 */
public final class MeshTokenFile implements AutoCloseable {
    /** The setting that names it. */
    public static final String SETTING = "mesh.token-file";

    private static final long CHECK_MS = 1000;

    private final SecureRandom random = new SecureRandom();
    private final WatchedFile file;
    private final SecretFile secretFile;
    private final ScheduledThreadPoolExecutor thread;
    private volatile MeshTokens tokens;

    /** @param checkMs between readings */
    MeshTokenFile(Path path, long checkMs) {
        file = new WatchedFile(SETTING, path, text -> tokens = MeshTokens.parse(text));
        secretFile = new SecretFile(SETTING, path);
        secretFile.warnIfPublic(true);
        thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("mesh-tokens", true));
        PeriodicTask.start(thread, "mesh tokens", checkMs, this::readAgain);
    }

    /**
     * Reads the file.
     *
     * @throws SettingsException if it cannot be read or understood; names setting, path and reason, and no token
     */
    public static MeshTokenFile open(Path path) {
        return new MeshTokenFile(path, CHECK_MS);
    }

    /**
     * Has {@link Settings#check} report a file that {@link #open} would refuse.
     *
     * @param path null for none
     */
    public static void check(Settings settings, Path path) {
        if (path != null) {
            settings.tryCheck(() -> open(path).close());
        }
    }

    /** Returns a challenge for the HELLO of a provider agent, on each connection a new one. */
    public HelloCredentials challenge() {
        return HelloCredentials.challenge(random);
    }

    /** Returns the answer for the HELLO of a consumer agent with this id. */
    public HelloCredentials answer(HelloCredentials challenge, long agentId) {
        return tokens.answer(challenge, agentId);
    }

    /** Returns whether the peer has a token. */
    public boolean accept(Hello peer, HelloCredentials challenge) {
        return tokens.accept(peer, challenge);
    }

    void readAgain() {
        file.readAgain();
        secretFile.warnIfPublic(true);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
