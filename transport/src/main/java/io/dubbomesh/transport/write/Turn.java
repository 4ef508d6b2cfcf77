package io.dubbomesh.transport.write;

import io.netty.channel.EventLoop;

import java.util.ArrayList;

/**
 * One turn of an event loop, from reading what is there to waiting for more: what is written during a turn is flushed once at its end,
 * whatever it is, so that no write waits for later traffic. Owned by the loop.
 */
public final class Turn implements Runnable {
    private final EventLoop loop;
    private final ArrayList<OutboundBatch> written = new ArrayList<>();
    private boolean endIsDue;

    public Turn(EventLoop loop) {
        this.loop = loop;
    }

    void written(OutboundBatch batch) {
        assert loop.inEventLoop();
        written.add(batch);
        if (!endIsDue) {
            endIsDue = true;
            // A loop runs its tasks after it has served all channels that were ready.
            loop.execute(this);
        }
    }

    /** Ends the turn. */
    @Override
    public void run() {
        endIsDue = false;
        // By index: a flush that fails can close a channel, whose handler may write to another one.
        for (int i = 0; i < written.size(); i++) {
            written.get(i).flush();
        }
        written.clear();
    }
}
