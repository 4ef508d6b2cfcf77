package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.CallException;

import java.net.SocketAddress;

/** Takes the response to one request. Everything happens on the event loop of the request's connection. */
public interface Responder {
    /** The listener for the case that the response is not needed any more. */
    @FunctionalInterface
    interface Cancellation {
        /** Called when the client has left. {@link #respond} must not be called from now on. */
        void cancelled();
    }

    /** Called when a request is answered. */
    @FunctionalInterface
    interface Observer {
        /** @param receivedNs when the last byte of the request was read */
        void answered(Response response, long receivedNs);
    }

    /**
     * Loads what {@link #respond} needs into the processor's cache: from level 0 on, which is this itself, each level
     * what the one before it has led to. Changes nothing; returns a number of no meaning.
     */
    default int touch(int level) {
        return 0;
    }

    /** Sets who observes the answer; to be called when it is known what is called. */
    void observe(Observer observer);

    /**
     * Responds; to be called once, during the call that hands the request over or later. The bytes of the response are
     * not kept.
     *
     * @param response is free for reuse afterwards
     */
    void respond(Response response);

    /**
     * Makes room for an answer that is probably large; to be called before the call is sent, so that it is refused
     * rather than executed for nothing. The size learns from the response.
     *
     * @throws CallException if there is no room
     */
    void expect(AnswerSize size) throws CallException;

    /** Returns whether there is room for a response of so many bytes; one that is written without it is replaced. */
    default boolean hasRoomFor(int bytes) {
        return true;
    }

    /**
     * Makes the room that {@link #expect} has not made; to be called before a call is sent that has waited: meanwhile
     * answers may have turned out to be large.
     *
     * @throws CallException if there is no room
     */
    default void expectAgain() throws CallException {}

    /**
     * Returns the name of the client in its verified TLS certificate; empty if it has shown none. Not to be used after
     * the response.
     */
    default String clientName() {
        return "";
    }

    /** Returns the client's address; null if it is not known. Not to be used after the response. */
    default SocketAddress client() {
        return null;
    }

    /** Returns whether the client gets no content, but its length. */
    default boolean isHeadOnly() {
        return false;
    }

    /** Returns the record of the request; null without one, as is usual. Not to be used after the response. */
    CallRecord record();

    /**
     * Has the end of the client's output count as its leaving: it is the only sign of a client that closes its
     * connection, and others, who end their output alone, still wait for the answer.
     */
    default void leavesWithInput() {}

    /**
     * Begins a response in pieces. The end of the client's output counts as its leaving from now on.
     *
     * @param source is called when the client can take more, and, in the place of the {@linkplain #onCancel listener},
     *     if it leaves before the end
     */
    default ResponseStream stream(StreamFormat format, ResponseStream.Source source) {
        throw new UnsupportedOperationException("no response in pieces");
    }

    /** Sets what is called if the client leaves before the response. */
    void onCancel(Cancellation cancellation);
}
