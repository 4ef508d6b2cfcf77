package io.dubbomesh.consumer.mcp.tool;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The tools of a file, by name, in the order of their names. Immutable. */
public final class ToolSet {
    private final String instructions;
    private final Map<String, Tool> tools;

    /** @param instructions for the model, of all tools; empty for none */
    public ToolSet(String instructions, Map<String, Tool> tools) {
        this.instructions = instructions;
        this.tools = new TreeMap<>(tools);
    }

    public String instructions() {
        return instructions;
    }

    public Collection<Tool> tools() {
        return tools.values();
    }

    /** Returns null if there is none of this name. */
    public Tool find(String name) {
        return tools.get(name);
    }
}
