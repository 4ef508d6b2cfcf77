package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.Agents;
import io.dubbomesh.meshctl.agent.Agents.Answer;
import io.dubbomesh.meshctl.document.EndpointDocument;
import io.dubbomesh.meshctl.document.EndpointDocument.StrategyView;
import io.dubbomesh.meshctl.document.Endpoints;
import io.dubbomesh.meshctl.document.FailureDocument;
import io.dubbomesh.meshctl.document.Failures;
import io.dubbomesh.meshctl.document.Service;
import io.dubbomesh.meshctl.document.ServicesDocument;
import io.dubbomesh.meshctl.output.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

@Command(
        name = "ls",
        description = {
            "Lists the endpoints or the services that the agent knows, or what failed lately.",
            "LOAD and LATENCY of an endpoint are what the strategy compares, or else what its provider reports;",
            "SHARE is that of the calls of the last half minute, BY WEIGHT what it would be by weight alone.",
            "With several agents (-a A,B,C) each row names its agent."
        })
public final class ListCommand extends AgentCommand {
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
            return listSeveral();
        }
        if (json()) {
            out().println(agent().text(what.name()));
        } else {
            table(agent()).print(out());
        }
        return DONE;
    }

    private int listSeveral() throws InterruptedException {
        Agents agents = new Agents(admins());
        if (json()) {
            List<Answer<Map<?, ?>>> answers = agents.ask(agent -> agent.members(what.name()));
            AnswerPrinter.printJson(out(), answers, members -> members);
            return reportFailures(answers);
        }
        List<Answer<Table>> answers = agents.ask(this::table);
        AnswerPrinter.printTables(out(), answers, table -> table, "no " + what);
        return reportFailures(answers);
    }

    private Table table(AgentClient agent) {
        return switch (what) {
            case endpoints -> endpoints(agent.get(what.name(), Endpoints.class));
            case services -> services(agent.get(what.name(), ServicesDocument.class));
            case failures -> failures(agent.get(what.name(), Failures.class));
        };
    }

    private static Table failures(Failures document) {
        Table table = new Table("CODE", "CALLS", "LAST", "SERVICE", "METHOD", "ENDPOINT", "REASON");
        for (FailureDocument failure : document.failures()) {
            table.add(
                    failure.code(),
                    failure.count(),
                    failure.lastAt(),
                    failure.service(),
                    failure.method(),
                    failure.endpoint(),
                    failure.reason());
        }
        return table;
    }

    static Table endpoints(Endpoints document) {
        Table table = new Table(
                "ENDPOINT",
                "KIND",
                "ZONE",
                "WEIGHT",
                "LIMIT",
                "CALLS",
                "STRATEGY",
                "LOAD",
                "LATENCY",
                "SHARE",
                "BY WEIGHT",
                "STATE",
                "SERVICES");
        for (EndpointDocument endpoint : document.endpoints()) {
            table.add(
                    endpoint.id(),
                    endpoint.kind(),
                    endpoint.zone(),
                    endpoint.weight().map(String::valueOf).orElse(""),
                    endpoint.limit(),
                    endpoint.callsInFlight(),
                    endpoint.strategy().map(StrategyView::name).orElse(""),
                    load(endpoint),
                    endpoint.comparedLatencyMs().map(ms -> number(ms) + " ms").orElse(""),
                    endpoint.strategy()
                            .flatMap(StrategyView::sharePercent)
                            .map(ListCommand::percent)
                            .orElse(""),
                    endpoint.strategy()
                            .flatMap(StrategyView::weightPercent)
                            .map(ListCommand::percent)
                            .orElse(""),
                    state(endpoint),
                    String.join(",", endpoint.services()));
        }
        return table.withoutEmpty("ZONE").withoutEmpty("STRATEGY", "LOAD", "LATENCY", "SHARE", "BY WEIGHT");
    }

    private static String load(EndpointDocument endpoint) {
        String calls = endpoint.comparedCalls().map(ListCommand::number).orElse("");
        String heat = endpoint.strategy().map(StrategyView::heat).orElse("");
        return heat.isEmpty() ? calls : calls + " " + heat;
    }

    /** Returns a number with at most one decimal. */
    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static String percent(double value) {
        return Math.round(value) + " %";
    }

    /** Returns its state in the words of the glossary. A provider agent, which lists itself, has no links to it. */
    static String state(EndpointDocument endpoint) {
        if (endpoint.alive().isEmpty()) {
            return endpoint.listed() ? "registered" : "not registered";
        }
        if (!endpoint.notCallable().isEmpty()) {
            return endpoint.notCallable();
        }
        if (endpoint.idle()) {
            return "idle";
        }
        if (!endpoint.alive().get()) {
            return endpoint.reason().isEmpty() ? "not connected" : "not connected: " + endpoint.reason();
        }
        return (endpoint.listed() ? "alive" : "alive, lapsed")
                + (endpoint.ejectedFrom().isEmpty() ? "" : ", ejected from " + endpoint.ejections());
    }

    static Table services(ServicesDocument document) {
        boolean ofProviderAgent = document.services().stream()
                .anyMatch(service -> service.offered().isPresent());
        return ofProviderAgent ? offeredServices(document) : calledServices(document);
    }

    private static Table offeredServices(ServicesDocument document) {
        Table table = new Table("SERVICE", "VERSION", "GROUP", "OFFERED", "METHODS");
        for (Service service : document.services()) {
            table.add(
                    service.service(),
                    service.version(),
                    service.group(),
                    service.isOffered() ? "yes" : "no",
                    service.methods().map(String::valueOf).orElse("not known"));
        }
        return table;
    }

    private static Table calledServices(ServicesDocument document) {
        Table table = new Table("SERVICE", "ENDPOINTS", "SERVED", "CALLED AS", "CALLS", "WAITING");
        for (Service service : document.services()) {
            String name = service.service();
            String endpoints = service.endpoints().isEmpty() ? "none" : String.join(",", service.endpoints());
            String served = service.endpoints().isEmpty() ? "none" : served(service);
            if (service.variants().isEmpty()) {
                table.add(name, endpoints, served, "not called yet", 0, 0);
            }
            for (Service.Variant variant : service.variants()) {
                table.add(name, endpoints, served, variant, variant.callsInFlight(), variant.callsWaiting());
            }
        }
        return table;
    }

    private static String served(Service service) {
        return service.served().isEmpty()
                ? "not told"
                : service.served().stream().map(Service.Variant::toString).collect(Collectors.joining("; "));
    }
}
