package io.dubbomesh.acceptance.failure;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the answers of clients when something is wrong, with their request or behind it. Behind the consumer agent are
 * a real provider and two that misbehave on order; nearly every test ends with a good call, since a failure may affect
 * only one call or one connection.
 */
@Timeout(180)
class FailureTableTest {
    @BeforeAll
    static void start() throws Exception {
        FailureTopic.start();
    }

    @AfterAll
    static void end() throws Exception {
        FailureTopic.end();
    }

    @Nested
    class Malformed extends MalformedRequests {}

    @Nested
    class Limits extends RequestLimits {}

    @Nested
    class Slow extends UnfinishedRequests {}

    @Nested
    class Refused extends RefusedCalls {}

    @Nested
    class Providers extends FailingProviders {}

    @Nested
    class Connections extends ClientConnections {}
}
