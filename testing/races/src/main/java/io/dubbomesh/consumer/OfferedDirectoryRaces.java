package io.dubbomesh.consumer;

import io.dubbomesh.registry.Directory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The registry's thread offers directories while an event loop takes them. */
public class OfferedDirectoryRaces {
    private static final List<Directory> DIRECTORIES =
            List.of(Directory.of(Map.of()), Directory.of(Map.of()), Directory.of(Map.of()));

    private OfferedDirectoryRaces() {}

    @JCStressTest
    @Outcome(
            id = {"3, 1", "3, 2", "3, 3"},
            expect = Expect.ACCEPTABLE,
            desc = "the newest was taken last")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the newest was not taken, or one after a newer one, or none by a task")
    @State
    public static class OfferAndTake {
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final OfferedDirectory offered = new OfferedDirectory(tasks::add, this::take);
        private int last;
        private int taken;
        private boolean wrong;

        private void take(Directory directory) {
            int number = 1 + (directory == null ? -1 : DIRECTORIES.indexOf(directory));
            wrong |= number <= last;
            last = number;
            taken++;
        }

        private void runTasks() {
            Runnable task;
            while ((task = tasks.poll()) != null) {
                task.run();
            }
        }

        @Actor
        public void registry() {
            DIRECTORIES.forEach(offered::offer);
        }

        @Actor
        public void loop() {
            runTasks();
            runTasks();
        }

        @Arbiter
        public void end(II_Result r) {
            runTasks();
            r.r1 = wrong ? -1 : last;
            r.r2 = taken;
        }
    }
}
