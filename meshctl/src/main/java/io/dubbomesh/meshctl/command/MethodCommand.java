package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.agent.ServiceName;
import io.dubbomesh.meshctl.document.ServiceDescription;
import io.dubbomesh.meshctl.document.ServiceDescription.MethodDescription;
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
    /** The code for a service whose methods are not known. */
    private static final String NOT_FOUND = "NOT_FOUND";

    /** A caller may be allowed to call a method and not to see all. */
    private static final String FORBIDDEN = "FORBIDDEN";

    private static final int LOWEST_FAILURE = 400;
    private static final String UNCLEAR_TYPES = "name the parameter types";
    private static final Set<String> TEXTS = Set.of("java.lang.String", "char", "java.lang.Character");

    @Parameters(index = "0", paramLabel = "SERVICE", description = SERVICE)
    private String service;

    @Parameters(index = "1", paramLabel = "METHOD", arity = "0..1", hideParamSyntax = true)
    private String method;

    @Parameters(
            index = "2..*",
            paramLabel = "ARGUMENT",
            description =
                    "JSON or text; @FILE: the content of a file, -: that of standard input, @@TEXT: the text @TEXT")
    private List<String> arguments = List.of();

    @Option(
            names = "--types",
            paramLabel = "TYPES",
            description =
                    "The parameter types, by comma: where the arguments fit several methods, or none is described.")
    private String types;

    @Option(names = "--timeout", paramLabel = "MS", description = "The deadline in milliseconds.")
    private Integer timeoutMs;

    @Option(names = "--attachment", paramLabel = "NAME=VALUE", description = "An attachment of the call.")
    private Map<String, String> attachments = new LinkedHashMap<>();

    /** Prints the answer of the method. */
    abstract void print(HttpResponse<String> response, long tookNs);

    /** Adds what it needs to the request. */
    void prepare(HttpRequest.Builder request) {}

    /** The description that a call needs may take as long as the call. */
    @Override
    protected final HttpRequest.Builder request(String target) {
        HttpRequest.Builder request = super.request(target);
        return timeoutMs == null ? request : request.header("X-Request-Timeout", timeoutMs.toString());
    }

    @Override
    public final Integer call() {
        if (method == null) {
            String hint = hint(ServiceName.parse(service));
            throw wrongUsage("Missing required parameter: 'METHOD'" + (hint == null ? "" : " (" + hint + ')'));
        }
        ServiceName name = service(service);
        arguments = ArgumentSources.read(arguments, System.in);
        List<List<String>> candidates = types == null ? described(name) : List.of(split(types));
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            values.add(isText(candidates, i) ? arguments.get(i) : ArgumentSources.jsonOrText(arguments.get(i)));
        }
        HttpRequest.Builder request = request(name.target(method))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.write(values)));
        if (candidates.size() == 1) {
            request.header("X-Dubbo-Parameter-Types", String.join(", ", candidates.get(0)));
        }
        attachments.forEach((key, value) -> request.header("X-Dubbo-Attachment-" + key, AgentClient.encoded(value)));
        prepare(request);
        long startNs = System.nanoTime();
        HttpResponse<String> response = agent().send(request);
        print(response, System.nanoTime() - startNs);
        return hasFailed(response) ? FAILED : DONE;
    }

    final MeshctlException failure(HttpResponse<String> response) {
        String problem = problem(response, ServiceName.parse(service));
        return new MeshctlException(
                types == null && problem.contains(UNCLEAR_TYPES) ? problem + "; --types sets that header" : problem);
    }

    static boolean hasFailed(HttpResponse<String> response) {
        return response.statusCode() >= LOWEST_FAILURE;
    }

    /** Returns whether the argument is text with each of these types. */
    private static boolean isText(List<List<String>> candidates, int index) {
        return !candidates.isEmpty()
                && candidates.stream().allMatch(each -> index < each.size() && TEXTS.contains(each.get(index)));
    }

    /**
     * Returns the types of the described methods of that name with so many parameters, of which the agent chooses if
     * there are several; empty if no methods are described.
     */
    private List<List<String>> described(ServiceName name) {
        String document = description(name, NOT_FOUND, FORBIDDEN);
        if (document == null) {
            return List.of();
        }
        List<List<String>> candidates = new ArrayList<>();
        List<String> signatures = new ArrayList<>();
        for (MethodDescription each :
                AgentClient.document(document, ServiceDescription.class).methods()) {
            if (method.equals(each.name())) {
                signatures.add(each.signature());
                if (each.parameterTypes().size() == arguments.size()) {
                    candidates.add(each.parameterTypes());
                }
            }
        }
        if (signatures.isEmpty()) {
            throw new MeshctlException(service + " has no method " + method + " (meshctl describe lists them)");
        }
        if (candidates.isEmpty()) {
            throw new MeshctlException(
                    arguments.size() + " arguments (expected: " + String.join(" or ", signatures) + ')');
        }
        return candidates;
    }

    /** Splits it by commas that do not separate type arguments. */
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
}
