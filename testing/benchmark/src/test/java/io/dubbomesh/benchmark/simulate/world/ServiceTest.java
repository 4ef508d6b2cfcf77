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
