package io.dubbomesh.demo.office;

import io.dubbomesh.demo.conformance.Description;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A provider that implements Dubbo's GenericService and has no interface of its service, {@value #SERVICE}. */
public final class Ledger {
    public static final String SERVICE = "io.dubbomesh.demo.office.LedgerService";

    private Ledger() {}

    /**
     * Executes a method by its name. {@code describe} returns what has arrived, {@code types} the parameter types of
     * the call, {@code echo} its first argument, {@code entry} a map, {@code add} the sum of two numbers; {@code fail}
     * fails.
     *
     * @param types null or empty if the call names none
     */
    public static Object call(String method, String[] types, Object[] arguments) {
        switch (method) {
            case "describe":
                return Description.of(Arrays.asList(arguments));
            case "types":
                return types == null ? "null" : Arrays.toString(types);
            case "echo":
                return arguments[0];
            case "entry":
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("title", arguments[0]);
                entry.put("lines", new ArrayList<>(List.of(1, 2)));
                return entry;
            case "add":
                return ((Number) arguments[0]).longValue() + ((Number) arguments[1]).longValue();
            case "nothing":
                return null;
            case "fail":
                throw new IllegalStateException((String) arguments[0]);
            default:
                throw new IllegalArgumentException(method + ": unknown to the ledger");
        }
    }
}
