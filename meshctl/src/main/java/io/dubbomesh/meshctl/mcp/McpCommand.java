package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.command.GlobalOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
        name = "mcp",
        description = "Lists, calls and drafts tools for language models (mcp.tools).",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ListToolsCommand.class, CallToolCommand.class, SuggestToolsCommand.class})
public final class McpCommand implements Runnable, GlobalOptions {
    @ParentCommand
    private GlobalOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getErr());
        throw new ParameterException(spec.commandLine(), "no command");
    }

    @Override
    public String admin() {
        return options.admin();
    }

    @Override
    public boolean json() {
        return options.json();
    }
}
