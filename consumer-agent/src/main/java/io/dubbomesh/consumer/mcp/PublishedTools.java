package io.dubbomesh.consumer.mcp;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.runtime.settings.WatchedFile;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * The tools of an agent: reads the file of {@code mcp.tools}, and again when it changes, on a thread of its own. One
 * for the agent, with the rates of its callers.
 */
public final class PublishedTools implements AutoCloseable {
    private static final long CHECK_MS = 1000;

    private final WatchedFile file;
    private final CallRates rates;
    private final ScheduledThreadPoolExecutor thread;

    private volatile ToolSet tools = new ToolSet("", Map.of());

    private PublishedTools(McpSettings settings) {
        file = new WatchedFile(McpSettings.TOOLS, settings.tools(), text -> tools = ToolFile.parse(text));
        rates = new CallRates(settings.callsPerMinute());
        thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("mcp-tools", true));
    }

    /**
     * Reads the file, and begins to follow it.
     *
     * @return null where there is no server
     * @throws SettingsException if the file cannot be read or understood; names setting, path, line and reason
     */
    public static PublishedTools open(McpSettings settings) {
        if (!settings.isOn()) {
            return null;
        }
        PublishedTools published = new PublishedTools(settings);
        PeriodicTask.start(published.thread, "file of mcp.tools", CHECK_MS, published.file::readAgain);
        return published;
    }

    /** Has {@link Settings#check} report a file that {@link #open} would refuse. */
    public static void check(Settings settings, McpSettings mcp) {
        if (mcp.isOn()) {
            settings.tryCheck(() -> new WatchedFile(McpSettings.TOOLS, mcp.tools(), ToolFile::parse));
        }
    }

    /** Returns the tools in force. Called by any thread. */
    ToolSet tools() {
        return tools;
    }

    CallRates rates() {
        return rates;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
