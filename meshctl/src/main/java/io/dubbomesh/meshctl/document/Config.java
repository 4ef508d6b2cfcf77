package io.dubbomesh.meshctl.document;

import java.util.List;

/** The settings in force of an agent. */
public record Config(List<Setting> settings) {
    /**
     * A setting in force.
     *
     * @param origin where its value comes from; {@code default} for that of the reference file
     */
    public record Setting(String key, String value, String defaultValue, String origin) {}

    /** Returns whether a setting has a value. */
    public boolean isSet(String key) {
        return settings.stream()
                .anyMatch(
                        setting -> setting.key().equals(key) && !setting.value().isEmpty());
    }
}
