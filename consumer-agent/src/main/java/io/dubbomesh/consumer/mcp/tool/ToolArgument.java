package io.dubbomesh.consumer.mcp.tool;

/**
 * One parameter of a tool's method.
 *
 * @param name        by which callers of the tool give it; empty if they do not
 * @param description for the model; empty for none
 * @param isOptional  whether a call may leave it out, which sends null
 * @param fixed       its value as JSON, which callers neither see nor change; null where they give it
 */
public record ToolArgument(String name, String description, boolean isOptional, byte[] fixed) {
    public boolean isFixed() {
        return fixed != null;
    }
}
