package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.Agents;
import io.dubbomesh.meshctl.agent.ServerAddress;
import io.dubbomesh.runtime.PrintableText;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** A command that asks an agent. */
public abstract class AgentCommand implements Callable<Integer> {
    protected static final int DONE = 0;
    protected static final int FAILED = 1;

    @ParentCommand
    private GlobalOptions options;

    @Spec
    private CommandSpec spec;

    protected AgentClient agent() {
        return new AgentClient(admin(), null);
    }

    /** Returns the admin port of the only agent that is named. */
    final URI admin() {
        List<URI> admins = admins();
        if (admins.size() > 1) {
            throw wrongUsage("--admin: " + admins.size() + " agents (expected: one; ls and top take several)");
        }
        return admins.get(0);
    }

    final List<URI> admins() {
        try {
            return ServerAddress.admins(options.admin());
        } catch (IllegalArgumentException e) {
            throw wrongUsage("--admin: " + e.getMessage());
        }
    }

    /** Prints the failures of the agents that could not be asked, and returns the exit code. */
    final <T> int reportFailures(List<Agents.Answer<T>> answers) {
        List<String> failures = answers.stream()
                .map(Agents.Answer::failure)
                .filter(Objects::nonNull)
                .toList();
        failures.forEach(failure -> err().println("meshctl: " + PrintableText.of(failure)));
        return failures.isEmpty() ? DONE : FAILED;
    }

    protected final ParameterException wrongUsage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    protected boolean json() {
        return options.json();
    }

    protected PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
