package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.http.response.StreamFormat;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.io.ByteArrayOutputStream;

import static org.assertj.core.api.Assertions.assertThat;

/** A client that asks for a document. */
final class Client implements Responder, ResponseStream {
    final ByteArrayOutputStream received = new ByteArrayOutputStream();
    boolean isHeadOnly;
    /** The pieces that it takes before it blocks its source. */
    int window = Integer.MAX_VALUE;
    /** The outcome of the response; null before it. */
    Outcome outcome;

    int length;
    int pieces;
    private Cancellation cancellation;
    private Source source;
    private boolean blocked;

    void leave() {
        Cancellation left = cancellation;
        cancellation = null;
        left.cancelled();
    }

    /** Takes one more piece. */
    void resume() {
        window++;
        if (blocked) {
            blocked = false;
            source.resumed();
        }
    }

    @Override
    public void respond(Response response) {
        assertThat(outcome).as("responded twice").isNull();
        outcome = response.outcome();
        length = response.length();
        if (!isHeadOnly && source == null) {
            received.writeBytes(ByteBufUtil.getBytes(response.in(), response.offset(), length));
        }
    }

    @Override
    public ResponseStream stream(StreamFormat format, Source of) {
        assertThat(format).isEqualTo(StreamFormat.DOCUMENT);
        source = of;
        cancellation = of;
        return this;
    }

    @Override
    public boolean write(ByteBuf in, int offset, int bytes) {
        assertThat(outcome).as("a piece behind the end").isNull();
        received.writeBytes(ByteBufUtil.getBytes(in, offset, bytes));
        pieces++;
        blocked = --window <= 0;
        return !blocked;
    }

    @Override
    public boolean isBlocked() {
        return blocked;
    }

    @Override
    public boolean isHeadOnly() {
        return isHeadOnly;
    }

    @Override
    public void onCancel(Cancellation listener) {
        cancellation = listener;
    }

    @Override
    public void observe(Observer observer) {
        // No test looks at when it was answered.
    }

    @Override
    public void expect(AnswerSize size) {
        // There is room.
    }

    @Override
    public CallRecord record() {
        return null;
    }
}
