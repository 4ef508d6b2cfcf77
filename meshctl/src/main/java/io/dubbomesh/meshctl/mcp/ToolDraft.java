package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.document.ServiceDescription;
import io.dubbomesh.meshctl.document.ServiceDescription.MethodDescription;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.json.Json;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Writes the draft of a file of {@code mcp.tools} with the methods of a service: docs/use/mcp.md. Each tool is a block
 * of comments, which is valid without the first {@code #} of its lines. The names in it come from a provider: none can
 * end a comment or a text.
 */
final class ToolDraft {
    private static final int MAX_NAME = 128;
    private static final String HEAD = """
            # A draft of a file of mcp.tools: the methods of %s, by meshctl mcp suggest.
            #
            # It publishes nothing as it stands, since each tool is a comment. A model calls any tool that it sees, with any
            # arguments that it was talked into, and repeats what it gets: publish what it needs. For each tool:
            #
            # 1. Read what the method does. Delete the block if no model should do that.
            # 2. Remove the first # of its lines.
            # 3. Describe the tool and its arguments: that is what the model goes by.
            # 4. An argument that is not for the model to choose, such as the tenant, becomes { fixed = VALUE }.
            # 5. What is still a comment is guessed from names alone: remove its # if it is true, or delete it.
            #
            # meshctl check-config checks the file with the settings of the agent. docs/use/mcp.md describes each key, and
            # what a misled model can do.

            # instructions = "What these tools are for"

            tools {
            """;
    private static final Set<String> READING = Set.of(
            "get", "list", "find", "query", "search", "count", "exists", "is", "has", "read", "lookup", "describe");
    private static final Set<String> DESTROYING =
            Set.of("delete", "remove", "cancel", "drop", "clear", "purge", "destroy", "revoke", "reset", "truncate");

    private final ServiceKey service;
    private final ServiceDescription description;
    private final StringBuilder draft = new StringBuilder();
    private final Set<String> toolNames = new HashSet<>();

    private ToolDraft(ServiceKey service, ServiceDescription description) {
        this.service = service;
        this.description = description;
    }

    /** Returns the text of the draft. */
    static String of(ServiceKey service, ServiceDescription description) {
        ToolDraft draft = new ToolDraft(service, description);
        draft.write();
        return draft.draft.toString();
    }

    private void write() {
        draft.append(String.format(Locale.ROOT, HEAD, PrintableText.of(service.toString())));
        for (MethodDescription method : description.methods()) {
            if (method.stream().isPresent()) {
                // A tool has one answer.
                continue;
            }
            draft.append('\n');
            writeTool(method);
        }
        draft.append("}\n");
    }

    private void writeTool(MethodDescription method) {
        line(1, toolName(method.name()) + " {");
        line(2, "# " + PrintableText.of(method.signature()));
        text("service", service.service());
        text("version", service.version());
        text("group", service.group());
        text("method", method.name());
        if (isOverloaded(method)) {
            text("parameter-types", String.join(", ", method.parameterTypes()));
        }
        line(2, "description = \"\"");
        writeArguments(method);
        writeProposals(method);
        line(1, "}");
    }

    private void line(int depth, String text) {
        draft.append('#').append("  ".repeat(depth)).append(text).append('\n');
    }

    private void text(String key, String value) {
        if (!value.isEmpty()) {
            line(2, key + " = " + Json.write(value));
        }
    }

    /** Returns a name as that of the operation in OpenAPI documents, and unlike those before. */
    private String toolName(String method) {
        String simple = service.service().substring(service.service().lastIndexOf('.') + 1);
        String all = (simple + '_' + method).replaceAll("[^A-Za-z0-9_]", "_");
        String base = all.substring(0, Math.min(all.length(), MAX_NAME - "_9999".length()));
        String name = base;
        for (int i = 2; !toolNames.add(name); i++) {
            name = base + '_' + i;
        }
        return name;
    }

    private boolean isOverloaded(MethodDescription method) {
        return description.methods().stream()
                        .filter(each -> each.name().equals(method.name()))
                        .count()
                > 1;
    }

    private void writeArguments(MethodDescription method) {
        int count = method.parameterTypes().size();
        if (count == 0) {
            return;
        }
        List<String> names = method.parameterNames();
        if (names.size() != count) {
            line(2, "# The names of the arguments are not known. Any will do: the model alone sees them.");
            names = new ArgumentNames().of(method.parameterTypes());
        }
        line(2, "arguments = [");
        for (int i = 0; i < count; i++) {
            line(3, "{ name = " + Json.write(names.get(i)) + ", description = \"\" }");
        }
        line(2, "]");
    }

    private void writeProposals(MethodDescription method) {
        String verb = Words.of(method.name()).get(0);
        if (READING.contains(verb)) {
            propose("By its name it may change nothing. If that is so:", "read-only = true");
        } else if (DESTROYING.contains(verb)) {
            propose("By its name it may destroy something. If that is so:", "destructive = true");
        }
        SecretMembers secrets = SecretMembers.of(method.returnType(), description);
        if (JavaTypeText.isArray(method.returnType())) {
            propose("The result is an array, of which a call can get a part:", "page-size = 20");
        }
        if (!secrets.paths().isEmpty()) {
            propose(
                    "Members of the result that may be secret, by their names:",
                    "mask = " + Json.write(secrets.paths()));
        }
        if (!secrets.isComplete()) {
            line(2, "# Not all members of the result are known, or there are too many: look for secret ones yourself.");
        }
    }

    private void propose(String reason, String line) {
        line(2, "# " + reason);
        line(2, "# " + line);
    }
}
