package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.mcp.tool.ToolSet;

import java.util.List;

/** The tools as operators see them: with the methods that they call, which callers do not learn. */
record ToolReport(List<ReportedTool> tools) {
    /** One of them; what the file does not say is null. */
    private record ReportedTool(
            String name,
            String title,
            String service,
            String version,
            String group,
            String method,
            Boolean readOnly,
            Boolean idempotent,
            Boolean destructive) {}

    static ToolReport of(ToolSet tools) {
        return new ToolReport(tools.tools().stream().map(ToolReport::reported).toList());
    }

    private static ReportedTool reported(Tool tool) {
        return new ReportedTool(
                tool.name(),
                orNull(tool.title()),
                tool.method().service(),
                orNull(tool.method().version()),
                orNull(tool.method().group()),
                tool.method().method(),
                tool.hints().readOnly(),
                tool.hints().idempotent(),
                tool.hints().destructive());
    }

    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
