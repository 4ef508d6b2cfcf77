package io.dubbomesh.client.discovery;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class ProviderDiscoveryTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void aQuestionForWhichNoThreadCanBeStartedHasTheOtherResult(long pauseMs) throws Exception {
        String result = ProviderDiscovery.ask(
                        task -> new Thread(task) {
                            @Override
                            public void start() {
                                throw new OutOfMemoryError("unable to create native thread");
                            }
                        },
                        "question",
                        pauseMs,
                        () -> "answer",
                        "not known")
                .get(20, TimeUnit.SECONDS);

        assertThat(result).isEqualTo("not known");
    }

    @Test
    void aQuestionThatIsCancelledDuringItsPauseStartsNoThread() throws Exception {
        AtomicInteger threads = new AtomicInteger();
        ThreadFactory counting = task -> {
            threads.incrementAndGet();
            return new Thread(task);
        };
        CompletableFuture<String> cancelled =
                ProviderDiscovery.ask(counting, "question", 50, () -> "answer", "not known");
        cancelled.cancel(false);

        // Pauses of the same length end in their order.
        ProviderDiscovery.ask(counting, "question", 50, () -> "answer", "not known")
                .get(20, TimeUnit.SECONDS);

        assertThat(threads).hasValue(1);
    }
}
