package io.dubbomesh.registry.file;

/**
 * The intervals of a {@code file:} registry.
 *
 * @param pollMs  between two scans of the folder
 * @param touchMs between two touches of an agent's files
 * @param staleMs after which a file that was not touched is ignored
 */
record FileTimes(long pollMs, long touchMs, long staleMs) {
    static final FileTimes DEFAULT = new FileTimes(200, 5_000, 15_000);
}
