package io.dubbomesh.demo.dubbo3;

import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends streams by threads of its own, as a service does whose messages come from elsewhere. */
final class DemoTicker implements TickerService {
    private final AtomicInteger cancelled = new AtomicInteger();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "ticker");
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public void tick(Wish wish, StreamObserver<Tick> ticks) {
        AtomicBoolean ended = new AtomicBoolean();
        // Dubbo 3.3 tells it so, and refuses no messages; older versions do both.
        RpcContext.getCancellationContext().addListener(context -> cancelled(ended));
        send(wish, 0, ticks, ended);
    }

    private void cancelled(AtomicBoolean ended) {
        if (ended.compareAndSet(false, true)) {
            cancelled.incrementAndGet();
        }
    }

    private void send(Wish wish, int first, StreamObserver<Tick> ticks, AtomicBoolean ended) {
        try {
            for (int number = first; number < wish.getCount() && !ended.get(); number++) {
                Tick tick = new Tick();
                tick.setNumber(number);
                tick.setText("x".repeat(wish.getLength()));
                ticks.onNext(tick);
                if (wish.getPauseMs() > 0) {
                    int next = number + 1;
                    threads.schedule(() -> send(wish, next, ticks, ended), wish.getPauseMs(), TimeUnit.MILLISECONDS);
                    return;
                }
            }
        } catch (RuntimeException e) {
            cancelled(ended);
            return;
        }
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        if (wish.isFailing()) {
            ticks.onError(new IllegalStateException("no more ticks"));
        } else {
            ticks.onCompleted();
        }
    }

    @Override
    public void words(String text, StreamObserver<String> words) {
        for (String word : text.split(" ")) {
            words.onNext(word);
        }
        words.onCompleted();
    }

    @Override
    public StreamObserver<String> chat(StreamObserver<String> answers) {
        return answers;
    }

    @Override
    public int cancelled() {
        return cancelled.get();
    }
}
