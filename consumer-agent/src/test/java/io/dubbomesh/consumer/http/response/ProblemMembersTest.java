package io.dubbomesh.consumer.http.response;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.testsupport.RecordedLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ProblemMembersTest {
    private static final String MEMBERS =
            ",\"type\":\"docs/errors.md#too_large\",\"instance\":\"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}"
                    + "-[89ab][0-9a-f]{3}-[0-9a-f]{12}\"";

    private final ProblemMembers members = new ProblemMembers("docs/errors.md");

    private String completed(String document) {
        ByteBuf out = Unpooled.buffer();
        out.writeCharSequence("before" + document, UTF_8);
        members.append(out, "before".length(), Outcome.HEAD_TOO_LARGE);
        return out.toString(UTF_8);
    }

    @Test
    void theMembersFollowThoseOfTheDocument() {
        assertThat(completed("{\"status\":431}")).matches("before\\{\"status\":431" + MEMBERS + "\\}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "[1]", "not found"})
    void whatHasNoMembersIsLeftAsItIs(String document) {
        assertThat(completed(document)).isEqualTo("before" + document);
    }

    @Test
    void everyDocumentHasAnotherId() {
        Set<String> documents = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            documents.add(completed("{\"status\":431}"));
        }
        assertThat(documents).hasSize(1000);
    }

    @Test
    void theLogHasTheDocumentAtLevelDebug() {
        Logger logger = (Logger) LoggerFactory.getLogger(ProblemMembers.class);
        try (RecordedLog log = new RecordedLog(ProblemMembers.class)) {
            completed("{\"status\":431}");
            assertThat(log.lines()).isEmpty();
            logger.setLevel(Level.DEBUG);
            String document = completed("{\"status\":431}").substring("before".length());
            assertThat(log.lines()).containsExactly("answered " + document);
        } finally {
            logger.setLevel(null);
        }
    }
}
