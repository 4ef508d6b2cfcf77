package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.mcp.schema.ToolTypes;
import io.dubbomesh.consumer.mcp.tool.ToolFile;
import io.dubbomesh.consumer.mcp.tool.ToolSet;
import io.dubbomesh.runtime.admin.AdminApi;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.runtime.settings.WatchedFile;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * The tools of an agent: reads the file of {@code mcp.tools}, and again when it changes, on a thread of its own. One
 * for the agent, with the rates of its callers.
 */
public final class PublishedTools implements AutoCloseable {
    private static final long CHECK_MS = 1000;

    private final CallRates rates;
    private final CancellableCalls cancellable = new CancellableCalls();
    private final Executor thread;
    private final Runnable end;

    private volatile ToolTypes types;

    /**
     * Makes those of this moment.
     *
     * @param thread for what takes long
     * @param end    called by {@link #close}
     */
    PublishedTools(ToolSet tools, CallRates rates, Executor thread, Runnable end) {
        types = new ToolTypes(tools);
        this.rates = rates;
        this.thread = thread;
        this.end = end;
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
        ScheduledThreadPoolExecutor thread =
                new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("mcp-tools", true));
        PublishedTools published = new PublishedTools(
                new ToolSet("", Map.of()), new CallRates(settings.callsPerMinute()), thread, thread::shutdownNow);
        WatchedFile file = new WatchedFile(
                McpSettings.TOOLS, settings.tools(), text -> published.types = new ToolTypes(ToolFile.parse(text)));
        PeriodicTask.start(thread, "file of mcp.tools", CHECK_MS, file::readAgain);
        return published;
    }

    /** Has {@link Settings#check} report a file that {@link #open} would refuse. */
    public static void check(Settings settings, McpSettings mcp) {
        if (mcp.isOn()) {
            settings.tryCheck(() -> new WatchedFile(McpSettings.TOOLS, mcp.tools(), ToolFile::parse));
        }
    }

    /** Adds the document with the tools to the admin interface: docs/operate/admin.md. */
    public void addTo(AdminApi api) {
        api.get("/tools", request -> ToolReport.of(tools()));
    }

    /** Returns the tools in force. Called by any thread. */
    ToolSet tools() {
        return types.tools();
    }

    /** Returns the tools in force, with what is known of their types. Called by any thread. */
    ToolTypes types() {
        return types;
    }

    /** Returns the thread that reads the file, for what else takes long. */
    Executor thread() {
        return thread;
    }

    CallRates rates() {
        return rates;
    }

    CancellableCalls cancellable() {
        return cancellable;
    }

    @Override
    public void close() {
        end.run();
    }
}
