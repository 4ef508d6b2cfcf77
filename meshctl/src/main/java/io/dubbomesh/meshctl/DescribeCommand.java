package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.PrintableText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.Map;

@Command(name = "describe", description = "Prints the methods of a service and the classes that they use.")
final class DescribeCommand extends FrontCommand {
    @Parameters(paramLabel = "SERVICE", description = "interface[:version[:group]]")
    private String service;

    @Override
    public Integer call() {
        String document = description(ServiceName.parse(service));
        if (json()) {
            out().println(document);
            return DONE;
        }
        Map<?, ?> description = AgentClient.object(document);
        for (Map<?, ?> method : objects(description, "methods")) {
            out().println(PrintableText.of(signature(method)));
        }
        if (description.get("types") instanceof Map<?, ?> types) {
            types.forEach((name, type) -> out().println(PrintableText.of(type(name, (Map<?, ?>) type))));
        }
        if (description.get("unknown") instanceof List<?> unknown) {
            unknown.forEach(name -> out().println(PrintableText.of(
                    "class " + name + ": its fields are unknown; class files tell them (dubbo.api.jars)")));
        }
        return DONE;
    }

    static String signature(Map<?, ?> method) {
        return text(method, "returnType")
                + ' '
                + method.get("name")
                + '('
                + ListCommand.joined(method.get("parameterTypes")).replace(",", ", ")
                + ')';
    }

    private static String type(Object name, Map<?, ?> type) {
        if (type.get("constants") instanceof List<?> constants) {
            return "enum " + name + ' ' + constants;
        }
        StringBuilder text = new StringBuilder("class ").append(name).append(" {");
        if (type.get("fields") instanceof Map<?, ?> fields) {
            fields.forEach((field, of) ->
                    text.append(' ').append(of).append(' ').append(field).append(';'));
        }
        return text.append(" }").toString();
    }
}
