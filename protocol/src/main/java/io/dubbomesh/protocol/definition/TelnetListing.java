package io.dubbomesh.protocol.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of a Dubbo provider to the telnet command {@code ls -l SERVICE} (Dubbo's {@code ListTelnetHandler}): a
 * line for each method, without type arguments. Dubbo 2.6 writes nothing else, 2.7 a heading before them and a tab
 * before each method; 3.x does not have the command.
 */
public final class TelnetListing {
    /** The end of every answer, without a line end. */
    public static final String PROMPT = "dubbo>";

    private static final String HEADING = " (as provider):";
    private static final String CONSUMER_HEADING = " (as consumer):";
    private static final Pattern METHOD = Pattern.compile("\t?(\\S+) ([^\\s()]+)\\((\\S*)\\)");
    private static final int MAX_METHODS = 10_000;

    private TelnetListing() {}

    /** Returns the methods, or null if the answer is not a list of methods. */
    public static ServiceDefinition parse(String answer) {
        List<MethodDefinition> methods = new ArrayList<>();
        for (String line : answer.split("\r?\n")) {
            if (line.endsWith(CONSUMER_HEADING) || line.endsWith(HEADING) && !methods.isEmpty()) {
                // The same interface again, in another version or group, or of another service.
                break;
            }
            if (line.isEmpty() || line.equals(PROMPT) || line.endsWith(HEADING)) {
                continue;
            }
            MethodDefinition method = method(line);
            if (method == null || methods.size() == MAX_METHODS) {
                return null;
            }
            methods.add(method);
        }
        return methods.isEmpty() ? null : new ServiceDefinition(methods, Map.of());
    }

    private static MethodDefinition method(String line) {
        Matcher parts = METHOD.matcher(line);
        if (!parts.matches()) {
            return null;
        }
        List<String> parameters = new ArrayList<>();
        try {
            if (!parts.group(3).isEmpty()) {
                for (String parameter : parts.group(3).split(",", -1)) {
                    parameters.add(SourceName.read(parameter, UnaryOperator.identity()));
                }
            }
            String returned = SourceName.read(parts.group(1), UnaryOperator.identity());
            return new MethodDefinition(parts.group(2), parameters, returned);
        } catch (MalformedDefinitionException e) {
            return null;
        }
    }
}
