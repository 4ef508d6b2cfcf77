package io.dubbomesh.provider.mesh;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.mesh.MeshTokenFile;

import java.nio.file.Path;

/**
 * The links from consumer agents.
 *
 * @param maxConnections of the whole agent, without those that have not sent their HELLO
 * @param maxOpening     connections that have not sent their HELLO, of the whole agent
 * @param maxFrame       bytes of the longest frame, header included
 * @param tableSize      method ids that a consumer agent may define on one link
 * @param tokens the file with the tokens of the mesh, of which consumer agents must have one; null if they need none
 * @param heartbeatMs    between PINGs
 * @param writeTimeoutMs in which a consumer agent may read nothing of its answers
 * @param errorsStack    whether the answer about an exception of the service has its stack
 */
public record MeshSettings(
        int maxConnections,
        int maxOpening,
        int maxFrame,
        int tableSize,
        Path tokens,
        long heartbeatMs,
        long writeTimeoutMs,
        boolean errorsStack) {
    public static MeshSettings from(Settings settings) {
        return new MeshSettings(
                settings.integer("mesh.max-connections", 1, 1_000_000),
                settings.integer("mesh.max-opening", 1, 1_000_000),
                settings.size("mesh.max-frame", 4096, 1 << 30),
                settings.integer("mesh.table-size", 0, 1 << 20),
                settings.path(MeshTokenFile.SETTING),
                settings.millis("mesh.heartbeat"),
                settings.millis("mesh.write-timeout"),
                settings.flag("errors.stack"));
    }
}
