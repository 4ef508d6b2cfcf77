package io.dubbomesh.client.discovery;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.TimeUnit;

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
}
