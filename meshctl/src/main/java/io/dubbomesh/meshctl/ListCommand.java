package io.dubbomesh.meshctl;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

@Command(
        name = "ls",
        description = {
            "Lists the endpoints or the services that the agent knows, or what failed lately.",
            "With several agents (-a A,B,C) each row names its agent."
        })
final class ListCommand extends AgentCommand {
    enum What {
        endpoints,
        services,
        failures
    }

    @Parameters(arity = "0..1", defaultValue = "endpoints", description = "${COMPLETION-CANDIDATES} (endpoints).")
    private What what;

    @Override
    public Integer call() throws InterruptedException {
        if (admins().size() > 1) {
            return ofSeveral();
        }
        String document = agent().change("GET", what.name(), null);
        if (json()) {
            out().println(document);
        } else {
            table(AgentClient.object(document)).print(out());
        }
        return DONE;
    }

    private int ofSeveral() throws InterruptedException {
        List<Agents.Answer<Map<?, ?>>> answers = new Agents(admins()).ask(agent -> agent.get(what.name()));
        if (json()) {
            Agents.printJson(out(), answers, document -> document);
        } else {
            Agents.printTables(out(), answers, this::table, "no " + what);
        }
        return reportFailures(answers);
    }

    private Table table(Map<?, ?> document) {
        return switch (what) {
            case endpoints -> endpoints(document);
            case services -> services(document);
            case failures -> failures(document);
        };
    }

    private static Table failures(Map<?, ?> document) {
        Table table = new Table("CODE", "CALLS", "LAST", "SERVICE", "METHOD", "ENDPOINT", "REASON");
        for (Map<?, ?> failure : objects(document, "failures")) {
            table.add(
                    failure.get("code"),
                    failure.get("count"),
                    failure.get("lastAt"),
                    text(failure, "service"),
                    text(failure, "method"),
                    text(failure, "endpoint"),
                    text(failure, "reason"));
        }
        return table;
    }

    private static Table endpoints(Map<?, ?> document) {
        Table table = new Table("ENDPOINT", "KIND", "WEIGHT", "LIMIT", "CALLS", "STATE", "SERVICES");
        for (Map<?, ?> endpoint : objects(document, "endpoints")) {
            table.add(
                    endpoint.get("id"),
                    text(endpoint, "kind"),
                    text(endpoint, "weight"),
                    endpoint.get("limit"),
                    endpoint.get("callsInFlight"),
                    state(endpoint),
                    joined(endpoint.get("services")));
        }
        return table;
    }

    /** In the words of the glossary. A provider agent, which lists itself, has no links to endpoints. */
    static String state(Map<?, ?> endpoint) {
        boolean listed = Boolean.TRUE.equals(endpoint.get("listed"));
        if (!endpoint.containsKey("alive")) {
            return listed ? "registered" : "not registered";
        }
        if (endpoint.containsKey("notCallable")) {
            return text(endpoint, "notCallable");
        }
        if (Boolean.TRUE.equals(endpoint.get("idle"))) {
            return "idle";
        }
        if (!Boolean.TRUE.equals(endpoint.get("alive"))) {
            return endpoint.containsKey("reason") ? "not connected: " + endpoint.get("reason") : "not connected";
        }
        String ejectedFrom = joined(endpoint.get("ejectedFrom"));
        return (listed ? "alive" : "alive, lapsed") + (ejectedFrom.isEmpty() ? "" : ", ejected from " + ejectedFrom);
    }

    static Table services(Map<?, ?> document) {
        List<Map<?, ?>> services = objects(document, "services");
        boolean ofProviderAgent = services.stream().anyMatch(service -> service.containsKey("offered"));
        if (ofProviderAgent) {
            Table table = new Table("SERVICE", "VERSION", "GROUP", "OFFERED", "METHODS");
            services.forEach(service -> table.add(
                    service.get("service"),
                    text(service, "version"),
                    text(service, "group"),
                    Boolean.TRUE.equals(service.get("offered")) ? "yes" : "no",
                    service.containsKey("methods") ? service.get("methods") : "not known"));
            return table;
        }
        Table table = new Table("SERVICE", "ENDPOINTS", "SERVED", "CALLED AS", "CALLS", "WAITING");
        for (Map<?, ?> service : services) {
            Object name = service.get("service");
            String endpoints = orElse("none", joined(service.get("endpoints")));
            String served = endpoints.equals("none") ? "none" : orElse("not told", variants(service, "served"));
            List<Map<?, ?>> variants = objects(service, "variants");
            if (variants.isEmpty()) {
                table.add(name, endpoints, served, "not called yet", 0, 0);
            }
            for (Map<?, ?> variant : variants) {
                table.add(
                        name,
                        endpoints,
                        served,
                        variant(variant),
                        variant.get("callsInFlight"),
                        variant.get("callsWaiting"));
            }
        }
        return table;
    }

    private static String orElse(String otherwise, String text) {
        return text.isEmpty() ? otherwise : text;
    }

    private static String variants(Map<?, ?> service, String member) {
        return objects(service, member).stream().map(ListCommand::variant).collect(Collectors.joining("; "));
    }

    private static String variant(Map<?, ?> variant) {
        return "version \"" + variant.get("version") + "\", group \"" + variant.get("group") + '"';
    }

    static String joined(Object items) {
        return items instanceof List<?> list
                ? String.join(",", list.stream().map(String::valueOf).toList())
                : "";
    }
}
