package io.dubbomesh.transport.write;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.channel.EventLoop;

import java.util.ArrayDeque;
import java.util.ArrayList;

/**
 * One turn of an event loop, from reading what is there to waiting for more. A turn ends with the work that its
 * completions have made possible, and then flushes once what was written in it, so that no write waits for later
 * traffic. What a peer does not take then counts in the loop's budget. Owned by the loop.
 *
 * <p>An answer, a deadline or a freed permit takes no new request on its own stack: a consumer that may go on is made
 * {@linkplain #ready ready}.
 */
public final class Turn implements Runnable {
    /**
     * The batches of {@linkplain OutboundBatch#isOneOfMany many connections} that are flushed together: few enough that
     * what was touched to write them is still in the processor's cache, and enough that the code which writes and that
     * of the system, which sends, do not replace each other with each of them.
     */
    private static final int GROUP = 16;
    /** Work beyond this is done in the next turn, so that what is written does not wait for it. */
    private static final int MAX_READY = 4096;

    private final EventLoop loop;
    private final MemoryBudget memory;
    private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
    private final ArrayList<OutboundBatch> written = new ArrayList<>();
    /** The batches of clients that are not flushed yet. */
    private final OutboundBatch[] group = new OutboundBatch[GROUP];

    private int grouped;
    /** Whether these are being flushed; what is written meanwhile is no part of the group. */
    private boolean flushingGroup;

    private Runnable beforeFlush = () -> {};
    private boolean endIsDue;
    private long ended;

    public Turn(EventLoop loop, MemoryBudget memory) {
        this.loop = loop;
        this.memory = memory;
    }

    /** Makes one for tests and tools, which have no budget. */
    public Turn(EventLoop loop) {
        this(loop, MemoryBudget.unlimited());
    }

    public EventLoop eventLoop() {
        return loop;
    }

    /** Returns the budget of the loop. */
    public MemoryBudget memory() {
        return memory;
    }

    /** Has this run at the end of each turn, before what was written in it is flushed. */
    public void beforeFlush(Runnable action) {
        beforeFlush = action;
    }

    /**
     * Runs an action at the end of this turn, after those that were ready before it, and before the flush. An action
     * that is made ready by another one runs in the same turn, up to a bound. Two in a row that are the same object run
     * once.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the loop has ended; then the action is not run
     */
    public void ready(Runnable action) {
        assert loop.inEventLoop();
        if (ready.peekLast() != action) {
            require();
            ready.addLast(action);
        }
    }

    void written(OutboundBatch batch) {
        assert loop.inEventLoop();
        if (batch.isOneOfMany() && !flushingGroup) {
            if (grouped == GROUP) {
                flushGroup();
            }
            group[grouped++] = batch;
        } else {
            written.add(batch);
        }
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

    /**
     * Returns the number of this turn, which no other one has; has the turn end, so that the next one has another
     * number.
     */
    public long number() {
        require();
        return ended;
    }

    /** Ends the turn. */
    @Override
    public void run() {
        try {
            runReady();
        } finally {
            endIsDue = false;
            ended++;
            try {
                flush();
            } finally {
                if (!ready.isEmpty() || !written.isEmpty() || grouped > 0) {
                    require();
                }
            }
        }
    }

    private void runReady() {
        for (int i = 0; i < MAX_READY && !ready.isEmpty(); i++) {
            ready.pollFirst().run();
        }
    }

    private void flush() {
        beforeFlush.run();
        // Counted by index: a flush that fails can close a channel, whose handler may write to another one.
        for (int i = 0; i < written.size(); i++) {
            written.get(i).flush();
        }
        written.clear();
        flushGroup();
    }

    private void flushGroup() {
        int flushed = 0;
        flushingGroup = true;
        try {
            while (flushed < grouped) {
                group[flushed++].flush();
            }
        } finally {
            flushingGroup = false;
            while (flushed < grouped) {
                // They stand behind one whose flush has failed, and are flushed at the end of the turn.
                written.add(group[flushed++]);
            }
            grouped = 0;
        }
    }
}
