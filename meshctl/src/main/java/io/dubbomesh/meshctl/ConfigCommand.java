package io.dubbomesh.meshctl;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.Map;

@Command(
        name = "config",
        description = "Prints the agent's settings that are not left at their defaults, and where they come from.")
final class ConfigCommand extends AgentCommand {
    @Option(names = "--all", description = "Those at their defaults too.")
    private boolean all;

    @Override
    public Integer call() {
        String document = agent().change("GET", "config", null);
        if (json()) {
            out().println(document);
            return DONE;
        }
        Table table = new Table("SETTING", "VALUE", "FROM", "DEFAULT");
        for (Map<?, ?> setting : objects(AgentClient.object(document), "settings")) {
            if (all || !"default".equals(setting.get("origin"))) {
                table.add(setting.get("key"), setting.get("value"), setting.get("origin"), setting.get("defaultValue"));
            }
        }
        table.print(out());
        return DONE;
    }
}
