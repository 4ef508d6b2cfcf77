package io.dubbomesh.client.connection;

import io.dubbomesh.client.watch.ProviderWatch;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.ChannelHandler;

/**
 * One connection to the provider, as the {@link ConnectionListener} uses it that has opened it. Its {@link
 * ProviderWatch} tells of the provider's silence by it.
 */
interface UpstreamConnection extends ProviderConnection, ProviderWatch.Watched {
    /** Makes the connections of a protocol. */
    interface Factory {
        UpstreamConnection create(
                ConnectionListener listener, ResponseListener responses, Turn turn, DubboSettings settings);
    }

    /** Returns what reads the channel. */
    ChannelHandler handler();

    /** Returns what watches the connection; null before it is open. */
    ProviderWatch watch();

    /** Returns what has opened the connection. */
    ConnectionListener listener();

    /** Returns what gets the responses. */
    ResponseListener responses();

    /** Returns what is sent to have a provider answer, for messages. */
    String heartbeat();

    /** Returns whether the provider reads what is written to it, and takes more calls. */
    boolean isWritable();

    /** Returns how many calls the provider takes on this connection at once, as far as it has said. */
    int maxCalls();

    /**
     * Sends what waits in the batch. Returns whether the system has taken everything, and the connection can be closed
     * without the loss of a one-way call.
     */
    @Override
    boolean flush();

    @Override
    void close(String reason);

    @Override
    default int checks() {
        return watch().checks();
    }

    @Override
    default long checkIntervalMs() {
        return watch().checkIntervalMs();
    }

    @Override
    default void checked() {
        responses().checked(this);
    }

    @Override
    default void onSilence() {
        listener().onSilence(this);
    }

    @Override
    default void onSign() {
        listener().onSign(this);
    }

    @Override
    default void onIdle() {
        listener().onIdle(this);
    }
}
