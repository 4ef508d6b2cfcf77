package io.dubbomesh.consumer.mcp;

import io.dubbomesh.runtime.settings.Settings;

import java.nio.file.Path;

/**
 * The server of the Model Context Protocol; reference.conf says what each setting means.
 *
 * @param tools          the file that says what is published; null for no server
 * @param callsPerMinute of one caller; 0 for any number
 */
public record McpSettings(Path tools, int callsPerMinute) {
    static final String TOOLS = "mcp.tools";
    private static final int MOST_CALLS = 1_000_000;

    public static McpSettings from(Settings settings) {
        return new McpSettings(settings.path(TOOLS), settings.integer("mcp.rate", 0, MOST_CALLS));
    }

    public boolean isOn() {
        return tools != null;
    }
}
