package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;

import java.io.Closeable;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The table of calls whose answers are the same with every provider, but for its known limits. */
record CompatibilityCalls(List<Call> calls, KnownLimits limits) {
    static final Path CLASS_FILES = Path.of("../..", "testing", "demo", "api", "target", "classes");
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
    /** The time zone of providers and agents, for dates without an offset. */
    static final String TIME_ZONE = "UTC";

    private static final Path RESOURCES = Path.of("src", "test", "resources");

    static CompatibilityCalls read() throws IOException {
        return new CompatibilityCalls(
                CallTable.read(RESOURCES.resolve("compatibility.calls")),
                KnownLimits.read(RESOURCES.resolve("compatibility.limits")));
    }

    /** The table of {@link ValueRuleTest}. */
    static CompatibilityCalls ofValues() throws IOException {
        return new CompatibilityCalls(
                CallTable.read(RESOURCES.resolve("values.calls")),
                KnownLimits.read(RESOURCES.resolve("values.limits")));
    }

    /** Makes the calls in every style. */
    List<Verdict> verdicts(Setup setup, Predicate<Call> made, int port) throws IOException {
        List<Verdict> verdicts = new ArrayList<>();
        try (Client client = new Client(port)) {
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
            boolean isSame =
                    header.getValue().equals(value) || header.getValue().equals(decoded(value));
            if (fault == null && !isSame) {
                fault = header.getKey() + ": " + decoded(value);
            }
        }
        KnownLimits.Limit limit = limits.of(setup, style, call);
        if (limit == null) {
            return new Verdict(setup, style, call, -1, fault, answer.status());
        } else if (fault == null) {
            String gone = "is right, which was not expected: the limit is gone";
            return new Verdict(setup, style, call, -1, gone, answer.status());
        }
        String other = limit.answer().faultOf(answer, form);
        return new Verdict(setup, style, call, limit.reason(), other, answer.status());
    }

    /** Decodes an attachment, which is percent-encoded where a header cannot have it as it is. */
    private static String decoded(String value) {
        return value == null ? null : URLDecoder.decode(value.replace("+", "%2B"), UTF_8);
    }

    /** Makes calls one after the other, over one connection for as long as it lasts. */
    private static final class Client implements Closeable {
        private final int port;
        private HttpSocket socket;

        private Client(int port) {
            this.port = port;
        }

        private HttpAnswer answer(String request) throws IOException {
            if (socket == null) {
                socket = new HttpSocket(port);
            }
            HttpAnswer answer = socket.call(request);
            if (answer.hasConnectionClose()) {
                close();
            }
            return answer;
        }

        @Override
        public void close() throws IOException {
            if (socket != null) {
                socket.close();
                socket = null;
            }
        }
    }
}
