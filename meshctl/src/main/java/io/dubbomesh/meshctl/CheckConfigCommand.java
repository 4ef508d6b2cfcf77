package io.dubbomesh.meshctl;

import io.dubbomesh.consumer.ConsumerAgent;
import io.dubbomesh.provider.ProviderAgent;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.runtime.settings.SettingsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

@Command(
        name = "check-config",
        description = "Refuses the settings of a file that an agent would refuse, without starting one.")
final class CheckConfigCommand implements Callable<Integer> {
    private static final int REFUSED = 1;

    enum Agent {
        consumer,
        provider
    }

    @ParentCommand
    private Meshctl meshctl;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "as in -Dconfig.file=FILE")
    private Path file;

    @Option(
            names = "--agent",
            description = "${COMPLETION-CANDIDATES}; needed unless the name of the file has one of the two words.")
    private Agent agent;

    @Option(names = "-D", paramLabel = "key=value", description = "A setting on the agent's command line.")
    private Map<String, String> properties = new HashMap<>();

    @Override
    public Integer call() {
        Agent checked = agent == null ? agentOf(file.getFileName().toString()) : agent;
        Map<String, String> all = new HashMap<>(properties);
        all.put("config.file", file.toString());
        try {
            if (checked == Agent.consumer) {
                ConsumerAgent.check(all, System.getenv());
            } else {
                ProviderAgent.check(all, System.getenv());
            }
        } catch (SettingsException e) {
            print(checked, e.problems());
            return REFUSED;
        } catch (NoClassDefFoundError e) {
            // The image of an agent has no other agent in it.
            throw new MeshctlException("there is no " + checked + " agent here, which would check " + file
                    + " (expected: a release, or the image of that agent)");
        }
        print(checked, List.of());
        return 0;
    }

    private void print(Agent checked, List<String> problems) {
        if (meshctl.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("file", file.toString());
            document.put("agent", checked);
            document.put("problems", problems);
            spec.commandLine().getOut().println(Json.write(document));
        } else if (problems.isEmpty()) {
            spec.commandLine().getOut().println(file + ": a " + checked + " agent takes it");
        } else {
            problems.forEach(problem -> spec.commandLine().getErr().println(PrintableText.of(problem)));
        }
    }

    private Agent agentOf(String name) {
        boolean ofConsumer = name.contains(Agent.consumer.name());
        if (ofConsumer == name.contains(Agent.provider.name())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--agent: missing (expected: consumer or provider, whose settings " + name + " has)");
        }
        return ofConsumer ? Agent.consumer : Agent.provider;
    }
}
