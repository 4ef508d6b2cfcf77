package io.dubbomesh.runtime.history;

import io.dubbomesh.runtime.admin.AdminServer;
import io.dubbomesh.runtime.admin.AdminSettings;
import io.dubbomesh.runtime.admin.Readiness;
import io.dubbomesh.runtime.metrics.MetricSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class HistoryRecorderTest {
    private static final int MORE_THAN_THE_ADMIN_PORT_HAS_THREADS = 20;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newHttpClient();

    private MetricSamples stuck() {
        asked.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new MetricSamples();
    }

    @Test
    void anEventLoopThatIsStuckTakesNotAllThreadsOfTheAdminPort() throws Exception {
        try (AdminServer admin = AdminServer.start(
                        new AdminSettings("127.0.0.1", 0, AdminSettings.Changes.NONE, List.of()), Readiness::ready);
                HistoryRecorder recorder = HistoryRecorder.start("dubbomesh_consumer_", this::stuck)) {
            recorder.addTo(admin.api());
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            List<CompletableFuture<HttpResponse<String>>> counts = new ArrayList<>();
            for (int i = 0; i < MORE_THAN_THE_ADMIN_PORT_HAS_THREADS; i++) {
                counts.add(get(admin, "/api/v1/counts"));
            }

            assertThat(get(admin, "/healthz").get(10, TimeUnit.SECONDS).statusCode())
                    .isEqualTo(200);
            assertThat(get(admin, "/api/v1/history").get(10, TimeUnit.SECONDS).statusCode())
                    .isEqualTo(200);
            for (CompletableFuture<HttpResponse<String>> each : counts) {
                assertThat(each.get(10, TimeUnit.SECONDS).body()).contains("UNAVAILABLE", "event loops");
            }
            released.countDown();
            assertThat(get(admin, "/api/v1/counts").get(10, TimeUnit.SECONDS).statusCode())
                    .isEqualTo(200);
        } finally {
            released.countDown();
        }
    }

    private CompletableFuture<HttpResponse<String>> get(AdminServer admin, String path) {
        URI uri = URI.create("http://127.0.0.1:" + admin.port() + path);
        return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
