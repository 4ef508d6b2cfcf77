package io.dubbomesh.consumer.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class AdmissionTest {
    private final ConnectionLimit limit = new ConnectionLimit(1, false);
    private int closed;

    @ParameterizedTest
    @CsvSource({
        "REFUSED,   admit,            REFUSED,   0",
        "REFUSED,   tryLinger,        LINGERING, 0",
        "REFUSED,   connectionClosed, CLOSED,    0",
        "STRANGER,  admit,            ADMITTED,  1",
        "STRANGER,  tryLinger,        LINGERING, 0",
        "STRANGER,  connectionClosed, CLOSED,    0",
        "STRANGER,  evict,            CLOSED,    0",
        "ADMITTED,  admit,            ADMITTED,  1",
        "ADMITTED,  tryLinger,        LINGERING, 0",
        "ADMITTED,  connectionClosed, CLOSED,    0",
        "LINGERING, admit,            LINGERING, 0",
        "LINGERING, tryLinger,        LINGERING, 0",
        "LINGERING, connectionClosed, CLOSED,    0",
        "CLOSED,    admit,            CLOSED,    0",
        "CLOSED,    tryLinger,        CLOSED,    0",
        "CLOSED,    connectionClosed, CLOSED,    0",
    })
    void eachEventInEachState(Admission.State from, String event, Admission.State to, int serving) {
        Admission admission = in(from);
        assertThat(admission.state()).isEqualTo(from);

        apply(admission, event);

        assertThat(admission.state()).isEqualTo(to);
        assertThat(limit.serving()).isEqualTo(serving);
        assertThat(closed).isEqualTo(event.equals("evict") ? 1 : 0);
    }

    private Admission in(Admission.State state) {
        Admission other = state == Admission.State.REFUSED ? new Admission(limit, () -> {}) : null;
        Admission admission = new Admission(limit, () -> closed++);
        if (other != null) {
            other.connectionClosed();
        }
        switch (state) {
            case REFUSED, STRANGER -> {}
            case ADMITTED -> assertThat(admission.admit()).isTrue();
            case LINGERING -> assertThat(admission.tryLinger()).isTrue();
            case CLOSED -> admission.connectionClosed();
        }
        return admission;
    }

    private static void apply(Admission admission, String event) {
        switch (event) {
            case "admit" -> admission.admit();
            case "tryLinger" -> admission.tryLinger();
            case "connectionClosed" -> admission.connectionClosed();
            case "evict" -> admission.evict();
            default -> throw new AssertionError(event);
        }
    }

    @Test
    void aBoundedNumberLingers() {
        List<Admission> lingering = new ArrayList<>();
        for (Admission next = new Admission(limit, () -> {}); next.tryLinger(); next = new Admission(limit, () -> {})) {
            lingering.add(next);
        }
        assertThat(lingering).hasSize(1024);
        assertThat(limit.serving()).isEqualTo(1);

        lingering.get(0).connectionClosed();
        Admission refused = new Admission(limit, () -> {});
        assertThat(refused.tryLinger()).isTrue();
    }

    @Test
    void theOldestStrangerLeavesItsPlaceToANewConnectionWhereCallersAreAuthenticated() {
        ConnectionLimit authenticating = new ConnectionLimit(3, true);
        List<String> evicted = new ArrayList<>();
        Admission first = new Admission(authenticating, () -> evicted.add("first"));
        Admission second = new Admission(authenticating, () -> evicted.add("second"));
        Admission third = new Admission(authenticating, () -> evicted.add("third"));
        first.admit();
        third.admit();

        Admission fourth = new Admission(authenticating, () -> evicted.add("fourth"));
        assertThat(evicted).containsExactly("second");
        assertThat(second.state()).isEqualTo(Admission.State.CLOSED);
        assertThat(authenticating.serving()).isEqualTo(3);

        fourth.admit();
        assertThat(new Admission(authenticating, () -> {}).state()).isEqualTo(Admission.State.REFUSED);
    }
}
