package io.dubbomesh.transport.tls;

import io.netty.channel.Channel;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Computes the handshake of one connection beside its event loop. A computation takes a millisecond and more, and
 * every peer can ask for it and close: what has not begun by then is dropped. Used by the event loop.
 */
final class HandshakeTasks implements Executor {
    private final ScheduledThreadPoolExecutor threads;
    private final Channel channel;
    private final Progress progress;
    /** The last task, as there is one at a time; null before the first. */
    private Future<?> last;
    /**
     * Tasks that have not ended: the event loop may have the next one before the thread is done with the one before.
     */
    private int underWay;

    /** Gets what is computed, from the event loop and from the threads. */
    interface Progress {
        /** The progress for a connection to which it makes no difference. */
        Progress IGNORED = new Progress() {
            @Override
            public void computes() {}

            @Override
            public void awaitsPeer() {}
        };

        void computes();

        void awaitsPeer();
    }

    /** @param threads remove what is cancelled */
    HandshakeTasks(ScheduledThreadPoolExecutor threads, Channel channel, Progress progress) {
        this.threads = threads;
        this.channel = channel;
        this.progress = progress;
        channel.closeFuture().addListener(closed -> cancel());
    }

    @Override
    public void execute(Runnable task) {
        if (channel.isOpen()) {
            begins();
            last = threads.submit(() -> {
                try {
                    task.run();
                } finally {
                    ends();
                }
            });
        }
    }

    private synchronized void begins() {
        if (underWay == 0) {
            progress.computes();
        }
        underWay++;
    }

    private synchronized void ends() {
        underWay--;
        if (underWay == 0) {
            progress.awaitsPeer();
        }
    }

    private void cancel() {
        if (last != null) {
            last.cancel(false);
        }
    }
}
