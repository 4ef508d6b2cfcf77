package io.dubbomesh.benchmark.simulate.world;

import java.util.function.LongSupplier;

/** Calls that take their time, however many there are: they wait for something else than the processor. */
public final class Sleeping implements Service {
    private final Timeline timeline;
    private final LongSupplier durationNs;
    private int life;

    public Sleeping(Timeline timeline, LongSupplier durationNs) {
        this.timeline = timeline;
        this.durationNs = durationNs;
    }

    @Override
    public void begin(Runnable done) {
        int begunIn = life;
        timeline.after(durationNs.getAsLong(), () -> {
            if (begunIn == life) {
                done.run();
            }
        });
    }

    @Override
    public void kill() {
        life++;
    }
}
