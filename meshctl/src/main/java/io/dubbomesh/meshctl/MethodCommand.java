package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.json.Json;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A command that calls a method of a service. An argument is JSON; text needs no quotes where the method takes text, or
 * where it is no JSON.
 */
abstract class MethodCommand extends FrontCommand {
    /** A caller may be allowed to call a method and not to see all. */
    private static final String FORBIDDEN = "FORBIDDEN";

    private static final int LOWEST_FAILURE = 400;
    private static final Set<String> TEXTS = Set.of("java.lang.String", "char", "java.lang.Character");

    @Parameters(index = "0", paramLabel = "SERVICE", description = "interface[:version[:group]]")
    private String service;

    @Parameters(index = "1", paramLabel = "METHOD")
    private String method;

    @Parameters(index = "2..*", paramLabel = "ARGUMENT")
    private List<String> arguments = List.of();

    @Option(
            names = "--types",
            paramLabel = "TYPES",
            description = "The parameter types, by comma, of an overloaded method or one that is not described.")
    private String types;

    @Option(names = "--timeout", paramLabel = "MS", description = "The deadline in milliseconds.")
    private Integer timeoutMs;

    @Option(names = "--attachment", paramLabel = "NAME=VALUE", description = "An attachment of the call.")
    private Map<String, String> attachments = new LinkedHashMap<>();

    /** Prints what the method has answered. */
    abstract void print(HttpResponse<String> response, long tookNs);

    /** Adds what it needs to the request. */
    void prepare(HttpRequest.Builder request) {}

    @Override
    public final Integer call() {
        ServiceName name = ServiceName.parse(service);
        List<String> parameterTypes = types == null ? describedTypes(name) : split(types);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            boolean isText =
                    parameterTypes != null && i < parameterTypes.size() && TEXTS.contains(parameterTypes.get(i));
            values.add(isText ? arguments.get(i) : jsonOrText(arguments.get(i)));
        }
        HttpRequest.Builder request = request(name.target(method))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.write(values)));
        if (parameterTypes != null) {
            request.header("X-Dubbo-Parameter-Types", String.join(", ", parameterTypes));
        }
        if (timeoutMs != null) {
            request.header("X-Request-Timeout", timeoutMs.toString());
        }
        attachments.forEach((key, value) -> request.header("X-Dubbo-Attachment-" + key, AgentClient.encoded(value)));
        prepare(request);
        long startNs = System.nanoTime();
        HttpResponse<String> response = agent().send(request);
        print(response, System.nanoTime() - startNs);
        return hasFailed(response) ? FAILED : DONE;
    }

    static boolean hasFailed(HttpResponse<String> response) {
        return response.statusCode() >= LOWEST_FAILURE;
    }

    /**
     * The types of the only described method of that name with so many parameters; null if no methods are described.
     */
    private List<String> describedTypes(ServiceName name) {
        String document = description(name, NOT_FOUND, FORBIDDEN);
        if (document == null) {
            return null;
        }
        List<List<String>> candidates = new ArrayList<>();
        List<String> signatures = new ArrayList<>();
        for (Map<?, ?> each : objects(AgentClient.object(document), "methods")) {
            if (method.equals(each.get("name"))) {
                List<String> parameters = new ArrayList<>();
                ((List<?>) each.get("parameterTypes")).forEach(type -> parameters.add((String) type));
                signatures.add(DescribeCommand.signature(each));
                if (parameters.size() == arguments.size()) {
                    candidates.add(parameters);
                }
            }
        }
        if (candidates.size() == 1) {
            return candidates.get(0);
        }
        if (signatures.isEmpty()) {
            throw new MeshctlException(service + " has no method " + method + " (meshctl describe lists them)");
        }
        throw new MeshctlException(
                candidates.isEmpty()
                        ? arguments.size() + " arguments (expected: " + String.join(" or ", signatures) + ')'
                        : "which of " + String.join(", ", signatures) + "? (--types names the parameter types)");
    }

    /** By commas that do not separate type arguments. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(text.substring(begin, i).strip());
                begin = i + 1;
            }
        }
        if (!text.isBlank()) {
            parts.add(text.substring(begin).strip());
        }
        return parts;
    }

    private static Object jsonOrText(String argument) {
        try {
            return Json.read(argument);
        } catch (IllegalArgumentException e) {
            return argument;
        }
    }
}
