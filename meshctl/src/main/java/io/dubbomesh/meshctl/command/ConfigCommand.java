package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.Config;
import io.dubbomesh.meshctl.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "config",
        description = "Prints the agent's settings that are not left at their defaults, and where they come from.")
public final class ConfigCommand extends AgentCommand {
    @Option(names = "--all", description = "Those at their defaults too.")
    private boolean all;

    @Override
    public Integer call() {
        String document = agent().text("config");
        if (json()) {
            out().println(document);
            return DONE;
        }
        Table table = new Table("SETTING", "VALUE", "FROM", "DEFAULT");
        for (Config.Setting setting :
                AgentClient.document(document, Config.class).settings()) {
            if (all || !"default".equals(setting.origin())) {
                table.add(setting.key(), setting.value(), setting.origin(), setting.defaultValue());
            }
        }
        table.print(out());
        return DONE;
    }
}
