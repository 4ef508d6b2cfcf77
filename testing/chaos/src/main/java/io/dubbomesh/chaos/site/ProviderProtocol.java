package io.dubbomesh.chaos.site;

import java.util.List;

/** The protocol by which the providers of a site are called. */
public enum ProviderProtocol {
    /** Dubbo 2. */
    DUBBO(List.of(), List.of()),
    TRIPLE(List.of("-Dprotocol=tri"), List.of("-Ddubbo.protocol.name=tri"));

    private final List<String> provider;
    private final List<String> agent;

    ProviderProtocol(List<String> provider, List<String> agent) {
        this.provider = provider;
        this.agent = agent;
    }

    /** Returns the settings of a provider, stub or not. */
    List<String> providerSettings() {
        return provider;
    }

    /** Returns the settings of a provider agent. */
    List<String> agentSettings() {
        return agent;
    }
}
