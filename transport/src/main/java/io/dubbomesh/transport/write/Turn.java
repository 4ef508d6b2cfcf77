package io.dubbomesh.transport.write;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.channel.EventLoop;

import java.util.ArrayList;

/**
 * One turn of an event loop, from reading what is there to waiting for more: what is written during a turn is flushed
 * once at its end, whatever it is, so that no write waits for later traffic. What a peer does not take then counts in
 * the loop's budget. Owned by the loop.
 */
public final class Turn implements Runnable {
    private final EventLoop loop;
    private final MemoryBudget memory;
    private final ArrayList<OutboundBatch> written = new ArrayList<>();
    private Runnable beforeFlush = () -> {};
    private boolean endIsDue;
    private long ended;

    public Turn(EventLoop loop, MemoryBudget memory) {
        this.loop = loop;
        this.memory = memory;
    }

    /** For what is not part of an agent. */
    public Turn(EventLoop loop) {
        this(loop, MemoryBudget.unlimited());
    }

    /** The budget of the loop. */
    public MemoryBudget memory() {
        return memory;
    }

    /** Has this run at the end of each turn, before what was written in it is flushed. */
    public void beforeFlush(Runnable action) {
        beforeFlush = action;
    }

    void written(OutboundBatch batch) {
        assert loop.inEventLoop();
        written.add(batch);
        require();
    }

    /** Has the turn end even if nothing is written in it. */
    public void require() {
        if (!endIsDue) {
            endIsDue = true;
            // A loop runs its tasks after it has served all channels that were ready.
            loop.execute(this);
        }
    }

    /** The number of this turn, which no other one has; has the turn end, so that the next one has another number. */
    public long number() {
        require();
        return ended;
    }

    /** Ends the turn. */
    @Override
    public void run() {
        endIsDue = false;
        ended++;
        beforeFlush.run();
        // By index: a flush that fails can close a channel, whose handler may write to another one.
        for (int i = 0; i < written.size(); i++) {
            written.get(i).flush();
        }
        written.clear();
    }
}
