package io.dubbomesh.registry.keep;

import ch.qos.logback.classic.Level;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.thread.TaskQueue;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Each state of a keeper with each event, in a store that the test lets fail. */
@Timeout(60)
class RegistrationKeeperTest {
    private static final long PAUSE_MS = TimeUnit.DAYS.toMillis(1);
    private static final long CLOSE_MS = 200;
    private static final RegistrationRequest REQUEST =
            new RegistrationRequest("192.0.2.7", 30000, 3, 180, Map.of("com.example.Greeter", List.of(Variant.NONE)));

    private Store store;
    private RegistrationKeeper keeper;

    @AfterEach
    void close() {
        store.isAway = false;
        keeper.close();
    }

    /**
     * The ways to the states, and the events, by letters: r register, d deregister, w the weight is changed, f the
     * store goes away, u it has a fault, p the pause is over, c close, C close while the store is away. The store is
     * back for each event but f, u and C. A minus stands for what cannot happen there.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE    | WAY | r       | d       | w       | f        | u        | p       | c     | C
                    IDLE     | ''  | SESSION | IDLE    | IDLE    | IDLE     | IDLE     | -       | ENDED | ENDED
                    IDLE     | d   | SESSION | IDLE    | IDLE    | IDLE     | IDLE     | -       | ENDED | ENDED
                    SESSION  | r   | SESSION | SESSION | SESSION | BACK_OFF | BACK_OFF | -       | ENDED | ENDED
                    SESSION  | rd  | SESSION | SESSION | SESSION | BACK_OFF | BACK_OFF | -       | ENDED | ENDED
                    BACK_OFF | rf  | SESSION | SESSION | SESSION | BACK_OFF | BACK_OFF | SESSION | ENDED | ENDED
                    BACK_OFF | rdf | SESSION | SESSION | SESSION | BACK_OFF | BACK_OFF | SESSION | ENDED | ENDED
                    ENDED    | c   | ENDED   | ENDED   | ENDED   | -        | -        | -       | ENDED | ENDED
                    ENDED    | rc  | ENDED   | ENDED   | ENDED   | -        | -        | -       | ENDED | ENDED
                    """)
    void itFollowsItsDrawing(
            String state,
            String way,
            String r,
            String d,
            String w,
            String f,
            String u,
            String p,
            String c,
            String closedAway)
            throws Exception {
        String[] next = {r, d, w, f, u, p, c, closedAway};
        for (int event = 0; event < next.length; event++) {
            if (next[event].equals("-")) {
                continue;
            }
            start();
            for (char step : way.toCharArray()) {
                happen(step);
            }
            awaitState(way, state);
            happen("rdwfupcC".charAt(event));
            awaitState(way + " " + "rdwfupcC".charAt(event), next[event]);
            close();
        }
    }

    /** What was asked for last holds, until the registration is closed. */
    @ParameterizedTest
    @CsvSource({"d, false", "r, true", "rd, false", "rdr, true", "rfp, true", "rc, false", "rcr, false", "rC, false"})
    void theAgentIsRegisteredAsItWasAskedForLast(String way, boolean registered) throws Exception {
        start();

        for (char step : way.toCharArray()) {
            happen(step);
        }

        Await.until(way, () -> keeper.registered() == registered);
        assertThat(store.entry.isHeld()).isEqualTo(registered || way.equals("rC"));
    }

    @Test
    void aFaultIsLoggedAndTheStoreIsTriedAgain() throws Exception {
        start();
        try (RecordedLog log = new RecordedLog(Registry.class)) {
            happen('r');
            happen('u');
            Await.until("the line", () -> !log.lines(Level.ERROR).isEmpty());
            assertThat(log.lines(Level.ERROR)).containsExactly("registry a store: the registration cannot be kept");

            happen('w');
            Await.until("written", () -> new String(store.entry.value(), UTF_8).startsWith("{\"weight\":7,"));
        }
    }

    private void start() {
        keeper = new RegistrationKeeper(
                tasks -> {
                    store = new Store(tasks);
                    return store;
                },
                REQUEST,
                CLOSE_MS);
        keeper.start();
    }

    private void awaitState(String way, String state) throws Exception {
        Await.until(way + " is " + state, () -> keeper.state().toString().equals(state));
    }

    private void happen(char event) throws Exception {
        store.isAway = event == 'f' || event == 'C';
        store.isFaulty = event == 'u';
        switch (event) {
            case 'r' -> {
                keeper.register();
                Await.until(
                        "registered", () -> keeper.registered() || keeper.state() == RegistrationKeeper.State.ENDED);
            }
            case 'd' -> keeper.deregister().join();
            case 'w' -> keeper.changeWeight(7);
            case 'f', 'u', 'p' -> {
                store.tasks.wake();
                Await.until("woken", store.tasks::isEmpty);
            }
            default -> keeper.close();
        }
    }

    /** One entry, whose changes are executed at once. */
    private static final class Entry extends AgentEntry {
        private volatile byte[] value;

        Entry(String service, List<Variant> variants) {
            super(service, variants);
        }

        @Override
        protected String path() {
            return service();
        }

        @Override
        protected byte[] value() {
            return value;
        }

        @Override
        protected boolean isOurs() {
            return value != null;
        }

        @Override
        protected boolean isHeld() {
            return value != null;
        }

        @Override
        protected boolean refresh() {
            return false;
        }

        @Override
        protected void put(byte[] written, boolean leaving) {
            value = written;
            executed(leaving);
        }

        @Override
        protected void delete() {
            value = null;
        }

        @Override
        protected void clearUnanswered() {}
    }

    private static final class Store implements EntryStore, EntryStore.Session {
        private final TaskQueue tasks;
        private final Entry entry = new Entry("com.example.Greeter", List.of());
        private volatile boolean isAway;
        private volatile boolean isFaulty;

        Store(TaskQueue tasks) {
            this.tasks = tasks;
        }

        @Override
        public long run(Work work) throws InterruptedException {
            try {
                work.run(this);
                return 0;
            } catch (StoreFailure e) {
                return PAUSE_MS;
            }
        }

        @Override
        public AgentEntry entry(String service, HostPort address, List<Variant> variants) {
            return entry;
        }

        @Override
        public String localHost() {
            throw new AssertionError("the request has a host");
        }

        @Override
        public long check() throws StoreFailure {
            if (isFaulty) {
                throw new IllegalStateException("thrown by the test");
            }
            if (isAway) {
                throw new StoreFailure("away");
            }
            return TimeUnit.DAYS.toNanos(1);
        }

        @Override
        public void abandoned() {}

        @Override
        public String toString() {
            return "a store";
        }
    }
}
