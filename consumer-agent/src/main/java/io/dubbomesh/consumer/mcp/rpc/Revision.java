package io.dubbomesh.consumer.mcp.rpc;

import java.util.List;

/**
 * The revisions of the Model Context Protocol (modelcontextprotocol.io/specification) that are spoken, by their dates.
 * Since {@link #MODERN} each request has its version with it, and there is no handshake; what a client needs of the
 * earlier ones, which begin with {@code initialize}, is the same for tools.
 */
public final class Revision {
    public static final String MODERN = "2026-07-28";
    public static final String LEGACY = "2025-11-25";

    /** The newest first. The one before, 2025-03-26, has batches, which a server of it must take. */
    public static final List<String> SUPPORTED = List.of(MODERN, LEGACY, "2025-06-18");

    private Revision() {}

    /** Returns whether clients of this revision initialize first. */
    public static boolean isLegacy(String version) {
        return SUPPORTED.contains(version) && !version.equals(MODERN);
    }

    /** Returns the revision that an {@code initialize} for this one, or for none, agrees on. */
    public static String agreed(String requested) {
        return requested != null && isLegacy(requested) ? requested : LEGACY;
    }
}
