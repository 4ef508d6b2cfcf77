package io.dubbomesh.meshctl;

import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.command.CallCommand;
import io.dubbomesh.meshctl.command.CheckConfigCommand;
import io.dubbomesh.meshctl.command.ConfigCommand;
import io.dubbomesh.meshctl.command.DescribeCommand;
import io.dubbomesh.meshctl.command.DoctorCommand;
import io.dubbomesh.meshctl.command.DrainCommand;
import io.dubbomesh.meshctl.command.GlobalOptions;
import io.dubbomesh.meshctl.command.ListCommand;
import io.dubbomesh.meshctl.command.LogCommand;
import io.dubbomesh.meshctl.command.TopCommand;
import io.dubbomesh.meshctl.command.TraceCommand;
import io.dubbomesh.meshctl.command.WeightCommand;
import io.dubbomesh.meshctl.mcp.McpCommand;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.logging.Loggers;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;

/** The command {@code meshctl}. Exit code: 0 done, 1 not done or something is wrong, 2 wrong usage. */
@Command(
        name = "meshctl",
        description = "Shows and steers the agents of Dubbo Mesh.",
        mixinStandardHelpOptions = true,
        versionProvider = Meshctl.Version.class,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ListCommand.class,
            TopCommand.class,
            DescribeCommand.class,
            CallCommand.class,
            TraceCommand.class,
            McpCommand.class,
            WeightCommand.class,
            DrainCommand.class,
            LogCommand.class,
            ConfigCommand.class,
            CheckConfigCommand.class,
            DoctorCommand.class,
            AutoComplete.GenerateCompletion.class
        })
final class Meshctl implements Runnable, GlobalOptions {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-a", "--admin"},
            scope = ScopeType.INHERIT,
            paramLabel = "ADDRESS",
            defaultValue = "${env:MESHCTL_ADMIN:-127.0.0.1:20001}",
            description = {
                "Admin port of the agent, host:port or http://host:port (${DEFAULT-VALUE}; MESHCTL_ADMIN sets it too).",
                "ls and top take several, by comma."
            })
    private String admin;

    @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print the agent's documents as they are.")
    private boolean json;

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Meshctl.class.getPackage().getImplementationVersion();
            return new String[] {"meshctl " + (version == null ? "(not a release)" : version)};
        }
    }

    public static void main(String[] args) {
        // What agents log while their settings are checked is not for the output of a tool.
        Loggers.set(Loggers.OURS, "warn");
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Meshctl())
                // An argument of a call that begins with @ is the content of one file, not a list of arguments.
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    if (!(e instanceof MeshctlException)) {
                        throw e;
                    }
                    command.getErr().println("meshctl: " + PrintableText.of(e.getMessage()));
                    return FAILED;
                })
                .setParameterExceptionHandler((e, arguments) -> refuse(e));
    }

    /** Prints what is wrong without the whole usage, which would hide it. */
    private static int refuse(CommandLine.ParameterException e) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("meshctl: " + PrintableText.of(e.getMessage()));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        }
        return WRONG_USAGE;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getErr());
        throw new CommandLine.ParameterException(spec.commandLine(), "no command");
    }

    @Override
    public boolean json() {
        return json;
    }

    @Override
    public String admin() {
        return admin;
    }
}
