package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.mcp.tool.ToolSet;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Counts the calls of tools on one event loop, by the names in the file. Owned by the loop. */
final class ToolMetrics {
    private static final Metric CALLS = Metric.counter(
            "dubbomesh_consumer_tool_calls_total",
            "Calls of tools by MCP; those of tools that are not published do not count.",
            "tool",
            "code");
    /** The file may change often: tools beyond count in no metric of their own. */
    private static final int MAX_TOOLS = 1000;

    private final Map<String, Map<Outcome, Long>> calls = new HashMap<>();

    void ended(Tool tool, Outcome outcome) {
        if (calls.size() < MAX_TOOLS || calls.containsKey(tool.name())) {
            calls.computeIfAbsent(tool.name(), name -> new EnumMap<>(Outcome.class))
                    .merge(outcome, 1L, Long::sum);
        }
    }

    /** @param tools that are published, of which each has its series before its first call */
    void addTo(MetricSamples samples, ToolSet tools) {
        tools.tools().stream()
                .filter(tool -> !calls.getOrDefault(tool.name(), Map.of()).containsKey(Outcome.OK))
                .forEach(tool -> samples.add(CALLS, 0, tool.name(), Outcome.OK.code()));
        calls.forEach(
                (tool, counts) -> counts.forEach((outcome, count) -> samples.add(CALLS, count, tool, outcome.code())));
    }
}
