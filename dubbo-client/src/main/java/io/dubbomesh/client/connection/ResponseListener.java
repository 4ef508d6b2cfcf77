package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/** Gets the responses to the calls of a connection, and its end, on the event loop that owns it. */
public interface ResponseListener {
    /**
     * Called when the provider has answered: the frame starts at {@code offset} and is valid during the call only.
     *
     * @return whether a call on this connection waited for it
     */
    boolean answered(ProviderConnection connection, ByteBuf in, int offset);

    /**
     * Called with a message of a {@linkplain ProviderConnection#stream stream}: the frame of an answer with it starts
     * at {@code offset} and is valid during the call only.
     *
     * @param windowBytes that the provider sends no more of before they are {@linkplain ProviderConnection#consumed
     *     consumed}
     */
    default void message(ProviderConnection connection, ByteBuf in, int offset, int windowBytes) {
        throw new UnsupportedOperationException("no streams");
    }

    /** Called when the provider has ended a stream and nothing has failed. */
    default void streamEnded(ProviderConnection connection, long requestId) {
        throw new UnsupportedOperationException("no streams");
    }

    /**
     * Called when the provider has certainly not executed a call.
     *
     * @param unavailability why the provider takes no calls now; null if it has too many
     */
    void notExecuted(ProviderConnection connection, long requestId, String unavailability);

    /** Called when a call has ended without an answer, and may have been executed. */
    void failed(ProviderConnection connection, long requestId, Outcome outcome, String detail);

    /** Called when the connection, which could not, can carry so many calls more. */
    void hasRoom(ProviderConnection connection, int calls);

    /** Returns whether a call on this connection is not answered yet. */
    boolean awaitsAnswers(ProviderConnection connection);

    /**
     * Called when some time has passed in which the provider has sent something, see {@link
     * ProviderConnection#checks()}.
     */
    void checked(ProviderConnection connection);

    /** Called when the connection is gone; what its last batch held was not sent. */
    void connectionLost(ProviderConnection connection, String reason);
}
