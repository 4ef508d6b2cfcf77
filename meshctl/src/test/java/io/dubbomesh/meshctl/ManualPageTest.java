package io.dubbomesh.meshctl;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** The manual page, compared in both directions with the commands as they are. */
class ManualPageTest {
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--?[A-Za-z][a-z-]*");
    private static final Pattern VARIABLE = Pattern.compile("MESHCTL_[A-Z_]+");

    private final CommandLine meshctl = Meshctl.commandLine();

    /** The page as text, without what formats it. */
    private static String page() throws IOException {
        return Files.readString(Path.of("..", "dist", "src", "man", "meshctl.1"))
                .replaceAll("\\\\f[A-Z]", "")
                .replace("\\-", "-")
                .replace("\"", "")
                .replaceAll("(?m)^\\.(B|BR|BI|RB|I|IR|RI) ", "");
    }

    /** The text between the section of this name and the next one. */
    private static String section(String name) throws IOException {
        Matcher section =
                Pattern.compile("(?ms)^\\.SH " + name + "$(.*?)(?=^\\.SH |\\z)").matcher(page());
        assertThat(section.find()).as(name).isTrue();
        return section.group(1);
    }

    /** Returns the commands by what is typed: in the place of one that only has others these. */
    private Map<String, CommandSpec> typed() {
        Map<String, CommandSpec> typed = new LinkedHashMap<>();
        meshctl.getSubcommands().forEach((name, command) -> {
            if (command.getSubcommands().isEmpty()) {
                typed.put(name, command.getCommandSpec());
            }
            command.getSubcommands().forEach((sub, each) -> typed.put(name + ' ' + sub, each.getCommandSpec()));
        });
        return typed;
    }

    /** Returns the heading and the text of each command, by what is typed. */
    private Map<String, String> commands() throws IOException {
        Map<String, String> commands = new LinkedHashMap<>();
        for (String part : section("COMMANDS").split("(?m)^\\.SS ")) {
            if (!part.isBlank()) {
                String heading = part.lines().findFirst().orElseThrow();
                String name = typed().keySet().stream()
                        .filter(each -> (heading + ' ').startsWith(each + ' '))
                        .findFirst()
                        .orElse(heading);
                commands.put(name, part);
            }
        }
        return commands;
    }

    private static Set<String> optionsIn(String text) {
        return OPTION.matcher(text)
                .results()
                .map(match -> match.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> optionsOf(CommandSpec command) {
        Set<String> names = new TreeSet<>();
        command.options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::names)
                .forEach(each -> names.addAll(Set.of(each)));
        return names;
    }

    @Test
    void thePageHasEachCommandAndNoOther() throws IOException {
        assertThat(commands().keySet()).isEqualTo(typed().keySet());
    }

    @Test
    void thePageHasEachOptionOfACommandAndNoOther() throws IOException {
        Set<String> ofAll = optionsOf(meshctl.getCommandSpec());
        assertThat(optionsIn(section("OPTIONS"))).isEqualTo(ofAll);
        for (Map.Entry<String, String> command : commands().entrySet()) {
            Set<String> own = optionsOf(typed().get(command.getKey()));
            own.removeAll(ofAll);
            assertThat(optionsIn(command.getValue())).as(command.getKey()).isEqualTo(own);
        }
    }

    @Test
    void theHeadingOfACommandHasItsArguments() throws IOException {
        for (Map.Entry<String, String> command : commands().entrySet()) {
            String heading = command.getValue().lines().findFirst().orElseThrow();
            String expected = typed().get(command.getKey()).positionalParameters().stream()
                    .map(ManualPageTest::shown)
                    .collect(Collectors.joining(" "));
            assertThat(heading.substring(command.getKey().length()).strip())
                    .as(command.getKey())
                    .isEqualTo(expected);
        }
    }

    private static String shown(ArgSpec argument) {
        boolean isChoice = argument.completionCandidates() != null;
        String name = isChoice
                ? String.join("|", argument.completionCandidates())
                : argument.paramLabel().toLowerCase(Locale.ROOT);
        String repeated = argument.isMultiValue() ? name + " ..." : name;
        // A command that refuses the lack of an argument itself, with a hint, shows it as one that must be there.
        boolean isOptional = argument.arity().min() == 0 && !argument.hideParamSyntax();
        return isOptional ? '[' + repeated + ']' : repeated;
    }

    @Test
    void aWeightIsChangedForGatewaysToo() throws IOException {
        String change = "changes it for all agents that read the registry";
        assertThat(commands().get("weight")).contains(change);
        assertThat(meshctl.getSubcommands()
                        .get("weight")
                        .getCommandSpec()
                        .usageMessage()
                        .description())
                .singleElement()
                .asString()
                .contains(change);
    }

    @Test
    void thePageHasEachVariableOfTheEnvironment() throws IOException {
        Set<String> variables = new TreeSet<>();
        for (CommandSpec command : typed().values()) {
            for (OptionSpec option : command.options()) {
                VARIABLE.matcher(String.join(" ", option.description()))
                        .results()
                        .forEach(match -> variables.add(match.group()));
            }
        }
        assertThat(variables).hasSize(4);
        for (String variable : variables) {
            assertThat(section("ENVIRONMENT")).contains(variable);
        }
    }
}
