package io.dubbomesh.meshctl;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.Collections;
import java.util.Map;

@Command(name = "log", description = "Prints the levels of the agent's log, or changes one until the agent ends.")
final class LogCommand extends AgentCommand {
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
                ? agent().change("GET", path, null)
                : agent().change(
                                "PUT",
                                path,
                                Collections.singletonMap("level", CONFIGURED.equals(level) ? null : level));
        if (json()) {
            out().println(document);
            return DONE;
        }
        Map<?, ?> shown = AgentClient.object(document);
        if (logger != null) {
            out().println(shown.get("name") + ": " + shown.get("level"));
        } else if (shown.get("loggers") instanceof Map<?, ?> loggers) {
            Table table = new Table("LOGGER", "LEVEL");
            loggers.forEach(table::add);
            table.print(out());
        }
        return DONE;
    }
}
