package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.mcp.rpc.JsonSlice;
import io.dubbomesh.consumer.mcp.rpc.RpcWriter;
import io.dubbomesh.consumer.mcp.tool.AnswerFilter;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.mcp.tool.ToolArgument;
import io.netty.buffer.ByteBuf;

import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Puts the arguments of a tool, which callers give by name, into the order of its method's parameters. */
final class ToolArguments {
    private static final byte[] NULL = "null".getBytes(US_ASCII);

    private ToolArguments() {}

    /**
     * Appends them as a JSON array.
     *
     * @throws IllegalArgumentException if one is not known or missing; the message lists the names that there are
     */
    static void write(Tool tool, Map<String, JsonSlice> given, ByteBuf out) {
        for (String name : given.keySet()) {
            if (tool.argument(name) == null && !isPage(tool, name)) {
                throw new IllegalArgumentException("unknown argument \"" + name + "\" " + expected(tool));
            }
        }
        out.writeByte('[');
        String separator = "";
        for (ToolArgument argument : tool.arguments()) {
            RpcWriter.ascii(out, separator);
            separator = ",";
            JsonSlice value = argument.isFixed() ? null : given.get(argument.name());
            if (argument.isFixed()) {
                out.writeBytes(argument.fixed());
            } else if (value != null) {
                value.writeTo(out);
            } else if (argument.isOptional()) {
                out.writeBytes(NULL);
            } else {
                throw new IllegalArgumentException("argument \"" + argument.name() + "\" is missing " + expected(tool));
            }
        }
        out.writeByte(']');
    }

    private static boolean isPage(Tool tool, String name) {
        return tool.answer().isPaged() && name.equals(AnswerFilter.PAGE);
    }

    /** @throws IllegalArgumentException if the argument is no page */
    static int page(Tool tool, Map<String, JsonSlice> given) {
        JsonSlice page = tool.answer().isPaged() ? given.get(AnswerFilter.PAGE) : null;
        if (page == null) {
            return 0;
        }
        try {
            int number = Integer.parseInt(page.text());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new IllegalArgumentException(
                AnswerFilter.PAGE + " (expected: a whole number, 0 to " + Integer.MAX_VALUE + ')');
    }

    private static String expected(Tool tool) {
        return "(expected: " + (tool.argumentNames().isEmpty() ? "none" : String.join(", ", tool.argumentNames()))
                + ')';
    }
}
