package io.dubbomesh.registry;

import java.util.concurrent.CompletableFuture;

/**
 * One agent's entry in the registry, under every service that it serves. Once announced it is kept there whatever happens to
 * the registry or to the entry: written again when it was lost, and when its weight was changed by hand, kept with that
 * weight. Every method may be called from any thread, and none but {@link #close()} waits.
 */
public interface Registration extends AutoCloseable {
    /** Makes the agent known, now or as soon as the registry can be reached. */
    void announce();

    /**
     * Takes the agent out of the registry, until it is announced again.
     *
     * @return completed, by the registry's own thread, once no entry is left; cancelled by a later {@link #announce()}, or by
     *     {@link #close()} if the registry could not be reached
     */
    CompletableFuture<Void> withdraw();

    /** The weight now in force: the advertised one, or what was last set by hand. */
    int weight();

    /** Whether the agent stands in the registry, as far as is known: the registry being away changes nothing. */
    boolean announced();

    /** Withdraws, and revokes the lease; gives up after two seconds if the registry does not answer. */
    @Override
    void close();
}
