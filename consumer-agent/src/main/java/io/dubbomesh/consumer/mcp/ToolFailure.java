package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.runtime.json.Json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes the text about a failed call that the model reads: the problem document without what is for operators alone.
 */
final class ToolFailure {
    private static final String DETAIL = "detail";
    /** The causes of an invalid argument, beside the detail. */
    private static final String VIOLATIONS = "violations";
    /** What the service has put into its exception beside the message. */
    private static final Set<String> OF_EXCEPTIONS = Set.of("properties", "causes", "stack");

    private static final String FIXED = "the method does not take an argument that is fixed by the tool";

    private ToolFailure() {}

    static String text(Tool tool, Response response) {
        String document = response.in().toString(response.offset(), response.length(), UTF_8);
        try {
            Map<String, Object> members = new LinkedHashMap<>();
            if (Json.read(document) instanceof Map<?, ?> read) {
                read.forEach((name, value) -> members.put(name.toString(), value));
            }
            members.keySet().removeAll(OF_EXCEPTIONS);
            String replacement = replacement(tool, response, document);
            if (replacement != null) {
                members.put(DETAIL, replacement);
                members.remove(VIOLATIONS);
            }
            return Json.write(members);
        } catch (IllegalArgumentException e) {
            return response.outcome().code();
        }
    }

    /** Returns the detail in place of one with a fixed value, or with addresses of providers; null for any other. */
    private static String replacement(Tool tool, Response response, String document) {
        return switch (response.outcome()) {
            case BAD_ARGUMENT, VALIDATION_FAILED -> namesFixed(tool, document) ? FIXED : null;
            case NO_PROVIDER -> "no provider takes the call now; the method was not executed";
            case OVERLOADED -> "there are too many calls now; the method was not executed";
            case PROVIDER_REFUSED_TOKEN -> "the provider refused the agent; the method was not executed";
            case TIMEOUT -> "no answer came before the deadline; the method may have been executed";
            // The agent's own text says how large an answer is for which there was no room.
            case PROVIDER_ERROR ->
                response.replacedBytes() > 0 ? null : "the provider failed; the method may have been executed";
            default -> null;
        };
    }

    private static boolean namesFixed(Tool tool, String document) {
        for (int i = 0; i < tool.arguments().size(); i++) {
            if (tool.arguments().get(i).isFixed() && document.contains("args[" + i + ']')) {
                return true;
            }
        }
        return false;
    }
}
