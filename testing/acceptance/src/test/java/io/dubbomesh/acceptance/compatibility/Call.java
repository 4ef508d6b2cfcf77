package io.dubbomesh.acceptance.compatibility;

import java.util.List;
import java.util.Map;

/**
 * A call of a service of the demo and its expected answer.
 *
 * @param line          in the table
 * @param service       its interface
 * @param types         of the parameters, by their short names
 * @param arguments     a JSON array
 * @param query         version and group, as a query has them
 * @param headers       of the request
 * @param answer        by every style that is not among {@code exceptions}
 * @param answerHeaders that the answer has among others, by their names in lower case
 * @param exceptions    a null value: cannot be called in this style
 */
public record Call(
        int line,
        String service,
        String method,
        List<String> types,
        String arguments,
        String query,
        List<String> headers,
        ExpectedAnswer answer,
        Map<String, String> answerHeaders,
        Map<CallStyle, ExpectedAnswer> exceptions) {

    public static final String CONFORMANCE = "io.dubbomesh.demo.conformance.ConformanceService";
    public static final String OFFICE = "io.dubbomesh.demo.office.";

    /** Whether it is of one of the services with the peculiarities of real providers. */
    public boolean isOfOffice() {
        return service.startsWith(OFFICE);
    }

    /** Returns the signature of the table: {@code increment(List<Long>)}, or {@code Diary.nextDay(Date)}. */
    public String signature() {
        String owner = isOfOffice() ? service.substring(OFFICE.length()) + "." : "";
        return owner + method + "(" + String.join(",", types) + ")";
    }

    /** Returns the package of the classes that the table names without one. */
    public String packageName() {
        return service.substring(0, service.lastIndexOf('.') + 1);
    }

    /** Null if it cannot be called so. */
    public ExpectedAnswer answer(CallStyle style) {
        return exceptions.containsKey(style) ? exceptions.get(style) : answer;
    }

    @Override
    public String toString() {
        return method + (arguments.length() > 100 ? arguments.substring(0, 100) + "..." : arguments);
    }
}
