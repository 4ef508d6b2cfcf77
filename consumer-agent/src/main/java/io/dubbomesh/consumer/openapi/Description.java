package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;

import java.util.function.Consumer;

/** Takes the description of a service as a client would. */
public final class Description implements Responder {
    private final MethodName name;
    private final Consumer<Described> listener;

    /** @param listener called once, when the answer is there, from within the processing of that */
    public Description(MethodName name, Consumer<Described> listener) {
        this.name = name;
        this.listener = listener;
    }

    @Override
    public void respond(Response response) {
        if (response.outcome() != Outcome.OK) {
            listener.accept(Described.not(name, response.outcome(), response.reason()));
            return;
        }
        byte[] document = new byte[response.length()];
        response.in().getBytes(response.offset(), document);
        listener.accept(Described.by(name, document));
    }

    @Override
    public void observe(Observer observer) {
        // Nothing is counted: no client has asked for this one.
    }

    @Override
    public void expect(AnswerSize size) {
        // The descriptions of one document are bounded together.
    }

    @Override
    public CallRecord record() {
        return null;
    }

    @Override
    public void onCancel(Cancellation cancellation) {
        // It is taken even if the client has left.
    }
}
