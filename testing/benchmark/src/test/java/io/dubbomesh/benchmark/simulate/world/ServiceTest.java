package io.dubbomesh.benchmark.simulate.world;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceTest {
    private final Timeline timeline = new Timeline();
    private final List<String> ended = new ArrayList<>();

    private void begin(Service service, String name) {
        service.begin(() -> ended.add(name + " " + timeline.nowNs()));
    }

    @Test
    void callsThatSleepDoNotDisturbEachOther() {
        Sleeping service = new Sleeping(timeline, () -> 100);
        begin(service, "a");
        timeline.at(50, () -> begin(service, "b"));
        timeline.runUntil(1000);
        assertThat(ended).containsExactly("a 100", "b 150");
    }

    @Test
    void callsThatComputeShareTheCores() {
        SharedCores service = new SharedCores(timeline, 1, () -> 100);
        begin(service, "a");
        timeline.at(50, () -> begin(service, "b"));
        timeline.runUntil(1000);
        // From 50 on each has half a core: a is done at 150, b has a core of its own for its last 50.
        assertThat(ended).containsExactly("a 150", "b 200");
    }

    @Test
    void aCallUsesOneCoreAtMost() {
        SharedCores service = new SharedCores(timeline, 4, () -> 100);
        begin(service, "a");
        begin(service, "b");
        timeline.runUntil(1000);
        assertThat(ended).containsExactly("a 100", "b 100");
    }

    @Test
    void coresMayBecomeFewerInTheMiddleOfACall() {
        SharedCores service = new SharedCores(timeline, 1, () -> 100);
        begin(service, "a");
        timeline.at(50, () -> service.cores(0.5));
        timeline.runUntil(1000);
        assertThat(ended).containsExactly("a 150");
    }

    @Test
    void aGroupThatHasUsedItsQuotaStandsStillUntilItsNextPeriod() {
        Service service = new QuotaHost(timeline, 2, 1000).addGroup(0.35, 600, () -> 200);
        begin(service, "a");
        timeline.at(10, () -> begin(service, "b"));
        timeline.runUntil(3000);
        // Until 180 both have used 350 of 350; at 600 the quota is new.
        assertThat(ended).containsExactly("a 620", "b 630");
    }

    @Test
    void groupsThatHaveWorkShareTheProcessorsAlike() {
        QuotaHost host = new QuotaHost(timeline, 2, 100_000);
        Service many = host.addGroup(1, 0, () -> 100);
        Service one = host.addGroup(1, 0, () -> 100);
        begin(many, "a");
        begin(many, "b");
        begin(many, "c");
        begin(many, "d");
        begin(one, "e");
        timeline.runUntil(3000);
        // One processor for the call of its own; what it leaves is the others' after 100.
        assertThat(ended).containsExactly("e 100", "a 250", "b 250", "c 250", "d 250");
    }

    @Test
    void callsBeyondTheThreadsWaitInOrder() {
        ThreadPool service = new ThreadPool(2, new Sleeping(timeline, () -> 100));
        begin(service, "a");
        timeline.at(50, () -> begin(service, "b"));
        timeline.at(60, () -> begin(service, "c"));
        timeline.at(70, () -> begin(service, "d"));
        timeline.runUntil(1000);
        assertThat(ended).containsExactly("a 100", "b 150", "c 200", "d 250");
    }

    @Test
    void aLostCallEndsOnceAndItsProcessMayStartAgain() {
        Backend backend = new Backend(timeline, 0, 10, new Sleeping(timeline, () -> 100));
        backend.serve((end, load) -> ended.add("a " + end));
        backend.failAfter(100, Backend.End.FAILED);
        backend.serve((end, load) -> ended.add("b " + end + " of " + load.calls()));
        timeline.runUntil(100);
        assertThat(ended).containsExactly("a EXECUTED", "b FAILED of 1");

        backend.serve((end, load) -> ended.add("c " + end));
        backend.kill();
        backend.serve((end, load) -> ended.add("d " + end));
        backend.restart();
        timeline.runUntil(1000);
        assertThat(ended).endsWith("c LOST", "d LOST").hasSize(4);
        assertThat(backend.isAlive()).isTrue();
    }

    @Test
    void callsOfAServiceThatIsKilledNeverEnd() {
        SharedCores computing = new SharedCores(timeline, 1, () -> 100);
        Sleeping sleeping = new Sleeping(timeline, () -> 100);
        begin(computing, "a");
        begin(sleeping, "b");
        computing.kill();
        sleeping.kill();
        timeline.runUntil(1000);
        assertThat(ended).isEmpty();
    }
}
