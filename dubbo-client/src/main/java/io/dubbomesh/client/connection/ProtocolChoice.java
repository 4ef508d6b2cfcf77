package io.dubbomesh.client.connection;

/**
 * The protocol by which a provider is called: one that is known, or of both the one to which the provider answers. One
 * for all event loops. Thread-safe.
 * <pre>
 *   Dubbo 2 --a connection ends, or is silent, before a frame has come--> Triple
 *   Triple ---likewise--------------------------------------------------> Dubbo 2
 * </pre>
 */
public final class ProtocolChoice {
    private final boolean isOpen;
    private volatile ProviderProtocol current;

    private ProtocolChoice(ProviderProtocol first, boolean isOpen) {
        current = first;
        this.isOpen = isOpen;
    }

    /** Returns the choice of a protocol that is known. */
    public static ProtocolChoice of(ProviderProtocol known) {
        return new ProtocolChoice(known, false);
    }

    /** Returns the choice of the one to which the provider answers, which is asked by this one first. */
    public static ProtocolChoice either(ProviderProtocol first) {
        return new ProtocolChoice(first, true);
    }

    /** Returns whether the other protocol is tried where the provider does not answer. */
    public boolean isOpen() {
        return isOpen;
    }

    /** Returns the protocol of the next connection. */
    public ProviderProtocol current() {
        return current;
    }

    /** Called when a provider has accepted a connection, and has sent no frame of this protocol. */
    void unanswered(ProviderProtocol tried) {
        if (isOpen && current == tried) {
            current = tried == ProviderProtocol.DUBBO ? ProviderProtocol.TRIPLE : ProviderProtocol.DUBBO;
        }
    }
}
