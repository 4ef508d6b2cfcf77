package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.SlowClients;
import io.dubbomesh.chaos.load.SlowClients.Ends;
import io.dubbomesh.chaos.load.SlowClients.Manner;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.util.ArrayList;
import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;

/** Clients that upload 60 KB at 15 KB/s, a new one every so often. */
final class Uploads {
    private static final int BYTES = 60_000;
    private static final int SECONDS = 4;
    private static final int TICK_MS = 100;
    /** After the last one has begun. */
    private static final int TO_END_SECONDS = 20;

    private final Site site;
    private final Part target;
    private final List<SlowClients> begun = new ArrayList<>();

    Uploads(Site site, Part target) {
        this.site = site;
        this.target = target;
    }

    /** Begins so many, ten at a time, and waits for their answers. */
    void run(int count, int perSecond) throws Exception {
        int atOnce = 10;
        for (int i = 0; i < count; i += atOnce) {
            begun.add(site.closed(SlowClients.start(target.address(), atOnce, Manner.upload(BYTES, SECONDS, TICK_MS))));
            pause((double) atOnce / perSecond);
        }
        for (SlowClients each : begun) {
            each.await(TO_END_SECONDS);
        }
    }

    /** Returns how all of them have ended. */
    Ends ends() {
        Ends sum = new Ends(0, 0, 0, 0, 0);
        for (SlowClients each : begun) {
            Ends ends = each.ends();
            sum = new Ends(
                    sum.good() + ends.good(),
                    sum.refused() + ends.refused(),
                    sum.cut() + ends.cut(),
                    sum.present() + ends.present(),
                    sum.wrong() + ends.wrong());
        }
        return sum;
    }
}
