package io.dubbomesh.provider.dubbo;

/** Is told of changes of the provider, as one event loop sees it, on that loop. */
public interface UpstreamListener {
    /** The provider takes calls, or no longer, or whether it does is being found out. */
    void stateChanged();

    /** The provider, which takes calls, has fallen silent, or is heard again. */
    void silenceChanged();

    /** The provider reads what is written to it, or no longer. */
    void writabilityChanged();
}
