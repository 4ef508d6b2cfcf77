package io.dubbomesh.chaos.provider;

/** A connection from an agent. Its calls are answered by any thread. */
interface ProviderConnection {
    /** Answers a call with what its method returns. */
    void answer(ProviderCall call);

    /** Says that the call was not executed, as Dubbo does where its pool has no thread left. */
    void refuse(ProviderCall call);

    /** Says that no more calls are to be sent. */
    void endCalls();
}
