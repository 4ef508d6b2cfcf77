package io.dubbomesh.acceptance;

import io.dubbomesh.testsupport.HttpAnswer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The table of calls whose answers are the same with every provider, but for its known limits. */
record CompatibilityCalls(List<Call> calls, KnownLimits limits) {
    static final Path CLASS_FILES = Path.of("..", "demo", "api", "target", "classes");
    static final List<String> SERVICES = List.of(
            Call.CONFORMANCE,
            Call.CONFORMANCE + ":2.0.0:blue",
            Call.OFFICE + "UserService",
            Call.OFFICE + "DrawingService",
            Call.OFFICE + "Cashier",
            Call.OFFICE + "SignUp",
            Call.OFFICE + "Diary",
            Call.OFFICE + "Vault",
            Call.OFFICE + "Vault:random",
            Call.OFFICE + "Vault:other",
            Call.OFFICE + "LedgerService");
    /** Of providers and agents, for dates without an offset. */
    static final String TIME_ZONE = "UTC";

    private static final Path RESOURCES = Path.of("src", "test", "resources");

    static CompatibilityCalls read() throws IOException {
        return new CompatibilityCalls(
                CallTable.read(RESOURCES.resolve("compatibility.calls")),
                KnownLimits.read(RESOURCES.resolve("compatibility.limits")));
    }

    /** Makes the calls in every style. */
    List<Verdict> verdicts(Setup setup, Predicate<Call> made, int port) throws IOException {
        List<Verdict> verdicts = new ArrayList<>();
        try (CallClient client = new CallClient(port)) {
            for (Call call : calls.stream().filter(made).toList()) {
                for (CallStyle style : CallStyle.values()) {
                    if (call.answer(style) != null) {
                        verdicts.add(verdict(setup, style, call, client.answer(style.request(call))));
                    }
                }
            }
        }
        return verdicts;
    }

    private Verdict verdict(Setup setup, CallStyle style, Call call, HttpAnswer answer) {
        boolean form = style == CallStyle.FORM;
        String fault = call.answer(style).faultOf(answer, form);
        for (Map.Entry<String, String> header : call.answerHeaders().entrySet()) {
            String value = answer.header(header.getKey());
            if (fault == null && !header.getValue().equals(value)) {
                fault = header.getKey() + ": " + value;
            }
        }
        KnownLimits.Limit limit = limits.of(setup, style, call);
        if (limit == null) {
            return new Verdict(setup, style, call, -1, fault);
        } else if (fault == null) {
            return new Verdict(setup, style, call, -1, "is right, which was not expected: the limit is gone");
        }
        return new Verdict(setup, style, call, limit.reason(), limit.answer().faultOf(answer, form));
    }
}
