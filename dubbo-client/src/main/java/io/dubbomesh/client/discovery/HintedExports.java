package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The exports of a provider that does not list them, as Dubbo 3 without its metadata service: others name services that
 * it may export, and it is asked about each of them. So a wrong or old name does no harm. A service that the provider
 * has confirmed is asked about again even if it is named no more, since a registry leaves out providers whose agents
 * are registered.
 */
final class HintedExports {
    private static final int MAX_SERVICES = 4096;

    private final List<ExportHints> hints;
    private final Function<Set<ServiceKey>, Exports> check;
    private Set<ServiceKey> confirmed = Set.of();
    /** The sources that named the confirmed services. */
    private List<String> sources = List.of();

    /** @param check which of some services the provider exports */
    HintedExports(List<ExportHints> hints, Function<Set<ServiceKey>, Exports> check) {
        this.hints = List.copyOf(hints);
        this.check = check;
    }

    /**
     * Blocks until the provider has answered, or the time is over.
     *
     * @param isConfirmedAgain whether it is asked about services that it has confirmed
     */
    synchronized Exports run(boolean isConfirmedAgain) {
        Set<ServiceKey> named = new LinkedHashSet<>(confirmed);
        List<String> by = new ArrayList<>();
        for (ExportHints hint : hints) {
            Set<ServiceKey> found = hint.services();
            if (!found.isEmpty()) {
                by.add(hint.source());
            }
            found.stream().limit(MAX_SERVICES - named.size()).forEach(named::add);
        }
        if (named.isEmpty()) {
            return ExportQuery.UNKNOWN;
        }
        Set<ServiceKey> asked = new LinkedHashSet<>(named);
        if (!isConfirmedAgain) {
            asked.removeAll(confirmed);
        }
        Exports checked = asked.isEmpty() ? Exports.ALL : check.apply(asked);
        named.removeAll(checked.missing().keySet());
        if (!checked.unsaid().isEmpty() || named.isEmpty() && confirmed.isEmpty()) {
            return ExportQuery.UNKNOWN;
        }
        confirmed = Set.copyOf(named);
        sources = by.isEmpty() ? sources : List.copyOf(by);
        return new Exports(
                Map.of(),
                Set.of(),
                List.of(),
                confirmed,
                "as named by " + String.join(" and ", sources) + " and confirmed by it");
    }
}
