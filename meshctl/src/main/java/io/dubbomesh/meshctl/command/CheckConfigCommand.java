package io.dubbomesh.meshctl.command;

import io.dubbomesh.consumer.ConsumerAgent;
import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.provider.ProviderAgent;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.runtime.settings.SettingsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

@Command(
        name = "check-config",
        description = "Refuses the settings of a file that an agent would refuse, without starting one.")
public final class CheckConfigCommand implements Callable<Integer> {
    private static final int REFUSED = 1;

    /** Converts a value of the setting {@code type}. */
    private static final class ByType implements ITypeConverter<AgentRole> {
        @Override
        public AgentRole convert(String type) {
            AgentRole role = AgentRole.ofType(type);
            if (role == null) {
                throw new TypeConversionException(type + " (expected: consumer, gateway or provider)");
            }
            return role;
        }
    }

    @ParentCommand
    private GlobalOptions options;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "as in -Dconfig.file=FILE")
    private Path file;

    @Option(
            names = "--agent",
            converter = ByType.class,
            description = "${COMPLETION-CANDIDATES}; needed unless the name of the file has one of these words.")
    private AgentRole agent;

    @Option(names = "-D", paramLabel = "key=value", description = "A setting on the agent's command line.")
    private Map<String, String> properties = new HashMap<>();

    @Override
    public Integer call() {
        if (!Files.exists(file)) {
            throw new MeshctlException(file + ": no such file");
        }
        AgentRole checked = agent == null ? roleIn(file.getFileName().toString()) : agent;
        Map<String, String> all = new HashMap<>(properties);
        all.put("config.file", file.toString());
        try {
            if (checked == AgentRole.PROVIDER) {
                ProviderAgent.check(all, System.getenv());
            } else {
                if (checked == AgentRole.GATEWAY) {
                    all.putIfAbsent("type", checked.type());
                }
                ConsumerAgent.check(all, System.getenv());
            }
        } catch (SettingsException e) {
            print(checked, e.problems());
            return REFUSED;
        } catch (NoClassDefFoundError e) {
            // The image of an agent has no other agent in it.
            throw new MeshctlException("there is no " + checked.title() + " here, which would check " + file
                    + " (expected: a release, or the image of that agent)");
        }
        print(checked, List.of());
        return 0;
    }

    private void print(AgentRole checked, List<String> problems) {
        if (options.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("file", file.toString());
            document.put("agent", checked.type());
            document.put("problems", problems);
            spec.commandLine().getOut().println(Json.write(document));
        } else if (problems.isEmpty()) {
            spec.commandLine().getOut().println(file + ": a " + checked.title() + " takes it");
        } else {
            problems.forEach(problem -> spec.commandLine().getErr().println(PrintableText.of(problem)));
        }
    }

    private AgentRole roleIn(String name) {
        List<AgentRole> named = Stream.of(AgentRole.values())
                .filter(role -> name.contains(role.type()))
                .toList();
        if (named.size() != 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--agent: missing (expected: consumer, gateway or provider, whose settings " + name + " has)");
        }
        return named.get(0);
    }
}
