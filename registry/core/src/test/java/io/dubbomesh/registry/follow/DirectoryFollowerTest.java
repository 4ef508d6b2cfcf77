package io.dubbomesh.registry.follow;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;

/** The machine of a follower: what it does in each state, and that it ends from each of them. */
class DirectoryFollowerTest {
    @RegisterExtension
    private final RecordedLog log = new RecordedLog(Registry.class);

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Directory> delivered = new CopyOnWriteArrayList<>();
    private DirectoryFollower follower;

    /** Waits, throws or follows as a test wants. */
    @FunctionalInterface
    private interface Run {
        long run() throws InterruptedException;
    }

    private void create(Run run) {
        follower = new DirectoryFollower(
                "follower",
                "test",
                new DirectoryFollower.Source() {
                    @Override
                    public long run() throws InterruptedException {
                        events.add("run");
                        return run.run();
                    }

                    @Override
                    public void end() {
                        events.add("end");
                    }
                },
                delivered::add);
    }

    @AfterEach
    void close() {
        follower.close(1_000);
    }

    private void awaitEvents(String... expected) throws Exception {
        Await.until("events " + List.of(expected), () -> events.equals(List.of(expected)));
    }

    private long follow() throws InterruptedException {
        while (!follower.isClosed()) {
            follower.tasks().run(Long.MAX_VALUE);
        }
        return 0;
    }

    @Test
    void nothingRunsBeforeTheStart() {
        create(this::follow);
        follower.close(1_000);
        assertThat(events).isEmpty();
        assertThat(follower.ageNs()).isEqualTo(-1);
    }

    @Test
    void closingEndsARunningSource() throws Exception {
        create(this::follow);
        follower.start();
        awaitEvents("run");
        follower.close(1_000);
        assertThat(events).containsExactly("run", "end");
    }

    @Test
    void closingEndsAPause() throws Exception {
        create(() -> 60_000);
        follower.start();
        awaitEvents("run");
        follower.close(1_000);
        assertThat(events).containsExactly("run", "end");
    }

    @Test
    void theSourceRunsAgainAfterThePause() throws Exception {
        create(() -> events.size() < 3 ? 1 : follow());
        follower.start();
        awaitEvents("run", "run", "run");
    }

    @Test
    void theSourceRunsAgainAfterAnExceptionWhichIsLogged() throws Exception {
        create(() -> {
            if (events.size() == 1) {
                throw new IllegalStateException("unexpected");
            }
            return follow();
        });
        follower.start();
        awaitEvents("run", "run");
        assertThat(log.lines()).anyMatch(line -> line.contains("registry test: the directory cannot be made"));
    }

    @Test
    void aDirectoryIsDeliveredOnceAndItsAgeCountsFromTheConfirmation() throws Exception {
        Directory directory = Directory.of(Map.of());
        create(() -> {
            follower.confirm(System.nanoTime());
            follower.delivery().deliver(directory);
            return events.size() < 2 ? 0 : follow();
        });
        follower.start();
        awaitEvents("run", "run");
        Await.until("delivered", () -> !delivered.isEmpty());
        assertThat(delivered).containsExactly(directory);
        assertThat(follower.ageNs()).isNotNegative();
    }

    @Test
    void theFirstDirectoryWaitsForAnswersUntilTheyAreThere() throws Exception {
        create(() -> {
            follower.awaitFirst(() -> events.size() < 2, nowNs -> events.add("ask"));
            return follow();
        });
        follower.start();
        awaitEvents("run");
        follower.tasks().wake();
        awaitEvents("run", "ask");
    }
}
