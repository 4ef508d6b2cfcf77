package io.dubbomesh.meshctl.mcp;

import java.util.List;
import java.util.stream.Collectors;

/** The result of a call of a tool. */
record ToolResult(List<Content> content, boolean isError) {
    /** A part of it. */
    record Content(String text) {}

    /** Returns the JSON of the result, or the problem document of a failure, as the agent wrote it. */
    String text() {
        return content.stream().map(Content::text).collect(Collectors.joining("\n"));
    }
}
