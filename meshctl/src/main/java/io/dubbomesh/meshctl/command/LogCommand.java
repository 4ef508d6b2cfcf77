package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.LoggerLevel;
import io.dubbomesh.meshctl.document.LoggerLevels;
import io.dubbomesh.meshctl.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.Collections;

@Command(name = "log", description = "Prints the levels of the agent's log, or changes one until the agent ends.")
public final class LogCommand extends AgentCommand {
    private static final String CONFIGURED = "default";

    @Parameters(index = "0", arity = "0..1", paramLabel = "LOGGER", description = "such as io.dubbomesh or ROOT")
    private String logger;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "LEVEL",
            description = "off, error, warn, info, debug, trace, or " + CONFIGURED + ": what is configured")
    private String level;

    @Override
    public Integer call() {
        String path = logger == null ? "loggers" : "loggers/" + AgentClient.encoded(logger);
        String document = level == null
                ? agent().text(path)
                : agent().change(
                                "PUT",
                                path,
                                Collections.singletonMap("level", CONFIGURED.equals(level) ? null : level));
        if (json()) {
            out().println(document);
            return DONE;
        }
        if (logger != null) {
            LoggerLevel shown = AgentClient.document(document, LoggerLevel.class);
            out().println(shown.name() + ": " + shown.level());
        } else {
            Table table = new Table("LOGGER", "LEVEL");
            AgentClient.document(document, LoggerLevels.class).loggers().forEach(table::add);
            table.print(out());
        }
        return DONE;
    }
}
