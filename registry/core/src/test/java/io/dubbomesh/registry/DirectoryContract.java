package io.dubbomesh.registry;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** The contract of every registry whose directory agents follow: each has a test class that extends this one. */
@Timeout(60)
public abstract class DirectoryContract {
    protected static final String GREETER = "com.example.Greeter";
    protected static final Duration LIMIT = Duration.ofSeconds(15);
    private static final long AGE_NS = TimeUnit.MILLISECONDS.toNanos(300);

    @RegisterExtension
    protected final RecordedLog log = new RecordedLog(Registry.class);

    protected final Watcher watcher = new Watcher();
    protected Registry registry;

    /** Opens a client of the one store of the test. */
    protected abstract Registry open() throws Exception;

    /** Writes the entry of {@code com.example.Greeter} at 192.0.2.x, as a provider or an operator does. */
    protected abstract void put(int x) throws Exception;

    /** Deletes that entry. */
    protected abstract void delete(int x) throws Exception;

    /** Makes the store unreachable; it keeps its entries. */
    protected abstract void stop() throws Exception;

    /** Makes it reachable again. */
    protected abstract void start() throws Exception;

    /** Returns the endpoint of that entry, as {@code host:port*weight}. */
    protected String endpoint(int x) {
        return "192.0.2." + x + ":30000*1";
    }

    /** Returns a part of the line that is logged when an outage begins. */
    protected String outage() {
        return " is away: ";
    }

    /** Closes the store of the test, after its clients. */
    protected void closeStore() throws Exception {}

    @BeforeEach
    void openRegistry() throws Exception {
        registry = open();
    }

    @AfterEach
    void closeRegistry() throws Exception {
        registry.close();
        closeStore();
    }

    private void awaitEndpoints(int... entries) throws InterruptedException {
        String[] expected = new String[entries.length];
        for (int i = 0; i < entries.length; i++) {
            expected[i] = endpoint(entries[i]);
        }
        watcher.awaitEndpoints(LIMIT, GREETER, expected);
    }

    private void awaitOutage() throws Exception {
        Await.until(LIMIT, "the line", () -> log.warnings().stream().anyMatch(line -> line.contains(outage())));
    }

    @Test
    void theFirstDirectoryOfAnEmptyRegistryIsEmpty() throws Exception {
        registry.watch(watcher);

        Directory first = watcher.await(LIMIT, directory -> true);
        assertThat(watcher.all()).hasSize(1);
        assertThat(Watcher.texts(first, GREETER)).isNullOrEmpty();
        Await.until(LIMIT, "an age", () -> registry.ageNs() >= 0);
    }

    @Test
    void theFirstDirectoryHasWhatTheRegistryHas() throws Exception {
        put(7);
        put(8);

        registry.watch(watcher);

        Directory first = watcher.await(LIMIT, directory -> true);
        assertThat(Watcher.texts(first, GREETER)).containsExactly(endpoint(7), endpoint(8));
        assertThat(first.services()).containsExactly(GREETER);
    }

    @Test
    void endpointsAppearAndDisappear() throws Exception {
        registry.watch(watcher);
        watcher.await(LIMIT, directory -> true);

        put(7);
        awaitEndpoints(7);
        put(8);
        awaitEndpoints(7, 8);
        delete(7);
        awaitEndpoints(8);
        put(7);
        awaitEndpoints(7, 8);
        assertThat(log.warnings()).noneMatch(line -> line.contains(outage()));
    }

    @Test
    void nothingIsDeliveredBeforeTheRegistryIsReached() throws Exception {
        put(7);
        stop();
        registry.watch(watcher);
        awaitOutage();
        assertThat(watcher.all()).isEmpty();
        assertThat(registry.ageNs()).isEqualTo(-1);

        start();

        Directory first = watcher.await(LIMIT, directory -> true);
        assertThat(Watcher.texts(first, GREETER)).containsExactly(endpoint(7));
    }

    @Test
    void theDirectoryStaysAndAgesDuringAnOutageAndIsFollowedAfterwards() throws Exception {
        put(7);
        registry.watch(watcher);
        awaitEndpoints(7);

        stop();
        awaitOutage();
        Await.until(LIMIT, "the age", () -> registry.ageNs() > AGE_NS);
        assertThat(watcher.all()).hasSize(1);
        assertThat(log.warnings()).singleElement().asString().contains("known endpoints stay in use");
        long ageNs = registry.ageNs();
        start();
        put(8);

        awaitEndpoints(7, 8);
        Await.until(LIMIT, "confirmed again", () -> registry.ageNs() < ageNs);
        stop();
        start();
        delete(7);
        awaitEndpoints(8);
        assertThat(watcher.all())
                .allMatch(directory -> !directory.endpoints(GREETER).isEmpty());
    }

    @Test
    void aListenerThatFailsIsCalledAgain() throws Exception {
        registry.watch(directory -> {
            watcher.accept(directory);
            throw new IllegalStateException("a listener's own fault");
        });
        watcher.await(LIMIT, directory -> true);

        put(7);

        awaitEndpoints(7);
    }

    @Test
    void nothingIsDeliveredAfterClosing() throws Exception {
        Watcher other = new Watcher();
        try (Registry open = open()) {
            open.watch(other);
            registry.watch(watcher);
            watcher.await(LIMIT, directory -> true);
            List<Directory> delivered = watcher.all();

            registry.close();
            put(7);

            other.awaitEndpoints(LIMIT, GREETER, endpoint(7));
            assertThat(watcher.all()).isEqualTo(delivered);
        }
    }

    @Test
    void closingDuringAnOutageTakesTwoSecondsAtMost() throws Exception {
        registry.watch(watcher);
        watcher.await(LIMIT, directory -> true);
        stop();
        awaitOutage();

        long startNs = System.nanoTime();
        registry.close();

        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofMillis(2_500));
        start();
    }
}
