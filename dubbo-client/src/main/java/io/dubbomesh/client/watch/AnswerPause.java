package io.dubbomesh.client.watch;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.channel.Channel;

import java.util.concurrent.TimeUnit;

/**
 * Leaves answers with the provider while those that were read wait for consumer agents which do not read. One wait
 * stops the reading once, for a second at most: then the answers that do not fit are dropped, so that one consumer
 * agent does not hold up all others. Owned by the channel's event loop.
 * <pre>
 *   READING --answers wait--> PAUSED --they still wait after a second--> OVERDUE
 *                             PAUSED --they do not wait any more-------> READING
 *                             OVERDUE --a read after which none waits--> READING
 * </pre>
 * In PAUSED the channel is not read, and it is looked every 10 ms whether answers still wait.
 */
public final class AnswerPause {
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long POLL_MS = 10;

    public enum State {
        READING,
        PAUSED,
        OVERDUE
    }

    private final Channel channel;
    private final MemoryBudget memory;
    private State state = State.READING;

    public AnswerPause(Channel channel, MemoryBudget memory) {
        this.channel = channel;
        this.memory = memory;
    }

    public State state() {
        return state;
    }

    /** Called behind each read of the channel. */
    public void onReadComplete() {
        if (state == State.PAUSED) {
            return;
        }
        if (!answersWait()) {
            state = State.READING;
        } else if (state == State.READING) {
            state = State.PAUSED;
            channel.config().setAutoRead(false);
            poll(nowNs());
        }
    }

    private boolean answersWait() {
        return memory.used(Use.ANSWERS) > memory.capacity() / 2;
    }

    private void poll(long sinceNs) {
        boolean wait = answersWait();
        if (!wait || nowNs() - sinceNs > LONGEST_NS) {
            // Before the next read, which may be in this call.
            state = wait ? State.OVERDUE : State.READING;
            channel.config().setAutoRead(true);
        } else {
            channel.eventLoop().schedule(() -> poll(sinceNs), POLL_MS, TimeUnit.MILLISECONDS);
        }
    }

    private long nowNs() {
        return channel.eventLoop().ticker().nanoTime();
    }
}
