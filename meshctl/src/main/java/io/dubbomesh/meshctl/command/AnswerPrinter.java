package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.Agents.Answer;
import io.dubbomesh.meshctl.output.Table;
import io.dubbomesh.runtime.json.Json;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Prints what several agents have answered. */
final class AnswerPrinter {
    private AnswerPrinter() {}

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
