package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.zookeeper.NodeKnowledge.Made;
import io.dubbomesh.registry.zookeeper.NodeKnowledge.Read;
import io.dubbomesh.registry.zookeeper.NodeKnowledge.Unanswered;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The events that do not lead to one state from each: a read, a write and its end do. */
class NodeKnowledgeTest {
    private static final NodeKnowledge MADE = new Made(new byte[] {'3'});
    private static final NodeKnowledge DELETED = new Made(null);
    private static final NodeKnowledge UNANSWERED = new Unanswered(new byte[] {'3'}, false);
    private static final NodeKnowledge LEAVING = new Unanswered(new byte[] {'0'}, true);

    @ParameterizedTest
    @CsvSource({
        // state, changed, withoutUnanswered
        "FRESH,      STALE,      FRESH",
        "STALE,      STALE,      STALE",
        "MADE,       MADE,       MADE",
        "DELETED,    DELETED,    DELETED",
        "UNANSWERED, UNANSWERED, STALE",
        "LEAVING,    LEAVING,    STALE",
    })
    void everyEventLeadsToItsState(String state, String changed, String withoutUnanswered) {
        assertThat(named(state).changed()).isSameAs(named(changed));
        assertThat(named(state).withoutUnanswered()).isSameAs(named(withoutUnanswered));
    }

    private static NodeKnowledge named(String state) {
        return switch (state) {
            case "MADE" -> MADE;
            case "DELETED" -> DELETED;
            case "UNANSWERED" -> UNANSWERED;
            case "LEAVING" -> LEAVING;
            default -> Read.valueOf(state);
        };
    }
}
