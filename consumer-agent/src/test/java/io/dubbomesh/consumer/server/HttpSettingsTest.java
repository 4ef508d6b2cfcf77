package io.dubbomesh.consumer.server;

import io.dubbomesh.runtime.settings.Settings;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

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

        assertThat(HttpSettings.from(Settings.of(REFERENCE, set, Map.of())).timeouts())
                .isEqualTo(new HttpSettings.Timeouts(
                        1_000_000_000L, 2_000_000_000L, 3, 4_000_000_000L, 5_000_000_000L, 6, 7_000_000_000L));
    }
}
