package io.dubbomesh.registry.file;

/**
 * @param pollMs  between two looks at the folder
 * @param touchMs between two signs of life of an agent
 * @param staleMs after which an agent that gave none is taken for dead
 */
record FileTimes(long pollMs, long touchMs, long staleMs) {
    static final FileTimes DEFAULT = new FileTimes(200, 5_000, 15_000);
}
