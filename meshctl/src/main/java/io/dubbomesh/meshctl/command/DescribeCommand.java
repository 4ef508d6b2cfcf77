package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.ServiceDescription;
import io.dubbomesh.meshctl.document.ServiceDescription.TypeDescription;
import io.dubbomesh.runtime.PrintableText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "describe", description = "Prints the methods of a service and the classes that they use.")
public final class DescribeCommand extends FrontCommand {
    @Parameters(paramLabel = "SERVICE", description = SERVICE)
    private String service;

    @Override
    public Integer call() {
        String document = description(service(service));
        if (json()) {
            out().println(document);
            return DONE;
        }
        ServiceDescription description = AgentClient.document(document, ServiceDescription.class);
        description.methods().forEach(method -> out().println(PrintableText.of(method.signature())));
        description.types().forEach((name, type) -> out().println(PrintableText.of(declaration(name, type))));
        description
                .unknown()
                .forEach(name -> out().println(PrintableText.of(
                        "class " + name + ": its fields are unknown; class files tell them (dubbo.api.jars)")));
        return DONE;
    }

    private static String declaration(String name, TypeDescription type) {
        if (type.constants().isPresent()) {
            return "enum " + name + ' ' + type.constants().get();
        }
        StringBuilder text = new StringBuilder("class ").append(name).append(" {");
        type.fields()
                .forEach((field, fieldType) -> text.append(' ')
                        .append(fieldType)
                        .append(' ')
                        .append(field)
                        .append(';'));
        return text.append(" }").toString();
    }
}
