package io.dubbomesh.demo.api;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProviderSettingsTest {

    @Test
    void withoutSettingsItIsTheBenchmarksProviderOnLoopback() {
        assertThat(ProviderSettings.from(key -> null, "hessian2"))
                .isEqualTo(new ProviderSettings(
                        "demo", "127.0.0.1", 20880, 200, 50, 0, null, "hessian2", false, false, false));
    }

    @Test
    void everySettingIsRead() {
        Map<String, String> properties = new HashMap<>(Map.of(
                "name", "small",
                "host", "0.0.0.0",
                "port", "20881",
                "threads", "20",
                "delay.ms", "0",
                "calls.file", "calls",
                "serialization", "fastjson",
                "conformance", "true",
                "office", "true",
                "values", "true"));
        properties.put("busy.ms", "7");
        assertThat(ProviderSettings.from(properties::get, "hessian2"))
                .isEqualTo(new ProviderSettings(
                        "small", "0.0.0.0", 20881, 20, 0, 7, Path.of("calls"), "fastjson", true, true, true));
    }

    @Test
    void aWrongSettingIsRefusedWithTheExpectedValue() {
        assertThatThrownBy(() -> ProviderSettings.from(Map.of("port", "70000")::get, "hessian2"))
                .hasMessage("port: 70000 (expected: 1-65535)");
        assertThatThrownBy(() -> ProviderSettings.from(Map.of("port", "x")::get, "hessian2"))
                .hasMessage("port: x (expected: 1-65535)");
        assertThatThrownBy(() -> ProviderSettings.from(Map.of("conformance", "yes")::get, "hessian2"))
                .hasMessage("conformance: yes (expected: true or false)");
    }
}
