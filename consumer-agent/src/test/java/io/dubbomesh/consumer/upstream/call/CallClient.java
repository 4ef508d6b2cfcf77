package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.Outcome;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The client of a call: keeps what it is answered, and may leave. */
final class CallClient implements Responder {
    private final BlockingQueue<Outcome> answers = new LinkedBlockingQueue<>();
    private Cancellation cancellation;

    BlockingQueue<Outcome> answers() {
        return answers;
    }

    /** Returns whether the end of its connection is reported to the call. */
    boolean isFollowed() {
        return cancellation != null;
    }

    /** Ends what waits for it. */
    void leave() {
        if (answers.isEmpty() && cancellation != null) {
            cancellation.cancelled();
        }
    }

    @Override
    public void observe(Observer ignored) {}

    @Override
    public void respond(Response response) {
        answers.add(response.outcome());
    }

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
