package io.dubbomesh.client.connection;

import io.dubbomesh.transport.write.Turn;
import io.netty.channel.ChannelHandler;

/** One connection to the provider, as the {@link ConnectionListener} uses it that has opened it. */
interface UpstreamConnection extends ProviderConnection {
    /** Makes the connections of a protocol. */
    interface Factory {
        UpstreamConnection create(
                ConnectionListener listener, ResponseListener responses, Turn turn, DubboSettings settings);
    }

    /** Returns what reads the channel. */
    ChannelHandler handler();

    /** Returns what is sent to have a provider answer, for messages. */
    String heartbeat();

    /** Returns whether the provider gets no calls on this connection before a frame has come. */
    boolean isSilent();

    /** Returns whether the provider reads what is written to it, and takes more calls. */
    boolean isWritable();

    /** Returns how many calls the provider takes on this connection at once, as far as it has said. */
    int maxCalls();

    /** Returns whether a frame has come. */
    boolean hasReceived();

    /** Returns whether the provider has answered a call. */
    boolean hasAnswered();

    /** Sets whether the connection is closed as soon as all calls are answered; it gets no new ones meanwhile. */
    void closeWhenIdle(boolean closes);

    /** Asks for a frame, before which the provider gets no calls. */
    void expectFrame();

    /**
     * Sends what waits in the batch. Returns whether the system has taken everything, and the connection can be closed
     * without the loss of a one-way call.
     */
    boolean flush();
}
