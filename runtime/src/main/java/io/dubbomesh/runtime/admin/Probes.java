package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.PrintableText;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * {@code /healthz} and {@code /readyz}, which answer beside all other pages: the first on the event loop, the second
 * on a thread of its own, since the agent's event loops are asked. One question answers all requests that have come
 * before it, so that no number of requests makes a probe wait for more than two.
 */
final class Probes {
    private final Supplier<Readiness> readiness;
    private final Executor thread;
    private final List<AdminConnection> waiting = new ArrayList<>();
    private boolean asking;

    Probes(Supplier<Readiness> readiness, Executor thread) {
        this.readiness = readiness;
        this.thread = thread;
    }

    static PageAnswer health() {
        return PageAnswer.line(200, "ok");
    }

    void askReadiness(AdminConnection connection) {
        synchronized (this) {
            waiting.add(connection);
            if (asking) {
                return;
            }
            asking = true;
        }
        try {
            thread.execute(this::answerAll);
        } catch (RuntimeException | OutOfMemoryError e) {
            // The server is closed, or the system has no thread left.
            answer(take(), PageAnswer.line(503, "the agent cannot be asked: " + PrintableText.brief(e.toString())));
        }
    }

    private void answerAll() {
        List<AdminConnection> asked = take();
        PageAnswer answer;
        try {
            Readiness now = readiness.get();
            answer = PageAnswer.line(now.isReady() ? 200 : 503, PrintableText.of(now.text()));
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            answer = PageAnswer.line(503, PrintableText.brief(e.toString()));
        }
        answer(asked, answer);
    }

    private synchronized List<AdminConnection> take() {
        List<AdminConnection> taken = List.copyOf(waiting);
        waiting.clear();
        asking = false;
        return taken;
    }

    private static void answer(List<AdminConnection> connections, PageAnswer answer) {
        connections.forEach(connection -> connection.answer(answer));
    }
}
