package io.dubbomesh.consumer.server;

import io.dubbomesh.runtime.settings.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.Map;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class HttpSettingsTest {
    private static final String REFERENCE = "io/dubbomesh/consumer/reference.conf";

    @Test
    void eachTimeAndRateIsThatOfItsSetting() {
        Map<String, String> set = new HashMap<>();
        set.put("http.head-timeout", "1 s");
        set.put("http.body-timeout", "2 s");
        set.put("http.min-body-rate", "3");
        set.put("http.idle-timeout", "4 s");
        set.put("http.write-timeout", "5 s");
        set.put("http.min-read-rate", "6");
        set.put("memory.wait", "7 s");

        assertThat(HttpSettings.from(Settings.of(REFERENCE, set, Map.of()), false)
                        .timeouts())
                .isEqualTo(new HttpSettings.Timeouts(
                        1_000_000_000L,
                        2_000_000_000L,
                        3,
                        4_000_000_000L,
                        5_000_000_000L,
                        6,
                        7_000_000_000L,
                        SECONDS.toNanos(15)));
    }

    /** The heaps are what the JVM tells of -Xmx64m -Xmn12m, and of 30 % of a container of 160 MiB. */
    @ParameterizedTest
    @CsvSource({"62, false, 20000", "62, true, 3800", "46, false, 13900", "46, true, 2600", "10, true, 64"})
    void asManyConnectionsFitAsTheHeapHasRoomFor(int heapMib, boolean https, int least) {
        assertThat(HttpSettings.fittingConnections((long) heapMib << 20, https)).isBetween(least, least * 21 / 20);
    }

    @Test
    void theLimitOfConnectionsFollowsTheHeapUnlessItIsSet() {
        HttpSettings unset = HttpSettings.from(Settings.of(REFERENCE, Map.of(), Map.of()), true);
        assertThat(unset.maxConnections()).isEqualTo(Math.min(unset.fittingConnections(), 16_384));

        Map<String, String> set = Map.of("http.max-connections", "7");
        assertThat(HttpSettings.from(Settings.of(REFERENCE, set, Map.of()), true)
                        .maxConnections())
                .isEqualTo(7);
    }
}
