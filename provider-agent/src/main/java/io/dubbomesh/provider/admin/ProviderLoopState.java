package io.dubbomesh.provider.admin;

/**
 * The state of one event loop at one moment; immutable.
 *
 * @param connected whether it has a connection to the provider on which calls are sent
 * @param silent    whether the provider is connected but sends nothing, see the setting {@code dubbo.silence}
 * @param links     from consumer agents
 */
public record ProviderLoopState(
        boolean connected, boolean silent, int links, long memoryHeldBytes, long memoryBudgetBytes) {}
