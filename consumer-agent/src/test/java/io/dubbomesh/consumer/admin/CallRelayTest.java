package io.dubbomesh.consumer.admin;

import io.dubbomesh.runtime.admin.AdminServer;
import io.dubbomesh.runtime.admin.AdminSettings;
import io.dubbomesh.runtime.admin.Readiness;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class CallRelayTest {
    @Test
    void theAdminPortWaitsForTheAnswerOfTheLongestCall() throws Exception {
        // Its limits are in force from the first server on.
        AdminServer.start(new AdminSettings("127.0.0.1", 0, AdminSettings.Changes.NONE, List.of()), Readiness::ready)
                .close();
        long longestMs = CallRelay.SPARE_MS + CallRelay.MAX_TIMEOUT_MS + CallRelay.SPARE_MS;

        assertThat(TimeUnit.SECONDS.toMillis(Integer.getInteger("sun.net.httpserver.maxRspTime")))
                .isGreaterThan(longestMs);
    }
}
