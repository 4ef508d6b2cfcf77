package io.dubbomesh.registry.nacos;

/**
 * The intervals of everything that concerns Nacos.
 *
 * @param listMs     between two lists of the names of services, by which new ones are found
 * @param giveUpMs how long a name that the list has no more stays, and an instance that is missing after an outage: a
 *     server that was started anew learns them from providers
 * @param retryMinMs the pause after a first failure; doubles
 * @param retryMaxMs up to this
 */
record NacosTimes(long listMs, long giveUpMs, long retryMinMs, long retryMaxMs) {
    static final NacosTimes DEFAULT = new NacosTimes(5_000, 30_000, 500, 5_000);
}
