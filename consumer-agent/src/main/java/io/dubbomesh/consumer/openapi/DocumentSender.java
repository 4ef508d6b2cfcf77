package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.http.response.StreamFormat;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/**
 * Sends large documents, which are compressed, in pieces: one in a turn, so that calls between them do not wait, and no
 * more than the client takes. Few are being sent at a time, since each takes memory. Owned by one event loop.
 */
final class DocumentSender {
    /** The documents that are being sent at a time: each takes about 50 KB beside its piece. */
    static final int AT_ONCE = 16;

    /** The documents that wait, are sent or are blocked at a time. */
    static final int MAX_OPEN = 128;

    static final int PIECE = 32 * 1024;

    private final Response response;
    private final Executor eventLoop;
    private final byte[] piece = new byte[PIECE];
    private final ByteBuf wrapped = Unpooled.wrappedBuffer(piece);
    private final Deque<Sending> waiting = new ArrayDeque<>();
    private int sending;
    private int open;

    /**
     * @param response  of the loop
     * @param eventLoop runs each task in a later turn
     */
    DocumentSender(Response response, Executor eventLoop) {
        this.response = response;
        this.eventLoop = eventLoop;
    }

    /** Sends a document: in a later turn, if it is large. */
    void send(Document document, Responder responder) {
        if (!document.isCompressed() || responder.isHeadOnly()) {
            ByteBuf content =
                    document.isCompressed() ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(document.bytes());
            responder.respond(response.set(Outcome.OK, Response.Content.OPENAPI, content, 0, 0, document.length()));
            return;
        }
        if (open == MAX_OPEN) {
            responder.respond(response.problem(
                    Outcome.OVERLOADED, "as many OpenAPI documents are being sent as may be at a time: " + MAX_OPEN));
            return;
        }
        open++;
        Sending next = new Sending(document, responder);
        responder.onCancel(next);
        waiting.add(next);
        begin();
    }

    private void begin() {
        while (sending < AT_ONCE && !waiting.isEmpty()) {
            sending++;
            waiting.remove().begin();
        }
    }

    /**
     * A document on its way to one client.
     * <pre>
     *   WAITING  to SENDING when few others are on their way
     *   SENDING  to BLOCKED when the client takes no more for now
     *            to ENDED with the last piece
     *   BLOCKED  to SENDING when the client takes more
     * </pre>
     * and each of them to ENDED when the client leaves. A blocked one is none of those that are being sent, so that
     * clients which take nothing keep no others waiting.
     */
    private final class Sending implements ResponseStream.Source {
        private enum State {
            WAITING,
            SENDING,
            BLOCKED,
            ENDED
        }

        private final Document document;
        private final Responder responder;
        private State state = State.WAITING;
        /** Null while it waits. */
        private DocumentReader reader;
        /** Null while it waits. */
        private ResponseStream stream;

        Sending(Document document, Responder responder) {
            this.document = document;
            this.responder = responder;
        }

        void begin() {
            state = State.SENDING;
            reader = new DocumentReader(document);
            stream = responder.stream(StreamFormat.DOCUMENT, this);
            eventLoop.execute(this::sendPiece);
        }

        private void sendPiece() {
            if (state != State.SENDING) {
                return;
            }
            int length = reader.read(piece, 0, PIECE);
            boolean mayGoOn = stream.write(wrapped, 0, length);
            if (state != State.SENDING) {
                return;
            }
            if (reader.isAtEnd()) {
                end();
                responder.respond(response.set(Outcome.OK, Response.Content.OPENAPI, Unpooled.EMPTY_BUFFER, 0, 0, 0));
            } else if (mayGoOn) {
                eventLoop.execute(this::sendPiece);
            } else {
                state = State.BLOCKED;
                sending--;
                eventLoop.execute(DocumentSender.this::begin);
            }
        }

        @Override
        public void resumed() {
            if (state == State.BLOCKED) {
                state = State.SENDING;
                sending++;
                eventLoop.execute(this::sendPiece);
            }
        }

        @Override
        public void cancelled() {
            if (state == State.WAITING) {
                waiting.remove(this);
                state = State.ENDED;
                open--;
            } else if (state != State.ENDED) {
                end();
            }
        }

        private void end() {
            sending -= state == State.SENDING ? 1 : 0;
            state = State.ENDED;
            open--;
            reader.close();
            eventLoop.execute(DocumentSender.this::begin);
        }
    }
}
