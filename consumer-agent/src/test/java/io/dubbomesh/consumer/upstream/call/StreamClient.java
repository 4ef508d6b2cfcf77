package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.http.response.StreamFormat;
import io.dubbomesh.consumer.record.CallRecord;
import io.netty.buffer.ByteBuf;

import java.util.Queue;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The client of a call that takes a stream: writes down what it gets, and takes more or not. */
final class StreamClient implements Responder, ResponseStream {
    private final Queue<String> events;
    private Cancellation cancellation;
    private Source source;
    private boolean blocked;

    StreamClient(Queue<String> events) {
        this.events = events;
    }

    Source source() {
        return source;
    }

    void block(boolean now) {
        blocked = now;
    }

    /** Leaves before the stream was opened. */
    void leave() {
        cancellation.cancelled();
    }

    @Override
    public ResponseStream stream(StreamFormat format, Source of) {
        source = of;
        events.add("opened " + format);
        return this;
    }

    @Override
    public boolean write(ByteBuf in, int offset, int length) {
        events.add("message " + in.toString(offset, length, UTF_8));
        return !blocked;
    }

    @Override
    public boolean isBlocked() {
        return blocked;
    }

    @Override
    public void respond(Response response) {
        events.add(response.outcome().name());
    }

    @Override
    public void observe(Observer ignored) {}

    @Override
    public void expect(AnswerSize ignored) {}

    @Override
    public CallRecord record() {
        return null;
    }

    @Override
    public void onCancel(Cancellation callback) {
        cancellation = callback;
    }
}
