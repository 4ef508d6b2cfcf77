package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.json.Json;

import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Several agents that are asked the same at once, so that one that cannot be reached delays no other. */
final class Agents {
    private final List<AgentClient> agents;

    /** What one of them told; without a failure, which is a line for the operator. */
    record Answer<T>(URI agent, T value, String failure) {
        /** The agent's host and port. */
        String name() {
            return agent.getAuthority();
        }
    }

    Agents(List<URI> admins) {
        agents = admins.stream().map(admin -> new AgentClient(admin, null)).toList();
    }

    /** The answers in the order of the agents. */
    <T> List<Answer<T>> ask(Function<AgentClient, T> question) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(agents.size());
        try {
            List<Callable<Answer<T>>> questions = new ArrayList<>();
            for (AgentClient agent : agents) {
                questions.add(() -> answer(agent, question));
            }
            List<Answer<T>> answers = new ArrayList<>();
            for (Future<Answer<T>> answer : threads.invokeAll(questions)) {
                answers.add(answer.get());
            }
            return answers;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdown();
        }
    }

    private static <T> Answer<T> answer(AgentClient agent, Function<AgentClient, T> question) {
        try {
            return new Answer<>(agent.admin(), question.apply(agent), null);
        } catch (MeshctlException e) {
            return new Answer<>(agent.admin(), null, e.getMessage());
        }
    }

    /**
     * Prints a document that has those of all agents.
     *
     * @param members of the document of an agent
     */
    static <T> void printJson(PrintWriter out, List<Answer<T>> answers, Function<T, Map<?, ?>> members) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Answer<T> answer : answers) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("agent", answer.agent().toString());
            if (answer.failure() == null) {
                members.apply(answer.value()).forEach((name, value) -> one.put((String) name, value));
            } else {
                one.put("failure", answer.failure());
            }
            all.add(one);
        }
        out.println(Json.write(Map.of("agents", all)));
    }

    /**
     * Prints a table with the rows of all agents, and behind it those of another kind that has other columns.
     *
     * @param none in the place of the rows of an agent that has none
     */
    static <T> void printTables(PrintWriter out, List<Answer<T>> answers, Function<T, Table> table, String none) {
        Map<List<String>, Table> tables = new LinkedHashMap<>();
        for (Answer<T> answer : answers) {
            if (answer.failure() == null) {
                Table rows = table.apply(answer.value()).orRow(none).behind("AGENT", answer.name());
                tables.merge(rows.titles(), rows, Table::with);
            }
        }
        String gap = "";
        for (Table each : tables.values()) {
            out.print(gap);
            each.print(out);
            gap = System.lineSeparator();
        }
    }
}
