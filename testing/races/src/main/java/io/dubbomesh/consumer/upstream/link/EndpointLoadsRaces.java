package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two event loops at one {@link EndpointLoads}: they see each other's calls, and an address stays as long as one of
 * them uses it.
 */
public class EndpointLoadsRaces {
    private static final EndpointId ADDRESS = EndpointProtocol.DUBBO.at("192.0.2.1", 20880);

    private EndpointLoadsRaces() {}

    @JCStressTest
    @Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "both count, and nothing is left when both have closed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the loops have two loads, or one is left")
    @State
    public static class BothOpen {
        private final EndpointLoads loads = new EndpointLoads(2);

        @Actor
        public void one() {
            loads.open(ADDRESS).set(0, 3);
        }

        @Actor
        public void other() {
            loads.open(ADDRESS).set(1, 4);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = loads.open(ADDRESS).total();
            for (int i = 0; i < 3; i++) {
                loads.close(ADDRESS);
            }
            r.r2 = loads.size();
        }
    }

    @JCStressTest
    @Outcome(id = "4, 1", expect = Expect.ACCEPTABLE, desc = "the load that was opened is the one that others get")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a load that is in use was removed")
    @State
    public static class OneOpensWhileTheOtherCloses {
        private final EndpointLoads loads = new EndpointLoads(2);

        public OneOpensWhileTheOtherCloses() {
            loads.open(ADDRESS);
        }

        @Actor
        public void close() {
            loads.close(ADDRESS);
        }

        @Actor
        public void open() {
            loads.open(ADDRESS).set(1, 4);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = loads.open(ADDRESS).total();
            loads.close(ADDRESS);
            r.r2 = loads.size();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"10, 10", "10, 11", "10, 12", "11, 11", "11, 12", "12, 12"},
            expect = Expect.ACCEPTABLE,
            desc = "what the other loop wrote, in its order")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a number that was never written, or an older one after a newer one")
    @State
    public static class OneWritesWhileTheOtherReads {
        private final EndpointLoads.Load load = new EndpointLoads(2).open(ADDRESS);

        public OneWritesWhileTheOtherReads() {
            load.set(1, 10);
        }

        @Actor
        public void write() {
            load.set(0, 1);
            load.set(0, 2);
        }

        @Actor
        public void read(II_Result r) {
            r.r1 = load.total();
            r.r2 = load.total();
        }
    }
}
