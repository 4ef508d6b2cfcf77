package io.dubbomesh.consumer.mcp.tool;

import io.dubbomesh.protocol.MethodName;

import java.util.List;

/**
 * A method of a service that is published as a tool, by a name of its own. Immutable.
 *
 * @param title       for people; empty for none
 * @param description for the model; empty for none
 * @param method      what a call of the tool calls
 * @param arguments   of all parameters of the method, in their order
 * @param timeoutMs   of each call; 0 for that of the providers
 */
public record Tool(
        String name,
        String title,
        String description,
        MethodName method,
        List<ToolArgument> arguments,
        Hints hints,
        int timeoutMs,
        AnswerRules answer) {

    /** The hints about what a call does, which MCP calls annotations; null where the file does not say. */
    public record Hints(Boolean readOnly, Boolean idempotent, Boolean destructive) {}

    /** Returns the argument of this name that callers give, or null. */
    public ToolArgument argument(String given) {
        for (ToolArgument argument : arguments) {
            if (!argument.isFixed() && argument.name().equals(given)) {
                return argument;
            }
        }
        return null;
    }

    /** Returns the names of the arguments that callers give. */
    public List<String> argumentNames() {
        return arguments.stream()
                .filter(argument -> !argument.isFixed())
                .map(ToolArgument::name)
                .toList();
    }
}
