package io.dubbomesh.provider.mesh;

import io.dubbomesh.runtime.settings.Settings;

/**
 * The links from consumer agents.
 *
 * @param maxConnections of the whole agent, without those that have not sent their HELLO
 * @param maxOpening     connections that have not sent their HELLO, of the whole agent
 * @param maxFrame       bytes of the longest frame, header included
 * @param tableSize      method ids that a consumer agent may define on one link
 * @param heartbeatMs    between PINGs
 * @param errorsStack    whether the answer about an exception of the service has its stack
 */
public record MeshSettings(
        int maxConnections, int maxOpening, int maxFrame, int tableSize, long heartbeatMs, boolean errorsStack) {
    public static MeshSettings from(Settings settings) {
        return new MeshSettings(
                settings.integer("mesh.max-connections", 1, 1_000_000),
                settings.integer("mesh.max-opening", 1, 1_000_000),
                settings.size("mesh.max-frame", 4096, 1 << 30),
                settings.integer("mesh.table-size", 0, 1 << 20),
                settings.millis("mesh.heartbeat"),
                settings.flag("errors.stack"));
    }
}
