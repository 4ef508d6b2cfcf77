package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.settings.Settings;

import java.util.List;

/**
 * The settings {@code admin.*}, and all settings as the admin interface shows them.
 *
 * @param port 0 for any free one
 */
public record AdminSettings(String host, int port, Changes changes, List<Settings.Effective> effective) {
    /** The clients that may change something through the admin interface. */
    public enum Changes {
        /** Programs of this machine: those that connect from a loopback address. */
        LOCAL,
        /** Every client that reaches the port. */
        ALL,
        NONE
    }

    public static AdminSettings from(Settings settings) {
        return new AdminSettings(
                settings.text("admin.host"),
                settings.port("admin.port"),
                switch (settings.choice("admin.changes", "local", "all", "none")) {
                    case "all" -> Changes.ALL;
                    case "none" -> Changes.NONE;
                    default -> Changes.LOCAL;
                },
                settings.effective());
    }
}
